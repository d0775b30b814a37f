// All details of one flight, readable and printable on one page: the header image, then the figures, then the rest.
import { type ReactNode, useState } from "react";
import { useFlightTrack } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { Button, ButtonLink } from "../../components/Button";
import { formatCoordinates } from "../../lib/gps";
import { formatQuantity } from "../../lib/numbers";
import { flights, general, logs } from "../../texts";
import { urls } from "../../urls";
import { EquipmentPanel } from "./EquipmentPanel";
import { FlightLogs } from "./FlightLogs";
import { FlightSketch } from "./FlightSketch";
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

export function FlightView({ flight, neighbours }: { flight: Flight; neighbours: Neighbours }) {
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
            <div className={styles.column}>{rest}</div>
          </div>
        ) : (
          <>
            <div className={`${styles.column} ${styles.lead}`}>
              {headerImage !== null && (
                <div className={isFollowing ? styles.following : undefined}>{headerImage}</div>
              )}
              {figures}
              {pictures}
              {path}
              {profile}
            </div>
            <SideColumn flight={flight} />
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

/** Returns the flight mode; undefined if a file doesn't name it. */
function modeOf({ flightMode }: Pick<Flight, "flightMode">): string | undefined {
  return flightMode === "" ? undefined : flights.modes[Number(flightMode)];
}

type FigureName = "flightTime" | "distance" | "maximumAltitude" | "speed" | "maximumDistance" | "flightMode";

/** The main figures are large. */
export function Figures({ flight }: { flight: Pick<Flight, FigureName> }) {
  const { labels } = flights;
  return (
    <div className="card">
      <h2 className="visually-hidden">{flights.groups.flight}</h2>
      <dl className={styles.figures}>
        <Value label={labels.flightTime}>{figure(flight.flightTime, "min")}</Value>
        <Value label={labels.distance}>{figure(flight.distance, "km")}</Value>
        <Value label={labels.maximumAltitude}>{figure(flight.maximumAltitude, "m")}</Value>
        <Value label={labels.speed}>{figure(flight.speed, "km/h")}</Value>
      </dl>
      <dl className={`${styles.values} ${styles.more}`}>
        <Value label={labels.maximumDistance}>{formatQuantity(flight.maximumDistance, "m")}</Value>
        <Value label={flights.flightMode}>{modeOf(flight) ?? general.empty}</Value>
      </dl>
    </div>
  );
}

/** Formats a number with its unit in small letters. */
function figure(value: number | null, unit: string): ReactNode {
  if (value === null) return <span className={styles.unit}>{general.empty}</span>;
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
  return (
    <>
      <Section icon="battery" title={flights.groups.battery}>
        <dl className={styles.values}>
          <Value label={labels.batteryStartVoltage}>{formatQuantity(flight.batteryStartVoltage, "V")}</Value>
          <Value label={labels.batteryEndVoltage}>{formatQuantity(flight.batteryEndVoltage, "V")}</Value>
          <Value label={labels.consumedCapacity}>{formatQuantity(flight.consumedCapacity, "mAh")}</Value>
        </dl>
        <PackVoltages flight={flight} />
      </Section>
      <Section icon="notes" title={flights.groups.notes}>
        <dl className={`${styles.values} ${styles.wide}`}>
          <Value label={flights.weatherConditions}>{text(flight.weatherConditions)}</Value>
          <Value label={flights.purpose}>{text(flight.purpose)}</Value>
          <Value label={flights.notes} isFullWidth>
            {text(flight.notes)}
          </Value>
          <Sources flight={flight} />
        </dl>
      </Section>
      <Section icon="map-pin" title={flights.groups.place}>
        <dl className={`${styles.values} ${styles.wide}`}>
          <Value label={flights.columns.startTime}>{flight.startTime}</Value>
          <Value label={flights.columns.location}>{text(flight.location)}</Value>
          <Value label={flights.startGps}>
            <Place latitude={flight.startLatitude} longitude={flight.startLongitude} />
          </Value>
          <Value label={flights.endGps}>
            <Place latitude={flight.endLatitude} longitude={flight.endLongitude} />
          </Value>
        </dl>
        <StartAndEnd flight={flight} />
      </Section>
    </>
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
    </>
  );
}

/** The files that the values come from, unless the notes name them. */
function Sources({ flight: { dpfId, notes } }: { flight: Flight }) {
  const files = useFlightTrack(dpfId).data?.files.filter((name) => !notes.includes(name)) ?? [];
  if (files.length === 0) return null;
  return (
    <Value label={flights.fromFiles} isFullWidth>
      <span className={styles.text}>{files.join(", ")}</span>
    </Value>
  );
}

function text(value: string): ReactNode {
  return value === "" ? general.empty : <span className={styles.text}>{value}</span>;
}

function Value({
  label,
  isFullWidth = false,
  children,
}: {
  label: string;
  isFullWidth?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={isFullWidth ? `${styles.value} ${styles.fullValue}` : styles.value}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Place({ latitude, longitude }: { latitude: number | null; longitude: number | null }) {
  if (latitude === null || longitude === null) return general.empty;
  const place = { latitude, longitude };
  return (
    <>
      <span className={styles.place}>{formatCoordinates(place)}</span>
      <MapLink place={place} />
    </>
  );
}
