// Who is there when the app is opened: the server says it, and this device when no answer comes.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cache, type Session } from "./cache";
import { isReachable, reportReachability } from "./reachability";
import { refetchSession } from "./session";

const anna = { account: "1a2b3c4d5e6f7a8b", nickname: "Anna", photo: "", openFlight: null };
const known: Session = { user: anna, leftOnPurpose: false, isRemembered: true, knownAt: 7 };
const device = vi.hoisted(() => ({ known: null as unknown }));
vi.mock("../offline/snapshot", () => ({ restoreSnapshot: async () => device.known }));

beforeEach(() => {
  vi.useFakeTimers();
  cache.clear();
  reportReachability("reachable");
  device.known = known;
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { controller: {} } });
});
afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

function server(answer: () => Promise<Response>): void {
  vi.stubGlobal("fetch", answer);
}
const lost = () => Promise.reject(new TypeError("no network"));
const silent = () => new Promise<Response>(() => {});
const answered = (status: number, body: object) => async () =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "X-Fluglog": "1" },
  });

test("The server's word counts, and says whether the browser stays logged in", async () => {
  server(answered(200, { ...anna, remembered: true }));
  expect(await refetchSession()).toEqual({ user: anna, leftOnPurpose: false, isRemembered: true });
});

test("Without network the device answers at once", async () => {
  server(lost);
  expect(await refetchSession()).toEqual(known);
});

test("A network that only seems to be there is waited for four seconds", async () => {
  server(silent);
  const asked = refetchSession();
  await vi.advanceTimersByTimeAsync(3_900);
  expect(isReachable()).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  expect(await asked).toEqual(known);
  expect(isReachable()).toBe(false);
});

test("Someone who was logged out isn't shown what the device knows", async () => {
  server(answered(401, {}));
  expect((await refetchSession()).user).toBeNull();
});

test("Without a worker, and where nothing is known, no answer is an error", async () => {
  server(lost);
  device.known = null;
  const refused = expect(refetchSession()).rejects.toThrow("no answer");
  await vi.advanceTimersByTimeAsync(5_000);
  await refused;
  device.known = known;
  Reflect.deleteProperty(navigator, "serviceWorker");
  const refusedAgain = expect(refetchSession()).rejects.toThrow("no answer");
  await vi.advanceTimersByTimeAsync(5_000);
  await refusedAgain;
});
