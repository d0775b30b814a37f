// The first card of home: the proposed flight, which one tap starts as shown, or the running one.
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "react-router";
import { isNotLoggedIn } from "../../api/client";
import { useFlyableEquipments } from "../../api/equipment";
import { useFlight, useLatestFlights } from "../../api/flights";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { Flight } from "../../api/generated/Flight";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import { useCachedUser } from "../../api/session";
import { Button, ButtonLink, buttonClass } from "../../components/Button";
import { deferred } from "../../components/deferred";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { PackCell } from "../../components/PackState";
import { batteryState } from "../../components/start/packText";
import { RunningClock } from "../../components/start/RunningClock";
import { chosenItems, presetFromFlight } from "../../components/start/readyFlight";
import { type Position, usePosition } from "../../components/start/usePosition";
import { useStartDefaults } from "../../components/start/useStartDefaults";
import { useStartFlight } from "../../components/start/useStartFlight";
import { ErrorNote, errorText, Skeleton } from "../../components/states";
import { formatCoordinates } from "../../lib/gps";
import { formatQuantity } from "../../lib/numbers";
import { equipment, flights, home } from "../../texts";
import { urls } from "../../urls";
import styles from "./FlightCard.module.css";

const InUse = deferred(async () => (await import("../../components/spaces/InUse")).InUse);

/** The card. `otherwise`: shown while there is no flight to repeat. */
export function FlightCard({ otherwise }: { otherwise: ReactNode }) {
  const openFlight = useCachedUser()?.openFlight ?? null;
  const { notStarted } = (useLocation().state ?? {}) as { notStarted?: string };
  const [startedHere, setStartedHere] = useState(false);
  return (
    <div className="stack">
      {notStarted !== undefined && <ErrorNote>{notStarted}</ErrorNote>}
      {openFlight === null ? (
        <Ready otherwise={otherwise} onStart={() => setStartedHere(true)} />
      ) : (
        <Flying dpfId={openFlight} isFocused={startedHere} />
      )}
    </div>
  );
}

function Ready({ otherwise, onStart }: { otherwise: ReactNode; onStart: () => void }) {
  const all = useFlyableEquipments();
  const latest = useLatestFlights();
  if (all.isPending || latest.isPending) return <Skeleton height={20.4375} />;
  const last = latest.data?.find((row) => !row.open);
  const isRepeatable = all.data?.copters.some(({ dpfId }) => dpfId === last?.copter.dpfId);
  if (!all.data || !last || !isRepeatable) return otherwise;
  return <ReadyCard key={last.dpfId} last={last} all={all.data} onStart={onStart} />;
}

function ReadyCard({ last, all, onStart }: { last: FlightRow; all: AllEquipments; onStart: () => void }) {
  const starting = useStartFlight(last.dpfId);
  const position = usePosition();
  const known = useStartDefaults(last, position.place);
  const [error, setError] = useState<string | null>(null);
  const { choice, dropped, notReady } = presetFromFlight(last, all);
  const items = chosenItems(choice, all);
  const packs = items.filter((item) => item.type === Kind.Battery);
  const start = known(packs);
  // The server refuses an item of a space that is in somebody's open flight: the start isn't offered. The answer may be
  // older than the end of the own flight.
  const flown = items.filter(({ inUse }) => inUse && !inUse.mine);
  const isReady = notReady === 0 && flown.length === 0;

  async function startNow() {
    setError(null);
    try {
      await starting.start(choice, start);
      onStart();
    } catch (failure) {
      if (!isNotLoggedIn(failure)) setError(errorText(failure, flights.unanswered));
    }
  }
  return (
    <section className={`card stack ${styles.card}`} aria-label={home.readyFlight}>
      <dl className={styles.rows}>
        <Row icon="drone" label={equipment.kind[Kind.Copter]}>
          {/* For thumbs: Tab gets to the start first, and then to the other link to this choice. */}
          <Link className={`row-link ${styles.change}`} to={urls.flightConfig} tabIndex={-1}>
            <strong>{items.find((item) => item.type === Kind.Copter)?.name}</strong>
            <span className="visually-hidden"> {home.change}</span>
            <Icon name="chevron-right" />
          </Link>
        </Row>
        {packs.map((pack) => (
          <Row
            key={pack.dpfId}
            icon="battery"
            label={equipment.kind[Kind.Battery]}
            aside={<PackAside pack={pack} />}
          >
            <strong>{pack.name}</strong>
          </Row>
        ))}
        {notReady > 0 && (
          <Row icon="battery" label={equipment.kind[Kind.Battery]}>
            {flights.noChargedPack}
          </Row>
        )}
        <Row icon="map-pin" label={flights.columns.location} action={<RequestPosition position={position} />}>
          <PlaceText name={start.location} position={position} />
        </Row>
      </dl>
      {dropped > 0 && <p className="quiet">{flights.likeLastFlightDropped(dropped)}</p>}
      {flown.map((item) => (
        <InUse key={item.dpfId} item={item} />
      ))}
      {error !== null && <ErrorNote>{error}</ErrorNote>}
      <div className={styles.actions}>
        {isReady && (
          <Button variant="primary" icon="start" isLarge onPress={startNow}>
            {home.startNow}
          </Button>
        )}
        <div className={styles.two}>
          <ButtonLink to={urls.flightConfig} variant={isReady ? "quiet" : "primary"} isLarge={!isReady}>
            {home.startFlight}
          </ButtonLink>
          {Object.values(all).some((items) => items.some(({ number }) => number !== null)) && (
            <ButtonLink to={urls.numberPad} variant="quiet">
              {home.number}
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}

function Row({
  icon,
  label,
  aside,
  action,
  children,
}: {
  icon: IconName;
  label: string;
  /** Content at the right side. */
  aside?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.row}>
      <Icon name={icon} size={24} />
      <dt>{label}</dt>
      <dd>{children}</dd>
      {aside && <dd className={styles.aside}>{aside}</dd>}
      {action && <dd className={styles.action}>{action}</dd>}
    </div>
  );
}

function PackAside({ pack }: { pack: Equipment }) {
  return (
    <>
      {pack.state !== null && <PackCell state={pack.state} />}
      {batteryState(pack)}
    </>
  );
}

function PlaceText({ name, position: { place, problem } }: { name: string; position: Position }) {
  if (name !== "") return <strong>{name}</strong>;
  if (place !== null) return formatCoordinates(place);
  if (problem === "failed") return <span role="alert">{flights.locationFailed}</span>;
  return <span className="quiet">{home.placeUnknown}</span>;
}

function RequestPosition({ position: { canAsk, ask } }: { position: Position }) {
  if (!canAsk) return null;
  return (
    <Button variant="quiet" icon="location" onPress={ask}>
      {flights.myLocation}
    </Button>
  );
}

function Flying({ dpfId, isFocused }: { dpfId: string; isFocused: boolean }) {
  const { data } = useFlight(dpfId);
  return (
    <section className={`card stack ${styles.card} ${styles.flying}`} aria-label={flights.running}>
      {data === undefined ? <Skeleton height={8.5} /> : <FlyingText flight={data} />}
      <div className={styles.actions}>
        <Link
          className={buttonClass("running", true)}
          to={urls.finishFlight(dpfId)}
          ref={(link) => {
            if (isFocused) link?.focus({ preventScroll: true });
          }}
        >
          <Icon name="finish" />
          <span>{home.finishFlight}</span>
        </Link>
        <ButtonLink to={urls.newFlight(dpfId)} variant="quiet">
          {flights.enterData}
        </ButtonLink>
      </div>
    </section>
  );
}

function FlyingText({ flight }: { flight: Flight }) {
  const packs = flight.equipments.filter((item) => item.type === Kind.Battery);
  const voltage = flight.batteryStartVoltage;
  return (
    <>
      <RunningClock flight={flight} />
      <p className={styles.gear}>
        <strong>{flight.copter.name}</strong>
        {packs.map((pack) => (
          <span key={pack.dpfId}>{pack.name}</span>
        ))}
        {voltage !== null && (
          <span className={styles.voltage}>{flights.atStart(formatQuantity(voltage, "V"))}</span>
        )}
      </p>
    </>
  );
}
