// The page of one flight: its title and actions. FlightView shows the values, FlightEditor edits them.
import { useEffect, useRef, useState } from "react";
import { useLocation, useParams } from "react-router";
import { NetworkFailure } from "../../api/client";
import { cachedFlight } from "../../api/fallback";
import { removeCachedFlight, useFlight } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import type { FlightRow } from "../../api/generated/FlightRow";
import { isOffline } from "../../api/session";
import { useWrite } from "../../api/useWrite";
import { Button, ButtonLink } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { Menu } from "../../components/Menu";
import { Page, useGoBack } from "../../components/Page";
import { ErrorNote, errorText } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { logs } from "../../components/texts/logs";
import { WaitingMark } from "../../components/WaitingMark";
import { parseDateTime, weekday } from "../../lib/dates";
import { general } from "../../texts";
import { urls } from "../../urls";
import clamp from "./clamp.module.css";
import { rememberFlight } from "./currentFlight";
import styles from "./FlightDetail.module.css";
import { FlightQueryView } from "./FlightQueryView";
import { FlightView } from "./FlightView";
import { withFormFieldNames } from "./flightForm";
import { KnownFlight } from "./KnownFlight";
import { NeighbourArrows } from "./Neighbours";
import { useNeighbours } from "./neighbours";
import { useIsWide } from "./useIsWide";

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
      setDeleteError(errorText(withFormFieldNames(error), flights.deleteFailed));
    }
  }

  useEffect(() => {
    rememberFlight(dpfId);
    return () => {
      if (isDeleted.current) removeCachedFlight(dpfId);
    };
  }, [dpfId]);

  const listed = listedFlight(dpfId, query.error);
  const known = query.data ?? listed;
  const isWide = useIsWide();
  // The tools keep their places from one flight to the next.
  const isFirstPage = useLocation().key === "default";
  const hasTools = query.data !== undefined || (query.isPending && !isFirstPage);
  const tools = (
    <>
      {hasTools && <Tools dpfId={dpfId} onLog={() => setWritingLog(true)} />}
      {(known || hasTools) && <NeighbourArrows neighbours={neighbours} />}
    </>
  );
  const menu = hasTools && (
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
  );
  return (
    <Page
      title={known ? flights.flightOf(known.copter.name, known.location) : flights.detailTitle}
      heading={known ? <Title flight={known} /> : <WaitingTitle isPending={query.isPending} />}
      onBack={goBack}
      actions={
        <>
          {isWide && tools}
          {menu}
        </>
      }
      isCrowded
    >
      {deleteError !== null && <ErrorNote>{deleteError}</ErrorNote>}
      {listed && !query.data ? (
        <KnownFlight flight={listed} tools={tools} />
      ) : (
        <FlightQueryView query={query}>
          {(flight) => (
            <>
              <FlightView flight={flight} neighbours={neighbours} tools={tools} />
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
      )}
    </Page>
  );
}

/** What the list knows of a flight that can't be loaded without network. */
function listedFlight(dpfId: string, error: Error | null): FlightRow | undefined {
  return error instanceof NetworkFailure && isOffline() ? cachedFlight(dpfId) : undefined;
}

/** The title, with the time and the place quieter than the copter. */
function Title({ flight }: { flight: FlightRow | Flight }) {
  return (
    <>
      <span className={clamp.threeLines}>{flight.copter.name}</span>
      <span className="visually-hidden"> · </span>
      <span className={styles.about}>
        {[whenOf(flight), flight.location].filter((text) => text !== "").join(" · ")}
        <WaitingMark of={flight.dpfId} />
      </span>
    </>
  );
}

/** As high as the title that replaces it, so that nothing below moves. */
function WaitingTitle({ isPending }: { isPending: boolean }) {
  return (
    <>
      <span className={clamp.threeLines}>{flights.detailTitle}</span>
      {isPending && (
        <span className={styles.about} aria-hidden="true">
          {"\u00a0"}
        </span>
      )}
    </>
  );
}

function Tools({ dpfId, onLog }: { dpfId: string; onLog: () => void }) {
  return (
    <>
      <Button icon="log-add" onPress={onLog}>
        {logs.create}
      </Button>
      <ButtonLink to={urls.editFlight(dpfId)} icon="edit">
        {general.edit}
      </ButtonLink>
    </>
  );
}

/** Formats "Sa, 21.11.2026 12:17". */
function whenOf({ startTime }: FlightRow | Flight): string {
  const start = parseDateTime(startTime);
  return `${start ? `${weekday(start)}, ` : ""}${startTime}`;
}
