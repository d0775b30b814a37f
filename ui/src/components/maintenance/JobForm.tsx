// A job as it is made, after a template or as an own one, or edited.
import { useForm } from "react-hook-form";
import type { JobTemplate } from "../../api/generated/JobTemplate";
import type { Kind } from "../../api/generated/Kind";
import type { MaintenanceJob } from "../../api/generated/MaintenanceJob";
import { general } from "../../texts";
import { DialogForm } from "../DialogForm";
import { DateField } from "../dateFields";
import { Fold } from "../Fold";
import { SubmitButton } from "../Form";
import { type FormDraft, useFormDraft } from "../FormDraft";
import { FieldLegend, NumberField, RadioChoice, requiredText, TextArea, TextField } from "../fields";
import styles from "../logs/LogForms.module.css";
import { savedText, showToast } from "../toasts";
import { hasLimit, type JobValues, limitsOf, repeatsOf, valuesOf } from "./jobValues";
import lines from "./Lines.module.css";
import { maintenance, jobForm as texts } from "./texts";

/** The fields of the folded part. */
const moreFields = ["steps", "source", "warnShare", "since"] as const;

type FormProps = { onClose: () => void };

/** `template`: null for an own job. */
export function NewJobForm({
  item,
  type,
  template,
  onClose,
}: FormProps & { item: string; type: Kind; template: JobTemplate | null }) {
  const form = useForm<JobValues>({ defaultValues: valuesOf(template) });
  const draft = useFormDraft(form, "job", `${item} ${template?.template ?? ""}`);
  return (
    <JobForm
      {...{ form, draft, type, onClose }}
      isNew
      source={template?.source ?? ""}
      onSave={(values) => {
        const job = { ...values, template: template?.template ?? null };
        return draft.send("SaveJob", job, (newJobId) => ({ dpfId: item, newJobId, job }));
      }}
    />
  );
}

export function EditJobForm({ job, onClose }: FormProps & { job: MaintenanceJob }) {
  const { dpfId, jobId } = job;
  const stored = valuesOf(job);
  const form = useForm<JobValues>({ defaultValues: stored });
  const draft = useFormDraft(form, "editJob", jobId, stored);
  return (
    <JobForm
      {...{ form, draft, onClose }}
      type={job.itemType}
      isNew={false}
      source={job.template ? job.source : ""}
      onSave={({ since: _, ...values }) =>
        draft.send("SaveJob", values, () => ({ dpfId, jobId, job: values }))
      }
    />
  );
}

function JobForm({
  form,
  draft,
  type,
  isNew,
  source,
  onSave,
  onClose,
}: FormProps & {
  form: ReturnType<typeof useForm<JobValues>>;
  draft: FormDraft;
  type: Kind;
  isNew: boolean;
  /** Of the template, which is no field; "" for an own job. */
  source: string;
  onSave: (values: JobValues) => Promise<unknown>;
}) {
  const { control, formState } = form;
  const { errors } = formState;
  const values = form.watch();
  const atLeastOne = () => hasLimit(form.getValues()) || texts.limitMissing;
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (typed) => showToast(savedText(await onSave(typed), texts.saved))}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      {source !== "" && <p className="quiet">{maintenance.suggestion(source)}</p>}
      <TextField
        control={control}
        name="title"
        label={texts.title}
        rules={requiredText(texts.titleMissing)}
      />
      <fieldset className={styles.file}>
        <FieldLegend>{texts.limits}</FieldLegend>
        <div className={lines.limits}>
          {limitsOf(type).map((name, at) => (
            <NumberField
              key={name}
              control={control}
              name={name}
              label={texts[name]}
              {...(at === 0 && { rules: { validate: atLeastOne } })}
            />
          ))}
        </div>
        <DateField control={control} name="date" label={texts.date} />
      </fieldset>
      <RadioChoice
        control={control}
        name="repeat"
        label={texts.repeat}
        hint={texts.repeatHint[values.repeat]}
        choices={repeatsOf(values).map((value) => ({ value, text: texts.repeats[value] }))}
      />
      <Fold title={texts.more} level="h3" isWrong={moreFields.some((name) => errors[name] !== undefined)}>
        <div className="stack">
          <TextArea control={control} name="steps" label={texts.steps} hint={texts.stepsHint} rows={3} />
          {source === "" && (
            <TextField control={control} name="source" label={texts.source} hint={texts.sourceHint} />
          )}
          <NumberField
            control={control}
            name="warnShare"
            label={texts.warnShare}
            hint={texts.warnShareHint}
          />
          {isNew && <DateField control={control} name="since" label={texts.since} hint={texts.sinceHint} />}
        </div>
      </Fold>
    </DialogForm>
  );
}
