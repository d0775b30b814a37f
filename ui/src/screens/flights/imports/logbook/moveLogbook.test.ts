import { expect, test } from "vitest";
import { ApiError, NetworkFailure } from "../../../../api/client";
import type { Import } from "../../../../api/generated/Import";
import { accepted } from "../../../../test/objects";
import { type MoveListener, moveLogbook, noTotals, type ServerCalls, type Totals } from "./moveLogbook";

/** A server that accepts two flights of a part at a time, and a record of its calls. */
function server(flightsOfParts: number[]) {
  const left = [...flightsOfParts];
  const asked: string[] = [];
  const ids = new Set<string>();
  const failures: Error[] = [];
  const waited: boolean[] = [];
  let open = 0;
  async function answer<Value>(what: string, requestId: string, make: () => Value): Promise<Value> {
    asked.push(what);
    ids.add(requestId);
    const failure = failures.shift();
    if (failure) throw failure;
    return make();
  }
  const calls: ServerCalls = {
    upload: (part, requestId) =>
      answer(`upload ${part.name}`, requestId, () => {
        open = Number(part.name);
        const flights = Math.min(2, left[open] ?? 0);
        const surplus = (left[open] ?? 0) - flights;
        const proposals = Array.from({ length: flights }, (_, n) => ({ key: `0-${n}`, ticked: true }));
        return {
          dpfId: flights === 0 ? null : `import ${open}`,
          files: [{ surplus, message: "" }],
          proposals,
          belongings: [],
          omitted: [{ reason: "Kommt nicht mit: 1 Feedback." }],
        } as unknown as Import;
      }),
    accept: (_, choices, requestId) =>
      answer("accept", requestId, () => {
        const created = (JSON.parse(choices) as { key: string }[]).map(({ key }) => key);
        left[open] = (left[open] ?? 0) - created.length;
        return accepted({ created });
      }),
    discard: async () => {},
    wait: async (isCut) => void waited.push(isCut),
  };
  return { calls, asked, ids, failures, waited, left };
}

const logbook = { parts: 3, part: async (place: number) => new File([], String(place)) };

function recordingListener() {
  const heard = { parts: [] as number[], open: [] as (string | null)[], totals: noTotals };
  const listener: MoveListener = {
    onPart: (place) => heard.parts.push(place),
    onImport: (dpfId) => heard.open.push(dpfId),
    onTotals: (totals: Totals) => {
      heard.totals = totals;
    },
  };
  return { heard, listener };
}

const begun = (place: number) => ({ place, came: noTotals });

const untold = () => new AbortController().signal;

test("each part is repeated until it has nothing more, and what doesn't come is said once", async () => {
  const { calls, asked, left } = server([3, 0, 2]);
  const { heard, listener } = recordingListener();
  await moveLogbook(logbook, begun(0), calls, listener, untold());
  expect(asked).toEqual(["upload 0", "accept", "upload 0", "accept", "upload 1", "upload 2", "accept"]);
  expect([heard.parts, heard.totals.flights, left]).toEqual([[0, 1, 2], 5, [0, 0, 0]]);
  expect(heard.totals.lacking).toEqual(["Kommt nicht mit: 1 Feedback."]);
});

test("a cut and a busy server are waited for, and the same request is repeated", async () => {
  const { calls, asked, ids, failures, waited, left } = server([1, 1, 1]);
  failures.push(new NetworkFailure("upload"), new ApiError(503, "", null));
  await moveLogbook(logbook, begun(0), calls, recordingListener().listener, untold());
  expect(asked.slice(0, 4)).toEqual(["upload 0", "upload 0", "upload 0", "accept"]);
  expect([waited, ids.size, left]).toEqual([[true, false], 6, [0, 0, 0]]);
});

test("a logbook's move ends after ten tries without an answer", async () => {
  const { calls, failures, asked } = server([1, 1, 1]);
  failures.push(...Array.from({ length: 10 }, () => new NetworkFailure("upload")));
  await expect(moveLogbook(logbook, begun(0), calls, recordingListener().listener, untold())).rejects.toThrow(
    NetworkFailure,
  );
  expect(asked).toHaveLength(10);
});

test("a refusal ends a logbook's move at the refused part, and the next try goes on there", async () => {
  const { calls, failures, left } = server([1, 1, 1]);
  const { heard, listener } = recordingListener();
  const full = new ApiError(413, "Ihr Speicherplatz auf diesem Server ist aufgebraucht.", null);
  await moveLogbook({ ...logbook, parts: 1 }, begun(0), calls, listener, untold());
  failures.push(full);
  await expect(moveLogbook(logbook, begun(1), calls, listener, untold())).rejects.toBe(full);
  expect([heard.parts, left]).toEqual([
    [0, 1],
    [0, 1, 1],
  ]);
  await moveLogbook(logbook, begun(1), calls, listener, untold());
  expect(left).toEqual([0, 0, 0]);
});

test("an import of which nothing comes ends its part, also when it says that it has more", async () => {
  const { calls, asked } = server([5]);
  const outcome = accepted({ skipped: 2, moved: { ...noTotals.moved, missing: 1 } });
  await moveLogbook(
    { ...logbook, parts: 1 },
    begun(0),
    { ...calls, accept: async () => outcome },
    recordingListener().listener,
    untold(),
  );
  expect(asked).toEqual(["upload 0"]);
});

test("a logbook's move stops where it is aborted", async () => {
  const { calls, asked } = server([1, 1, 1]);
  const controller = new AbortController();
  const { listener } = recordingListener();
  const stopping = { ...listener, onTotals: () => controller.abort() };
  await expect(moveLogbook(logbook, begun(0), calls, stopping, controller.signal)).rejects.toThrow();
  expect(asked).toEqual(["upload 0", "accept"]);
});
