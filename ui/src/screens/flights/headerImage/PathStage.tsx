// The path of a flight as its header image: from above or slanted, in one colour or coloured by a value, with a scale;
// over the whole window it can be turned, too.

import { useId, useState } from "react";
import { useLocation } from "react-router";
import { focusPressed } from "../../../components/Button";
import { deferred } from "../../../components/deferred";
import type { Arrival } from "../../../lib/arrivals";
import type { PathView } from "../../../lib/flightPath";
import { type Course, laneIn } from "./course";
import { PathFigure } from "./PathFigure";
import styles from "./PathStage.module.css";
import { Stage } from "./Stage";
import { course as texts } from "./texts";

const PathViewer = deferred(async () => (await import("./PathViewer")).PathViewer);

/** Minimum height of a flight, in m, that is shown slanted. */
const minSlantedHeight = 3;

/** The shape of Tabler's "maximize". Not in the set of icons, which every first page loads. */
const maximizePath =
  "M4 8v-2a2 2 0 0 1 2 -2h2M4 16v2a2 2 0 0 0 2 2h2M16 4h2a2 2 0 0 1 2 2v2M16 20h2a2 2 0 0 0 2 -2v-2";

export function PathStage({ course, onUpload }: { course: Course; onUpload?: (() => void) | undefined }) {
  const height = laneIn(course, "height");
  const hues = [height, laneIn(course, "speed")].filter((lane) => lane !== undefined);
  const hasHeights =
    height !== undefined && height.range[1] - Math.min(0, height.range[0]) >= minSlantedHeight;
  const [view, setView] = useState<PathView>(hasHeights ? "slanted" : "above");
  const [hue, setHue] = useState(hues[0]?.name);
  const [isWhole, setWhole] = useState(false);
  const { isNew = false } = (useLocation().state ?? {}) as Partial<Arrival>;
  const look = { view, lane: hues.find(({ name }) => name === hue) };
  const tools = (
    <>
      {hues.length > 1 && (
        <Choice
          legend={texts.colour}
          options={hues.map(({ name }) => ({ key: name, text: texts.values[name] }))}
          chosen={hue}
          onChoose={setHue}
        />
      )}
      {hasHeights && (
        <Choice
          legend={texts.view}
          options={(["slanted", "above"] as const).map((key) => ({ key, text: texts.views[key] }))}
          chosen={view}
          onChoose={setView}
        />
      )}
    </>
  );
  return (
    <Stage label={texts.path} onUpload={onUpload} tools={tools}>
      <PathFigure
        course={course}
        look={{ ...look, turned: 0 }}
        isNew={isNew}
        tool={<Maximize onPress={() => setWhole(true)} />}
      />
      {isWhole && <PathViewer course={course} look={look} tools={tools} onClose={() => setWhole(false)} />}
    </Stage>
  );
}

function Maximize({ onPress }: { onPress: () => void }) {
  return (
    <button
      type="button"
      className={styles.maximize}
      aria-label={texts.whole}
      onClick={(event) => {
        focusPressed(event);
        onPress();
      }}
    >
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d={maximizePath} />
      </svg>
    </button>
  );
}

/** A choice between two options, as pills. */
function Choice<Key extends string>({
  legend,
  options,
  chosen,
  onChoose,
}: {
  legend: string;
  options: { key: Key; text: string }[];
  chosen: Key | undefined;
  onChoose: (key: Key) => void;
}) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(({ key, text }) => (
        <label key={key} className={styles.option}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            checked={key === chosen}
            onChange={() => onChoose(key)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
