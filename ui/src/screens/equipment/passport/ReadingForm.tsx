// The form of a reading: a table of cells with the previous values in grey; everything else is folded. Typed values are
// kept as a draft.
import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import { type UseFormReturn, useForm, useFormState } from "react-hook-form";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { BatteryReading } from "../../../api/generated/BatteryReading";
import { Kind } from "../../../api/generated/Kind";
import { ButtonLink } from "../../../components/Button";
import { DateTimeField } from "../../../components/dateFields";
import { Fold } from "../../../components/Fold";
import { Form, SubmitButton } from "../../../components/Form";
import { DraftNote, LeaveGuard, useFormDraft } from "../../../components/FormDraft";
import { Checkbox, FieldColumns, RadioChoice, TextArea, TextField } from "../../../components/fields";
import { ActionBar, Page } from "../../../components/Page";
import { VoltageField } from "../../../components/packs/VoltageField";
import { EmptyState } from "../../../components/states";
import { showToast } from "../../../components/toasts";
import { formatDate, formatDateTime, wallClock } from "../../../lib/dates";
import { isNumberText, numberToInput } from "../../../lib/numbers";
import { general } from "../../../texts";
import { urls } from "../../../urls";
import styles from "./ReadingForm.module.css";
import { type Column, entriesOf, likelyKind, missingIn, pasted, type Values, valuesOf } from "./readingForm";
import { passport } from "./texts";

const texts = passport.form;

/** The form. `dpfId`: null for a new reading. */
export function ReadingForm({
  passport,
  dpfId,
  onBack,
}: {
  passport: BatteryPassport;
  dpfId: string | null;
  onBack: () => void;
}) {
  const edited = passport.readings.find((reading) => reading.dpfId === dpfId) ?? null;
  if (dpfId !== null && edited === null) {
    return (
      <Page title={texts.editTitle(passport.battery.name)} onBack={onBack} isNarrow>
        <EmptyState icon="warning">{texts.gone}</EmptyState>
      </Page>
    );
  }
  return <Loaded passport={passport} edited={edited} onBack={onBack} />;
}

function Loaded({
  passport,
  edited,
  onBack,
}: {
  passport: BatteryPassport;
  edited: BatteryReading | null;
  onBack: () => void;
}) {
  const { battery } = passport;
  const now = wallClock();
  const cells = battery.cells ?? 0;
  const [defaultValues] = useState(() =>
    valuesOf(edited, cells, likelyKind(passport, formatDate(now)), formatDateTime(now)),
  );
  const form = useForm<Values>({ defaultValues });
  const draft = useFormDraft(
    form,
    "reading",
    edited?.dpfId ?? battery.dpfId,
    edited ? defaultValues : undefined,
  );
  const title = edited === null ? texts.newTitle(battery.name) : texts.editTitle(battery.name);
  const before = passport.readings.find(
    ({ dpfId, cellVoltages }) => dpfId !== edited?.dpfId && cellVoltages.length > 0,
  );
  async function save(values: Values) {
    if (isIncomplete(form, values)) return;
    const entries = entriesOf(values);
    if (edited === null) {
      await draft.send("SaveBatteryReading", values, (reading) => ({
        battery: battery.dpfId,
        reading,
        ...entries,
      }));
    } else {
      const { dpfId } = edited;
      await draft.send("EditBatteryReading", values, () => ({ battery: battery.dpfId, dpfId, ...entries }));
    }
    draft.clear();
    showToast(general.saved);
    onBack();
  }
  return (
    <Page title={title} onBack={onBack} isNarrow>
      <DraftNote draft={draft} />
      <LeaveGuard draft={draft} />
      <Form form={form} onSubmit={save}>
        <RadioChoice
          control={form.control}
          name="kind"
          label={texts.kind}
          choices={texts.kinds.map((text, value) => ({ value: String(value), text }))}
        />
        {defaultValues.volts.length > 0 ? (
          <>
            <div className={styles.cells}>
              <CellColumn form={form} column="volts" before={before?.cellVoltages ?? []} />
              <CellColumn form={form} column="ohms" before={before?.resistances ?? []} />
            </div>
            <p className="quiet">
              {before && `${texts.before(before.time)} `}
              {texts.paste}
            </p>
          </>
        ) : (
          <EmptyState
            icon="battery"
            action={
              <ButtonLink to={urls.equipment(Kind.Battery, battery.dpfId)}>{texts.toProfile}</ButtonLink>
            }
          >
            {texts.cellsUnknown}
          </EmptyState>
        )}
        <VoltageField
          dpfIds={[battery.dpfId]}
          control={form.control}
          name="voltage"
          label={texts.voltage}
          hint={defaultValues.volts.length > 0 && texts.voltageHint}
        />
        <More form={form} />
        <ActionBar>
          <SubmitButton variant="primary" icon="save">
            {general.save}
          </SubmitButton>
        </ActionBar>
      </Form>
    </Page>
  );
}

/** Shows the first cell of a column that is missing or isn't a number. Returns whether there is one. */
function isIncomplete(form: UseFormReturn<Values>, values: Values): boolean {
  for (const column of ["volts", "ohms"] as const) {
    const cells = values[column];
    const wrong = cells.findIndex((cell) => cell.trim() !== "" && !isNumberText(cell));
    const missing = missingIn(cells);
    const first = wrong === -1 ? missing : wrong;
    if (first === null) continue;
    form.setFocus(`${column}.${first}`);
    form.setError("root", { message: wrong === -1 ? texts.allOrNone(cells.length) : general.invalid });
    return true;
  }
  return false;
}

/** A column of inputs. "Weiter" on the keyboard leads to the next cell; a pasted line fills them all. */
function CellColumn({
  form,
  column,
  before,
}: {
  form: UseFormReturn<Values>;
  column: Column;
  before: number[];
}) {
  const values = form.watch(column);
  const label = column === "volts" ? texts.voltsOf : texts.ohmsOf;
  function paste(event: ClipboardEvent) {
    const filled = pasted(event.clipboardData.getData("text"), column, form.getValues());
    if (filled === null) return;
    event.preventDefault();
    for (const name of ["volts", "ohms"] as const) form.setValue(name, filled[name], { shouldDirty: true });
  }
  /** Focuses the next cell synchronously: the form's own way is slower, and the next digit would be lost. */
  function goOn(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    const cells = [...(event.currentTarget.form?.querySelectorAll<HTMLInputElement>("[data-cell]") ?? [])];
    const next = cells[cells.indexOf(event.currentTarget) + 1];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.select();
  }
  return (
    <fieldset className={styles.column}>
      <legend>{column === "volts" ? texts.volts : texts.ohms}</legend>
      {values.map((_, cell) => {
        const last = before[cell];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the cell
          <div key={cell} className={styles.cell}>
            {column === "volts" && (
              <span className={styles.number} aria-hidden="true">
                {cell + 1}
              </span>
            )}
            <span className={styles.box}>
              <input
                {...form.register(`${column}.${cell}`)}
                aria-label={label(cell + 1)}
                type="text"
                inputMode="decimal"
                enterKeyHint="next"
                autoComplete="off"
                maxLength={20}
                onPaste={paste}
                onKeyDown={goOn}
                data-cell=""
              />
              {last !== undefined && (
                <span className={styles.last} aria-hidden="true">
                  {numberToInput(last)}
                </span>
              )}
            </span>
          </div>
        );
      })}
    </fieldset>
  );
}

function More({ form }: { form: UseFormReturn<Values> }) {
  const { control } = form;
  const isTemperature = (text: string) => {
    const degrees = Number(text.trim().replace(",", ".").replace("−", "-"));
    return text.trim() === "" || (degrees >= -30 && degrees <= 90) || texts.temperatureWrong;
  };
  const [isOpenAtFirst] = useState(() => {
    const { temperature, charger, info, swollen, damaged } = form.getValues();
    return [temperature, charger, info].some((text) => text !== "") || swollen || damaged;
  });
  const { errors } = useFormState({ control });
  return (
    <Fold
      title={texts.more}
      isOpenAtFirst={isOpenAtFirst}
      isWrong={Boolean(errors.temperature || errors.time)}
    >
      <div className="stack">
        <FieldColumns>
          <TextField
            control={control}
            name="temperature"
            label={texts.temperature}
            maxLength={6}
            rules={{ validate: isTemperature }}
          />
          <TextField control={control} name="charger" label={texts.charger} />
          <DateTimeField
            control={control}
            name="time"
            label={texts.time}
            rules={{ required: texts.timeMissing }}
          />
        </FieldColumns>
        <Checkbox control={control} name="swollen" label={texts.swollen} />
        <Checkbox control={control} name="damaged" label={texts.damaged} />
        <TextArea control={control} name="info" label={texts.info} rows={2} />
      </div>
    </Fold>
  );
}
