// One flight of an import: its tick, time, equipment and values, and what is doubtful.
import { memo, useEffect } from "react";
import { Checkbox, Radio, RadioGroup } from "react-aria-components";
import { useForm } from "react-hook-form";
import { Link } from "react-router";
import type { Equipment } from "../../../api/generated/Equipment";
import { Kind } from "../../../api/generated/Kind";
import { Button } from "../../../components/Button";
import { CardAction } from "../../../components/CardAction";
import { CheckMark } from "../../../components/CheckMark";
import { ClockField, DateTimeField } from "../../../components/dateFields";
import { FlightPicture } from "../../../components/FlightPicture";
import { Icon } from "../../../components/Icon";
import { flights } from "../../../components/texts/flights";
import { parseDateTime } from "../../../lib/dates";
import { formatQuantity, parseNumber } from "../../../lib/numbers";
import { general } from "../../../texts";
import { urls } from "../../../urls";
import styles from "./FlightRow.module.css";
import {
  type Action,
  actionsOf,
  type Change,
  dayOnlyOf,
  figuresText,
  hasPicture,
  isSameRow,
  itemsOf,
  pictureOf,
  type Row,
  startParts,
} from "./review";
import { imports as texts } from "./texts";

export type RowHandlers = {
  onChange: (key: string, change: Change) => void;
  /** Sets the copter of one or more flights. */
  onCopter: (keys: string[], copter: string) => void;
  onNewCopter: (row: Row) => void;
  onDetails: (row: Row) => void;
  onShift: (file: number) => void;
};

type RowProps = {
  row: Row;
  items: Equipment[];
  /** Format of the file. */
  format: string;
  /** Name of the file, and the model that it names. */
  origin: string;
  /**
   * Keys of other flights that probably have the same copter, separated by spaces, and the text of the offer to set it
   * there.
   */
  alike: string;
  alikeText: string;
  offersCopter: boolean;
  offersShift: boolean;
  /** Whether missing values have been asked for. */
  isAsked: boolean;
  handlers: RowHandlers;
};

export const FlightRow = memo(
  function FlightRow({ row, items, format, origin, offersShift, handlers, ...equipment }: RowProps) {
    const { proposal, isTicked, action, values } = row;
    const { start, inFile } = startParts(row);
    const minutes = parseNumber(values.flightTime);
    const figures = figuresText(row, format === "dji-txt");
    const hasEquipment = isTicked && action === "create";
    return (
      <li className={isTicked ? styles.row : `${styles.row} ${styles.left}`} data-flight={proposal.key}>
        <Checkbox
          className={styles.tick}
          aria-label={texts.take(start)}
          isSelected={isTicked}
          onChange={(ticked) => handlers.onChange(proposal.key, { isTicked: ticked })}
        >
          <CheckMark />
          <span className={styles.head}>
            <strong>{start}</strong>
            {inFile !== "" && <span className={styles.inFile}> {inFile}</span>}
            {minutes === null ? (
              <span className={styles.place}>{texts.noMinutes}</span>
            ) : (
              <strong>{formatQuantity(minutes, "min")}</strong>
            )}
            {values.location !== "" && <span className={styles.place}>{values.location}</span>}
          </span>
        </Checkbox>
        <CardAction icon="dots" label={general.more} about={start} way={() => handlers.onDetails(row)} />
        <div className={styles.body}>
          <div className={styles.summary}>
            <div>
              {origin !== "" && <p className={styles.origin}>{origin}</p>}
              {figures !== "" && <p className={styles.figures}>{figures}</p>}
            </div>
            {hasPicture(proposal) && <FlightPicture flight={pictureOf(proposal)} />}
          </div>
          {hasEquipment && (
            <EquipmentChoice row={row} start={start} items={items} handlers={handlers} {...equipment} />
          )}
          <Hints row={row} />
          <Start row={row} offersShift={offersShift} handlers={handlers} />
          <Actions row={row} start={start} handlers={handlers} />
        </div>
      </li>
    );
  },
  (one, other) =>
    isSameRow(one.row, other.row) &&
    one.origin === other.origin &&
    one.alike === other.alike &&
    one.alikeText === other.alikeText &&
    one.format === other.format &&
    one.offersCopter === other.offersCopter &&
    one.offersShift === other.offersShift &&
    one.isAsked === other.isAsked &&
    one.items === other.items,
);

/** Copter and pack; the details offer several packs. */
function EquipmentChoice({
  row,
  start,
  items,
  alike,
  alikeText,
  offersCopter,
  isAsked,
  handlers,
}: { row: Row; start: string } & Omit<RowProps, "format" | "origin" | "offersShift">) {
  const { proposal, copter, equipments, startTime } = row;
  const { key } = proposal;
  const copters = itemsOf(Kind.Copter, startTime, items);
  const packs = itemsOf(Kind.Battery, startTime, items);
  const chosen = packs.filter(({ dpfId }) => equipments.includes(dpfId));
  const otherKeys = alike === "" ? [] : alike.split(" ");
  const several = chosen.map(({ dpfId }) => dpfId).join(" ");
  return (
    <div className={styles.equipment}>
      <div
        className={copter === "" ? `${styles.choice} ${styles.missing}` : styles.choice}
        {...missing(copter === "")}
      >
        <Icon name="drone" />
        <select
          aria-label={texts.copterOf(start)}
          aria-invalid={(isAsked && copter === "") || undefined}
          value={copter}
          onChange={(event) => handlers.onCopter([key], event.currentTarget.value)}
        >
          {copter === "" && <option value="">{texts.chooseCopter}</option>}
          {copters.map(({ dpfId, name }) => (
            <option key={dpfId} value={dpfId}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {packs.length > 0 && (
        <div className={styles.choice}>
          <Icon name="battery" />
          <select
            aria-label={texts.packOf(start)}
            value={several}
            onChange={(event) => {
              const rest = equipments.filter((dpfId) => !packs.some((pack) => pack.dpfId === dpfId));
              const pack = event.currentTarget.value;
              handlers.onChange(key, { equipments: pack === "" ? rest : [pack, ...rest] });
            }}
          >
            <option value="">{texts.noPack}</option>
            {chosen.length > 1 && (
              <option value={several}>{chosen.map(({ name }) => name).join(", ")}</option>
            )}
            {packs.map(({ dpfId, name }) => (
              <option key={dpfId} value={dpfId}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      {offersCopter ? (
        <Button variant="quiet" icon="plus" onPress={() => handlers.onNewCopter(row)}>
          {texts.newCopter}
        </Button>
      ) : (
        copter !== "" &&
        otherKeys.length > 0 && (
          <Button variant="quiet" onPress={() => handlers.onCopter(otherKeys, copter)}>
            {alikeText}
          </Button>
        )
      )}
    </div>
  );
}

function missing(isMissing: boolean) {
  return isMissing ? { "data-missing": "" } : {};
}

function Hints({ row: { proposal, startTime } }: { row: Row }) {
  const hints = proposal.hints.filter((hint) => hint !== texts.startMissing || startTime === "");
  if (hints.length === 0) return null;
  return (
    <ul className={styles.hints}>
      {hints.map((hint) => (
        <li key={hint}>
          <Icon name="warning" size={18} />
          {hint}
        </li>
      ))}
    </ul>
  );
}

type StartProps = { row: Row; offersShift: boolean; handlers: RowHandlers };

/** The entry for what the file doesn't say about the start. */
function Start(props: StartProps) {
  const { proposal } = props.row;
  if (proposal.startTime !== "") return null;
  return dayOnlyOf(proposal) === "" ? <StartEntry {...props} /> : <ClockEntry {...props} />;
}

/** Entry of the time of day of a flight whose day is known. */
function ClockEntry({ row: { proposal, startTime }, handlers }: StartProps) {
  const day = dayOnlyOf(proposal);
  const clock = startTime.startsWith(day) ? startTime.slice(11) : "";
  return (
    <div className={styles.start} {...missing(startTime === "")}>
      <ClockField
        label={texts.clockOf(day)}
        value={clock}
        onChange={(typed) =>
          handlers.onChange(proposal.key, {
            startTime: typed === "" ? "" : `${day} ${typed}`,
            isTicked: typed !== "",
          })
        }
      />
    </div>
  );
}

/** Entry of a start time that the file's clock didn't know. */
function StartEntry({ row: { proposal, startTime }, offersShift, handlers }: StartProps) {
  const form = useForm({ defaultValues: { startTime } });
  const { key } = proposal;
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          const isWhole = values.startTime === "" || parseDateTime(values.startTime) !== null;
          if (isWhole) handlers.onChange(key, { startTime: values.startTime, isTicked: true });
        },
      }),
    [form, key, handlers],
  );
  return (
    <div className={styles.start} {...missing(startTime === "")}>
      <DateTimeField control={form.control} name="startTime" label={flights.columns.startTime} />
      {offersShift && (
        <Button variant="quiet" icon="clock" onPress={() => handlers.onShift(proposal.file)}>
          {texts.shift}
        </Button>
      )}
    </div>
  );
}

/** Actions for a flight that may exist already. */
function Actions({
  row: { proposal, isTicked, action },
  start,
  handlers,
}: {
  row: Row;
  start: string;
  handlers: RowHandlers;
}) {
  const { key, twin: duplicate, open } = proposal;
  const actions = actionsOf(proposal);
  if (duplicate === null && actions.length === 1) return null;
  const text = (one: Action) =>
    one === "create" && duplicate === null ? texts.createBesideOpen : texts.actions[one];
  return (
    <div className={styles.duplicate}>
      <p>
        <Icon name="info" size={18} />
        <span>
          {duplicate ? duplicate.text : open && texts.openThere}{" "}
          {duplicate?.dpfId && <Link to={urls.flight(duplicate.dpfId)}>{texts.showTwin}</Link>}
        </span>
      </p>
      <RadioGroup
        className={styles.actions}
        aria-label={texts.take(start)}
        value={isTicked ? action : "skip"}
        onChange={(value) =>
          handlers.onChange(
            key,
            value === "skip" ? { isTicked: false } : { isTicked: true, action: value as Action },
          )
        }
      >
        <Radio value="skip" className={styles.action}>
          {texts.actions.skip}
        </Radio>
        {actions.map((one) => (
          <Radio key={one} value={one} className={styles.action}>
            {text(one)}
          </Radio>
        ))}
      </RadioGroup>
    </div>
  );
}
