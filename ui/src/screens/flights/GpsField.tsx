// A place as text, whose first two numbers are latitude and longitude; with a link to the map, or a button that fills
// in the device's position where the browser allows it.
import { useState } from "react";
import { type Control, useFormContext, useWatch } from "react-hook-form";
import { Button } from "../../components/Button";
import { TextField } from "../../components/fields";
import { ErrorNote } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { type Coordinates, coordinatesToInput, formatCoordinates, parseCoordinates } from "../../lib/gps";
import { type NoPosition, requestPosition } from "../../lib/position";
import { general, layout } from "../../texts";
import { mapStartUrl } from "../../urls";
import { type FlightValues, gpsError } from "./flightForm";
import styles from "./GpsField.module.css";
import { MapLink } from "./MapLink";

export function GpsField({
  control,
  name,
  label,
  onFound,
}: {
  control: Control<FlightValues>;
  name: "startGps" | "endGps";
  label: string;
  /** Called after the device's position was filled in. */
  onFound?: (place: Coordinates) => void;
}) {
  const { setValue } = useFormContext<FlightValues>();
  const text = useWatch({ control, name });
  const [problem, setProblem] = useState<NoPosition | null>(null);
  const place = parseCoordinates(text);

  async function fillIn() {
    setProblem(null);
    const found = await requestPosition();
    if (typeof found === "string") return setProblem(found);
    const shown = coordinatesToInput(found.latitude, found.longitude);
    setValue(name, shown, { shouldDirty: true, shouldValidate: true });
    onFound?.(found);
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
          <a href={mapStartUrl} target="_blank" rel="noopener noreferrer">
            {flights.openMap} <span className="visually-hidden">{layout.newTab}</span>
          </a>
        </ErrorNote>
      )}
    </div>
  );
}
