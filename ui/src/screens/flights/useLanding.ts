// The landing, which stops the flight's clock: the form of the end was opened, or, where the form has been open since
// the start of a series' flight, its first value was typed. A reload of the form keeps it.
import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useLocation } from "react-router";
import type { Flight } from "../../api/generated/Flight";
import { type Moment, moment } from "../../lib/clock";
import { landingAt, rememberLanding } from "../../lib/flightClock";
import { type FlightMode, type FlightValues, proposedFlightTime } from "./flightForm";

/** How often the proposed time follows the clock. */
const followMs = 5_000;

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
  const entry = `${flight.dpfId} ${key}`;
  const isOfSeries = (state as { isOfSeries?: boolean } | null)?.isOfSeries ?? false;
  const isEnding = mode === "finish" && flight.open;
  const [at, setAt] = useState(() => landingAt(entry) ?? (isEnding && !isOfSeries ? moment() : null));
  const [proposal, setProposal] = useState("");
  const shown = useRef("");
  const { getValues, resetField } = form;
  const { isDirty } = form.formState;

  useEffect(() => {
    if (isEnding && isDirty) setAt((landed) => landed ?? moment());
  }, [isEnding, isDirty]);
  useEffect(() => {
    if (isEnding && at !== null) rememberLanding(entry, at);
  }, [isEnding, entry, at]);
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
