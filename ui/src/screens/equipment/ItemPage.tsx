// The page of one item: figures, maintenance, flights by month and one by one, logs, and the links to edit, log and
// retire it. The page of a pack is PackPage.
import { Navigate, useParams, useSearchParams } from "react-router";
import { ApiError } from "../../api/client";
import { useEquipment } from "../../api/equipment";
import { useFlightsOf } from "../../api/flights";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { parseKind } from "../../api/kinds";
import { useEquipmentLogs } from "../../api/logs";
import { mayKeep, useSharedUses } from "../../api/spaces";
import { useFlightMonths } from "../../api/statistics";
import { Button, ButtonLink } from "../../components/Button";
import { FlightLine } from "../../components/FlightLine";
import { LogbookButton } from "../../components/logbook/LogbookButton";
import { LogList } from "../../components/logs/LogList";
import { ItemJobs } from "../../components/maintenance/ItemJobs";
import { MonthChart } from "../../components/months/MonthChart";
import { minutesOf } from "../../components/months/months";
import { Page, useGoBack } from "../../components/Page";
import { packs } from "../../components/packs/texts";
import { EmptyState, errorText, QueryView, Skeleton } from "../../components/states";
import { equipment as texts } from "../../components/texts/equipment";
import { flights } from "../../components/texts/flights";
import { logs } from "../../components/texts/logs";
import { formatNumber } from "../../lib/numbers";
import { allFlightsParameter, urls } from "../../urls";
import { CopterStage } from "./CopterStage";
import { ItemFrame } from "./ItemFrame";
import styles from "./ItemPage.module.css";
import { detailsOf, type Figure, figuresOf, priorFiguresOf } from "./kinds";
import { PackPage } from "./passport/PackPage";
import { SharedUses } from "./Sharing";
import { uses } from "./texts";

/** Number of flights that fit beside the rest; a button shows the others. */
const flightsAtFirst = 5;
const logsAtFirst = 3;

export function ItemPage() {
  const { type: code, dpfId = "" } = useParams();
  const type = parseKind(code);
  if (type === null) return <Navigate to={urls.home} replace />;
  return <LoadedItem key={dpfId} type={type} dpfId={dpfId} />;
}

function LoadedItem({ type, dpfId }: { type: Kind; dpfId: string }) {
  const query = useEquipment(dpfId);
  const goBack = useGoBack(urls.equipments(type));
  const item = query.data;
  const { error } = query;
  if (item === undefined) {
    const isNotYours = error instanceof ApiError && error.status === 403;
    return (
      <Page title={texts.kind[type]} onBack={goBack}>
        {isNotYours ? (
          <EmptyState
            icon="warning"
            action={<ButtonLink to={urls.equipments(type)}>{logs.toEquipment}</ButtonLink>}
          >
            <span role="alert">
              {error.text} {logs.notYoursHint}
            </span>
          </EmptyState>
        ) : (
          <QueryView
            query={query}
            failure={(failure) => errorText(failure, texts.loadFailed)}
            skeleton={<Skeleton count={3} height={9} />}
          >
            {() => null}
          </QueryView>
        )}
      </Page>
    );
  }
  // The item's own kind replaces the one in the address once the item is loaded.
  if (item.type !== type) return <Navigate to={urls.item(item.type, dpfId)} replace />;
  if (type === Kind.Battery) return <PackPage pack={item} onBack={goBack} history={<Shared item={item} />} />;
  return <Item item={item} goBack={goBack} />;
}

/** The sections of a pack that other items have, too. */
function Shared({ item }: { item: Equipment }) {
  const months = useFlightMonths(item.dpfId);
  const flown = months.data?.reduce((sum, { flights: count }) => sum + count, 0);
  return (
    <>
      <ItemJobs item={item} />
      <MonthChart query={months} heading="h2" />
      {item.space && <SharedUses item={item} />}
      <Flights item={item} count={flown} />
      <Logs item={item} />
    </>
  );
}

function Item({ item, goBack }: { item: Equipment; goBack: () => void }) {
  const months = useFlightMonths(item.dpfId);
  const flown = months.data?.reduce((sum, { flights: count }) => sum + count, 0);
  const number = item.number === null ? "" : packs.numberOf(item.number);
  const about = [texts.kind[item.type], item.model, item.manufacturer, number];
  const uses = useSharedUses(item.dpfId, item.space !== undefined).data?.filter(({ open }) => !open).length;
  const all = item.space ? uses : flown;
  const total = all === undefined ? " " : formatNumber(all + (item.prior?.flights ?? 0));
  const figures = figuresOf(item, minutesOf(item, months.data));
  const count = { label: texts.figures.flights, value: total };
  return (
    <ItemFrame
      item={item}
      about={about}
      // A shared copter may have flown without this pilot, whose flights the stage shows.
      lead={
        item.type === Kind.Copter && item.usageTime > 0 && flown !== 0 && <CopterStage copter={item.dpfId} />
      }
      onBack={goBack}
    >
      <section className="card" aria-label={texts.kind[item.type]}>
        <Figures figures={[...figures, count, ...priorFiguresOf(item), ...detailsOf(item)]} />
      </section>
      <ItemJobs item={item} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <MonthChart query={months} heading="h2" />
          <Flights item={item} count={flown} />
        </div>
        <div className={styles.column}>
          {item.space && <SharedUses item={item} />}
          <Logs item={item} />
        </div>
      </div>
    </ItemFrame>
  );
}

function Figures({ figures }: { figures: Figure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * The item's flights. Whether all are shown is part of the address, so that Back from one of them leads to the same
 * place.
 */
function Flights({ item, count }: { item: Equipment; count: number | undefined }) {
  const query = useFlightsOf(item.dpfId);
  const [parameters, setParameters] = useSearchParams();
  const isWhole = parameters.has(allFlightsParameter);
  const showAll = () =>
    setParameters(
      (before) => {
        before.set(allFlightsParameter, "true");
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <section className={styles.section} aria-labelledby="flights-title">
      <h2 id="flights-title">{item.space ? uses.ownFlights : flights.title}</h2>
      <QueryView query={query} failure={flights.listFailed} skeleton={<Skeleton height={16} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="quiet">{texts.page.noFlights}</p>
          ) : (
            <>
              <ul className={`card ${styles.rows}`} aria-labelledby="flights-title">
                {(isWhole ? rows : rows.slice(0, flightsAtFirst)).map((row) => (
                  <FlightLine
                    key={row.dpfId}
                    flight={row}
                    to={urls.flightOfItem(row.dpfId, item.dpfId)}
                    title={row.location || flights.noLocation}
                    detail={
                      item.type === Kind.Copter ? row.startTime : `${row.startTime} · ${row.copter.name}`
                    }
                  />
                ))}
              </ul>
              <div className={styles.ways}>
                {!isWhole && rows.length > flightsAtFirst && (
                  <Button onPress={showAll}>
                    {texts.page.allFlights(Math.max(count ?? 0, rows.length))}
                  </Button>
                )}
                {isWhole && query.hasNextPage && (
                  <Button onPress={() => query.fetchNextPage()}>{flights.more}</Button>
                )}
                <LogbookButton item={item.dpfId} />
              </div>
            </>
          )
        }
      </QueryView>
    </section>
  );
}

function Logs({ item }: { item: Equipment }) {
  const query = useEquipmentLogs(item.dpfId);
  return (
    <section className={styles.section} aria-labelledby="logs-title">
      <h2 id="logs-title">{logs.title}</h2>
      <QueryView query={query} failure={logs.failed} skeleton={<Skeleton height={5} />}>
        {({ logs: all, name }) => (
          <>
            {all.length === 0 ? (
              <p className="quiet">{logs.empty}</p>
            ) : (
              <div className="card">
                <LogList logs={all.slice(0, logsAtFirst)} about={name} isBeside isFixed={!mayKeep(item)} />
              </div>
            )}
            {all.length > logsAtFirst && (
              <div className={styles.ways}>
                <ButtonLink to={urls.equipmentLogs(item.type, item.dpfId)} icon="notes">
                  {texts.page.allLogs(all.length)}
                </ButtonLink>
              </div>
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}
