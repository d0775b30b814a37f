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
