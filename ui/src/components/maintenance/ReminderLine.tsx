// One thing to do in a list: a pack, a job or a proof, with what is wrong and, for most, a one-tap action.
import { Link } from "react-router";
import type { ReminderLine as Reminder } from "../../api/generated/ReminderLine";
import type { Rule } from "../../api/generated/Rule";
import { addressOf } from "../../api/maintenance";
import { firstSentenceOf } from "../../api/packs";
import "../../styles/stage.css";
import type { JobName } from "../../api/maintenance";
import { urls } from "../../urls";
import { Button, ButtonLink } from "../Button";
import { Icon } from "../Icon";
import hintStyles from "../packs/PackHint.module.css";
import { packs } from "../packs/texts";
import { type NamedPacks, type QuickCharge, singlePack } from "../packs/useQuickCharge";
import styles from "./Lines.module.css";
import { maintenance as texts } from "./texts";

/** `onDone`: opens the dialog that records a job as done. */
export function ReminderLine({
  reminder,
  quick,
  onDone,
}: {
  reminder: Reminder;
  quick: QuickCharge;
  onDone: (job: JobName) => void;
}) {
  const color = reminder.level === "red" ? hintStyles.urgent : hintStyles.attend;
  return (
    <li className={styles.line}>
      <Link className={styles.what} to={addressOf(reminder)}>
        <span className={color}>
          <Icon name="warning" />
          <span className="visually-hidden">{packs.lights[reminder.level]}</span>
        </span>
        <span className={styles.text}>
          <strong>{titleOf(reminder)}</strong>
          <span className={color}>{sentenceOf(reminder)}</span>
        </span>
      </Link>
      <Action reminder={reminder} quick={quick} onDone={onDone} />
    </li>
  );
}

/** The job's title, or the pack's or document's name. */
function titleOf({ title, name }: Reminder): string {
  return title ?? name;
}

function sentenceOf(reminder: Reminder): string {
  const sentence = firstSentenceOf(reminder);
  return reminder.topic === "maintenance" ? `${reminder.name}: ${sentence}` : sentence;
}

/** One-tap actions of packs, by rule. */
const quickActions: Partial<Record<Rule, "charged" | "stored" | "measure">> = {
  full: "stored",
  empty: "stored",
  chargingOpen: "charged",
  unchecked: "measure",
};

export function quickActionOf({ rule }: Reminder) {
  return rule === null ? undefined : quickActions[rule];
}

function Action({ reminder, quick, onDone }: Parameters<typeof ReminderLine>[0]) {
  const { dpfId, jobId } = reminder;
  const title = titleOf(reminder);
  const name = <span className="visually-hidden"> {title}</span>;
  if (jobId !== null) {
    return (
      <Button icon="check" onPress={() => onDone({ dpfId, jobId, title })}>
        {texts.done}
        {name}
      </Button>
    );
  }
  const action = quickActionOf(reminder);
  if (action === undefined) return null;
  if (action === "measure") {
    return (
      <ButtonLink to={urls.reading(dpfId)} icon="gauge">
        {packs.measure}
        {name}
      </ButtonLink>
    );
  }
  return <PackAction action={action} title={title} named={singlePack(reminder)} quick={quick} />;
}

/** The button that records packs as charged or stored. */
export function PackAction({
  action,
  title,
  named,
  quick,
}: {
  action: "charged" | "stored";
  title: string;
  named: NamedPacks;
  quick: QuickCharge;
}) {
  return (
    <Button icon={action === "charged" ? "battery" : "retire"} onPress={() => quick[action](named)}>
      {packs[action]}
      <span className="visually-hidden"> {title}</span>
    </Button>
  );
}
