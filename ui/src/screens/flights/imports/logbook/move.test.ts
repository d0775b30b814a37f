import { expect, test } from "vitest";
import { ApiError, NetworkFailure } from "../../../../api/client";
import type { Accepted } from "../../../../api/generated/Accepted";
import type { Import } from "../../../../api/generated/Import";
import { type Came, moveLogbook, nothingCame, type Told, type Ways } from "./move";

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
  const ways: Ways = {
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
        return { created, completed: [], skipped: 0, moved: nothingCame.moved } as Accepted;
      }),
    discard: async () => {},
    wait: async (isCut) => void waited.push(isCut),
  };
  return { ways, asked, ids, failures, waited, left };
}

const logbook = { parts: 3, part: async (place: number) => new File([], String(place)) };

function listener() {
  const heard = { parts: [] as number[], open: [] as (string | null)[], came: nothingCame };
  const told: Told = {
    onPart: (place) => heard.parts.push(place),
    onImport: (dpfId) => heard.open.push(dpfId),
    onCame: (came: Came) => {
      heard.came = came;
    },
  };
  return { heard, told };
}

const begun = (place: number) => ({ place, came: nothingCame });

const untold = () => new AbortController().signal;

test("each part is repeated until it has nothing more, and what doesn't come is said once", async () => {
  const { ways, asked, left } = server([3, 0, 2]);
  const { heard, told } = listener();
  await moveLogbook(logbook, begun(0), ways, told, untold());
  expect(asked).toEqual(["upload 0", "accept", "upload 0", "accept", "upload 1", "upload 2", "accept"]);
  expect([heard.parts, heard.came.flights, left]).toEqual([[0, 1, 2], 5, [0, 0, 0]]);
  expect(heard.came.lacking).toEqual(["Kommt nicht mit: 1 Feedback."]);
});

test("a cut and a busy server are waited for, and the same request is repeated", async () => {
  const { ways, asked, ids, failures, waited, left } = server([1, 1, 1]);
  failures.push(new NetworkFailure("upload"), new ApiError(503, "", null));
  await moveLogbook(logbook, begun(0), ways, listener().told, untold());
  expect(asked.slice(0, 4)).toEqual(["upload 0", "upload 0", "upload 0", "accept"]);
  expect([waited, ids.size, left]).toEqual([[true, false], 6, [0, 0, 0]]);
});

test("what is never answered ends it", async () => {
  const { ways, failures, asked } = server([1, 1, 1]);
  failures.push(...Array.from({ length: 10 }, () => new NetworkFailure("upload")));
  await expect(moveLogbook(logbook, begun(0), ways, listener().told, untold())).rejects.toThrow(
    NetworkFailure,
  );
  expect(asked).toHaveLength(10);
});

test("a refusal ends it at its part, and it goes on there", async () => {
  const { ways, failures, left } = server([1, 1, 1]);
  const { heard, told } = listener();
  const full = new ApiError(413, "Ihr Speicherplatz auf diesem Server ist aufgebraucht.", null);
  await moveLogbook({ ...logbook, parts: 1 }, begun(0), ways, told, untold());
  failures.push(full);
  await expect(moveLogbook(logbook, begun(1), ways, told, untold())).rejects.toBe(full);
  expect([heard.parts, left]).toEqual([
    [0, 1],
    [0, 1, 1],
  ]);
  await moveLogbook(logbook, begun(1), ways, told, untold());
  expect(left).toEqual([0, 0, 0]);
});

test("an import of which nothing comes ends its part, also when it says that it has more", async () => {
  const { ways, asked } = server([5]);
  const accepted = { created: [], completed: [], skipped: 2, moved: { ...nothingCame.moved, missing: 1 } };
  await moveLogbook(
    { ...logbook, parts: 1 },
    begun(0),
    { ...ways, accept: async () => accepted },
    listener().told,
    untold(),
  );
  expect(asked).toEqual(["upload 0"]);
});

test("it stops where it is aborted", async () => {
  const { ways, asked } = server([1, 1, 1]);
  const controller = new AbortController();
  const { told } = listener();
  const stopping = { ...told, onCame: () => controller.abort() };
  await expect(moveLogbook(logbook, begun(0), ways, stopping, controller.signal)).rejects.toThrow();
  expect(asked).toEqual(["upload 0", "accept"]);
});
