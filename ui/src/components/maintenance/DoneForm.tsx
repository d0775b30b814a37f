// Records that a job is done: when, what, its steps and a photo. Everything has a preset, so that one more tap is
// enough.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../../api/client";
import type { JobName } from "../../api/maintenance";
import { useJob } from "../../api/maintenance";
import { useReachability } from "../../api/reachability";
import { formatDateTime, wallClock } from "../../lib/dates";
import { DialogForm } from "../DialogForm";
import { DateTimeField } from "../dateFields";
import { ChosenFile } from "../FileItem";
import { FilePicker } from "../FilePicker";
import { Fold } from "../Fold";
import { SubmitButton } from "../Form";
import { useFormDraft } from "../FormDraft";
import { Checkbox, FieldLegend, NumberField, TextArea } from "../fields";
import styles from "../logs/LogForms.module.css";
import { ErrorNote } from "../states";
import { UploadProgress } from "../UploadProgress";
import { useSingleFile } from "../useSingleFile";
import { useTransfer } from "../useTransfer";
import { sayDone } from "./sayDone";
import { doneForm as texts } from "./texts";

type Values = { time: string; info: string; cost: string; steps: boolean[] };

export function DoneForm({ job, onClose }: { job: JobName; onClose: () => void }) {
  const { dpfId, jobId } = job;
  const steps = useJob(job)?.steps ?? [];
  const [openedAt] = useState(() => formatDateTime(wallClock()));
  const form = useForm<Values>({ defaultValues: { time: openedAt, info: "", cost: "", steps: [] } });
  const draft = useFormDraft(form, "completeJob", jobId);
  const transfer = useTransfer();
  const photo = useSingleFile();
  const [isAgain, setAgain] = useState(false);
  const isOffline = useReachability() !== "reachable";
  const { share } = transfer;
  const { file } = photo;

  async function save({ time, info, cost, steps: ticked }: Values) {
    const done = steps.flatMap((_, at) => (ticked[at] ? [at] : []));
    const fields = {
      ...{ time, info: info || null, cost: cost || null, file, again: isAgain || null },
      steps: done.length > 0 ? done.join(",") : null,
    };
    try {
      const answer = await transfer.run((progress) =>
        draft.send("CompleteJob", fields, () => ({ dpfId, jobId, ...fields }), progress),
      );
      sayDone(job, answer);
    } catch (error) {
      if (error instanceof ApiError && error.field === "again") setAgain(true);
      throw error;
    }
  }
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onCancel={transfer.cancel}
      onSave={save}
      submit={<SubmitButton icon="check">{isAgain ? texts.again : texts.submit}</SubmitButton>}
    >
      {steps.length > 0 && (
        <fieldset className={styles.file}>
          <FieldLegend>{texts.steps}</FieldLegend>
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place
            <Checkbox key={at} control={form.control} name={`steps.${at}`} label={step} />
          ))}
        </fieldset>
      )}
      <DateTimeField
        control={form.control}
        name="time"
        label={texts.time}
        rules={{ required: texts.timeMissing }}
      />
      <TextArea control={form.control} name="info" label={texts.info} rows={2} />
      <fieldset className={styles.file} disabled={share !== null}>
        <FieldLegend>{texts.photo}</FieldLegend>
        {file !== null && (
          <ChosenFile
            file={file}
            onRemove={share === null ? photo.remove : undefined}
            isPicture={isPicture(file)}
          />
        )}
        {isOffline ? (
          <p className="quiet">{texts.photoOffline}</p>
        ) : (
          share === null && <FilePicker onPick={photo.pick} camera="environment" />
        )}
        {photo.error !== null && <ErrorNote>{photo.error}</ErrorNote>}
      </fieldset>
      {share !== null && file !== null && <UploadProgress share={share} />}
      <Fold title={texts.more} level="h3" isWrong={form.formState.errors.cost !== undefined}>
        <NumberField control={form.control} name="cost" label={texts.cost} />
      </Fold>
    </DialogForm>
  );
}

function isPicture({ type }: File): boolean {
  return type.startsWith("image/");
}
