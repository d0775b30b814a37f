// Packs that wait for an action: at most three lines on home, most with a one-tap action. Renders nothing without any.
import { Link } from "react-router";
import { Kind } from "../../api/generated/Kind";
import type { PackHint } from "../../api/generated/PackHint";
import type { Rule } from "../../api/generated/Rule";
import { actionableOf, firstSentenceOf, useBatteryHints } from "../../api/packs";
import { Button, ButtonLink } from "../../components/Button";
import { Icon } from "../../components/Icon";
import hintStyles from "../../components/packs/PackHint.module.css";
import { packs as texts } from "../../components/packs/texts";
import { type QuickCharge, singlePack, useQuickCharge } from "../../components/packs/useQuickCharge";
import { ErrorNote } from "../../components/states";
import "../../styles/stage.css";
import { urls } from "../../urls";
import styles from "./WaitingPacks.module.css";

/** Maximum number of packs; a link leads to all. */
const maxPacks = 3;

export function WaitingPacks() {
  const waiting = actionableOf(useBatteryHints().data ?? []);
  const quick = useQuickCharge();
  if (waiting.length === 0 && quick.failure === null) return null;
  return (
    <section className={`card ${styles.card}`} aria-labelledby="packs-title">
      <div className={styles.head}>
        <h2 id="packs-title">{texts.title}</h2>
        <Link to={urls.packsByAttention}>{texts.allWaiting(waiting.length)}</Link>
      </div>
      {quick.failure !== null && <ErrorNote>{quick.failure}</ErrorNote>}
      <ul aria-labelledby="packs-title">
        {waiting.slice(0, maxPacks).map((hint) => (
          <Line key={hint.dpfId} hint={hint} quick={quick} />
        ))}
      </ul>
    </section>
  );
}

function Line({ hint, quick }: { hint: PackHint; quick: QuickCharge }) {
  const isRed = hint.level === "red";
  return (
    <li className={styles.line}>
      <Link className={styles.pack} to={urls.item(Kind.Battery, hint.dpfId)}>
        <span className={isRed ? hintStyles.urgent : hintStyles.attend}>
          <Icon name="warning" />
          <span className="visually-hidden">{texts.lights[hint.level]}</span>
        </span>
        <span className={styles.text}>
          <strong>{hint.name}</strong>
          <span className={isRed ? hintStyles.urgent : hintStyles.attend}>{firstSentenceOf(hint)}</span>
        </span>
      </Link>
      <Action hint={hint} quick={quick} />
    </li>
  );
}

type QuickAction = "charged" | "stored" | "measure";

/** One-tap actions by rule. */
const quickActions: Partial<Record<Rule, QuickAction>> = {
  full: "stored",
  empty: "stored",
  chargingOpen: "charged",
  unchecked: "measure",
};

function Action({ hint, quick }: { hint: PackHint; quick: QuickCharge }) {
  const action = quickActions[hint.rule];
  const name = <span className="visually-hidden"> {hint.name}</span>;
  if (action === undefined) return null;
  if (action === "measure") {
    return (
      <ButtonLink to={urls.reading(hint.dpfId)} icon="gauge">
        {texts.measure}
        {name}
      </ButtonLink>
    );
  }
  return (
    <Button
      icon={action === "charged" ? "battery" : "retire"}
      onPress={() => quick[action](singlePack(hint))}
    >
      {texts[action]}
      {name}
    </Button>
  );
}
