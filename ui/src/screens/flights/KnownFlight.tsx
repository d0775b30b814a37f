// A flight without network, as far as the list knows it.
import type { ReactNode } from "react";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Bouquet, Stage } from "../../components/Bouquet";
import { bouquet } from "../../components/bouquetTexts";
import { flights } from "../../components/texts/flights";
import { EquipmentPanel } from "./EquipmentPanel";
import { Figures } from "./FlightView";
import viewStyles from "./FlightView.module.css";
import { FigureStage } from "./headerImage/FigureStage";
import { Section } from "./Section";
import { offline } from "./texts";
import { useIsWide } from "./useIsWide";

/** The small path of the list, else a drawing of how far and how high the flight went. */
function Picture({ flight: { path, maximumDistance, maximumAltitude } }: { flight: FlightRow }) {
  // A list that was stored on this device by an earlier version has no paths.
  if (path?.length > 2) {
    return (
      <Stage label={bouquet.about(1)}>
        <Bouquet paths={[path]} />
      </Stage>
    );
  }
  const [far, high] = [maximumDistance || null, maximumAltitude || null];
  return (far !== null || high !== null) && <FigureStage far={far} high={high} />;
}

export function KnownFlight({ flight, tools }: { flight: FlightRow; tools: ReactNode }) {
  const isWide = useIsWide();
  return (
    <article className={viewStyles.detail}>
      <Picture flight={flight} />
      <Figures flight={{ ...flight, flightMode: "" }} />
      {!isWide && <div className={viewStyles.tools}>{tools}</div>}
      <Section icon="drone" title={flights.equipment}>
        <EquipmentPanel flight={flight} />
      </Section>
      <p className="quiet" role="status">
        {offline.rest}
      </p>
    </article>
  );
}
