// The dashboard: starts or finishes a flight with one tap, links to everything else, and shows the statistics; before
// the first flight, the steps to it.
import { Link } from "react-router";
import { useFlyableEquipments } from "../../api/equipment";
import { useLatestFlights } from "../../api/flights";
import { kinds } from "../../api/kinds";
import { useCachedUser } from "../../api/session";
import { useStatistics } from "../../api/statistics";
import { deferred, whenLoaded } from "../../components/deferred";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { kindIcons } from "../../components/kindIcons";
import { Page } from "../../components/Page";
import { useMedia } from "../../components/useMedia";
import { documents, equipment, home } from "../../texts";
import { urls } from "../../urls";
import { FlightCard } from "./FlightCard";
import styles from "./HomePage.module.css";
import { LatestFlights } from "./LatestFlights";
import { PasswordHint } from "./PasswordHint";
import { StatisticsPanel } from "./StatisticsPanel";

/** Loaded later, because no first page needs them. */
const DeferredNotes = whenLoaded(async () => (await import("./DeferredNotes")).DeferredNotes);
const TodoCard = whenLoaded(async () => (await import("./TodoCard")).TodoCard);
const YearStage = whenLoaded(async () => (await import("./YearStage")).YearStage);
/** Shown only to new pilots. */
const FirstSteps = deferred(async () => (await import("./FirstSteps")).FirstSteps);

export function HomePage() {
  const user = useCachedUser();
  const statistics = useStatistics();
  const openFlight = user?.openFlight ?? null;
  const hasFlown = statistics.data?.totalFlightCount !== "0";
  const latest = useLatestFlights();
  // The statistics don't know a flight that waits for the network.
  const isNew = openFlight === null && !hasFlown && !latest.data?.some(({ open }) => !open);
  const equipments = useFlyableEquipments(openFlight === null);
  const isCardKnown = openFlight !== null || !(equipments.isPending || latest.isPending);
  const isWide = useMedia("(width >= 56rem)");
  const year = hasFlown && (
    <div className={styles.year}>
      <YearStage />
    </div>
  );
  return (
    <Page title={home.greeting(user?.nickname ?? "")} tabTitle={home.title}>
      {isNew ? (
        <FirstSteps equipments={equipments.data} />
      ) : (
        <div className={styles.top}>
          <div className={styles.column}>
            <FlightCard otherwise={<StartBar />} />
            {isWide && <TodoCard />}
          </div>
          <div className={isCardKnown ? styles.column : `${styles.column} ${styles.below}`}>
            {isWide && year}
            <LatestFlights />
          </div>
        </div>
      )}
      {user && <PasswordHint key={user.account} account={user.account} />}
      <DeferredNotes />
      {!isNew && !isWide && <TodoCard />}
      {/* On a phone what can be done is in sight first. */}
      {!isNew && !isWide && year}
      <nav className={styles.areas} aria-label={home.navigation}>
        <div className={styles.tiles}>
          <Tile to={urls.flights} icon="flights" text={home.flights} />
          {kinds.map((kind) => (
            <Tile key={kind} to={urls.equipments(kind)} icon={kindIcons[kind]} text={equipment.kinds[kind]} />
          ))}
          <Tile to={urls.documents} icon="documents" text={documents.title} />
        </div>
      </nav>
      {hasFlown && <StatisticsPanel />}
    </Page>
  );
}

function StartBar() {
  return (
    <Link className={styles.bar} to={urls.flightConfig}>
      <Icon name="start" size={32} />
      <span className={styles.text}>
        <strong>{home.startFlight}</strong>
        <span>{home.startFlightHint}</span>
      </span>
      <Icon name="chevron-right" size={24} />
    </Link>
  );
}

function Tile({ to, icon, text }: { to: string; icon: IconName; text: string }) {
  return (
    <Link className={styles.tile} to={to}>
      <Icon name={icon} size={28} />
      <span>{text}</span>
    </Link>
  );
}
