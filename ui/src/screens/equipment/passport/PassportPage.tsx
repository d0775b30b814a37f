// The passport of a pack: state and cells, maintenance hints, ageing, and history. Prints on one page.

import { useState } from "react";
import { useNavigate } from "react-router";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { Equipment } from "../../../api/generated/Equipment";
import { Kind } from "../../../api/generated/Kind";
import { useWrite } from "../../../api/useWrite";
import { Button, ButtonLink } from "../../../components/Button";
import { ConfirmDialog } from "../../../components/Dialog";
import { Icon } from "../../../components/Icon";
import { Menu } from "../../../components/Menu";
import { Page } from "../../../components/Page";
import { errorText } from "../../../components/states";
import { showToast } from "../../../components/toasts";
import { formatNumber, formatQuantity } from "../../../lib/numbers";
import { chargings, equipment, general } from "../../../texts";
import { urls } from "../../../urls";
import "../../../styles/stage.css";
import { packs } from "../../../components/packs/texts";
import { BatteryCharging } from "../BatteryCharging";
import { NewLog } from "../NewLog";
import { CapacityChart, FlightsChart, ResistanceChart } from "./Charts";
import { PackStage } from "./PackStage";
import styles from "./Passport.module.css";
import { SetDialog } from "./SetDialog";
import { Timeline } from "./Timeline";
import { passport as texts } from "./texts";

/** Number of days for which one tap snoozes the hints of a pack. */
const snoozeDays = 3;

export function PassportPage({ passport, onBack }: { passport: BatteryPassport; onBack: () => void }) {
  const { battery, hints } = passport;
  const isRetired = battery.deactivateTime !== "";
  const hasCells = passport.readings.some(({ cellVoltages }) => cellVoltages.length > 0);
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
          <Actions battery={battery} />
        </>
      }
    >
      <p className={`quiet ${styles.about}`}>{aboutOf(battery).join(" · ")}</p>
      <div className={hasCells ? styles.top : `${styles.top} ${styles.flat}`}>
        <PackStage passport={passport} />
        <div className={styles.side}>
          {hints.length > 0 && <Hints passport={passport} />}
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
  const set = battery.set === null ? "" : texts.set.of(battery.set.name);
  return [texts.title, battery.model, chemistry, number, set].filter((text) => text !== "");
}

function Actions({ battery }: { battery: Equipment }) {
  const navigate = useNavigate();
  const dissolve = useWrite("DeleteBatterySet");
  const [asked, setAsked] = useState<"set" | "dissolve" | null>(null);
  const close = () => setAsked(null);
  const { dpfId, set } = battery;
  async function dissolveSet() {
    if (set === null) return;
    try {
      await dissolve.mutateAsync({ set: set.dpfId });
      showToast(texts.set.dissolved);
    } catch (error) {
      showToast(errorText(error, general.saveFailed));
    }
  }
  return (
    <>
      <Menu
        entries={[
          {
            id: "set",
            text: set === null ? texts.set.make : texts.set.edit,
            icon: "battery",
            onAction: () => setAsked("set"),
          },
          ...(set === null
            ? []
            : [
                {
                  id: "dissolve",
                  text: texts.set.dissolve,
                  icon: "close" as const,
                  onAction: () => setAsked("dissolve"),
                },
              ]),
          {
            id: "label",
            text: texts.label,
            icon: "qr",
            onAction: () => navigate(urls.labelsOf(dpfId)),
          },
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
      <SetDialog battery={battery} isOpen={asked === "set"} onClose={close} />
      <ConfirmDialog
        question={texts.set.question(set?.name ?? "")}
        isOpen={asked === "dissolve"}
        onClose={close}
        onYes={dissolveSet}
      >
        <p>{texts.set.kept}</p>
      </ConfirmDialog>
    </>
  );
}

/** The maintenance hints, each with the rule that it follows from. */
function Hints({ passport: { battery, hints, snoozedUntil } }: { passport: BatteryPassport }) {
  const snooze = useWrite("SnoozeBattery");
  const isPutOff = snoozedUntil !== "";
  async function putOff() {
    try {
      await snooze.mutateAsync({ dpfId: battery.dpfId, days: isPutOff ? 0 : snoozeDays });
      if (!isPutOff) showToast(texts.snoozed);
    } catch (error) {
      showToast(errorText(error, general.saveFailed));
    }
  }
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
      <div className={styles.snooze}>
        {isPutOff && <p className="quiet">{texts.snoozedUntil(snoozedUntil)}</p>}
        <Button variant="quiet" icon={isPutOff ? "retry" : "clock"} onPress={putOff}>
          {isPutOff ? texts.remindAgain : texts.snooze}
        </Button>
      </div>
    </section>
  );
}

function Figures({ passport: { battery, trend, flightCount } }: { passport: BatteryPassport }) {
  const labels = texts.figures;
  const capacity = trend.percent === null ? battery.capacity : Math.round(trend.percent);
  const figures = [
    { label: labels.capacity, value: formatQuantity(capacity, trend.percent === null ? "mAh" : "%") },
    ...(trend.cycles === null
      ? []
      : [
          { label: labels.cycles, value: (battery.cyclesEstimated ? "≈ " : "") + formatNumber(trend.cycles) },
        ]),
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
