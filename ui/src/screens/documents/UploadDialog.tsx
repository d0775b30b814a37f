// Uploads one document with its description, also as a proof, and as one that replaces another. Closes by its buttons
// only; "Abbrechen" cancels a running upload.
import { useMemo } from "react";
import { useForm } from "react-hook-form";
import type { Proof } from "../../api/generated/Proof";
import { useProofKinds } from "../../api/proofs";
import type { Transfer } from "../../api/transfer";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { ChosenFile } from "../../components/FileItem";
import { FilePicker } from "../../components/FilePicker";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { requiredText, TextField } from "../../components/fields";
import { ProofFold } from "../../components/proofs/ProofFold";
import { type ProofValues, renewedValues, sentProof, valuesOf } from "../../components/proofs/proofForm";
import { withoutSecretEnd, withoutSecretName } from "../../components/proofs/secretEnd";
import { proofs } from "../../components/proofs/texts";
import { isOwnPage, useProofPages } from "../../components/proofs/useProofPages";
import { ErrorNote, InfoNote, Skeleton } from "../../components/states";
import { documents as texts } from "../../components/texts/documents";
import { files } from "../../components/texts/files";
import { showToast } from "../../components/toasts";
import { UploadProgress } from "../../components/UploadProgress";
import { useSingleFile } from "../../components/useSingleFile";
import { useTransfer } from "../../components/useTransfer";
import { focusesFirstField } from "../../lib/touch";

type Opening = {
  /** The proof that the document replaces. */
  renewed?: Proof;
  onClose: () => void;
};

export function UploadDialog({ isOpen, renewed, onClose }: Opening & { isOpen: boolean }) {
  const title = renewed === undefined ? texts.uploadTitle : proofs.renewTitle;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} isBlocking>
      {renewed === undefined ? (
        <UploadForm onClose={onClose} values={valuesOf("", undefined)} />
      ) : (
        <RenewalForm renewed={renewed} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Waits for the end that is proposed. Without it the pilot types one. */
function RenewalForm({ renewed, onClose }: Required<Opening>) {
  const kinds = useProofKinds(true);
  if (kinds.isPending) return <Skeleton height={12} />;
  const values = renewedValues(renewed, kinds.data ?? []);
  return <UploadForm renewed={renewed} onClose={onClose} values={values} />;
}

function UploadForm({ renewed, onClose, values }: Opening & { values: ProofValues }) {
  const form = useForm({ defaultValues: values });
  const draft = useFormDraft(form, "document", renewed?.dpfId ?? "new");
  const { share, run, cancel } = useTransfer();
  const { file, error: fileError, pick, remove } = useSingleFile();
  const source = useMemo(
    () => file && { name: file.name, type: file.type, content: async () => file },
    [file],
  );
  const isProof = form.watch("kind") !== "";
  const isPicture = source !== null && isOwnPage(source);
  const pages = useProofPages(source, isProof, isPicture ? 1 : 0);
  const hasPages = isProof && isPicture;

  function choose(picked: File[]) {
    const [first, ...others] = picked.map(withoutSecretName);
    if (first === undefined) return;
    if (hasPages) return pages.add([first, ...others]);
    const areAllPictures = isProof && [first, ...others].every(isOwnPage);
    const isAccepted = pick(areAllPictures ? [first] : [first, ...others]);
    if (isAccepted && areAllPictures && others.length > 0) pages.add(others);
  }
  /** The next page becomes the first. */
  function removeFirst() {
    const [next] = pages.files;
    if (!hasPages || next === undefined) {
      remove();
      pages.clear();
      return;
    }
    pages.remove(next);
    pick([next]);
  }

  async function send(typed: ProofValues, document: File, transfer: Transfer) {
    const { description } = typed;
    if (typed.kind === "") {
      const fields = { file: document, description };
      const fieldsFor = (dpfId: string) => ({ dpfId, ...fields });
      await draft.send("UploadUserDocument", fields, fieldsFor, transfer);
      return texts.uploaded;
    }
    const proof = { ...sentProof(typed), ...(renewed && { replaces: renewed.dpfId }) };
    const ownPage = isPicture && pages.files.length > 0 ? [document] : [];
    const all = [document, ...ownPage, ...pages.files];
    const fieldsFor = (dpfId: string) => ({ dpfId, description, proof, files: all });
    const saved = await draft.send("AddProof", { description, proof, files: all }, fieldsFor, transfer);
    return saved?.hint ?? texts.uploaded;
  }

  return (
    <DialogForm
      form={form}
      draft={draft}
      failure={texts.uploadFailed}
      onClose={onClose}
      onCancel={cancel}
      onSave={async (typed) => {
        // The button is disabled without a file.
        if (file === null) return;
        showToast(await run((transfer) => send(typed, file, transfer)));
      }}
      submit={
        <SubmitButton icon="upload" isDisabled={file === null || share !== null || pages.state === "making"}>
          {files.upload}
        </SubmitButton>
      }
    >
      {renewed && <InfoNote icon="history">{proofs.replaces(renewed.name)}</InfoNote>}
      <TextField
        control={form.control}
        name="description"
        label={texts.columns.description}
        autoFocus={focusesFirstField()}
        clean={withoutSecretEnd}
        rules={requiredText(texts.descriptionMissing)}
      />
      {file !== null && (
        <ChosenFile file={file} isPicture={isPicture} onRemove={share === null ? removeFirst : undefined} />
      )}
      {hasPages &&
        pages.files.map((page) => (
          <ChosenFile
            key={`${page.name} ${page.size}`}
            file={page}
            isPicture
            onRemove={share === null ? () => pages.remove(page) : undefined}
          />
        ))}
      {hasPages && pages.hasTooMany && <ErrorNote>{proofs.tooManyPages}</ErrorNote>}
      {isPicture && !isProof && <p className="quiet">{proofs.severalPages}</p>}
      {share === null ? (
        <FilePicker
          label={hasPages ? proofs.addPage : file === null ? files.choose : files.chooseOther}
          isMultiple={isProof}
          camera={hasPages ? "environment" : undefined}
          isDisabled={hasPages && pages.room <= 0}
          onPick={choose}
        />
      ) : (
        <UploadProgress share={share} />
      )}
      {fileError !== null && <ErrorNote>{fileError}</ErrorNote>}
      <ProofFold form={form} pages={hasPages ? null : pages} isOwnPage={isPicture} />
    </DialogForm>
  );
}
