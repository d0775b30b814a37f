// The path of a flight over the whole window, where it can be turned.
import { type ReactNode, useId, useState } from "react";
import { IconButton } from "../../../components/Button";
import { FullWindow } from "../../../components/FullWindow";
import { general } from "../../../texts";
import type { Course } from "./course";
import { type Look, PathFigure } from "./PathFigure";
import styles from "./PathViewer.module.css";
import { course as texts } from "./texts";

/** Degrees per step of the slider: 5° with an arrow key. */
const step = 5;

/** The viewer. `tools`: the choices of view and colour, which stay as they are when it closes. */
export function PathViewer({
  course,
  look,
  tools,
  onClose,
}: {
  course: Course;
  look: Omit<Look, "turned">;
  tools: ReactNode;
  onClose: () => void;
}) {
  const [turned, setTurned] = useState(0);
  const slider = useId();
  return (
    <FullWindow className={styles.viewer} label={texts.path} onClose={onClose}>
      <div className={styles.content}>
        <div className={styles.bar}>
          <div className={styles.choices}>{tools}</div>
          <span className={styles.close}>
            <IconButton icon="close" label={general.close} onPress={onClose} />
          </span>
        </div>
        <PathFigure course={course} look={{ ...look, turned }} isWhole />
        <div className={styles.turn}>
          <label htmlFor={slider}>{texts.turn}</label>
          <input
            id={slider}
            type="range"
            min={-180}
            max={180}
            step={step}
            value={turned}
            aria-valuetext={texts.turned(turned)}
            onChange={(event) => setTurned(event.currentTarget.valueAsNumber)}
          />
        </div>
      </div>
    </FullWindow>
  );
}
