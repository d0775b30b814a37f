// A place as text, whose first two numbers are latitude and longitude; with a link to the map, or a button that fills
// in the device's position where the browser allows it.
import { useState } from "react";
import { type Control, useFormContext, useWatch } from "react-hook-form";
import { Button } from "../../components/Button";
import { TextField } from "../../components/fields";
import { ErrorNote } from "../../components/states";
import { coordinatesToInput, formatCoordinates, parseCoordinates } from "../../lib/gps";
import { flights, general, layout } from "../../texts";
import { mapStartUrl } from "../../urls";
import { type FlightValues, gpsError } from "./flightForm";
import styles from "./GpsField.module.css";
import { MapLink } from "./MapLink";

const positionTimeoutMs = 20_000;
const positionMaximumAgeMs = 30_000;

export function GpsField({
  control,
  name,
  label,
}: {
  control: Control<FlightValues>;
  name: "startGps" | "endGps";
  label: string;
}) {
  const { setValue } = useFormContext<FlightValues>();
  const text = useWatch({ control, name });
  const [problem, setProblem] = useState<"failed" | "unsupported" | "insecure" | null>(null);
  const place = parseCoordinates(text);

  async function fillIn() {
    setProblem(null);
    if (!("geolocation" in navigator)) return setProblem("unsupported");
    if (!window.isSecureContext) return setProblem("insecure");
    try {
      const { latitude, longitude } = (await currentPosition()).coords;
      setValue(name, coordinatesToInput(latitude, longitude), { shouldDirty: true, shouldValidate: true });
    } catch {
      setProblem("failed");
    }
  }

  return (
    <div className={styles.field}>
      <TextField
        control={control}
        name={name}
        label={label}
        hint={
          place ? (
            <span className={styles.understood}>
              {general.understood(formatCoordinates(place))}
              <MapLink place={place} />
            </span>
          ) : (
            flights.gpsHint
          )
        }
        rules={{ validate: gpsError }}
        beside={
          <Button icon="location" onPress={fillIn}>
            {flights.myLocation}
          </Button>
        }
      />
      {problem === "failed" && <ErrorNote>{flights.locationFailed}</ErrorNote>}
      {problem === "unsupported" && <ErrorNote>{flights.locationUnsupported}</ErrorNote>}
      {problem === "insecure" && (
        <ErrorNote>
          {flights.locationInsecure}{" "}
          <a className={styles.link} href={mapStartUrl} target="_blank" rel="noopener noreferrer">
            {flights.openMap} <span className="visually-hidden">{layout.newTab}</span>
          </a>
        </ErrorNote>
      )}
    </div>
  );
}

function currentPosition(): Promise<GeolocationPosition> {
  return new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, {
      enableHighAccuracy: true,
      timeout: positionTimeoutMs,
      maximumAge: positionMaximumAgeMs,
    }),
  );
}
