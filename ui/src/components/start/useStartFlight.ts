// Starts a flight after another one, once however often it is tried: its id is kept in this browser until the flight is
// known to exist, across lost answers, reloads and screens.
import { useCreateFlight } from "../../api/createFlight";
import { type FlightConfig, type StartFields, useLatestFlights } from "../../api/flights";
import { useCachedUser } from "../../api/session";
import { readDraft, removeDraftIfDone } from "../../lib/drafts";
import { useRequests } from "../useRequests";
import type { StartDefaults } from "./readyFlight";

const form = "nextFlight";

/** A start before it is sent. */
export type PreparedStart = { config: FlightConfig; dpfId: string; isRepeated: boolean };

/** `after`: the dpfId of the previous flight. */
export function useStartFlight(after: string) {
  const create = useCreateFlight();
  const requests = useRequests(form, after);
  const account = useCachedUser()?.account ?? "";
  const ended = (useLatestFlights().data ?? []).filter((flight) => !flight.open);

  function prepare({ copter, equipments, payloads }: FlightConfig): PreparedStart {
    // The prepared flight was started although its answer was lost, and is over: start another one.
    const ids = ended.map(({ dpfId }) => dpfId);
    if (removeDraftIfDone({ account, form, record: after }, ids)) requests.forget();
    const config = { copter, equipments, payloads };
    const isRepeated = requests.isRepeated(config);
    return { config, isRepeated, dpfId: requests.idFor(config) };
  }
  return {
    /** Stores the flight's id, before anything is sent. */
    prepare,
    /** Returns the flight's dpfId. */
    async start(prepared: PreparedStart, defaults: StartDefaults): Promise<string> {
      const dpfId = await create.mutateAsync({ ...prepared, flight: fieldsOf(defaults) });
      requests.forget();
      return dpfId;
    },
    /** Drops the prepared start. */
    forget: requests.forget,
    isStarting: create.isPending || create.isSuccess,
  };
}

/** Whether a start after this flight was prepared, with an unknown outcome. */
export function useIsStartInterrupted(after: string): boolean {
  const account = useCachedUser()?.account ?? "";
  return readDraft({ account, form, record: after }) !== null;
}

/** The known fields only. */
export function fieldsOf(defaults: StartDefaults): StartFields {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null && value !== ""));
}
