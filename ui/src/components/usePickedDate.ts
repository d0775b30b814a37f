// State of a date field: the picker's value while it has the focus, and the form's text, which is updated on blur: a
// year is 2, then 20, then 202 while it is typed. Independent of appearance.
import { CalendarDateTime } from "@internationalized/date";
import { type ClipboardEvent, type FocusEvent, useRef, useState } from "react";
import { type FieldPath, type FieldPathValue, type FieldValues, useController } from "react-hook-form";
import { isOutsideYears, wallClock } from "../lib/dates";
import {
  dateError,
  incomplete,
  type Part,
  type PickedDate,
  pastedValue,
  pickedDay,
  pickedTime,
  textOfParts,
  toText,
  toValue,
} from "./dateText";
import type { FieldProps } from "./fields";

function isPart(element: EventTarget | null): boolean {
  return element instanceof HTMLElement && element.role === "spinbutton";
}

export function usePickedDate<Values extends FieldValues, Name extends FieldPath<Values>>(
  { control, name, rules }: Pick<FieldProps<Values, Name>, "control" | "name" | "rules">,
  withTime: boolean,
) {
  const { field, fieldState } = useController({
    control,
    name,
    rules: {
      ...rules,
      validate: {
        date: (text: unknown) => dateError(String(text), withTime),
        ...(typeof rules?.validate === "function" ? { own: rules.validate } : rules?.validate),
      },
    },
  });
  const saved = field.value as string;
  // `base` is the form's text that `value` was parsed from.
  const [typing, setTyping] = useState({ base: saved, value: toValue(saved, withTime) });
  const value = typing.base === saved ? typing.value : toValue(saved, withTime);
  /** The segments as last rendered. */
  const parts = useRef<readonly Part[]>([]);

  function commitText(text: string) {
    const isKept = text === incomplete || isOutsideYears(text);
    setTyping({ base: text, value: isKept ? value : toValue(text, withTime) });
    field.onChange(text as FieldPathValue<Values, Name>);
  }
  function commit(next: PickedDate) {
    commitText(toText(next));
  }
  return {
    value,
    error: fieldState.error?.message,
    isInvalid: fieldState.invalid,
    register: field.ref,
    parts,
    commit,
    type(next: PickedDate) {
      setTyping({ base: saved, value: next });
    },
    leave({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) {
      const isStaying = currentTarget.contains(relatedTarget);
      if (isStaying && (isPart(relatedTarget) || !isPart(target))) return;
      // The text is committed when the focus moves to a button, too: the library would replace a day that doesn't
      // exist. When a button loses the focus the refused text is kept, although the picker doesn't show it.
      const text = textOfParts(parts.current, withTime);
      if (isPart(target) || text !== "") commitText(text);
      if (!isStaying) field.onBlur();
    },
    paste(event: ClipboardEvent) {
      const pasted = pastedValue(event.clipboardData.getData("text"), withTime);
      event.preventDefault();
      if (pasted) commit(pasted);
    },
    stepBy(minutes: number) {
      const time = value instanceof CalendarDateTime ? value : pickedTime(wallClock());
      commit(time.add({ minutes }));
    },
    setToday() {
      const now = wallClock();
      if (!withTime) commit(pickedDay(now));
      else if (value instanceof CalendarDateTime) {
        commit(value.set({ year: now.year, month: now.month, day: now.day }));
      } else commit(pickedTime(now));
    },
  };
}
