// Starts a flight after another one, once however often it is tried: the new flight's id is kept in this browser until
// the flight is known to be there, after a lost answer, a reload and from another screen.
import { useCreateFlight } from "../../api/createFlight";
import { type FlightConfig, type StartFields, useLatestFlights } from "../../api/flights";
import { useCachedUser } from "../../api/session";
import { readDraft, removeDraftIfDone } from "../../lib/drafts";
import { useRequests } from "../useRequests";
import type { StartDefaults } from "./readyFlight";

const form = "nextFlight";

/** A start that is about to be tried. */
export type PreparedStart = { config: FlightConfig; dpfId: string; isRepeated: boolean };

/** `after`: the dpfId of the flight before. */
export function useStartFlight(after: string) {
  const create = useCreateFlight();
  const requests = useRequests(form, after);
  const account = useCachedUser()?.account ?? "";
  const ended = (useLatestFlights().data ?? []).filter((flight) => !flight.open);

  function prepare({ copter, equipments, payloads }: FlightConfig): PreparedStart {
    // Its answer was lost, and it was flown: the next one is another flight.
    const ids = ended.map(({ dpfId }) => dpfId);
    if (removeDraftIfDone({ account, form, record: after }, ids)) requests.forget();
    const config = { copter, equipments, payloads };
    const isRepeated = requests.isRepeated(config);
    return { config, isRepeated, dpfId: requests.idFor(config) };
  }
  return {
    /** Keeps the id of the flight, before anything is sent. */
    prepare,
    /** Returns the flight's dpfId. */
    async start(prepared: PreparedStart, known: StartDefaults): Promise<string> {
      const dpfId = await create.mutateAsync({ ...prepared, flight: fieldsOf(known) });
      requests.forget();
      return dpfId;
    },
    /** Nothing is to be started any more. */
    forget: requests.forget,
    /** Creates the flight or has created it. */
    isStarting: create.isPending || create.isSuccess,
  };
}

/** Whether a start after this flight was prepared and isn't known to have happened. */
export function useIsStartInterrupted(after: string): boolean {
  const account = useCachedUser()?.account ?? "";
  return readDraft({ account, form, record: after }) !== null;
}

/** Only what is known. */
export function fieldsOf(known: StartDefaults): StartFields {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null && value !== ""));
}
