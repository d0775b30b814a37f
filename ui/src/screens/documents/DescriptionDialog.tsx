// Edits a document's description, and what it is a proof of. Closes by its buttons only, because it holds input.
import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { Document } from "../../api/generated/Document";
import type { Proof } from "../../api/generated/Proof";
import { pageUrl, pictureAt, useProofs } from "../../api/proofs";
import { currentUser } from "../../api/session";
import { download } from "../../api/transfer";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { requiredText, TextField } from "../../components/fields";
import { ProofFold } from "../../components/proofs/ProofFold";
import { type ProofValues, sentProof, valuesOf } from "../../components/proofs/proofForm";
import { withoutSecretEnd } from "../../components/proofs/secretEnd";
import { isOwnPage, useProofPages } from "../../components/proofs/useProofPages";
import { Skeleton } from "../../components/states";
import { documents as texts } from "../../components/texts/documents";
import { showToast } from "../../components/toasts";
import { useIntent } from "../../components/useIntent";
import { contentOf } from "../../lib/drafts";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";

type Opening = { document: Document; onClose: () => void };

export function DescriptionDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={opening.document.name} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <StoredProof {...opening} />
    </Dialog>
  );
}

/** Waits for the proofs of a pilot who has some. */
function StoredProof(opening: Opening) {
  const query = useProofs({ isWanted: currentUser()?.hasProofs === true });
  if (query.isLoading) return <Skeleton height={12} />;
  const proof = query.data?.find(({ dpfId }) => dpfId === opening.document.dpfId);
  return <DescriptionForm {...opening} proof={proof} />;
}

function DescriptionForm({ document, proof, onClose }: Opening & { proof: Proof | undefined }) {
  const stored = valuesOf(document.description, proof);
  const form = useForm({ defaultValues: stored });
  const draft = useFormDraft(form, "description", document.dpfId, stored);
  const isProof = form.watch("kind") !== "";
  const { name, dpfId } = document;
  const source = useMemo(
    () => ({
      name,
      type: "",
      content: async () => new File([await download("DownloadDocument", { dpfId })], name),
    }),
    [name, dpfId],
  );
  const known = proof?.pages.map((page) => pageUrl(proof, page)) ?? [];
  const [kept, setKept] = useState(known);
  const isFirstPage = known.length === 0 && isOwnPage(source);
  const pages = useProofPages(source, isProof && known.length === 0, kept.length + (isFirstPage ? 1 : 0));
  const save = useProofWrites(document.dpfId, stored);

  /** All pages if they have changed. */
  async function changedPages(): Promise<File[]> {
    if (pages.files.length === 0 && kept.length === known.length) return [];
    const own = isFirstPage ? [await source.content()] : [];
    return [...own, ...(await Promise.all(kept.map(pictureAt))), ...pages.files];
  }
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (typed) => {
        const { description } = typed;
        // Fetched before the first write: without them nothing is saved.
        const changed = typed.kind === "" ? [] : await changedPages();
        await draft.send("EditUserDocument", { description }, () => ({ dpfId, description }));
        showToast((await save(typed, changed)) ?? general.saved);
      }}
      submit={
        <SubmitButton icon="save" isDisabled={pages.state === "making"}>
          {general.save}
        </SubmitButton>
      }
    >
      <TextField
        control={form.control}
        name="description"
        label={texts.columns.description}
        autoFocus={focusesFirstField()}
        clean={withoutSecretEnd}
        rules={requiredText(texts.descriptionMissing)}
      />
      <ProofFold
        form={form}
        pages={pages}
        stored={{
          urls: kept,
          areRequired: known.length > 0,
          remove: (url) => setKept(kept.filter((one) => one !== url)),
        }}
        isOwnPage={isOwnPage(source)}
      />
    </DialogForm>
  );
}

/** Saves what differs from the stored proof. Resolves to the server's hint. */
function useProofWrites(dpfId: string, stored: ProofValues) {
  const change = useIntent("proof", dpfId);
  const pictures = useIntent("proofPages", dpfId);
  return async (typed: ProofValues, files: readonly File[]): Promise<string | undefined> => {
    let hint: string | undefined;
    if (typed.kind === "" && stored.kind !== "") {
      await change.send("DeleteProof", { isProof: false }, () => ({ dpfId }));
    } else if (typed.kind !== "" && contentOf(sentProof(typed)) !== contentOf(sentProof(stored))) {
      const proof = sentProof(typed);
      hint = (await change.send("SaveProof", proof, () => ({ proof: { dpfId, ...proof } })))?.hint;
    }
    if (typed.kind !== "" && files.length > 0) {
      await pictures.send("SaveProofPages", { files }, () => ({ dpfId, files: [...files] }));
    }
    return hint;
  };
}
