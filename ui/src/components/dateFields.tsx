// The fields for a day and for a day with a time. Their value in the form is German text (DD.MM.YYYY or dd.MM.yyyy
// HH:mm), "" when empty. A half-typed date becomes a text that is no date, so the form's rule refuses it: the library
// itself would keep reporting the old value.
import { parseTime, type Time } from "@internationalized/date";
import { type RefObject, useContext, useLayoutEffect, useMemo, useRef, useState } from "react";
import {
  Button as AriaButton,
  DateFieldStateContext,
  DateInput,
  DatePicker,
  DateSegment,
  Group,
  I18nProvider,
  Label,
  Text,
  TimeField,
} from "react-aria-components";
import type { FieldPath, FieldValues } from "react-hook-form";
import { earliestDate, latestDate } from "../lib/dates";
import { IconButton } from "./Button";
import buttons from "./Button.module.css";
import { CalendarPopover, isCramped } from "./CalendarPopover";
import styles from "./dateFields.module.css";
import { type Part, type PickedDate, pickedDay } from "./dateText";
import { type FieldProps, LabelText } from "./fields";
import fields from "./fields.module.css";
import { Icon } from "./Icon";
import { dates } from "./texts/dates";
import { usePickedDate } from "./usePickedDate";

const earliest = pickedDay(earliestDate);
const latest = pickedDay(latestDate);

/** A day, DD.MM.YYYY. */
export function DateField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: FieldProps<Values, Name>,
) {
  return <PickerField {...props} withTime={false} />;
}

/** A day and a time, dd.MM.yyyy HH:mm, with steps of five minutes. */
export function DateTimeField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: FieldProps<Values, Name>,
) {
  return <PickerField {...props} withTime />;
}

/** A time of day, HH:mm; "" as long as it isn't whole. */
export function ClockField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (clock: string) => void;
}) {
  return (
    <I18nProvider locale="de-DE">
      <TimeField<Time>
        className={`${fields.field} ${styles.field}`}
        value={value === "" ? null : parseTime(value)}
        onChange={(time) => onChange(time?.toString().slice(0, 5) ?? "")}
        granularity="minute"
        hourCycle={24}
        shouldForceLeadingZeros
      >
        <Label className={fields.label}>
          <LabelText isRequired={false}>{label}</LabelText>
        </Label>
        <div className={`${fields.row} ${styles.row}`}>
          <DateInput className={`${fields.input} ${styles.group}`}>
            {(segment) => <DateSegment segment={segment} className={styles.segment} />}
          </DateInput>
        </div>
      </TimeField>
    </I18nProvider>
  );
}

function PickerField<Values extends FieldValues, Name extends FieldPath<Values>>({
  label,
  hint,
  withTime,
  ...bound
}: FieldProps<Values, Name> & { withTime: boolean }) {
  const picked = usePickedDate(bound, withTime);
  const { value, error, commit, stepBy } = picked;
  const isRequired = Boolean(bound.rules?.required);
  const { register } = picked;
  const input = useMemo(() => focusTarget(register), [register]);
  const group = useRef<HTMLDivElement>(null);
  const [isOverField, setOverField] = useState(false);

  return (
    <I18nProvider locale="de-DE">
      <DatePicker
        className={`${fields.field} ${styles.field}`}
        validationBehavior="aria"
        value={value}
        onChange={(next) => picked.type(next as PickedDate)}
        granularity={withTime ? "minute" : "day"}
        hourCycle={24}
        hideTimeZone
        shouldForceLeadingZeros
        shouldCloseOnSelect={false}
        firstDayOfWeek="mon"
        minValue={earliest}
        maxValue={latest}
        isInvalid={picked.isInvalid}
        isRequired={isRequired}
        onOpenChange={() => setOverField(isCramped(group.current))}
      >
        {({ isInvalid }) => (
          <>
            <Label className={fields.label}>
              <LabelText isRequired={isRequired}>{label}</LabelText>
            </Label>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to events that bubble up from the
               segments */}
            <div className={`${fields.row} ${styles.row}`} onBlur={picked.leave} onPaste={picked.paste}>
              <Group
                ref={group}
                className={`${fields.input} ${styles.group} ${isInvalid ? styles.invalid : ""}`}
              >
                <DateInput className={styles.input} ref={input}>
                  {(segment) => <Segment segment={segment} parts={picked.parts} />}
                </DateInput>
                <AriaButton className={buttons.iconButton} aria-label={dates.openCalendar}>
                  <Icon name="calendar" />
                </AriaButton>
              </Group>
              {withTime && <Steps stepBy={stepBy} />}
            </div>
            {error !== undefined ? (
              <Text slot="errorMessage" className={fields.error}>
                {error}
              </Text>
            ) : (
              hint !== undefined && (
                <Text slot="description" className={fields.hint}>
                  {hint}
                </Text>
              )
            )}
            <CalendarPopover
              value={value}
              withTime={withTime}
              isOverField={isOverField}
              onStep={stepBy}
              onToday={picked.setToday}
              onConfirm={commit}
            />
          </>
        )}
      </DatePicker>
    </I18nProvider>
  );
}

function Steps({ stepBy }: { stepBy: (minutes: number) => void }) {
  return (
    <span className={styles.steps}>
      <IconButton icon="minus" label={dates.earlier} onPress={() => stepBy(-5)} />
      <span className="quiet" aria-hidden="true">
        {dates.step}
      </span>
      <IconButton icon="plus" label={dates.later} onPress={() => stepBy(5)} />
    </span>
  );
}

/** One segment of the date. The library exposes half-typed values only to elements inside of its input. */
function Segment({
  segment,
  parts,
}: {
  segment: Parameters<typeof DateSegment>[0]["segment"];
  parts: RefObject<readonly Part[]>;
}) {
  const state = useContext(DateFieldStateContext);
  useLayoutEffect(() => {
    parts.current = state?.segments ?? [];
  });
  return <DateSegment segment={segment} className={styles.segment} />;
}

/**
 * react-hook-form focuses the first invalid field: here the first segment. A new function in each rendering would make
 * the library move the focus between the segments, and the browser scroll there while something else is pressed.
 */
function focusTarget(register: (target: { focus: () => void } | null) => void) {
  return (input: HTMLDivElement | null) =>
    register(input && { focus: () => input.querySelector<HTMLElement>('[role="spinbutton"]')?.focus() });
}
