// The groups of a flight's form. Groups to fill in now are open; the others are a line that summarises their values.
import { type ReactNode, useState } from "react";
import { type Control, useFormContext, useFormState, useWatch } from "react-hook-form";
import { useLatestFlights } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { Button } from "../../components/Button";
import { DateTimeField } from "../../components/dateFields";
import { Fold } from "../../components/Fold";
import {
  FieldColumns,
  longTextLimit,
  NumberField,
  RadioChoice,
  TextArea,
  TextField,
} from "../../components/fields";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { VoltageField } from "../../components/packs/VoltageField";
import { placeNamed } from "../../components/start/readyFlight";
import { fieldNames, flights } from "../../components/texts/flights";
import type { Coordinates } from "../../lib/gps";
import { general } from "../../texts";
import styles from "./FlightEditor.module.css";
import { type FlightMode, type FlightValues, isInFuture, proposedFlightTime } from "./flightForm";
import { GpsField } from "./GpsField";

const modeChoices = flights.modes.map((text, code) => ({ value: String(code), text }));

type GroupProps = { control: Control<FlightValues>; mode: FlightMode };

/** A group of fields. `note`: summary of a group that is folded at first. */
function Group({
  icon,
  title,
  fields,
  note,
  children,
}: {
  icon: IconName;
  title: string;
  fields: readonly (keyof FlightValues)[];
  note?: string | undefined;
  children: ReactNode;
}) {
  const { errors } = useFormState<FlightValues>();
  if (note !== undefined) {
    const isWrong = fields.some((name) => errors[name] !== undefined);
    return (
      <Fold title={title} icon={icon} note={note} isWrong={isWrong}>
        <div className="stack">{children}</div>
      </Fold>
    );
  }
  return (
    <div className="card stack">
      <h2 className={styles.groupTitle}>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </div>
  );
}

/** Joins the known values into one line. */
function summaryOf(...texts: string[]): string {
  return texts.filter((text) => text !== "").join(" · ") || general.empty;
}

/** Formats a typed value: "12,5 min". */
function withUnit(value: string, unit: string): string {
  return value === "" ? "" : `${value.replace(".", ",")}\u00a0${unit}`;
}

const placeFields = ["startTime", "location"] as const;
/**
 * Place and time. `beside`: a field after the start time. `dpfId`: the flight, if the one before it may tell the place.
 */
export function PlaceGroup({
  control,
  mode,
  dpfId,
  beside,
}: GroupProps & { dpfId?: string; beside?: ReactNode }) {
  const [startTime, location] = useWatch({ control, name: placeFields });
  const [isKnown] = useState(
    () => !isInFuture(startTime) && (mode === "finish" || (mode === "new" && location !== "")),
  );
  return (
    <Group
      icon="map-pin"
      title={flights.groups.place}
      fields={placeFields}
      note={isKnown ? summaryOf(startTime.slice(-5), location) : undefined}
    >
      <DateTimeField
        control={control}
        name="startTime"
        label={flights.columns.startTime}
        rules={{ required: general.required }}
        {...(isInFuture(startTime) && { hint: flights.startInFuture })}
      />
      {beside}
      <TextField
        control={control}
        name="location"
        label={flights.columns.location}
        maxLength={longTextLimit}
      />
      {mode === "new" && dpfId !== undefined && <LastLocation control={control} dpfId={dpfId} />}
    </Group>
  );
}

const gpsFields = ["startGps", "endGps"] as const;

export function GpsGroup({ control, mode }: GroupProps) {
  const [start, end] = useWatch({ control, name: gpsFields });
  return (
    <Group
      icon="location"
      title={flights.groups.gps}
      fields={gpsFields}
      note={summaryOf(start, mode === "new" ? "" : end)}
    >
      <StartGps control={control} />
      {mode !== "new" && <GpsField control={control} name="endGps" label={flights.endGps} />}
    </Group>
  );
}

/** "Mein Standort" also fills in the name of a place where the pilot has flown before. */
function StartGps({ control }: Pick<GroupProps, "control">) {
  const { getValues, setValue } = useFormContext<FlightValues>();
  const flown = useLatestFlights().data ?? [];
  function name(position: Coordinates) {
    const place = placeNamed(flown, position);
    if (place !== "" && getValues("location") === "") setValue("location", place, { shouldDirty: true });
  }
  return <GpsField control={control} name="startGps" label={flights.startGps} onFound={name} />;
}

/** Offers the place of the flight before with one tap. */
function LastLocation({ control, dpfId }: { control: Control<FlightValues>; dpfId: string }) {
  const { setValue } = useFormContext<FlightValues>();
  const location = useWatch({ control, name: "location" });
  const before = useLatestFlights().data?.find((row) => row.dpfId !== dpfId)?.location ?? "";
  if (location !== "" || before === "") return null;
  return (
    <div className={styles.suggestion}>
      <Button
        variant="quiet"
        icon="history"
        onPress={() => setValue("location", before, { shouldDirty: true })}
      >
        {flights.fillLocation(before)}
      </Button>
    </div>
  );
}

const flightFields = [
  "flightTime",
  "maximumAltitude",
  "distance",
  "maximumDistance",
  "speed",
  "flightMode",
] as const;

export function FlightGroup({
  control,
  mode,
  flight,
  proposal = "",
  autoFocus = false,
  hasTime = mode !== "new",
  isOpen = false,
}: GroupProps & {
  flight?: Flight;
  proposal?: string;
  autoFocus?: boolean;
  hasTime?: boolean;
  isOpen?: boolean;
}) {
  const { columns } = flights;
  const [flightTime, height, distance, far, speed, code] = useWatch({ control, name: flightFields });
  const isProposal = mode === "finish" && flightTime !== "" && flightTime === proposal;
  // No flight time can be proposed, so the open group asks for it.
  const [isAsked] = useState(
    () => mode === "finish" && flightTime === "" && flight !== undefined && proposedFlightTime(flight) === "",
  );
  const isFolded = !isOpen && !autoFocus && !isAsked && (mode !== "edit" || !hasTime);
  const known = summaryOf(
    withUnit(flightTime, "min"),
    withUnit(height, "m"),
    withUnit(distance, "km"),
    withUnit(far, "m"),
    withUnit(speed, "km/h"),
    flights.modes[Number(code)] ?? "",
  );
  return (
    <Group
      icon="gauge"
      title={flights.groups.flight}
      fields={flightFields}
      note={isFolded ? known : undefined}
    >
      {mode !== "new" && (
        <div className={styles.numbers}>
          {hasTime && (
            <NumberField
              control={control}
              name="flightTime"
              label={columns.flightTime}
              autoFocus={autoFocus}
              {...(isProposal && { hint: flights.proposedTime })}
            />
          )}
          <NumberField control={control} name="maximumAltitude" label={columns.maximumAltitude} />
          <NumberField control={control} name="distance" label={columns.distance} />
          <NumberField control={control} name="maximumDistance" label={columns.maximumDistance} />
          <NumberField control={control} name="speed" label={columns.speed} />
        </div>
      )}
      <RadioChoice control={control} name="flightMode" label={fieldNames.flightMode} choices={modeChoices} />
    </Group>
  );
}

const endFields = ["batteryEndVoltage", "consumedCapacity"] as const;
const startFields = ["batteryStartVoltage"] as const;

/** `equipments`: what the flight is flown with, of every kind. */
export function BatteryGroup({
  control,
  mode,
  equipments,
  autoFocus = false,
  isFolded = false,
}: GroupProps & { equipments: readonly string[]; autoFocus?: boolean; isFolded?: boolean }) {
  const [voltage, endVoltage, consumed] = useWatch({ control, name: [...startFields, ...endFields] });
  const start = (
    <VoltageField
      dpfIds={equipments}
      control={control}
      name="batteryStartVoltage"
      label={fieldNames.batteryStartVoltage}
    />
  );
  const end = (
    <>
      <VoltageField
        dpfIds={equipments}
        control={control}
        name="batteryEndVoltage"
        label={fieldNames.batteryEndVoltage}
        autoFocus={mode === "finish" && autoFocus}
      />
      <NumberField control={control} name="consumedCapacity" label={fieldNames.consumedCapacity} />
    </>
  );
  if (mode !== "finish") {
    return (
      <Group
        icon="battery"
        title={flights.groups.battery}
        fields={[...startFields, ...endFields]}
        note={
          isFolded
            ? summaryOf(withUnit(voltage, "V"), withUnit(endVoltage, "V"), withUnit(consumed, "mAh"))
            : undefined
        }
      >
        <div className={styles.numbers}>
          {start}
          {mode === "edit" && end}
        </div>
      </Group>
    );
  }
  return (
    <>
      <Group icon="battery" title={flights.groups.battery} fields={endFields}>
        <div className={`${styles.numbers} ${styles.landed}`}>{end}</div>
      </Group>
      <Group
        icon="bolt"
        title={flights.labels.batteryStartVoltage}
        fields={startFields}
        note={summaryOf(withUnit(voltage, "V"))}
      >
        {start}
      </Group>
    </>
  );
}

const noteFields = ["weatherConditions", "purpose", "notes"] as const;

export function NotesGroup({
  control,
  isFolded = false,
}: Pick<GroupProps, "control"> & { isFolded?: boolean }) {
  const known = useWatch({ control, name: noteFields });
  return (
    <Group
      icon="notes"
      title={flights.groups.notes}
      fields={noteFields}
      note={isFolded ? summaryOf(...known) : undefined}
    >
      <FieldColumns>
        <TextArea control={control} name="weatherConditions" label={fieldNames.weatherConditions} rows={2} />
        <TextArea control={control} name="purpose" label={fieldNames.purpose} rows={2} />
      </FieldColumns>
      <TextArea control={control} name="notes" label={fieldNames.notes} rows={4} />
    </Group>
  );
}
