// Two ways not to do a job now: skip it, so that it counts anew, or put it off, so that it stays due but quiet.
import { useForm } from "react-hook-form";
import type { JobName } from "../../api/maintenance";
import { focusesFirstField } from "../../lib/touch";
import { DialogForm } from "../DialogForm";
import { DateField } from "../dateFields";
import { SubmitButton } from "../Form";
import { useFormDraft } from "../FormDraft";
import { RadioChoice, TextField } from "../fields";
import { savedText, showToast } from "../toasts";
import { laterForm, maintenance, skipForm } from "./texts";

export function SkipForm({ job, onClose }: { job: JobName; onClose: () => void }) {
  const { dpfId, jobId, title } = job;
  const form = useForm({ defaultValues: { info: "" } });
  const draft = useFormDraft(form, "skipJob", jobId);
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async ({ info }) => {
        const fields = { dpfId, jobId, info: info || null };
        showToast(
          savedText(await draft.send("SkipJob", { info }, () => fields), maintenance.isSkipped(title)),
        );
      }}
      submit={<SubmitButton icon="forward">{skipForm.submit}</SubmitButton>}
    >
      <p>{skipForm.hint}</p>
      <TextField control={form.control} name="info" label={skipForm.reason} autoFocus={focusesFirstField()} />
    </DialogForm>
  );
}

type Way = keyof typeof laterForm.ways;

const waits: { [way in Way]?: object } = { days: { days: 7 }, flights: { flights: 5 }, hours: { hours: 5 } };

export function LaterForm({ job, onClose }: { job: JobName; onClose: () => void }) {
  const { dpfId, jobId, title } = job;
  const form = useForm<{ way: Way; date: string }>({ defaultValues: { way: "days", date: "" } });
  const draft = useFormDraft(form, "putOffJob", jobId);
  const isDate = form.watch("way") === "date";
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (typed) => {
        const until = waits[typed.way] ?? { until: typed.date };
        const answer = await draft.send("PutOffJob", typed, () => ({ dpfId, jobId, ...until }));
        showToast(savedText(answer, maintenance.isPutOff(title)));
      }}
      submit={<SubmitButton icon="clock">{laterForm.submit}</SubmitButton>}
    >
      <p>{laterForm.hint}</p>
      <RadioChoice
        control={form.control}
        name="way"
        label={laterForm.choice}
        choices={Object.entries(laterForm.ways).map(([value, text]) => ({ value, text }))}
      />
      {isDate && (
        <DateField
          control={form.control}
          name="date"
          label={laterForm.date}
          rules={{ required: laterForm.dateMissing }}
        />
      )}
    </DialogForm>
  );
}
