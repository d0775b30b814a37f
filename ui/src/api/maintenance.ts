// Jobs of maintenance, and what is to be done: packs, jobs and proofs in one list. Independent of forms.
import { urls } from "../urls";
import { useAnswer } from "./answers";
import type { Equipment } from "./generated/Equipment";
import { Kind } from "./generated/Kind";
import type { MaintenanceJob } from "./generated/MaintenanceJob";
import type { ReminderLine } from "./generated/ReminderLine";

/** What is to be done, the gravest first. */
export function useReminders() {
  return useAnswer("GetReminders", {});
}

/** The gravest line of each pack, job and proof that waits for an action. Ageing of packs can only be dismissed. */
export function toDoOf(lines: readonly ReminderLine[]): ReminderLine[] {
  const seen = new Set<string>();
  return lines.filter((line) => !line.canDismiss && !seen.has(keyOfLine(line)) && seen.add(keyOfLine(line)));
}

/** Lines with the same group as one, in the place of the first. `title` is null for a line of its own. */
export type Folded<Line> = { key: string; title: string | null; lines: Line[] };

export function folded<Line>(
  lines: readonly Line[],
  keyOf: (line: Line) => string,
  groupOf: (line: Line) => ReminderLine["group"],
): Folded<Line>[] {
  const all = new Map<string, Folded<Line>>();
  for (const line of lines) {
    const group = groupOf(line);
    const key = group?.key ?? keyOf(line);
    const known = all.get(key);
    if (known) known.lines.push(line);
    else all.set(key, { key, title: group?.title ?? null, lines: [line] });
  }
  return [...all.values()].map((one) => (one.lines.length > 1 ? one : { ...one, title: null }));
}

export function keyOfLine({ topic, dpfId, jobId }: ReminderLine): string {
  return `${topic} ${jobId ?? dpfId}`;
}

export function addressOf({ topic, kind, dpfId }: ReminderLine): string {
  return topic === "proof" ? urls.proof(dpfId) : urls.item(kind ?? Kind.Copter, dpfId);
}

/** The jobs of all items in use, the gravest first: one answer, which is prefetched for all their pages. */
export function useJobs() {
  return useAnswer("GetMaintenance", {});
}

/** The jobs of an item. The list of all jobs leaves out retired items. */
export function useJobsOf({ dpfId, deactivateTime }: Equipment) {
  const isRetired = deactivateTime !== "";
  const query = useAnswer("GetMaintenance", isRetired ? { dpfId } : {});
  return { ...query, data: query.data?.filter((job) => job.dpfId === dpfId) };
}

type JobId = Pick<MaintenanceJob, "dpfId" | "jobId">;

/** A job as dialogs name it. */
export type JobName = JobId & Pick<MaintenanceJob, "title">;

/** A job by its id, as far as it is known. */
export function useJob({ dpfId, jobId }: JobId): MaintenanceJob | undefined {
  const all = useJobs();
  const isMissing = all.data?.every((job) => job.jobId !== jobId) === true;
  const own = useAnswer("GetMaintenance", { dpfId }, { enabled: isMissing });
  return [...(all.data ?? []), ...(own.data ?? [])].find((job) => job.jobId === jobId);
}

export function useJobRuns({ dpfId, jobId }: JobId) {
  return useAnswer("GetJobRuns", { dpfId, jobId });
}

export function useJobTemplates(type: Kind) {
  return useAnswer("GetJobTemplates", { type });
}
