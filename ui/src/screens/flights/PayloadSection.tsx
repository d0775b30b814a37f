// Payloads of a flight: name and weight, added by button or Enter once both are filled.
import type { KeyboardEvent } from "react";
import { FormProvider, type UseFormReturn } from "react-hook-form";
import { ApiError } from "../../api/client";
import type { Payload } from "../../api/generated/Payload";
import { Button, IconButton } from "../../components/Button";
import { Fold } from "../../components/Fold";
import { Form, SubmitButton } from "../../components/Form";
import { NumberField, TextField } from "../../components/fields";
import { flights } from "../../components/texts/flights";
import { formatQuantity, parseNumber } from "../../lib/numbers";
import { isTouchScreen } from "../../lib/touch";
import { general } from "../../texts";
import styles from "./PayloadSection.module.css";

const nameLimit = 200;

/** A payload that is typed but not added yet. */
export type PayloadValues = { name: string; weight: string };

export const noPayload: PayloadValues = { name: "", weight: "" };

function toPayload({ name, weight }: PayloadValues): Payload {
  return { name: name.trim(), weight: parseNumber(weight) ?? 0 };
}

/** Returns the payloads with the one that is typed but not added yet. Throws a sentence if that one is incomplete. */
export async function withTyped(form: UseFormReturn<PayloadValues>, payloads: Payload[]): Promise<Payload[]> {
  const typed = form.getValues();
  if (typed.name.trim() === "" && typed.weight.trim() === "") return payloads;
  const isComplete = await form.trigger(undefined, { shouldFocus: true });
  if (!isComplete) throw new ApiError(400, flights.payloadIncomplete, null);
  return [...payloads, toPayload(typed)];
}

export function PayloadSection({
  form,
  payloads,
  onChange,
  isInForm = false,
}: {
  form: UseFormReturn<PayloadValues>;
  payloads: Payload[];
  onChange: (payloads: Payload[]) => void;
  /** Whether the section is within another form; it has none of its own then. */
  isInForm?: boolean;
}) {
  async function add(values: PayloadValues) {
    onChange([...payloads, toPayload(values)]);
    // Set before the reset, which unregisters the fields until the next render.
    form.setFocus("name");
    form.reset();
  }
  function remove(position: number) {
    onChange(payloads.filter((_, other) => other !== position));
    // The focused button disappears; on a touch screen focus would open the keyboard.
    if (!isTouchScreen()) form.setFocus("name");
  }
  const filled = (text: string) => text.trim() !== "" || general.required;
  const addTyped = form.handleSubmit(add);
  function addByEnter(event: KeyboardEvent) {
    const isInField = event.target instanceof HTMLInputElement;
    if (!isInField || event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    // Enter must not submit the surrounding form.
    event.preventDefault();
    addTyped();
  }
  const fields = (
    <div className={styles.fields}>
      <TextField
        control={form.control}
        name="name"
        label={flights.payloadName}
        maxLength={nameLimit}
        rules={{ validate: filled }}
      />
      <NumberField
        control={form.control}
        name="weight"
        label={flights.payloadWeight}
        rules={{ validate: filled }}
      />
      <div className={styles.add}>
        {isInForm ? (
          <Button icon="plus" onPress={() => addTyped()}>
            {general.add}
          </Button>
        ) : (
          <SubmitButton icon="plus" variant="secondary">
            {general.add}
          </SubmitButton>
        )}
      </div>
    </div>
  );

  return (
    <Fold title={flights.payload} icon="payload" note={general.selected(payloads.length)} isNoteKept>
      {payloads.length > 0 && (
        <ul className={styles.payloads}>
          {payloads.map((payload, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two payloads may be alike, and a row holds no state
            <li key={position} className={styles.payload}>
              <strong className={styles.name}>{payload.name}</strong>
              <span>{formatQuantity(payload.weight, "g")}</span>
              <IconButton
                icon="delete"
                label={flights.deletePayload(payload.name)}
                onPress={() => remove(position)}
              />
            </li>
          ))}
        </ul>
      )}
      {isInForm ? (
        <FormProvider {...form}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter does what the button does */}
          <div onKeyDown={addByEnter}>{fields}</div>
        </FormProvider>
      ) : (
        <Form form={form} onSubmit={add}>
          {fields}
        </Form>
      )}
    </Fold>
  );
}
