// The landing, which stops the flight's clock: the form of the end was opened, or, where the form has been open since
// the start of a series' flight, the first value that is known only after a landing was typed. A reload of the form
// keeps it, and so does a login after which the form's draft is restored.
import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useLocation } from "react-router";
import type { Flight } from "../../api/generated/Flight";
import { type Moment, moment } from "../../lib/clock";
import { forgetLanding, knownLanding, rememberLanding } from "../../lib/flightClock";
import { type FlightMode, type FlightValues, fieldsOfEnd, proposedFlightTime } from "./flightForm";

/** How often the proposed time follows the clock. */
const followMs = 5_000;

/** History state of the form. `landedAt`: when the button that led to the form was pressed. */
export type LandingState = { isOfSeries?: boolean; landedAt?: Moment };

export type Landing = {
  /** Null while the flight is in the air. */
  at: Moment | null;
  /** The proposed flight time. */
  proposal: string;
  /** Returns the landing to send with the flight time, which is now if the flight was still in the air. */
  land: (typed: string) => { at: Moment; flightTime: string };
};

/** Proposes the flight time until another one is typed. `restoredAt`: changes when a draft has filled the form. */
export function useLanding(
  form: UseFormReturn<FlightValues>,
  flight: Flight,
  mode: FlightMode,
  restoredAt: string | null,
): Landing {
  const { key, state } = useLocation();
  const { isOfSeries = false, landedAt } = (state ?? {}) as LandingState;
  const { dpfId } = flight;
  const isEnding = mode === "finish" && flight.open;
  const [known] = useState(() => knownLanding(dpfId));
  const [at, setAt] = useState(() => {
    // The entry that a tab begins with always has the key "default": it may be another one.
    if (known?.entry === key && key !== "default") return known.at;
    return landedAt ?? (isEnding && !isOfSeries ? moment() : null);
  });
  const [proposal, setProposal] = useState("");
  const shown = useRef("");
  const { getValues, resetField } = form;
  const { dirtyFields } = form.formState;
  const isRead = Object.entries(dirtyFields).some(([name, isDirty]) => isDirty && fieldsOfEnd.has(name));
  const wasRead = useRef(false);

  useEffect(() => {
    if (!isEnding) return;
    if (isRead) setAt((landed) => landed ?? moment());
    else if (isOfSeries && wasRead.current) setAt(null);
    wasRead.current = isRead;
  }, [isEnding, isOfSeries, isRead]);
  useEffect(() => {
    // The values of the draft were read off after the landing that was known then.
    if (isEnding && restoredAt !== null && known !== null) setAt(known.at);
  }, [isEnding, restoredAt, known]);
  useEffect(() => {
    if (!isEnding) return;
    if (at === null) forgetLanding();
    else rememberLanding({ dpfId, entry: key, at });
  }, [isEnding, dpfId, key, at]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a restored draft empties the field.
  useEffect(() => {
    if (!isEnding || flight.flightTime !== null) return;
    function follow() {
      if (getValues("flightTime") !== shown.current) return;
      shown.current = proposedFlightTime(flight, at ?? undefined);
      resetField("flightTime", { defaultValue: shown.current });
      setProposal(shown.current);
    }
    // The form was filled anew, without the proposal.
    if (getValues("flightTime") === "") shown.current = "";
    follow();
    if (at !== null) return;
    const timer = setInterval(follow, followMs);
    return () => clearInterval(timer);
  }, [flight, isEnding, at, restoredAt, getValues, resetField]);

  function land(typed: string) {
    const landed = at ?? moment();
    setAt(landed);
    const isProposed = typed !== "" && typed === proposal;
    return { at: landed, flightTime: isProposed ? proposedFlightTime(flight, landed) : typed };
  }
  return { at, proposal, land };
}
