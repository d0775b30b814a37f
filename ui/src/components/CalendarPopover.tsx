// Calendar of a date field, with steps for its time and the buttons that close it. Independent of forms.
import { CalendarDateTime } from "@internationalized/date";
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Dialog,
  Heading,
  Popover,
} from "react-aria-components";
import { formatTime } from "../lib/dates";
import { BackCloses } from "./BackCloses";
import { Button, IconButton } from "./Button";
import buttons from "./Button.module.css";
import styles from "./CalendarPopover.module.css";
import type { PickedDate } from "./dateText";
import { Icon } from "./Icon";
import { dates } from "./texts/dates";

/** Height in px: six weeks, time and buttons. */
const height = 490;

/** Whether the calendar fits neither above nor below its field. */
export function isCramped(field: HTMLElement | null): boolean {
  const { top = 0, bottom = 0 } = field?.getBoundingClientRect() ?? {};
  return Math.max(top, window.innerHeight - bottom) < height;
}

export function CalendarPopover({
  value,
  withTime,
  isOverField,
  onStep,
  onToday,
  onConfirm,
}: {
  value: PickedDate;
  withTime: boolean;
  /** Centred in the window, because there is no room beside the field. */
  isOverField: boolean;
  onStep: (minutes: number) => void;
  onToday: () => void;
  /** Called with the chosen value on closing. */
  onConfirm: (value: PickedDate) => void;
}) {
  return (
    <Popover
      className={isOverField ? `${styles.popover} ${styles.overField}` : styles.popover}
      placement="bottom start"
    >
      <Dialog className={styles.dialog} aria-label={dates.calendar}>
        {({ close }) => {
          function confirm(chosen: PickedDate) {
            onConfirm(chosen);
            close();
          }
          return (
            <>
              <BackCloses onBack={close} />
              <MonthGrid />
              {withTime && <TimeSteps value={value} onStep={onStep} />}
              <div className={styles.actions}>
                <Button variant="quiet" onPress={() => confirm(null)}>
                  {dates.clear}
                </Button>
                <Button variant="quiet" onPress={onToday}>
                  {dates.today}
                </Button>
                <Button variant="primary" onPress={() => confirm(value)}>
                  {dates.confirm}
                </Button>
              </div>
            </>
          );
        }}
      </Dialog>
    </Popover>
  );
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

function TimeSteps({ value, onStep }: { value: PickedDate; onStep: (minutes: number) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring Pico's borders and a legend
    <div className={styles.timeSteps} role="group" aria-label={dates.time}>
      <IconButton icon="chevrons-left" label={dates.hourEarlier} onPress={() => onStep(-60)} />
      <IconButton icon="chevron-left" label={dates.earlier} onPress={() => onStep(-5)} />
      <output className={styles.clock}>
        {value instanceof CalendarDateTime ? formatTime(value) : "--:--"}
      </output>
      <IconButton icon="chevron-right" label={dates.later} onPress={() => onStep(5)} />
      <IconButton icon="chevrons-right" label={dates.hourLater} onPress={() => onStep(60)} />
    </div>
  );
}
