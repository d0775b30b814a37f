// The figures below the tiles, in groups. The server formats them; the record of a single flight links to that flight.
import { Link } from "react-router";
import type { Statistics } from "../../api/generated/Statistics";
import { useFlightMonths, useStatistics } from "../../api/statistics";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { MonthChart } from "../../components/months/MonthChart";
import { QueryView, Skeleton } from "../../components/states";
import { roundMean } from "../../lib/numbers";
import { general, statistics as texts } from "../../texts";
import { urls } from "../../urls";
import styles from "./StatisticsPanel.module.css";

type Figure = { label: string; value: string; date?: string; dpfId?: string };

type Group = { title: string; icon: IconName; figures: Figure[] };

function groupsOf(figures: Statistics): Group[] {
  return [
    {
      title: texts.flightTime,
      icon: "clock",
      figures: [
        { label: texts.totalFlightTime, value: figures.totalFlightTime },
        { label: texts.totalFlightCount, value: figures.totalFlightCount },
        { label: texts.averageFlightTime, value: figures.averageFlightTime },
        {
          label: texts.maximumFlightTime,
          value: figures.maximumFlightTime,
          date: figures.maximumFlightTimeDate,
          dpfId: figures.maximumFlightTimeDpfId,
        },
      ],
    },
    {
      title: texts.distance,
      icon: "route",
      figures: [
        { label: texts.totalDistance, value: figures.totalDistance },
        {
          label: texts.maximumDistance,
          value: figures.maximumDistance,
          date: figures.maximumDistanceDate,
          dpfId: figures.maximumDistanceDpfId,
        },
      ],
    },
    {
      title: texts.speed,
      icon: "gauge",
      figures: [
        {
          label: texts.maximumSpeed,
          value: figures.maximumSpeed,
          date: figures.maximumSpeedDate,
          dpfId: figures.maximumSpeedDpfId,
        },
        { label: texts.averageSpeed, value: roundMean(figures.averageSpeed) },
      ],
    },
    {
      title: texts.altitude,
      icon: "mountain",
      figures: [
        {
          label: texts.maximumAltitude,
          value: figures.maximumAltitude,
          date: figures.maximumAltitudeDate,
          dpfId: figures.maximumAltitudeDpfId,
        },
        { label: texts.averageAltitude, value: roundMean(figures.averageAltitude) },
      ],
    },
    {
      title: texts.consumption,
      icon: "bolt",
      figures: [{ label: texts.averagePowerConsumption, value: roundMean(figures.averagePowerConsumption) }],
    },
  ];
}

export function StatisticsPanel() {
  const query = useStatistics();
  const months = useFlightMonths();
  return (
    <section className={styles.statistics} aria-labelledby="statistics-title">
      <h2 id="statistics-title">{texts.title}</h2>
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={5} height={8} />}>
        {(figures) => (
          <>
            <div className={styles.groups}>
              {groupsOf(figures).map((group) => (
                <section key={group.title} className={`card ${styles.group}`}>
                  <h3>
                    <Icon name={group.icon} />
                    {group.title}
                  </h3>
                  <ul>
                    {group.figures.map((figure) => (
                      <li key={figure.label}>
                        <FigureTile figure={figure} />
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </div>
            <MonthChart query={months} heading="h3" />
          </>
        )}
      </QueryView>
    </section>
  );
}

function FigureTile({ figure: { label, value, date, dpfId } }: { figure: Figure }) {
  const content = (
    <>
      <span className={styles.label}>{label}</span>
      <strong className={styles.value}>{value === "" ? general.empty : value}</strong>
      {date && <span className={styles.date}>{date}</span>}
    </>
  );
  if (!dpfId) return <div className={styles.figure}>{content}</div>;
  return (
    <Link className={`${styles.figure} ${styles.link}`} to={urls.flight(dpfId)}>
      {content}
      <Icon name="chevron-right" size={18} />
    </Link>
  );
}
