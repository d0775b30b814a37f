// A job in a list: how much of it is used, what can be done about it, and where its limits come from.
import { Link } from "react-router";
import type { MaintenanceJob } from "../../api/generated/MaintenanceJob";
import { useWrite } from "../../api/useWrite";
import { general } from "../../texts";
import { urls } from "../../urls";
import { Button } from "../Button";
import { Icon } from "../Icon";
import { Menu } from "../Menu";
import type { MenuEntry } from "../MenuPopover";
import hintStyles from "../packs/PackHint.module.css";
import "../../styles/stage.css";
import { errorText } from "../states";
import { showToast } from "../toasts";
import { WaitingMark } from "../WaitingMark";
import styles from "./Lines.module.css";
import { maintenance as texts } from "./texts";
import type { AskAboutJob } from "./useJobDialogs";

/**
 * `isOfMany`: the list has jobs of several items. `isRetired`: the item is. `isFixed`: the pilot doesn't maintain the
 * item.
 */
export function JobLine({
  job,
  ask,
  isOfMany = false,
  isRetired = false,
  isFixed = false,
}: {
  job: MaintenanceJob;
  ask: AskAboutJob;
  isOfMany?: boolean;
  isRetired?: boolean;
  isFixed?: boolean;
}) {
  const { title, level, text, forecast, archived, lastRun } = job;
  const color = level === "red" ? hintStyles.urgent : level === "amber" ? hintStyles.attend : "quiet";
  const isWarning = level === "red" || level === "amber";
  return (
    <li className={styles.line}>
      <div className={styles.text}>
        <div className={styles.head}>
          {isWarning && (
            <span className={color}>
              <Icon name="warning" />
            </span>
          )}
          <strong>{title}</strong>
          {isOfMany && <Link to={urls.item(job.itemType, job.dpfId)}>{job.itemName}</Link>}
          <WaitingMark of={job.jobId} />
        </div>
        <Bar job={job} />
        <span className={color}>
          <span className="visually-hidden">{texts.levels[level]} </span>
          {text}
        </span>
        {lastRun?.kind === "done" && (
          <span className="quiet">{texts.lastDone(lastRun.time.slice(0, 10))}</span>
        )}
        {forecast !== null && <span className={"quiet"}>{forecast}</span>}
        {!isOfMany && job.source !== "" && (
          <span className={"quiet"}>
            {job.template ? texts.suggestion(job.source) : texts.manual(job.source)}
          </span>
        )}
      </div>
      <div className={styles.buttons}>
        {!archived && !isFixed && (
          <Button icon="check" onPress={() => ask("done", job)}>
            {texts.done}
            <span className="visually-hidden"> {title}</span>
          </Button>
        )}
        {!isFixed && <JobMenu job={job} ask={ask} isRetired={isRetired} />}
      </div>
    </li>
  );
}

function Bar({ job: { rest, level } }: { job: MaintenanceJob }) {
  if (rest === null) return null;
  const used = Math.round(Math.min(1, Math.max(0, 1 - rest)) * 100);
  return (
    // The sentence says it in words.
    <div className={styles.bar} data-level={level} aria-hidden="true">
      <span style={{ inlineSize: `${used}%` }} />
    </div>
  );
}

/** What can be done about the job in its state: a finished one is only looked at or deleted. */
function JobMenu({ job, ask, isRetired }: { job: MaintenanceJob; ask: AskAboutJob; isRetired: boolean }) {
  const pause = useWrite("PauseJob");
  const putOff = useWrite("PutOffJob");
  const { dpfId, jobId, title, paused, archived, level } = job;
  async function change(running: Promise<unknown>) {
    await running.catch((error) => showToast(errorText(error, general.saveFailed)));
  }
  const entry = (id: string, text: string, icon: MenuEntry["icon"], onAction: () => unknown): MenuEntry => ({
    ...{ id, text, icon },
    onAction: () => void onAction(),
  });
  const rests = isRetired || archived;
  const isDue = level === "amber" || level === "red";
  const entries = [
    !rests && entry("skip", texts.skip, "forward", () => ask("skip", job)),
    !rests && isDue && entry("later", texts.later, "clock", () => ask("later", job)),
    !rests &&
      job.putOff !== null &&
      entry("now", texts.now, "retry", () => change(putOff.mutateAsync({ dpfId, jobId }))),
    !rests &&
      entry("pause", paused ? texts.resume : texts.pause, paused ? "activate" : "retire", () =>
        change(pause.mutateAsync({ dpfId, jobId, on: !paused })),
      ),
    !isRetired && entry("edit", texts.edit, "edit", () => ask("edit", job)),
    entry("history", texts.history, "history", () => ask("history", job)),
    { ...entry("remove", texts.remove, "delete", () => ask("remove", job)), isDangerous: true },
  ];
  return <Menu label={texts.more(title)} entries={entries.filter((one) => one !== false)} />;
}
