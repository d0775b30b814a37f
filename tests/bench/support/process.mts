// The time and memory that a running process takes, from /proc. Knows no server.

import { readFileSync } from "node:fs";

/** The clock of /proc/PID/stat on every Linux. */
const ticksASecond = 100;

/** Seconds on a processor until now, in the program and in the kernel. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program may hold anything; the third field comes after its last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond;
}

/** Memory in MB: now, or the most since the start. */
export function residentMegabytes(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kibibytes = Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]);
  return (kibibytes * 1024) / 1e6;
}
