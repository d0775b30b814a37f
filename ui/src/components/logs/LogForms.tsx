// Fields of a log: text, date, and a document that can be attached, replaced or removed. Text and date are kept as a
// draft.
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { Log } from "../../api/generated/Log";
import type { LogDocument } from "../../api/generated/LogDocument";
import type { LogSubject } from "../../api/logs";
import { formatDateTime, wallClock } from "../../lib/dates";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";
import { DialogForm } from "../DialogForm";
import { DateTimeField } from "../dateFields";
import { ChosenFile, StoredFile } from "../FileItem";
import { FilePicker } from "../FilePicker";
import { SubmitButton } from "../Form";
import { type FormDraft, useFormDraft } from "../FormDraft";
import { FieldLegend, requiredText, TextArea } from "../fields";
import { ErrorNote } from "../states";
import { logs as texts } from "../texts/logs";
import { savedText, showToast } from "../toasts";
import { UploadProgress } from "../UploadProgress";
import { useSingleFile } from "../useSingleFile";
import { type TransferState, useTransfer } from "../useTransfer";
import styles from "./LogForms.module.css";

type Values = { info: string; time: string };

export function NewLogForm({ subject, onClose }: { subject: LogSubject; onClose: () => void }) {
  const [openedAt] = useState(() => formatDateTime(wallClock()));
  const form = useForm<Values>({ defaultValues: { info: "", time: openedAt } });
  const draft = useFormDraft(form, "log", subject.dpfId);
  const transfer = useTransfer();
  return (
    <LogForm
      form={form}
      draft={draft}
      transfer={transfer}
      stored={null}
      onClose={onClose}
      onSave={(values, file) => {
        const fields = { ...values, file };
        const call = subject.kind === "equipment" ? "SaveEquipmentLog" : "SaveFlightLog";
        const fieldsFor = (log: string) => ({ dpfId: subject.dpfId, log, ...fields });
        return transfer.run((progress) => draft.send(call, fields, fieldsFor, progress));
      }}
    />
  );
}

export function EditLogForm({ log, onClose }: { log: Log; onClose: () => void }) {
  const stored = { info: log.info, time: log.time };
  const form = useForm<Values>({ defaultValues: stored });
  const draft = useFormDraft(form, "editLog", log.dpfId, stored);
  const transfer = useTransfer();
  return (
    <LogForm
      form={form}
      draft={draft}
      transfer={transfer}
      stored={log.documentObj}
      onClose={onClose}
      onSave={(values, file, removeDocument) => {
        const fields = { ...values, file, removeDocument: removeDocument || null };
        const fieldsFor = () => ({ dpfId: log.dpfId, ...fields });
        return transfer.run((progress) => draft.send("EditLog", fields, fieldsFor, progress));
      }}
    />
  );
}

function LogForm({
  form,
  draft,
  transfer,
  stored,
  onSave,
  onClose,
}: {
  form: ReturnType<typeof useForm<Values>>;
  draft: FormDraft;
  transfer: TransferState;
  /** The stored document of the log. */
  stored: LogDocument | null;
  onSave: (values: Values, file: File | null, removeDocument: boolean) => Promise<unknown>;
  onClose: () => void;
}) {
  const { file, error: fileError, pick, remove } = useSingleFile();
  const [isStoredRemoved, setStoredRemoved] = useState(false);
  const { share } = transfer;
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onCancel={transfer.cancel}
      onSave={async (values) => {
        showToast(savedText(await onSave(values, file, isStoredRemoved && file === null)));
      }}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <TextArea
        control={form.control}
        name="info"
        label={texts.text}
        autoFocus={focusesFirstField()}
        rules={requiredText(texts.textMissing)}
      />
      <DateTimeField
        control={form.control}
        name="time"
        label={texts.time}
        rules={{ required: texts.timeMissing }}
      />
      <fieldset className={styles.file} disabled={share !== null}>
        <FieldLegend>{texts.file}</FieldLegend>
        {file !== null ? (
          <ChosenFile file={file} onRemove={share === null ? remove : undefined} />
        ) : stored !== null && !isStoredRemoved ? (
          <StoredFile name={stored.name} size={stored.size} onRemove={() => setStoredRemoved(true)} />
        ) : null}
        {share === null && <FilePicker onPick={pick} />}
        {fileError !== null && <ErrorNote>{fileError}</ErrorNote>}
      </fieldset>
      {share !== null && file !== null && <UploadProgress share={share} />}
    </DialogForm>
  );
}
