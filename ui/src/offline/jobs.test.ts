// What is done about maintenance without network: the lists show it at once, and it is sent in order.
import { expect, test } from "vitest";
import type { MaintenanceJob } from "../api/generated/MaintenanceJob";
import { maintenanceJob, reminder } from "../test/objects";
import { follows, targetOf } from "./order";
import { withQueued } from "./overlay";
import { isQueueable, type QueueableWrite, type QueuedWrite } from "./queuedWrites";

const job = maintenanceJob({ level: "red", rest: -0.3, text: "fällig seit 3 Flügen" });
const ids = { dpfId: "c1", jobId: "j1" };

function queued(write: QueueableWrite): QueuedWrite {
  return { ...write, ...targetOf(write, "r1"), problem: null, state: "waiting" } as QueuedWrite;
}
const done = queued({ call: "CompleteJob", fields: ids });
const skipped = queued({ call: "SkipJob", fields: ids });
const later = queued({ call: "PutOffJob", fields: { ...ids, days: 7 } });

function shown(entry: QueuedWrite, before = job): MaintenanceJob {
  const [after] = withQueued("GetMaintenance", {}, [before], [entry]) as MaintenanceJob[];
  return after as MaintenanceJob;
}

test.each([done, skipped, later])("After $call nothing is to be done about the job", (entry) => {
  const lines = [reminder({ topic: "maintenance", jobId: "j1" }), reminder({ jobId: "j2" }), reminder()];
  expect(withQueued("GetReminders", {}, lines, [entry])).toEqual(lines.slice(1));
});

test.each([done, skipped, later])("After a refused $call the job is shown as it is", (entry) => {
  const stuck: QueuedWrite = { ...entry, state: "stuck", problem: { kind: "refused", text: "Nein." } };
  const lines = [reminder({ topic: "maintenance", jobId: "j1" })];
  expect(withQueued("GetReminders", {}, lines, [stuck])).toEqual(lines);
  expect(shown(stuck)).toEqual(job);
});

test("A job that is done or skipped counts anew, and one that is done once is finished", () => {
  expect(shown(done)).toMatchObject({ level: "green", rest: 1, text: "erledigt", archived: false });
  expect(shown(skipped)).toMatchObject({ level: "green", rest: 1, text: "übersprungen" });
  const once = maintenanceJob({ repeat: "once" });
  expect(shown(done, once)).toMatchObject({ level: "grey", rest: null, archived: true });
});

test("A job that is put off rests; one that no longer is doesn't", () => {
  expect(shown(later)).toMatchObject({ level: "grey", rest: -0.3, text: "verschoben" });
  const now = queued({ call: "PutOffJob", fields: ids });
  expect(shown(now, { ...job, putOff: "bis 03.12.2026" })).toEqual(job);
});

test("Without a photo it waits; what is pressed about one job is sent in order", () => {
  expect(isQueueable(done, [])).toBe(true);
  const photo = { ...done, fields: { ...ids, file: new File(["1"], "a.png") } };
  expect(isQueueable(photo, [])).toBe(false);
  expect(isQueueable({ call: "DeleteJob", fields: ids }, [])).toBe(false);
  expect(follows(skipped, done)).toBe(true);
  expect(
    follows(queued({ call: "SkipJob", fields: { ...ids, jobId: "j2" } }), { ...done, object: "r2" }),
  ).toBe(false);
});

const flight = { dpfId: "f1" };
const config = { copter: "c1", equipments: [], payloads: [] };
const counted = [
  queued({ call: "CreateFlight", fields: { ...flight, config, flight: {}, startTime: "" } as never }),
  queued({ call: "AddFlight", fields: { ...flight, config, flight: {} } as never }),
  queued({ call: "SaveFlight", fields: { flight } as never }),
  queued({ call: "DeleteFlight", fields: flight }),
  queued({ call: "SaveCharging", fields: { battery: "b1", charging: "ch1" } as never }),
  queued({ call: "QuickCharge", fields: { battery: "b1" } as never }),
].map((entry) => ({ ...entry, object: `${entry.object} before` }));

test.each(counted)(
  "What is done about a job is sent after an earlier $call, unless that is stuck",
  (earlier) => {
    for (const entry of [done, skipped, later]) {
      expect(follows(entry, earlier)).toBe(true);
      expect(follows(entry, { ...earlier, state: "stuck" })).toBe(false);
      expect(follows(earlier, entry)).toBe(false);
    }
  },
);

test("What is done about a job doesn't wait for a log", () => {
  const log = queued({ call: "SaveFlightLog", fields: { ...flight, log: "l1", info: "", time: "" } });
  expect(follows(done, log)).toBe(false);
});
