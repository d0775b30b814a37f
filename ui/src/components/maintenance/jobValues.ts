// The values of a job's form, as typed, and what is sent of them.
import type { JobLimits } from "../../api/generated/JobLimits";
import type { JobTemplate } from "../../api/generated/JobTemplate";
import { Kind } from "../../api/generated/Kind";
import type { MaintenanceJob } from "../../api/generated/MaintenanceJob";
import { numberToInput } from "../../lib/numbers";
import { amounts, jobForm as texts } from "./texts";

export type Repeat = keyof typeof texts.repeats;

export type JobValues = {
  title: string;
  hours: string;
  flights: string;
  cycles: string;
  days: string;
  date: string;
  repeat: Repeat;
  steps: string;
  source: string;
  since: string;
  warnShare: string;
};

const empty: JobValues = {
  ...{ title: "", hours: "", flights: "", cycles: "", days: "", date: "" },
  ...{ repeat: "done", steps: "", source: "", since: "", warnShare: "" },
};

/** The values of a job, of one that is made after a template, or of an own one (null). */
export function valuesOf(job: MaintenanceJob | JobTemplate | null): JobValues {
  if (job === null) return empty;
  const { title, limits, repeat, steps, source } = job;
  const warnShare = "warnShare" in job ? numberToInput(job.warnShare) : "";
  return {
    ...{ ...empty, ...inputsOf(limits), title, repeat: repeat as Repeat },
    ...{ steps: steps.join("\n"), source, warnShare },
  };
}

function inputsOf({ hours, flights, cycles, days, date }: JobLimits) {
  const counted = { hours, flights, cycles, days };
  const inputs = Object.entries(counted).map(([name, value]) => [name, numberToInput(value)]);
  return { ...(Object.fromEntries(inputs) as Record<keyof typeof counted, string>), date: date ?? "" };
}

/** Counts that limit a job of this kind of item. Only batteries are charged. */
export function limitsOf(type: Kind) {
  return (["hours", "flights", "cycles", "days"] as const).filter(
    (name) => name !== "cycles" || type === Kind.Battery,
  );
}

export function hasLimit({ hours, flights, cycles, days, date }: JobValues): boolean {
  return [hours, flights, cycles, days, date].some((value) => value.trim() !== "");
}

/** How a job repeats. A series of fixed dates needs a date, or days. */
export function repeatsOf({ days, date, repeat }: JobValues): Repeat[] {
  const hasDay = days.trim() !== "" || date !== "";
  return (["done", "due", "once"] as const).filter((one) => one !== "due" || hasDay || repeat === "due");
}

/** "10 Flüge oder 1 Monat" of a template or a job. */
export function limitsText({ hours, flights, cycles, days, date }: JobLimits): string {
  const parts = [
    hours !== null && amounts.hours(hours),
    flights !== null && amounts.flights(flights),
    cycles !== null && amounts.cycles(cycles),
    days !== null && amounts.period(days),
    date !== null && texts.on(date),
  ].filter((part) => part !== false);
  return parts.length === 0 ? texts.noLimit : parts.join(" oder ");
}
