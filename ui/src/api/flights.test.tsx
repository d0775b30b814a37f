// A lost answer: the flight that was created all the same is found, and a flight that was finished all the same is saved.
import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cache } from "./cache";
import { ApiError, NetworkFailure } from "./client";
import { useCreateFlight, useSaveFlight } from "./flights";

// Tells React that act() is meant.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** What the server does with the next call of a name; "lost" is no answer. */
type Answer = "lost" | { status: number; body: unknown };

let answers: Record<string, Answer[]>;
let calls: { name: string; fields: URLSearchParams }[];

beforeEach(() => {
  answers = {};
  calls = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const name = url.split("/").at(-1) ?? "";
    calls.push({ name, fields: new URLSearchParams(init.body as URLSearchParams) });
    const answer = answers[name]?.shift() ?? "lost";
    if (answer === "lost") throw new TypeError("network");
    const isText = typeof answer.body === "string";
    return new Response(isText ? String(answer.body) : JSON.stringify(answer.body), {
      status: answer.status,
      headers: { "Content-Type": isText ? "text/plain" : "application/json" },
    });
  });
});
afterEach(() => {
  cache.clear();
  vi.unstubAllGlobals();
});

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={cache}>{children}</QueryClientProvider>
);
const session = (openFlight: string | null): Answer => ({
  status: 200,
  body: { nickname: "Anna", photo: "", openFlight },
});
const conflict: Answer = { status: 409, body: "Nein." };
const config = { copter: "c1", equipments: [], payloads: [] };
const named = (name: string) => calls.filter((call) => call.name === name);

function create() {
  const { result } = renderHook(() => useCreateFlight(), { wrapper });
  return () => act(() => result.current.mutateAsync(config));
}

test("a created flight whose answer was lost is the open one of the session", async () => {
  answers = { CreateFlight: ["lost"], CheckSession: [session("f1")] };
  expect(await create()()).toBe("f1");
  expect(named("CreateFlight")).toHaveLength(1);
});

test("without any answer it is an error, and trying again finds the flight", async () => {
  const tryIt = create();
  answers = { CreateFlight: ["lost", conflict], CheckSession: ["lost", "lost", session("f1")] };
  await expect(tryIt()).rejects.toBeInstanceOf(NetworkFailure);
  expect(await tryIt()).toBe("f1");
});

test("no flight was created: the error stays, and trying again creates one", async () => {
  const tryIt = create();
  answers = { CreateFlight: ["lost", { status: 200, body: "f2" }], CheckSession: [session(null)] };
  await expect(tryIt()).rejects.toBeInstanceOf(NetworkFailure);
  expect(await tryIt()).toBe("f2");
});

test("a conflict without a lost answer is somebody else's flight", async () => {
  answers = { CreateFlight: [conflict], CheckSession: [session("f9")] };
  await expect(create()()).rejects.toBeInstanceOf(ApiError);
});

test("a flight that was finished by a lost answer is saved without finishing it again", async () => {
  const { result } = renderHook(() => useSaveFlight("f1"), { wrapper });
  const tryIt = () => act(() => result.current.mutateAsync({ fields: { notes: "neu" }, endFlight: true }));
  answers = { SaveFlight: ["lost", conflict, { status: 200, body: { dpfId: "f1", open: false } }] };
  await expect(tryIt()).rejects.toBeInstanceOf(NetworkFailure);
  expect(await tryIt()).toMatchObject({ dpfId: "f1" });
  const sent = named("SaveFlight").map(({ fields }) => fields.get("endFlight"));
  expect(sent).toEqual(["true", "true", "false"]);
  expect(named("SaveFlight")[2]?.fields.get("flight")).toBe('{"notes":"neu","dpfId":"f1"}');
});

test("a flight that was finished elsewhere is a conflict", async () => {
  const { result } = renderHook(() => useSaveFlight("f1"), { wrapper });
  answers = { SaveFlight: [conflict] };
  await expect(act(() => result.current.mutateAsync({ fields: {}, endFlight: true }))).rejects.toBeInstanceOf(
    ApiError,
  );
});
