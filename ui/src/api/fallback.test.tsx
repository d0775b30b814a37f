// What is shown of a call while the line is silent, and what follows when the server answers after all.
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keyOf, useAnswer } from "./answers";
import { cache } from "./cache";
import { type Answer, answers, logIn, standingAnswers, withFakeServer, wrapper } from "./fakeServer";
import { prefetchFlights } from "./flights";
import { isReachable, reportReachability } from "./reachability";

withFakeServer();
beforeEach(() => {
  vi.useFakeTimers();
  reportReachability("reachable");
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const fields = { type: 1, deactivated: false };
const pack = (name: string) => ({ dpfId: "b1", type: 1, name });
const names = (list: readonly { name: string }[] | undefined) => list?.map(({ name }) => name);

test("A silent line shows the packs that are known after three seconds, and the server's when they come", async () => {
  cache.setQueryData(keyOf("GetAllEquipments", {}), { batteries: [pack("Akku 1")] } as never);
  let arrive = (_: Answer) => {};
  const late = new Promise<Answer>((resolve) => {
    arrive = resolve;
  });
  const come = { status: 200, body: [pack("Akku 2")] };
  answers.GetEquipments = [late, come];
  const { result } = renderHook(() => useAnswer("GetEquipments", fields), { wrapper });
  await pass(2_900);
  expect(result.current.data).toBeUndefined();
  await pass(200);
  expect(names(result.current.data)).toEqual(["Akku 1"]);
  arrive(come);
  await pass(100);
  expect(names(result.current.data)).toEqual(["Akku 2"]);
});

test("What was asked ahead of a screen holds it up no longer than what the screen asks", async () => {
  logIn();
  answers.GetFlights = [
    { status: 200, body: [] },
    { status: 200, body: [] },
  ];
  answers.GetReminders = [{ status: 200, body: { on: false } }];
  answers.GetAllEquipments = [{ status: 200, body: { batteries: [pack("Akku 1")] } }];
  answers.GetBatteryHints = [new Promise<Answer>(() => {})];
  prefetchFlights();
  await pass(1_000);
  const { result } = renderHook(() => useAnswer("GetBatteryHints", {}), { wrapper });
  expect(result.current.data).toBeUndefined();
  await pass(3_000);
  expect(result.current.data).toEqual([]);
});

test("Where nothing is known, a silent server counts as gone after some seconds, and a slow one doesn't", async () => {
  for (const isSlow of [true, false]) {
    const silent = new Promise<Answer>(() => {});
    answers.GetEquipments = [silent];
    standingAnswers.health = () => (isSlow ? { status: 200, body: "ok" } : "lost");
    const { unmount } = renderHook(() => useAnswer("GetEquipments", fields), { wrapper });
    await pass(3_100);
    expect(isReachable()).toBe(isSlow);
    unmount();
    cache.clear();
  }
});

test("A list that was never loaded fails at once behind a portal", async () => {
  const portal = { status: 200, body: "<html>Willkommen</html>", isForeign: true };
  standingAnswers.GetEquipments = () => portal;
  standingAnswers.health = () => portal;
  const { result } = renderHook(() => useAnswer("GetEquipments", fields), { wrapper });
  await pass(1_000);
  expect(result.current.isError).toBe(true);
  expect(String(result.current.error)).not.toContain("Willkommen");
});
