// The items of one kind as rows: name, state of a pack or hours of another item, and a menu with every action. Packs
// are grouped by state, and one that isn't full has buttons for charging. Wide windows show the figures in columns.
import { Fragment, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import type { PackHint } from "../../api/generated/PackHint";
import { actionableOf, mostUrgentOf } from "../../api/packs";
import { mayKeep, mayUse } from "../../api/spaces";
import { Button, IconButton } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { kindIcons } from "../../components/kindIcons";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { Menu } from "../../components/Menu";
import { PackCell, PackWord } from "../../components/PackState";
import { flownMinutes } from "../../components/prior/priorValues";
import { SpaceMark } from "../../components/spaces/SpaceMark";
import { spaces } from "../../components/spaces/texts";
import { ErrorNote } from "../../components/states";
import { chargings } from "../../components/texts/chargings";
import { equipment as texts } from "../../components/texts/equipment";
import { logs } from "../../components/texts/logs";
import { useMedia } from "../../components/useMedia";
import { usePrinting } from "../../components/usePrinting";
import { WaitingMark } from "../../components/WaitingMark";
import { type DayTime, formatDate, shortTime, wallClock } from "../../lib/dates";
import { formatMinutes } from "../../lib/numbers";
import { general } from "../../texts";
import { historyParameter, urls } from "../../urls";
import { ChargingDialog, type ChargingOpening } from "./ChargingDialog";
import styles from "./EquipmentRows.module.css";
import { aboutOf, rowFiguresOf } from "./kinds";
import "../../styles/stage.css";
import hints from "../../components/packs/PackHint.module.css";
import { PackTrafficLight } from "../../components/packs/PackTrafficLight";
import { allPacksOf, type PackSet, setsOf } from "../../components/packs/sets";
import { packs } from "../../components/packs/texts";
import {
  type NamedPacks,
  type QuickCharge,
  singlePack,
  useQuickCharge,
} from "../../components/packs/useQuickCharge";
import { MoveDialog, useMoveEntry } from "./MoveDialog";
import { canQuickCharge, groupsOf, sinceOf, stateOf } from "./packs";

/** The open dialog and its item, which stays set while the dialog closes. */
type OpenDialog = { kind: "log" | "charging" | "move"; item: Equipment; opening: ChargingOpening };

/** `isGrouped`: packs under their state. */
export function EquipmentRows({
  items,
  hints: known,
  isGrouped,
}: {
  items: Equipment[];
  hints: readonly PackHint[];
  isGrouped: boolean;
}) {
  // Paper is narrower than a desktop's window: rows of its height would count for the pages.
  const isPrinting = usePrinting();
  const isWide = useMedia("(width >= 60rem)") && !isPrinting;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const begin = (kind: OpenDialog["kind"], item: Equipment) => {
    setDialog({ kind, item, opening: { charging: item.lastCharging } });
    setOpen(true);
  };
  const quick = useQuickCharge();
  const now = wallClock();
  const sets = setsOf(items);
  const mostUrgent = mostUrgentOf(known);
  const rows = (shown: Equipment[]) =>
    shown.map((item) => (
      <Row
        key={item.dpfId}
        item={item}
        hint={mostUrgent.find(({ dpfId }) => dpfId === item.dpfId)}
        sets={sets}
        now={now}
        isWide={isWide}
        quick={quick}
        onBegin={begin}
      />
    ));
  return (
    <div className={`card ${styles.frame}`}>
      {quick.failure !== null && <ErrorNote>{quick.failure}</ErrorNote>}
      {isWide && items[0] && <Head like={items[0]} />}
      {/* One list, in which a pack that changes its state keeps its buttons, and so the focus. */}
      <ul>
        {isGrouped
          ? groupsOf(items, actionableOf(known)).flatMap(({ name, packs: shown }) => [
              <li key={name} className={styles.group} aria-hidden="true">
                {name === "attention" && <Icon name="warning" size={18} />}
                <span>{packs.groups[name]}</span>
                <span>{shown.length}</span>
              </li>,
              ...rows(shown),
            ])
          : rows(items)}
      </ul>
      {dialog !== null && (
        <>
          <NewLogDialog
            subject={{ kind: "equipment", dpfId: dialog.item.dpfId }}
            about={dialog.item.model || dialog.item.name}
            isOpen={isOpen && dialog.kind === "log"}
            onClose={close}
          />
          <ChargingDialog
            battery={dialog.item}
            opening={isOpen && dialog.kind === "charging" ? dialog.opening : null}
            onClose={close}
          />
          <MoveDialog item={dialog.item} isOpen={isOpen && dialog.kind === "move"} onClose={close} />
        </>
      )}
    </div>
  );
}

/** Hidden from screen readers, which hear the label of each figure in its row. */
function Head({ like }: { like: Equipment }) {
  const isBattery = like.type === Kind.Battery;
  return (
    <div className={`${styles.head} ${isBattery ? styles.packs : ""}`} aria-hidden="true">
      <span>{texts.fields.name}</span>
      {isBattery && <span>{packs.state}</span>}
      {rowFiguresOf(like).map(({ label }) => (
        <span key={label}>{label}</span>
      ))}
    </div>
  );
}

type RowProps = {
  item: Equipment;
  /** The most urgent maintenance hint of the pack. */
  hint: PackHint | undefined;
  sets: PackSet[];
  now: DayTime;
  isWide: boolean;
  quick: QuickCharge;
  onBegin: (kind: OpenDialog["kind"], item: Equipment) => void;
};

function Row({ item, hint, sets, now, isWide, quick, onBegin }: RowProps) {
  const isBattery = item.type === Kind.Battery;
  const isRetired = item.deactivateTime !== "";
  // Wide windows have a column for it, except for packs.
  const [, beside] = isBattery ? [] : rowFiguresOf(item);
  const known = isWide || beside === undefined || beside.value === general.empty ? "" : beside.value;
  const number = item.number === null ? "" : packs.numberOf(item.number);
  const set = item.set === null ? "" : packs.ofSet(item.set.name);
  const about = [number, set, aboutOf(item), known].filter((text) => text !== "");
  return (
    <li className={`${styles.row} ${isBattery ? styles.packs : ""} ${isRetired ? styles.retired : ""}`}>
      {isBattery && !isRetired ? (
        <PackCell state={stateOf(item)} />
      ) : (
        <span className={styles.icon}>
          <Icon name={kindIcons[item.type]} size={24} />
        </span>
      )}
      <div className={styles.main}>
        <div className={styles.title}>
          <h2>
            <Link className={`row-link ${styles.link}`} to={urls.item(item.type, item.dpfId)}>
              {item.name}
            </Link>
            {hint === undefined && <PackTrafficLight pack={item} />}
          </h2>
          {(about.length > 0 || item.space) && (
            <p className={item.space ? `${styles.about} ${styles.shared}` : styles.about}>
              <SpaceMark item={item} />
              {about.map((text, position) => (
                <Fragment key={text}>
                  {" "}
                  <span>
                    {position > 0 && "· "}
                    {text}
                  </span>
                </Fragment>
              ))}
            </p>
          )}
          <WaitingMark of={item.dpfId} />
          {isRetired && (
            <p className={styles.reason}>
              {texts.retiredAt(item.deactivateTime)}
              <br />
              <strong>{item.deactivateText}</strong>
            </p>
          )}
        </div>
        {isBattery && !isRetired && <PackText pack={item} hint={hint} now={now} />}
        {isWide ? (
          <Figures item={item} />
        ) : (
          !isBattery && !isRetired && <Use item={item} today={formatDate(now)} />
        )}
      </div>
      {isBattery && mayUse(item) && (
        <Charging pack={item} quick={quick} onPress={() => onBegin("charging", item)} />
      )}
      <ItemMenu item={item} sets={sets} quick={quick} onBegin={onBegin} />
    </li>
  );
}

/** The state comes first, because a pilot looks for it; then since when, or what the pack waits for. */
function PackText({ pack, hint, now }: { pack: Equipment; hint: PackHint | undefined; now: DayTime }) {
  const flown = pack.inUse && spaces.inUseBy(pack.inUse.by, shortTime(pack.inUse.since, formatDate(now)));
  const about = flown ?? (hint && packs.shortHints[hint.rule]) ?? sinceOf(pack, now);
  const colour = hint === undefined ? "quiet" : hint.level === "red" ? hints.urgent : hints.attend;
  return (
    <p className={styles.state}>
      <PackWord state={stateOf(pack)} />
      {about !== "" && (
        <>
          <span className="visually-hidden"> · </span>
          <span className={colour}>{about}</span>
        </>
      )}
      {hint && <span className="visually-hidden"> {packs.lights[hint.level]}</span>}
    </p>
  );
}

function Use({ item, today }: { item: Equipment; today: string }) {
  if (item.inUse) {
    return (
      <p className={styles.state}>
        <strong>{spaces.inUseShort}</strong>
        <span className="quiet">{spaces.inUseBy(item.inUse.by, shortTime(item.inUse.since, today))}</span>
      </p>
    );
  }
  return (
    <p className={styles.state}>
      <strong>{formatMinutes(flownMinutes(item))}</strong>
      {item.lastFlight !== "" && (
        <>
          <span className="visually-hidden"> {texts.figures.lastFlight} </span>
          <span className="quiet">{shortTime(item.lastFlight, today)}</span>
        </>
      )}
    </p>
  );
}

function Figures({ item }: { item: Equipment }) {
  return (
    <dl className={styles.figures}>
      {rowFiguresOf(item).map(({ label, value }) => (
        <div key={label}>
          <dt className="visually-hidden">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * The buttons for charging, unless the pack is full, in the air or retired: "Geladen" with one tap, and the form. The
 * menu always offers the form.
 */
function Charging({ pack, quick, onPress }: { pack: Equipment; quick: QuickCharge; onPress: () => void }) {
  const state = stateOf(pack);
  const isOpen = pack.lastCharging !== null;
  if (!isOpen && (pack.deactivateTime !== "" || state === "full" || state === "flying")) return null;
  const label = isOpen ? chargings.finish : chargings.start;
  return (
    <span className={styles.charging} ref={leaveFocus}>
      {canQuickCharge(pack) && (
        <Button onPress={() => quick.charged(singlePack(pack))}>
          {packs.charged}
          <span className="visually-hidden"> {pack.name}</span>
        </Button>
      )}
      <IconButton icon={isOpen ? "finish" : "bolt"} label={`${label} ${pack.name}`} onPress={onPress} />
    </span>
  );
}

/** Moves the focus from buttons that go to the name of their pack. */
function leaveFocus(place: HTMLElement | null) {
  const name = place?.closest("li")?.querySelector("a");
  return () => {
    // The row may still move to another group, which would take the focus from it.
    if (place?.contains(document.activeElement)) queueMicrotask(() => name?.focus());
  };
}

/** Menu entries with which one tap marks a pack, or all packs of its set, as charged or stored. */
function quickEntries(pack: Equipment, sets: PackSet[], quick: QuickCharge) {
  if (!canQuickCharge(pack)) return [];
  const state = stateOf(pack);
  const set = sets.find(({ dpfId, packs }) => dpfId === pack.set?.dpfId && packs.every(canQuickCharge));
  const charged = (id: string, text: string, which: NamedPacks) => ({
    id,
    text,
    icon: "battery" as const,
    onAction: () => quick.charged(which),
  });
  const stored = (id: string, text: string, which: NamedPacks) => ({
    id,
    text,
    icon: "retire" as const,
    onAction: () => quick.stored(which),
  });
  return [
    ...(set ? [charged("set-charged", packs.setCharged(set.name), allPacksOf(set))] : []),
    ...(set ? [stored("set-stored", packs.setStored(set.name), allPacksOf(set))] : []),
    ...(state === "storage" ? [] : [stored("stored", packs.stored, singlePack(pack))]),
  ];
}

function ItemMenu({ item, sets, quick, onBegin }: Pick<RowProps, "item" | "sets" | "quick" | "onBegin">) {
  const navigate = useNavigate();
  const [, setParameters] = useSearchParams();
  const { type, dpfId } = item;
  const isBattery = type === Kind.Battery;
  /** Opens the history as part of the address, so that Back from one of its flights leads into it again. */
  function openHistory() {
    setParameters((parameters) => {
      parameters.set(historyParameter, dpfId);
      return parameters;
    });
  }
  const isOpen = item.lastCharging !== null;
  const isUsed = mayUse(item);
  const canCharge = isBattery && isUsed && (isOpen || item.deactivateTime === "");
  const moveEntry = useMoveEntry(item, () => onBegin("move", item));
  return (
    <Menu
      label={general.moreOf(item.name)}
      entries={[
        ...(isBattery && isUsed ? quickEntries(item, sets, quick) : []),
        ...(isBattery && isUsed
          ? [
              {
                id: "measure",
                text: packs.measure,
                icon: "gauge" as const,
                onAction: () => navigate(urls.reading(dpfId)),
              },
            ]
          : []),
        ...(isUsed
          ? [{ id: "log", text: logs.create, icon: "log-add" as const, onAction: () => onBegin("log", item) }]
          : []),
        {
          id: "logs",
          text: logs.title,
          icon: "notes",
          onAction: () => navigate(urls.equipmentLogs(type, dpfId)),
        },
        ...(isBattery
          ? [{ id: "history", text: chargings.history, icon: "history" as const, onAction: openHistory }]
          : []),
        ...(canCharge
          ? [
              {
                id: "charging",
                text: isOpen ? chargings.finish : chargings.start,
                icon: isOpen ? ("check" as const) : ("bolt" as const),
                onAction: () => onBegin("charging", item),
              },
            ]
          : []),
        ...moveEntry,
        ...(mayKeep(item)
          ? [
              {
                id: "edit",
                text: texts.edit,
                icon: "edit" as const,
                onAction: () => navigate(urls.equipment(type, dpfId)),
              },
            ]
          : []),
      ]}
    />
  );
}
