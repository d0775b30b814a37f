// The values of a flight over time, one lane each. One finger or the arrow keys move through all lanes and the path
// together.
import { type KeyboardEvent, memo } from "react";
import { clockOf, lineOf, rowAt, rowBeside, shareOf } from "../../../lib/profile";
import { isTouchScreen } from "../../../lib/touch";
import { Section } from "../Section";
import { type Course, formatValue, type Lane, type LaneName } from "./course";
import styles from "./Profile.module.css";
import { useScrub } from "./Scrub";
import { course as texts } from "./texts";
import { useScrubbing } from "./useScrubbing";

const laneClass: Record<LaneName, string | undefined> = {
  height: styles.height,
  speed: styles.speed,
  voltage: styles.voltage,
  current: styles.current,
};

/** Steps of the keys, in s. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function Profile({ course }: { course: Course }) {
  return (
    <Section
      icon="mountain"
      title={texts.profile}
      action={<span className={styles.hint}>{isTouchScreen() ? texts.hint.touch : texts.hint.keys}</span>}
    >
      <div className={styles.profile}>
        {course.lanes.map((lane) => (
          <LaneRow key={lane.name} seconds={course.seconds} lane={lane} />
        ))}
        <Axis seconds={course.seconds} />
        <Slider course={course} />
      </div>
    </Section>
  );
}

function LaneRow({ seconds, lane }: { seconds: number[]; lane: Lane }) {
  return (
    <div className={`${styles.lane} ${laneClass[lane.name]}`}>
      <p className={styles.head}>
        <span className={styles.name}>{texts.values[lane.name]}</span>
        <Value lane={lane} />
      </p>
      <div className={styles.plot}>
        <Line seconds={seconds} lane={lane} />
        <Dot seconds={seconds} lane={lane} />
      </div>
    </div>
  );
}

const Line = memo(({ seconds, lane: { values, ends, name } }: { seconds: number[]; lane: Lane }) => {
  const line = lineOf(seconds, values, ends);
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {name === "height" && <path className={styles.area} d={areaUnder(line)} />}
      <path className={styles.line} d={line} />
    </svg>
  );
});

/** Returns the area under each part of the line. */
function areaUnder(line: string): string {
  return line
    .split("M")
    .filter((part) => part !== "")
    .map((part) => {
      const points = part.split("L");
      const x = (point = "") => point.split(" ")[0];
      return `M${x(points[0])} 100L${part}L${x(points.at(-1))} 100Z`;
    })
    .join("");
}

/** The value at the selected moment, or the range of all. */
function Value({ lane: { name, values, range } }: { lane: Lane }) {
  const { row } = useScrub();
  if (row !== null) return <strong className={styles.value}>{formatValue(name, values[row] ?? null)}</strong>;
  const [least, most] = range.map((value) => formatValue(name, value));
  return <span className="quiet">{texts.range(least ?? "", most ?? "")}</span>;
}

function Dot({ seconds, lane: { values, ends } }: { seconds: number[]; lane: Lane }) {
  const { row } = useScrub();
  const value = row === null ? null : (values[row] ?? null);
  if (row === null || value === null) return null;
  const insetInlineStart = `${100 * shareAt(seconds, row)}%`;
  const insetBlockStart = `${100 * (1 - shareOf(value, ends[0], ends[1]))}%`;
  return <span className={styles.dot} style={{ insetInlineStart, insetBlockStart }} />;
}

function shareAt(seconds: number[], row: number): number {
  return shareOf(seconds[row] ?? 0, seconds[0] ?? 0, seconds.at(-1) ?? 0);
}

function Axis({ seconds }: { seconds: number[] }) {
  const { row } = useScrub();
  const share = row === null ? 0 : shareAt(seconds, row);
  return (
    <p className={styles.axis}>
      <span>{clockOf(seconds[0] ?? 0)}</span>
      <span>{clockOf(seconds.at(-1) ?? 0)}</span>
      {row !== null && (
        <strong
          className={styles.now}
          style={{ insetInlineStart: `${100 * share}%`, translate: `${-100 * share}% 0` }}
        >
          {clockOf(seconds[row] ?? 0)}
        </strong>
      )}
    </p>
  );
}

/** A slider over all lanes. Screen readers hear only its value when it moves. */
function Slider({ course: { seconds, lanes } }: { course: Course }) {
  const { row, moveTo } = useScrub();
  const [first, last] = [seconds[0] ?? 0, seconds.at(-1) ?? 0];
  const scrubbing = useScrubbing((x) => moveTo(rowAt(seconds, first + x * (last - first))), { hovers: true });
  function press(event: KeyboardEvent) {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    moveTo(rowBeside(seconds, row ?? 0, step));
  }
  const now = seconds[row ?? 0] ?? 0;
  const values = lanes.map(
    ({ name, values }) => `${texts.values[name]} ${formatValue(name, values[row ?? 0] ?? null)}`,
  );
  return (
    <div
      className={styles.slider}
      role="slider"
      tabIndex={0}
      aria-label={texts.moment}
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={now}
      aria-valuetext={[clockOf(now), ...values].join(", ")}
      onKeyDown={press}
      {...scrubbing}
    >
      {row !== null && (
        <span className={styles.cursor} style={{ insetInlineStart: `${100 * shareAt(seconds, row)}%` }} />
      )}
    </div>
  );
}
