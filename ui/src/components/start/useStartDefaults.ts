// Known fields of a flight that starts now, from the latest flights, the chosen packs and the device's position.
import { useFlight, useLatestFlights } from "../../api/flights";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { formatDate, wallClock } from "../../lib/dates";
import type { Coordinates } from "../../lib/gps";
import { isOnDay, type StartDefaults, startDefaults } from "./readyFlight";

/** `last`: the previous flight. If it was today, its mode, weather and purpose are taken over too. */
export function useStartDefaults(
  last: FlightRow | null,
  position: Coordinates | null,
): (packs: readonly Equipment[]) => StartDefaults {
  const flights = useLatestFlights().data ?? [];
  const isOfToday = last !== null && isOnDay(last, today());
  const whole = useFlight(last?.dpfId ?? "", { isWanted: isOfToday }).data;
  return (packs) => startDefaults({ last: whole ?? last, flights, packs, position }, today());
}

function today(): string {
  return formatDate(wallClock());
}
