// A flight without network, as far as the list knows it.
import type { ReactNode } from "react";
import type { FlightRow } from "../../api/generated/FlightRow";
import { flights } from "../../components/texts/flights";
import { EquipmentPanel } from "./EquipmentPanel";
import { Figures } from "./FlightView";
import viewStyles from "./FlightView.module.css";
import { FigureStage } from "./headerImage/FigureStage";
import { Section } from "./Section";
import { offline } from "./texts";
import { useIsWide } from "./useIsWide";

export function KnownFlight({ flight, tools }: { flight: FlightRow; tools: ReactNode }) {
  const isWide = useIsWide();
  const [far, high] = [flight.maximumDistance || null, flight.maximumAltitude || null];
  return (
    <article className={viewStyles.detail}>
      {(far !== null || high !== null) && <FigureStage far={far} high={high} />}
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
