// The page of a pack: state and cells, what to do next, maintenance hints, ageing, and history. Without its passport
// the page shows what the list knows. Prints on one page.

import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { Equipment } from "../../../api/generated/Equipment";
import { Kind } from "../../../api/generated/Kind";
import type { Rule } from "../../../api/generated/Rule";
import { usePassport } from "../../../api/passports";
import { mayKeep, mayUse } from "../../../api/spaces";
import { useFlightMonths } from "../../../api/statistics";
import { useWrite } from "../../../api/useWrite";
import { Button } from "../../../components/Button";
import { ConfirmDialog } from "../../../components/Dialog";
import { Icon } from "../../../components/Icon";
import type { MenuEntry } from "../../../components/MenuPopover";
import { minutesOf } from "../../../components/months/months";
import { flownMinutes } from "../../../components/prior/priorValues";
import { errorText, QueryView, Skeleton } from "../../../components/states";
import { equipment } from "../../../components/texts/equipment";
import { showToast } from "../../../components/toasts";
import { formatMinutes, formatNumber, formatQuantity } from "../../../lib/numbers";
import { general } from "../../../texts";
import { urls } from "../../../urls";
import "../../../styles/stage.css";
import { packs } from "../../../components/packs/texts";
import { BatteryCharging } from "../BatteryCharging";
import { HistoryDialog } from "../HistoryDialog";
import { ItemFrame } from "../ItemFrame";
import { priorFiguresOf } from "../kinds";
import { CapacityChart, FlightsChart, ResistanceChart } from "./Charts";
import { PackStage } from "./PackStage";
import styles from "./Passport.module.css";
import { SetDialog } from "./SetDialog";
import { Timeline } from "./Timeline";
import { passport as texts } from "./texts";

/** Number of days for which one tap snoozes the hints of a pack. */
const snoozeDays = 3;

/** `history`: the sections that the page has in common with those of other items. */
export function PackPage({
  pack,
  onBack,
  history,
}: {
  pack: Equipment;
  onBack: () => void;
  history: ReactNode;
}) {
  const query = usePassport(pack.dpfId);
  const setActions = useSetActions(pack);
  const passport = query.data;
  const isRetired = pack.deactivateTime !== "";
  const reading = passport?.readings.find(({ cellVoltages }) => cellVoltages.length > 0);
  // Cells and hints would move the buttons below a thumb.
  if (query.isLoading) {
    return (
      <ItemFrame item={pack} about={aboutOf(pack)} menu={setActions.entries} onBack={onBack}>
        <Skeleton count={3} height={9} />
      </ItemFrame>
    );
  }
  const lead = (
    <div className={reading ? styles.top : `${styles.top} ${styles.flat}`}>
      <PackStage pack={pack} reading={reading} />
      <div className={styles.side}>
        {mayUse(pack) && (!isRetired || pack.lastCharging) && (
          <div className={styles.charging}>
            <BatteryCharging battery={pack} />
          </div>
        )}
        {passport && <Hints passport={passport} isFixed={!mayKeep(pack)} />}
      </div>
    </div>
  );
  return (
    <ItemFrame item={pack} about={aboutOf(pack)} menu={setActions.entries} lead={lead} onBack={onBack}>
      <section className="card" aria-label={equipment.kind[Kind.Battery]}>
        <Figures pack={pack} passport={passport} />
      </section>
      <QueryView
        query={query}
        failure={(failure) => errorText(failure, texts.failed)}
        skeleton={<Skeleton count={2} height={9} />}
      >
        {(known) => (
          <>
            <div className={styles.charts}>
              {known.trend.capacity.length > 0 && <CapacityChart trend={known.trend} />}
              {known.readings.some(({ resistances }) => resistances.length > 0) && (
                <ResistanceChart readings={known.readings} />
              )}
              {known.flights.length > 0 && <FlightsChart flights={known.flights} cells={pack.cells} />}
            </div>
            <div className={styles.columns}>
              <div className={`${styles.column} ${styles.shared}`}>{history}</div>
              <Timeline passport={known} />
            </div>
          </>
        )}
      </QueryView>
      {setActions.dialogs}
      <HistoryDialog batteries={[pack]} page={urls.item(Kind.Battery, pack.dpfId)} />
    </ItemFrame>
  );
}

function aboutOf(pack: Equipment): string[] {
  const chemistry = pack.chemistry === null ? pack.batteryType : packs.chemistries[pack.chemistry];
  const number = pack.number === null ? "" : packs.numberOf(pack.number);
  const set = pack.set === null ? "" : texts.set.of(pack.set.name);
  const { model, manufacturer } = pack;
  const kind = equipment.kind[Kind.Battery];
  return [kind, model, chemistry, manufacturer, number, set];
}

/** What a pack's menu offers besides retiring it. */
function useSetActions(battery: Equipment): { entries: MenuEntry[]; dialogs: ReactNode } {
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
  const setEntries: MenuEntry[] = [
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
  ];
  return {
    entries: [
      ...(mayKeep(battery) ? setEntries : []),
      { id: "label", text: texts.label, icon: "qr", onAction: () => navigate(urls.labelsOf(dpfId)) },
      { id: "print", text: texts.print, icon: "print", onAction: () => window.print() },
    ],
    dialogs: (
      <>
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
    ),
  };
}

/** The maintenance hints, each with the rule that it follows from; those about ageing can be dismissed for good. */
function Hints({
  passport: { battery, hints, dismissed, snoozedUntil },
  isFixed,
}: {
  passport: BatteryPassport;
  /** The pilot may read the hints only. */
  isFixed: boolean;
}) {
  const snooze = useWrite("SnoozeBattery");
  const isPutOff = snoozedUntil !== "";
  async function putOff(days: number, said: string, rule?: Rule) {
    try {
      await snooze.mutateAsync({ dpfId: battery.dpfId, days, ...(rule && { rule }) });
      if (said !== "") showToast(said);
    } catch (error) {
      showToast(errorText(error, general.saveFailed));
    }
  }
  if (hints.length + dismissed.length === 0) return null;
  return (
    <section className={`card ${styles.hints}`} aria-label={texts.hints}>
      <ul>
        {hints.map(({ rule, level, text, canDismiss }) => (
          <li key={rule + text} className={level === "red" ? styles.red : styles.amber}>
            <Icon name="warning" />
            <div>
              <p>{text}</p>
              <div className={styles.why}>
                <details>
                  <summary>{texts.why}</summary>
                  <p className={styles.reason}>{texts.reasons[rule]}</p>
                </details>
                {canDismiss && !isFixed && (
                  <Button variant="quiet" onPress={() => putOff(1, packs.dismissed, rule)}>
                    {packs.dismiss}
                    <span className="visually-hidden"> {packs.shortHints[rule]}</span>
                  </Button>
                )}
              </div>
            </div>
          </li>
        ))}
        {dismissed.map(({ rule, text }) => (
          <li key={rule + text} className={styles.dismissed}>
            <div>
              <p>{text}</p>
            </div>
            {!isFixed && (
              <Button variant="quiet" onPress={() => putOff(0, "", rule)}>
                {texts.remindAgain}
                <span className="visually-hidden"> {packs.shortHints[rule]}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {hints.length > 0 && !isFixed && (
        <div className={styles.snooze}>
          {isPutOff && <p className="quiet">{texts.snoozedUntil(snoozedUntil)}</p>}
          <Button
            variant="quiet"
            icon={isPutOff ? "retry" : "clock"}
            onPress={() => (isPutOff ? putOff(0, "") : putOff(snoozeDays, texts.snoozed))}
          >
            {isPutOff ? texts.remindAgain : texts.snooze}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Figures that need the passport are left out until it is known. */
function Figures({ pack, passport }: { pack: Equipment; passport: BatteryPassport | undefined }) {
  const labels = equipment.figures;
  const nominal = formatQuantity(pack.capacity, "mAh");
  const percent = passport?.trend.percent ?? null;
  const { prior } = pack;
  const months = useFlightMonths(pack.dpfId).data;
  const counted = prior?.cycles || pack.cycles !== null ? (pack.cycles ?? 0) + (prior?.cycles ?? 0) : null;
  const cycles = counted === null ? "" : (pack.cyclesEstimated ? "≈ " : "") + formatNumber(counted);
  const flights = passport ? formatNumber(passport.flightCount + (prior?.flights ?? 0)) : "";
  const figures = [
    {
      label: labels.capacity,
      value: percent === null ? nominal : texts.ofNominal(formatQuantity(Math.round(percent), "%"), nominal),
    },
    { label: texts.figures.cycles, value: cycles },
    { label: labels.chargeCount, value: formatNumber(pack.chargeCount) },
    { label: labels.flights, value: flights },
    { label: labels.usageTime, value: formatMinutes(flownMinutes(pack, minutesOf(pack, months))) },
    ...priorFiguresOf(pack),
    { label: labels.lastChargeTime, value: pack.lastChargeTime },
    { label: labels.lastFlight, value: pack.lastFlight },
    { label: labels.endVoltage, value: formatQuantity(pack.endVoltage, "V") },
    { label: labels.weight, value: formatQuantity(pack.weight, "g") },
    { label: equipment.fields.purchaseDate, value: pack.purchaseDate },
    { label: equipment.fields.seller, value: pack.seller },
  ].filter(({ value }) => value !== "" && value !== general.empty);
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
