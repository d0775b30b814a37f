// The form of hours from before Fluglog: those of the pilot, or of an item.
import { useForm } from "react-hook-form";
import type { PriorFlights } from "../../api/generated/PriorFlights";
import { useFlightMonths } from "../../api/statistics";
import { formatDate, wallClock } from "../../lib/dates";
import { general } from "../../texts";
import { DialogBody } from "../Dialog";
import { DialogForm } from "../DialogForm";
import { DateField } from "../dateFields";
import { SubmitButton } from "../Form";
import { useFormDraft } from "../FormDraft";
import { TextField } from "../fields";
import { Skeleton } from "../states";
import { showToast } from "../toasts";
import { changedFields, isWhole, type PriorValues, parseHours, priorText, valuesOf } from "./priorValues";
import { priorForm as texts } from "./texts";

type FormProps = {
  /** Undefined for the pilot. */
  item: string | undefined;
  isPack: boolean;
  /** Undefined while nothing is entered. */
  stored: PriorFlights | undefined;
  onClose: () => void;
};

/** The day that is proposed is that of the first month in Fluglog, which may have to be loaded. */
export function PriorForm(props: FormProps) {
  const months = useFlightMonths(props.item);
  if (months.isPending && months.fetchStatus !== "paused") {
    return (
      <DialogBody>
        <Skeleton count={3} height={4} />
      </DialogBody>
    );
  }
  const first = months.data?.[0]?.month.split("-");
  const day = first ? `01.${first[1]}.${first[0]}` : formatDate(wallClock());
  return <Entries {...props} day={day} />;
}

function Entries({ item, isPack, stored, day, onClose }: FormProps & { day: string }) {
  const values = valuesOf(stored, day);
  const form = useForm<PriorValues>({ defaultValues: values });
  const draft = useFormDraft(form, "prior", item ?? "own", values);
  const { control } = form;
  const whole = { validate: (text: string) => isWhole(text) || texts.whole };
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (typed) => {
        const prior = changedFields(typed, values);
        const of = item === undefined ? {} : { dpfId: item };
        await draft.send("SavePriorFlights", typed, () => ({ ...of, prior }));
        showToast(general.saved);
      }}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <p className="quiet">{item === undefined ? texts.ofPilot : texts.ofItem}</p>
      <TextField control={control} name="flights" label={texts.flights} inputMode="numeric" rules={whole} />
      <TextField
        control={control}
        name="hours"
        label={texts.hours}
        hint={texts.hoursHint}
        maxLength={12}
        rules={{
          validate: (text: string) => text.trim() === "" || parseHours(text) !== null || texts.hoursInvalid,
        }}
      />
      {isPack && (
        <TextField control={control} name="cycles" label={texts.cycles} inputMode="numeric" rules={whole} />
      )}
      <DateField control={control} name="until" label={texts.until} hint={texts.untilHint} />
      <TextField control={control} name="note" label={texts.note} hint={texts.noteHint} maxLength={200} />
      {stored !== undefined && priorText(stored) !== "" && <p className="quiet">{texts.clearHint}</p>}
    </DialogForm>
  );
}
