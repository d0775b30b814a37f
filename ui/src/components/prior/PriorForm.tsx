// The form of hours from before Fluglog: those of the pilot, or of an item.
import { useRef, useState } from "react";
import { useForm } from "react-hook-form";
import type { PriorFlights } from "../../api/generated/PriorFlights";
import { unansweredOf } from "../../api/perform";
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
import {
  changedFields,
  isNothing,
  isWhole,
  type PriorFields,
  type PriorValues,
  parseHours,
  valuesOf,
} from "./priorValues";
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

const formName = "prior";

/** Reads which fields the earlier presses of this form have sent whose answers were lost: they may be stored. */
function useMaybeStored(record: string): () => Promise<ReadonlySet<string>> {
  const names = useRef(new Set<string>());
  return async () => {
    const before = await unansweredOf(formName, record);
    const { prior = {} } = (before?.fields ?? {}) as { prior?: PriorFields };
    for (const name of Object.keys(prior)) names.current.add(name);
    return names.current;
  };
}

function Entries({ item, isPack, stored, day, onClose }: FormProps & { day: string }) {
  // As the dialog was opened: what is loaded meanwhile must not make a field that wasn't touched one that was typed.
  const [values] = useState(() => valuesOf(stored, day));
  const record = item ?? "own";
  const form = useForm<PriorValues>({ defaultValues: values });
  const draft = useFormDraft(form, formName, record, values);
  const readMaybeStored = useMaybeStored(record);
  const { control } = form;
  const whole = (text: string) => isWhole(text) || texts.whole;
  async function something(_: string, typed: PriorValues) {
    if (!isNothing(typed) || !isNothing(values)) return true;
    return (await readMaybeStored()).size > 0 || texts.missing;
  }
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (typed) => {
        const prior = changedFields(typed, values, await readMaybeStored());
        const of = item === undefined ? {} : { dpfId: item };
        await draft.send("SavePriorFlights", typed, () => ({ ...of, prior }));
        showToast(general.saved);
      }}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <p className="quiet">{item === undefined ? texts.ofPilot : texts.ofItem}</p>
      <TextField
        control={control}
        name="flights"
        label={texts.flights}
        inputMode="numeric"
        rules={{ validate: { whole, something } }}
      />
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
        <TextField
          control={control}
          name="cycles"
          label={texts.cycles}
          inputMode="numeric"
          rules={{ validate: whole }}
        />
      )}
      <DateField control={control} name="until" label={texts.until} hint={texts.untilHint} />
      <TextField control={control} name="note" label={texts.note} hint={texts.noteHint} maxLength={200} />
      {!isNothing(values) && <p className="quiet">{texts.clearHint}</p>}
    </DialogForm>
  );
}
