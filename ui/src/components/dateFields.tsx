// The fields for a day and for a day with a time. Their value in the form is German text (DD.MM.YYYY or
// dd.MM.yyyy HH:mm), "" when empty. What is half typed becomes a text that is no date, so the form's rule refuses it:
// the library itself would go on reporting the old value. The form hears of a change when the field is left, because
// while a year is typed it is 2, then 20, then 202. Knows nothing of what the date means.
import { type CalendarDate, CalendarDateTime, toCalendarDate } from "@internationalized/date";
import { type ClipboardEvent, type FocusEvent, useRef, useState } from "react";
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  I18nProvider,
  Popover,
  Text,
} from "react-aria-components";
import { type FieldPath, type FieldPathValue, type FieldValues, useController } from "react-hook-form";
import {
  earliestDate,
  formatDate,
  formatDateTime,
  formatTime,
  latestDate,
  parseDate,
  parseDateTime,
  wallClock,
} from "../lib/dates";
import { dates, general } from "../texts";
import { Button, IconButton } from "./Button";
import buttons from "./Button.module.css";
import styles from "./dateFields.module.css";
import { FieldLabel, type FieldProps } from "./fields";
import fields from "./fields.module.css";
import { Icon } from "./Icon";

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

function isSegment(element: EventTarget | null): boolean {
  return element instanceof HTMLElement && element.role === "spinbutton";
}

/** What the segments show, as the form's text: "" when all are empty, "?" when some are, else the date, real or not. */
function shownText(field: HTMLElement, withTime: boolean): string {
  const segments = [...field.querySelectorAll<HTMLElement>('[role="spinbutton"]')];
  const empty = segments.filter((segment) => segment.hasAttribute("data-placeholder")).length;
  if (empty === segments.length) return "";
  if (empty > 0) return "?";
  const shown = (type: string) =>
    Number(segments.find((segment) => segment.dataset.type === type)?.getAttribute("aria-valuenow"));
  const day = formatDate({ day: shown("day"), month: shown("month"), year: shown("year") });
  return withTime ? `${day} ${formatTime({ hour: shown("hour"), minute: shown("minute") })}` : day;
}

/** Undefined for what is no date; names a day that doesn't exist, because the picker can't show it. */
function dateError(text: string, withTime: boolean): string | undefined {
  if (text === "" || toValue(text, withTime) !== null) return undefined;
  return text === "?" ? general.invalid : `${general.invalid}: ${text}`;
}

function toValue(text: string, withTime: boolean): CalendarDate | CalendarDateTime | null {
  return withTime ? parseDateTime(text) : parseDate(text);
}

function toText(value: CalendarDate | CalendarDateTime | null): string {
  if (value === null) return "";
  return value instanceof CalendarDateTime ? formatDateTime(value) : formatDate(value);
}

function pastedValue(text: string, withTime: boolean): CalendarDate | CalendarDateTime | null {
  const time = parseDateTime(text);
  const day = time ? toCalendarDate(time) : parseDate(text);
  return withTime ? (time ?? (day && new CalendarDateTime(day.year, day.month, day.day))) : day;
}

/** In pixels: of six weeks, with time and buttons. */
const calendarHeight = 490;

/** Whether the calendar finds no room above its field and none below. */
function isCramped(field: HTMLElement | null): boolean {
  const { top = 0, bottom = 0 } = field?.getBoundingClientRect() ?? {};
  return Math.max(top, window.innerHeight - bottom) < calendarHeight;
}

function PickerField<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  label,
  hint,
  rules,
  withTime,
}: FieldProps<Values, Name> & { withTime: boolean }) {
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
  // What the picker shows while it has the focus; `base` is the form's text that it grew from.
  const [typing, setTyping] = useState({ base: saved, value: toValue(saved, withTime) });
  const value = typing.base === saved ? typing.value : toValue(saved, withTime);
  const isRequired = Boolean(rules?.required);
  const group = useRef<HTMLDivElement>(null);
  const [isOverField, setOverField] = useState(false);

  function type(next: CalendarDate | CalendarDateTime | null) {
    setTyping({ base: saved, value: next });
  }
  function commitText(text: string) {
    setTyping({ base: text, value: text === "?" ? value : toValue(text, withTime) });
    field.onChange(text as FieldPathValue<Values, Name>);
  }
  function commit(next: CalendarDate | CalendarDateTime | null) {
    commitText(toText(next));
  }
  function leave({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) {
    const isStaying = currentTarget.contains(relatedTarget);
    if (isStaying && (isSegment(relatedTarget) || !isSegment(target))) return;
    // On to a button too: there the library makes another day of one that doesn't exist. A button leaves the refused
    // text alone, though the picker shows nothing of it.
    const text = shownText(currentTarget, withTime);
    if (isSegment(target) || text !== "") commitText(text);
    if (!isStaying) field.onBlur();
  }
  function paste(event: ClipboardEvent) {
    const pasted = pastedValue(event.clipboardData.getData("text"), withTime);
    event.preventDefault();
    if (pasted) commit(pasted);
  }
  function stepBy(minutes: number) {
    const time = value instanceof CalendarDateTime ? value : wallClock();
    commit(time.add({ minutes }));
  }
  function setToday() {
    const now = wallClock();
    if (!withTime) commit(toCalendarDate(now));
    else if (value instanceof CalendarDateTime)
      commit(value.set({ year: now.year, month: now.month, day: now.day }));
    else commit(now);
  }

  return (
    <I18nProvider locale="de-DE">
      <DatePicker
        className={`${fields.field} ${styles.field}`}
        validationBehavior="aria"
        value={value}
        onChange={(next) => type(next as CalendarDate | CalendarDateTime | null)}
        granularity={withTime ? "minute" : "day"}
        hourCycle={24}
        hideTimeZone
        shouldForceLeadingZeros
        shouldCloseOnSelect={false}
        firstDayOfWeek="mon"
        minValue={earliestDate}
        maxValue={latestDate}
        isInvalid={fieldState.invalid}
        isRequired={isRequired}
        onOpenChange={() => setOverField(isCramped(group.current))}
      >
        {({ isInvalid }) => (
          <>
            <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what bubbles up from the segments */}
            <div className={`${fields.row} ${styles.row}`} onBlur={leave} onPaste={paste}>
              <Group
                ref={group}
                className={`${fields.input} ${styles.group} ${isInvalid ? styles.invalid : ""}`}
              >
                <DateInput className={styles.input} ref={focusTarget(field.ref)}>
                  {(segment) => <DateSegment segment={segment} className={styles.segment} />}
                </DateInput>
                <AriaButton className={buttons.iconButton} aria-label={dates.openCalendar}>
                  <Icon name="calendar" />
                </AriaButton>
              </Group>
              {withTime && (
                <span className={styles.steps}>
                  <IconButton icon="minus" label={dates.earlier} onPress={() => stepBy(-5)} />
                  <IconButton icon="plus" label={dates.later} onPress={() => stepBy(5)} />
                </span>
              )}
            </div>
            {fieldState.error?.message ? (
              <Text slot="errorMessage" className={fields.error}>
                {fieldState.error.message}
              </Text>
            ) : (
              hint && (
                <Text slot="description" className={fields.hint}>
                  {hint}
                </Text>
              )
            )}
            <Popover
              className={isOverField ? `${styles.popover} ${styles.overField}` : styles.popover}
              placement="bottom start"
            >
              <Dialog className={styles.dialog} aria-label={dates.calendar}>
                {({ close }) => (
                  <>
                    <MonthGrid />
                    {withTime && (
                      <TimeSteps
                        clock={value instanceof CalendarDateTime ? toText(value).slice(-5) : "--:--"}
                        step={stepBy}
                      />
                    )}
                    <div className={styles.actions}>
                      <Button
                        variant="quiet"
                        onPress={() => {
                          commit(null);
                          close();
                        }}
                      >
                        {dates.clear}
                      </Button>
                      <Button variant="quiet" onPress={setToday}>
                        {dates.today}
                      </Button>
                      <Button
                        variant="primary"
                        onPress={() => {
                          commit(value);
                          close();
                        }}
                      >
                        {dates.confirm}
                      </Button>
                    </div>
                  </>
                )}
              </Dialog>
            </Popover>
          </>
        )}
      </DatePicker>
    </I18nProvider>
  );
}

/** react-hook-form focuses the first invalid field: here that is the first segment. */
function focusTarget(register: (target: { focus: () => void } | null) => void) {
  return (input: HTMLDivElement | null) =>
    register(input && { focus: () => input.querySelector<HTMLElement>('[role="spinbutton"]')?.focus() });
}

function MonthGrid() {
  return (
    <Calendar>
      <div className={styles.calendarHead}>
        <AriaButton slot="previous" className={buttons.iconButton} aria-label={dates.previousMonth}>
          <Icon name="chevron-left" />
        </AriaButton>
        <Heading level={2} className={styles.calendarTitle} />
        <AriaButton slot="next" className={buttons.iconButton} aria-label={dates.nextMonth}>
          <Icon name="chevron-right" />
        </AriaButton>
      </div>
      <CalendarGrid className={styles.calendarGrid} weekdayStyle="short">
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className={styles.weekday}>{day}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className={styles.day} />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  );
}

function TimeSteps({ clock, step }: { clock: string; step: (minutes: number) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring Pico's borders and a legend
    <div className={styles.timeSteps} role="group" aria-label={dates.time}>
      <IconButton icon="chevrons-left" label={dates.hourEarlier} onPress={() => step(-60)} />
      <IconButton icon="chevron-left" label={dates.earlier} onPress={() => step(-5)} />
      <output className={styles.clock}>{clock}</output>
      <IconButton icon="chevron-right" label={dates.later} onPress={() => step(5)} />
      <IconButton icon="chevrons-right" label={dates.hourLater} onPress={() => step(60)} />
    </div>
  );
}
