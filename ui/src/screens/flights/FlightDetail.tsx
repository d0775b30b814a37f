// All details of one flight, readable and printable on one page; editing is the editor's.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useParams } from "react-router";
import { forgetFlight, useFlight, useFlightTrack } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { useWrite } from "../../api/useWrite";
import { Button, ButtonLink } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { Menu } from "../../components/Menu";
import { Page, useGoBack } from "../../components/Page";
import { ErrorNote, errorText } from "../../components/states";
import { parseDateTime, weekday } from "../../lib/dates";
import { formatCoordinates } from "../../lib/gps";
import { formatQuantity } from "../../lib/numbers";
import { flights, general, logs } from "../../texts";
import { urls } from "../../urls";
import clamp from "./clamp.module.css";
import { rememberFlight } from "./currentFlight";
import { EquipmentPanel } from "./EquipmentPanel";
import styles from "./FlightDetail.module.css";
import { FlightLogs } from "./FlightLogs";
import { FlightQueryView } from "./FlightQueryView";
import { FlightSketch } from "./FlightSketch";
import { namedAsInForm } from "./flightForm";
import { ImageSection } from "./ImageSection";
import { MapLink } from "./MapLink";
import { NeighbourArrows, useTurnBySwipe } from "./Neighbours";
import { type Neighbours, useNeighbours } from "./neighbours";
import { RunningBar } from "./Running";
import { Section } from "./Section";

export function FlightDetail() {
  const { dpfId = "" } = useParams();
  return <FlightPage key={dpfId} dpfId={dpfId} />;
}

function FlightPage({ dpfId }: { dpfId: string }) {
  const query = useFlight(dpfId);
  const neighbours = useNeighbours(dpfId);
  const goBack = useGoBack(urls.flights);
  const remove = useWrite("DeleteFlight");
  const [isAsking, setAsking] = useState(false);
  const [isWritingLog, setWritingLog] = useState(false);
  const [deleteError, setDeleteError] = useState<string | null>(null);
  const isDeleted = useRef(false);

  async function deleteFlight() {
    try {
      await remove.mutateAsync({ dpfId });
      isDeleted.current = true;
      goBack();
    } catch (error) {
      setDeleteError(errorText(namedAsInForm(error), flights.deleteFailed));
    }
  }

  useEffect(() => {
    rememberFlight(dpfId);
    return () => {
      if (isDeleted.current) forgetFlight(dpfId);
    };
  }, [dpfId]);

  const actions = query.data && (
    <>
      <Button icon="log-add" onPress={() => setWritingLog(true)}>
        {logs.create}
      </Button>
      <ButtonLink to={urls.editFlight(dpfId)} icon="edit">
        {general.edit}
      </ButtonLink>
      <Menu
        entries={[
          {
            id: "delete",
            text: general.delete,
            icon: "delete",
            isDangerous: true,
            onAction: () => {
              setDeleteError(null);
              setAsking(true);
            },
          },
        ]}
      />
    </>
  );
  return (
    <Page
      title={query.data ? flights.flightOf(query.data.copter.name, query.data.location) : flights.detailTitle}
      heading={query.data ? <Title flight={query.data} /> : flights.detailTitle}
      onBack={goBack}
      actions={actions}
      isCrowded
    >
      <div className={styles.head}>
        <p className="quiet">{query.data && whenOf(query.data)}</p>
        <NeighbourArrows neighbours={neighbours} />
      </div>
      {deleteError !== null && <ErrorNote>{deleteError}</ErrorNote>}
      <FlightQueryView query={query}>
        {(flight) => (
          <>
            <FlightView flight={flight} neighbours={neighbours} />
            <NewLogDialog
              subject={{ kind: "flight", dpfId }}
              about={flight.copter.model || flight.copter.name}
              isOpen={isWritingLog}
              onClose={() => setWritingLog(false)}
            />
            <ConfirmDialog
              question={flights.deleteQuestion}
              isOpen={isAsking}
              onClose={() => setAsking(false)}
              onYes={deleteFlight}
              isDangerous
            >
              <p className="quiet">
                {flights.deleteWhich(flight.copter.name, flight.startTime, flight.location)}
              </p>
              <p className="quiet">{flights.deleteAlong}</p>
            </ConfirmDialog>
          </>
        )}
      </FlightQueryView>
    </Page>
  );
}

/** The place is quieter than what flew. */
function Title({ flight: { copter, location } }: { flight: Flight }) {
  return (
    <>
      <span className={clamp.threeLines}>{copter.name}</span>
      {location !== "" && (
        <>
          <span className="visually-hidden"> · </span>
          <span className={`${clamp.threeLines} ${styles.where}`}>{location}</span>
        </>
      )}
    </>
  );
}

/** "Sa, 21.11.2026 12:17" */
function whenOf({ startTime }: Flight): string {
  const start = parseDateTime(startTime);
  return `${start ? `${weekday(start)}, ` : ""}${startTime}`;
}

function FlightView({ flight, neighbours }: { flight: Flight; neighbours: Neighbours }) {
  const { labels } = flights;
  const swipe = useTurnBySwipe(neighbours);
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
      <div className={styles.columns}>
        <ImageSection flight={flight} />
        <Section icon="gauge" title={flights.groups.flight} isFirst={flight.images.length === 0}>
          <dl className={`${styles.values} ${styles.large}`}>
            <Value label={labels.flightTime}>{formatQuantity(flight.flightTime, "min")}</Value>
            <Value label={labels.distance}>{formatQuantity(flight.distance, "km")}</Value>
            <Value label={labels.maximumAltitude}>{formatQuantity(flight.maximumAltitude, "m")}</Value>
            <Value label={labels.maximumDistance}>{formatQuantity(flight.maximumDistance, "m")}</Value>
            <Value label={labels.speed}>{formatQuantity(flight.speed, "km/h")}</Value>
            <Value label={flights.flightMode}>
              {flights.modes[Number(flight.flightMode)] ?? general.empty}
            </Value>
          </dl>
        </Section>
        <Section icon="battery" title={flights.groups.battery}>
          <dl className={styles.values}>
            <Value label={labels.batteryStartVoltage}>
              {formatQuantity(flight.batteryStartVoltage, "V")}
            </Value>
            <Value label={labels.batteryEndVoltage}>{formatQuantity(flight.batteryEndVoltage, "V")}</Value>
            <Value label={labels.consumedCapacity}>{formatQuantity(flight.consumedCapacity, "mAh")}</Value>
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
          <FlightSketch flight={flight} />
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
        <Section icon="drone" title={flights.equipment} isFullWidth>
          <EquipmentPanel flight={flight} />
        </Section>
        <Section icon="file-text" title={logs.title} isFullWidth>
          <FlightLogs dpfId={flight.dpfId} />
        </Section>
      </div>
    </article>
  );
}

/** The files that the values are from, unless the notes name them. */
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
