// The passport of a pack: its state and cells, what it waits for, how it ages, and its life. Prints on one page.

import { useNavigate } from "react-router";
import type { BatteryHint } from "../../../api/generated/BatteryHint";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { Equipment } from "../../../api/generated/Equipment";
import { Kind } from "../../../api/generated/Kind";
import { ButtonLink } from "../../../components/Button";
import { Icon } from "../../../components/Icon";
import { Menu } from "../../../components/Menu";
import { Page } from "../../../components/Page";
import { formatNumber, formatQuantity } from "../../../lib/numbers";
import { chargings, equipment } from "../../../texts";
import { urls } from "../../../urls";
import "../../../styles/stage.css";
import { BatteryCharging } from "../BatteryCharging";
import { NewLog } from "../NewLog";
import { packs } from "../../../components/packs/texts";
import { CapacityChart, FlightsChart, ResistanceChart } from "./Charts";
import { PackStage } from "./PackStage";
import styles from "./Passport.module.css";
import { Timeline } from "./Timeline";
import { passport as texts } from "./texts";

export function PassportPage({ passport, onBack }: { passport: BatteryPassport; onBack: () => void }) {
  const { battery, hints } = passport;
  const isRetired = battery.deactivateTime !== "";
  return (
    <Page
      title={battery.name}
      tabTitle={`${battery.name} · ${texts.title}`}
      onBack={onBack}
      isCrowded
      actions={
        <>
          <ButtonLink to={urls.reading(battery.dpfId)} icon="gauge">
            {texts.measure}
          </ButtonLink>
          <NewLog item={battery} />
          <Ways battery={battery} />
        </>
      }
    >
      <p className={`quiet ${styles.about}`}>{aboutOf(battery).join(" · ")}</p>
      <div className={styles.top}>
        <PackStage passport={passport} />
        <div className={styles.side}>
          {hints.length > 0 && <Hints hints={hints} />}
          <div className="card">
            <Figures passport={passport} />
            {(!isRetired || battery.lastCharging) && (
              <div className={styles.charging}>
                <BatteryCharging battery={battery} />
              </div>
            )}
          </div>
        </div>
      </div>
      <div className={styles.charts}>
        <CapacityChart trend={passport.trend} />
        <ResistanceChart readings={passport.readings} />
        <FlightsChart flights={passport.flights} cells={battery.cells} />
      </div>
      <Timeline passport={passport} />
    </Page>
  );
}

function aboutOf(battery: Equipment): string[] {
  const chemistry = battery.chemistry === null ? battery.batteryType : packs.chemistries[battery.chemistry];
  const number = battery.number === null ? "" : packs.numberOf(battery.number);
  return [texts.title, battery.model, chemistry, number].filter((text) => text !== "");
}

function Ways({ battery }: { battery: Equipment }) {
  const navigate = useNavigate();
  const { dpfId } = battery;
  return (
    <Menu
      entries={[
        { id: "print", text: texts.print, icon: "print", onAction: () => window.print() },
        {
          id: "history",
          text: chargings.history,
          icon: "history",
          onAction: () => navigate(urls.itemHistory(dpfId)),
        },
        {
          id: "edit",
          text: equipment.edit,
          icon: "edit",
          onAction: () => navigate(urls.equipment(Kind.Battery, dpfId)),
        },
      ]}
    />
  );
}

/** Each says which rule it follows from. */
function Hints({ hints }: { hints: BatteryHint[] }) {
  return (
    <section className={`card ${styles.hints}`} aria-label={texts.hints}>
      <ul>
        {hints.map(({ rule, level, text }) => (
          <li key={rule + text} className={level === "red" ? styles.red : styles.amber}>
            <Icon name="warning" />
            <div>
              <p>{text}</p>
              <details>
                <summary>{texts.why}</summary>
                <p className={styles.reason}>{texts.reasons[rule]}</p>
              </details>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Figures({ passport: { battery, trend, flightCount } }: { passport: BatteryPassport }) {
  const labels = texts.figures;
  const capacity = trend.percent === null ? battery.capacity : Math.round(trend.percent);
  const figures = [
    { label: labels.capacity, value: formatQuantity(capacity, trend.percent === null ? "mAh" : "%") },
    ...(trend.cycles === null ? [] : [{ label: labels.cycles, value: formatNumber(trend.cycles) }]),
    { label: labels.charges, value: formatNumber(battery.chargeCount) },
    { label: labels.flights, value: formatNumber(flightCount) },
    { label: labels.usage, value: formatQuantity(battery.usageTime, "h") },
    ...(battery.weight === null
      ? []
      : [{ label: labels.weight, value: formatQuantity(battery.weight, "g") }]),
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
