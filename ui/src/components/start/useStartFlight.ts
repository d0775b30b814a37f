// Starts a flight after another one, once however often it is tried.
import { useEffect, useState } from "react";
import { useCreateFlight } from "../../api/createFlight";
import type { FlightConfig, StartFields } from "../../api/flights";
import { unansweredOf } from "../../api/perform";
import type { StartDefaults } from "./readyFlight";

const form = "nextFlight";

/** `after`: the dpfId of the previous flight. */
export function useStartFlight(after: string) {
  const create = useCreateFlight();
  return {
    /** Returns the flight's dpfId. */
    start({ copter, equipments, payloads }: FlightConfig, defaults: StartDefaults): Promise<string> {
      const config = { copter, equipments, payloads };
      return create.mutateAsync({ config, flight: fieldsOf(defaults), form, record: after });
    },
    isStarting: create.isPending || create.isSuccess,
  };
}

/** Whether a start after this flight was pressed and has no answer yet. */
export function useIsStartPressed(after: string, isWanted: boolean): boolean {
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    if (isWanted) unansweredOf(form, after).then((start) => setPressed(start !== null));
  }, [after, isWanted]);
  return isPressed;
}

/** The known fields only. */
export function fieldsOf(defaults: StartDefaults): StartFields {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null && value !== ""));
}
