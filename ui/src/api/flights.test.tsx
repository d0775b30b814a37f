// A flight that is created twice exists once, and a saved one takes its place in the lists without a request.
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { ApiError } from "./client";
import { useCreateFlight } from "./createFlight";
import { type Answer, answers, calls, callsOf, logIn, withFakeServer, wrapper } from "./fakeServer";
import { useFlights } from "./flights";
import type { FlightRow } from "./generated/FlightRow";
import { perform } from "./perform";

withFakeServer();

const session = (openFlight: string | null): Answer => ({
  status: 200,
  body: { account: "0123456789abcdef", nickname: "Anna", photo: "", openFlight },
});
const created = (dpfId: string): Answer => ({ status: 200, body: dpfId });
const broken: Answer = { status: 500, body: "Interner Fehler." };
const conflict: Answer = { status: 409, body: "Nein." };
const config = { copter: "c1", equipments: [], payloads: [] };

function create() {
  const { result } = renderHook(() => useCreateFlight(), { wrapper });
  const start = { config, flight: {}, form: "start", record: "new" };
  return (dpfId: string) => act(() => result.current.mutateAsync({ ...start, dpfId }));
}
const createdIds = () => callsOf("CreateFlight").map((fields) => fields.get("dpfId"));

test("a start that the server may have taken is tried again as the same flight", async () => {
  logIn();
  const tryIt = create();
  answers.CreateFlight = [broken, created("f1")];
  answers.CheckSession = [session("f1")];
  await expect(tryIt("f1")).rejects.toBeInstanceOf(ApiError);
  expect(await tryIt("f2")).toBe("f1");
  expect(createdIds()).toEqual(["f1", "f1"]);
});

test("a flight that was created, and finished or deleted since, isn't taken for the new one", async () => {
  logIn();
  const tryIt = create();
  answers.CreateFlight = [broken, created("f1"), created("f2")];
  answers.CheckSession = [session(null)];
  await expect(tryIt("f1")).rejects.toBeInstanceOf(ApiError);
  expect(await tryIt("f1")).toBe("f2");
  logIn();
  answers.CreateFlight = [broken, { status: 403, body: "Nein." }, created("f4")];
  answers.CheckSession = [session(null)];
  await expect(tryIt("f3")).rejects.toBeInstanceOf(ApiError);
  expect(await tryIt("f3")).toBe("f4");
  expect(createdIds().map((id, at, all) => all.indexOf(id) === at)).toEqual([
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
});

test("another open flight is a conflict", async () => {
  logIn();
  answers.CreateFlight = [conflict];
  answers.CheckSession = [session("f9")];
  await expect(create()("f1")).rejects.toBeInstanceOf(ApiError);
});

function row(day: number, dpfId = `f${day}`): FlightRow {
  return { dpfId, startTime: `${String(day).padStart(2, "0")}.03.2026 10:00`, location: "" } as FlightRow;
}

/** A full page and one row of the next. */
async function loadList() {
  const rows = Array.from({ length: 60 }, (_, position) => ({ ...row(30), dpfId: `f${199 - position}` }));
  answers.GetFlights = [
    { status: 200, body: rows },
    { status: 200, body: [row(2), row(1)] },
  ];
  const { result } = renderHook(() => useFlights(), { wrapper });
  await waitFor(() => expect(result.current.data).toHaveLength(60));
  result.current.fetchNextPage();
  await waitFor(() => expect(result.current.data).toHaveLength(62));
  calls.length = 0;
  return result;
}

test("a saved flight is in the list as in the answer, and no page is refetched", async () => {
  const list = await loadList();
  answers.SaveFlight = [
    { status: 200, body: { ...row(31, "f2"), location: "Elbdeich", images: ["i1", "i2"] } },
  ];
  await act(() => perform("SaveFlight", { flight: { dpfId: "f2" }, endFlight: false }, "r1"));
  await waitFor(() =>
    expect(list.current.data?.[0]).toMatchObject({ dpfId: "f2", location: "Elbdeich", firstImage: "i1" }),
  );
  expect(list.current.data).toHaveLength(62);
  expect(callsOf("GetFlights")).toEqual([]);
});

test("a deleted flight leaves the list, which still knows where it ends", async () => {
  const list = await loadList();
  answers.DeleteFlight = ["f2", "f1", "f199"].map(() => ({ status: 200, body: undefined }));
  for (const dpfId of ["f2", "f1", "f199"]) await act(() => perform("DeleteFlight", { dpfId }, "r1"));
  await waitFor(() => expect(list.current.data).toHaveLength(59));
  expect(list.current.hasNextPage).toBe(false);
  expect(callsOf("GetFlights")).toEqual([]);
});

test("a flight that was finished elsewhere is a conflict", async () => {
  answers.SaveFlight = [conflict];
  const finish = () => perform("SaveFlight", { flight: { dpfId: "f1" }, endFlight: true }, "r1");
  await expect(act(finish)).rejects.toBeInstanceOf(ApiError);
});

test("a flight that was saved, and deleted since, is an error", async () => {
  answers.SaveFlight = [{ status: 200, body: undefined }];
  answers.GetFlight = [{ status: 403, body: "Darauf haben Sie keinen Zugriff." }];
  const save = () => perform("SaveFlight", { flight: { dpfId: "f1" }, endFlight: false }, "r1");
  await expect(act(save)).rejects.toThrow("Darauf haben Sie keinen Zugriff.");
});
