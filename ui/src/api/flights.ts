// The calls about flights: creating, reading, saving and deleting. What a flight changes elsewhere (equipment,
// statistics, the open flight of the session) is asked for again here. Knows nothing of forms.
import { useMutation, useQuery } from "@tanstack/react-query";
import { cache } from "./cache";
import { call } from "./client";
import { refreshEquipment } from "./equipment";
import type { Flight } from "./generated/Flight";
import type { FlightRow } from "./generated/FlightRow";
import type { Payload } from "./generated/Payload";
import { refreshSession } from "./session";
import { refreshStatistics } from "./statistics";

const flightsKey = ["flights"] as const;
const listKey = [...flightsKey, "list"] as const;
const flightKey = (dpfId: string) => [...flightsKey, "one", dpfId] as const;

/** All flights, newest start first. */
export function useFlights() {
  return useQuery({
    queryKey: listKey,
    // Without flights the answer is 204, which has no body.
    queryFn: async () => (await call<FlightRow[] | undefined>("GetFlights")) ?? [],
  });
}

export function useFlight(dpfId: string) {
  return useQuery({ queryKey: flightKey(dpfId), queryFn: () => call<Flight>("GetFlight", { dpfId }) });
}

function refreshWhatFlightsChange(): Promise<unknown> {
  return Promise.all([
    cache.invalidateQueries({ queryKey: listKey }),
    refreshSession(),
    refreshStatistics(),
    refreshEquipment(),
  ]);
}

export type FlightConfig = { copter: string; equipments: string[]; payloads: Payload[] };

/** Answers the new flight's dpfId. */
export function useCreateFlight() {
  return useMutation({
    mutationFn: (config: FlightConfig) => call<string>("CreateFlight", { config: JSON.stringify(config) }),
    onSuccess: refreshWhatFlightsChange,
    // A lost answer may still have opened a flight: the session knows.
    onError: refreshSession,
  });
}

/** Fields that are present are set ("" clears), absent ones stay. */
export type FlightFields = Partial<Record<keyof Flight, string | number | null>>;

export function useSaveFlight(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, endFlight }: { fields: FlightFields; endFlight: boolean }) =>
      call<Flight>("SaveFlight", { flight: JSON.stringify({ ...fields, dpfId }), endFlight }),
    onSuccess: (flight) => {
      cache.setQueryData(flightKey(dpfId), flight);
      return refreshWhatFlightsChange();
    },
  });
}

export function useDeleteFlight(dpfId: string) {
  return useMutation({
    mutationFn: () => call("DeleteFlight", { dpfId }),
    onSuccess: () => {
      // Removed when its page is gone: asking for it again would answer 403.
      cache.removeQueries({ queryKey: flightKey(dpfId), type: "inactive" });
      return refreshWhatFlightsChange();
    },
  });
}
