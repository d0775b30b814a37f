// All details of one flight, readable and printable on one page: the header image, then the figures, then the rest.
import { type ReactNode, useState } from "react";
import { useFlightTrack } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { Button, ButtonLink } from "../../components/Button";
import { fieldNames, flights } from "../../components/texts/flights";
import { logs } from "../../components/texts/logs";
import { formatCoordinates } from "../../lib/gps";
import { formatQuantity } from "../../lib/numbers";
import { urls } from "../../urls";
import { EquipmentPanel } from "./EquipmentPanel";
import { FlightLogs } from "./FlightLogs";
import { FlightSketch } from "./FlightSketch";
import { HeldProofs } from "./HeldProofs";
import { images } from "./texts";
import "../../styles/stage.css";
import styles from "./FlightView.module.css";
import { type Course, useCourse } from "./headerImage/course";
import { FigureStage } from "./headerImage/FigureStage";
import { PackVoltages } from "./headerImage/PackVoltages";
import { PathStage } from "./headerImage/PathStage";
import { Profile } from "./headerImage/Profile";
import { ScrubProvider } from "./headerImage/Scrub";
import { Stage } from "./headerImage/Stage";
import { course as texts } from "./headerImage/texts";
import { ImageSection } from "./ImageSection";
import { ImageUploadDialog } from "./ImageUploadDialog";
import { MapLink } from "./MapLink";
import { useTurnBySwipe } from "./Neighbours";
import type { Neighbours } from "./neighbours";
import { RunningBar } from "./Running";
import { Section } from "./Section";
import { useIsWide } from "./useIsWide";
import { useWaitingPictures, WaitingPictures } from "./WaitingPictures";

/** The values of a flight. `tools`: a narrow window has them below the figures. */
export function FlightView({
  flight,
  neighbours,
  tools,
}: {
  flight: Flight;
  neighbours: Neighbours;
  tools: ReactNode;
}) {
  const swipe = useTurnBySwipe(neighbours);
  const isWide = useIsWide();
  const { course, isPending } = useCourse(flight.dpfId);
  const [isUploading, setUploading] = useState(false);
  const upload = () => setUploading(true);
  const headerImage = headerImageOf({ flight, course, isPending, onUpload: upload });
  const hasPath = course !== null && course.spots.length > 0;
  const path = hasPath && flight.images.length > 0 && <PathStage course={course} />;
  const profile = course !== null && course.seconds.length > 0 && <Profile course={course} />;
  const isFollowing = hasPath && flight.images.length === 0 && profile !== false;
  const waiting = useWaitingPictures(flight.dpfId);
  const waitingPictures = waiting.length > 0 && <WaitingPictures entries={waiting} />;
  const pictures = (headerImage === null || waitingPictures) && (
    <Pictures onUpload={headerImage === null ? upload : null}>{waitingPictures}</Pictures>
  );
  const figures = <Figures flight={flight} />;
  const rest = <OtherValues flight={flight} />;
  return (
    <article className={styles.detail} {...swipe}>
      {flight.open && (
        <RunningBar
          action={
            <ButtonLink to={urls.finishFlight(flight.dpfId)} variant="running" icon="finish" isLarge>
              {flights.finish}
            </ButtonLink>
          }
        >
          <strong>{flights.runningSince(flight.startTime)}</strong>
        </RunningBar>
      )}
      <ScrubProvider>
        {isWide ? (
          <div className={styles.columns}>
            <div className={styles.column}>
              {headerImage}
              {path}
              {profile}
            </div>
            <div className={`${styles.column} ${styles.side}`}>
              {figures}
              {pictures}
              <SideColumn flight={flight} />
            </div>
            <div className={styles.column}>
              {rest}
              <GpsSection flight={flight} isWide />
            </div>
          </div>
        ) : (
          <>
            <div className={`${styles.column} ${styles.lead}`}>
              {headerImage !== null && (
                <div className={isFollowing ? styles.following : undefined}>{headerImage}</div>
              )}
              {figures}
              <div className={styles.tools}>{tools}</div>
              {pictures}
              {path}
              {profile}
            </div>
            <SideColumn flight={flight} />
            <GpsSection flight={flight} />
            {rest}
          </>
        )}
      </ScrubProvider>
      <ImageUploadDialog
        flight={flight.dpfId}
        countThere={flight.images.length + waiting.reduce((sum, { count }) => sum + count, 0)}
        isOpen={isUploading}
        onClose={() => setUploading(false)}
      />
    </article>
  );
}

/** Returns the header image: the pictures, else the path, else a drawing of the figures; null without any of them. */
function headerImageOf({
  flight,
  course,
  isPending,
  onUpload,
}: {
  flight: Flight;
  course: Course | null;
  isPending: boolean;
  onUpload: () => void;
}): ReactNode {
  if (flight.images.length > 0) return <ImageSection flight={flight} onUpload={onUpload} />;
  if (course !== null && course.spots.length > 0) return <PathStage course={course} onUpload={onUpload} />;
  // There is nothing to draw of a flight that stayed at its start.
  const [far, high] = [flight.maximumDistance || null, flight.maximumAltitude || null];
  if (far === null && high === null) return null;
  if (isPending) {
    return (
      <Stage label={texts.path} onUpload={onUpload}>
        <div className={styles.waiting} />
      </Stage>
    );
  }
  return <FigureStage far={far} high={high} onUpload={onUpload} />;
}

/** The section of pictures, for a flight without any or with some that wait for the network. */
function Pictures({ onUpload, children }: { onUpload: (() => void) | null; children: ReactNode }) {
  return (
    <Section
      icon="file-image"
      title={images.title}
      action={
        onUpload ? (
          <Button icon="image-add" onPress={onUpload}>
            {images.upload}
          </Button>
        ) : undefined
      }
    >
      {children || <p className="quiet">{images.empty}</p>}
    </Section>
  );
}

/** A value under its label; null while it isn't known. */
type Value = { label: string; value: ReactNode; isFullWidth?: boolean };

function knownOf(values: readonly Value[]): Value[] {
  return values.filter(({ value }) => value !== null);
}

type FigureName = "flightTime" | "distance" | "maximumAltitude" | "speed" | "maximumDistance" | "flightMode";

/** The main figures are large. */
export function Figures({ flight }: { flight: Pick<Flight, FigureName> }) {
  const { labels } = flights;
  const main = knownOf([
    { label: labels.flightTime, value: figure(flight.flightTime, "min") },
    { label: labels.distance, value: figure(flight.distance, "km") },
    { label: labels.maximumAltitude, value: figure(flight.maximumAltitude, "m") },
    { label: labels.speed, value: figure(flight.speed, "km/h") },
  ]);
  const more = knownOf([
    { label: labels.maximumDistance, value: quantity(flight.maximumDistance, "m") },
    // A file may not name the mode.
    {
      label: fieldNames.flightMode,
      value: flight.flightMode === "" ? null : flights.modes[Number(flight.flightMode)],
    },
  ]);
  if (main.length + more.length === 0) return null;
  return (
    <div className="card">
      <h2 className="visually-hidden">{flights.groups.flight}</h2>
      {main.length > 0 && <Values values={main} className={styles.figures} />}
      {more.length > 0 && (
        <Values
          values={more}
          className={main.length > 0 ? `${styles.values} ${styles.more}` : styles.values}
        />
      )}
    </div>
  );
}

function quantity(value: number | null, unit: string): string | null {
  return value === null ? null : formatQuantity(value, unit);
}

/** Formats a number with its unit in small letters. */
function figure(value: number | null, unit: string): ReactNode {
  if (value === null) return null;
  const [number, after] = formatQuantity(value, unit).split("\u00a0");
  return (
    <>
      {number}
      <span className={styles.unit}>{`\u00a0${after}`}</span>
    </>
  );
}

function SideColumn({ flight }: { flight: Flight }) {
  const { labels } = flights;
  const files = useSources(flight);
  const battery = knownOf([
    { label: labels.batteryStartVoltage, value: quantity(flight.batteryStartVoltage, "V") },
    { label: labels.batteryEndVoltage, value: quantity(flight.batteryEndVoltage, "V") },
    { label: labels.consumedCapacity, value: quantity(flight.consumedCapacity, "mAh") },
  ]);
  const notes = knownOf([
    { label: fieldNames.weatherConditions, value: text(flight.weatherConditions) },
    { label: fieldNames.purpose, value: text(flight.purpose) },
    { label: fieldNames.notes, value: text(flight.notes), isFullWidth: true },
    { label: flights.fromFiles, value: text(files), isFullWidth: true },
  ]);
  return (
    <>
      {battery.length > 0 && (
        <Section icon="battery" title={flights.groups.battery}>
          <Values values={battery} className={styles.values} />
          <PackVoltages flight={flight} />
        </Section>
      )}
      {notes.length > 0 && (
        <Section icon="notes" title={flights.groups.notes}>
          <Values values={notes} className={`${styles.values} ${styles.wide}`} />
        </Section>
      )}
    </>
  );
}

/** `isWide`: the places stand below each other, beside their sketch. */
function GpsSection({ flight, isWide = false }: { flight: Flight; isWide?: boolean }) {
  const gps = knownOf([
    { label: flights.startGps, value: place(flight.startLatitude, flight.startLongitude) },
    { label: flights.endGps, value: place(flight.endLatitude, flight.endLongitude) },
  ]);
  if (gps.length === 0) return null;
  return (
    <Section icon="map-pin" title={flights.groups.gps}>
      <div className={styles.gps}>
        <Values values={gps} className={isWide ? styles.column : `${styles.values} ${styles.wide}`} />
        <StartAndEnd flight={flight} />
      </div>
    </Section>
  );
}

/** The sketch of start and end, unless the stage shows more. */
function StartAndEnd({ flight }: { flight: Flight }) {
  const track = useFlightTrack(flight.dpfId);
  if (track.isPending || (track.data && track.data.points.length > 1)) return null;
  return <FlightSketch flight={flight} />;
}

function OtherValues({ flight }: { flight: Flight }) {
  return (
    <>
      <Section icon="drone" title={flights.equipment}>
        <EquipmentPanel flight={flight} />
      </Section>
      <Section icon="file-text" title={logs.title}>
        <FlightLogs dpfId={flight.dpfId} />
      </Section>
      {(flight.proofs !== undefined || flight.proofsDamaged === true) && (
        <HeldProofs
          day={flight.startTime.slice(0, 10)}
          proofs={flight.proofs ?? []}
          isSomeDamaged={flight.proofsDamaged === true}
        />
      )}
    </>
  );
}

/** The files that the values come from, unless the notes name them. */
function useSources({ dpfId, notes }: Flight): string {
  const files = useFlightTrack(dpfId).data?.files ?? [];
  return files.filter((name) => !notes.includes(name)).join(", ");
}

function text(value: string): ReactNode {
  return value === "" ? null : <span className={styles.text}>{value}</span>;
}

function Values({ values, className }: { values: Value[]; className: string | undefined }) {
  return (
    <dl className={className}>
      {values.map(({ label, value, isFullWidth = false }) => (
        <div key={label} className={isFullWidth ? `${styles.value} ${styles.fullValue}` : styles.value}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function place(latitude: number | null, longitude: number | null): ReactNode {
  if (latitude === null || longitude === null) return null;
  const there = { latitude, longitude };
  return (
    <>
      <span className={styles.place}>{formatCoordinates(there)}</span>
      <MapLink place={there} />
    </>
  );
}
