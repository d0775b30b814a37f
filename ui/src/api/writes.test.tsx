// Every change is sent with a request id, and with the same one after a lost answer.
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useEndSession } from "./account";
import { useSaveCharging } from "./chargings";
import { type Changing, NetworkFailure } from "./client";
import { useDeleteDocument, useEditDocument, useUploadDocument } from "./documents";
import {
  useActivateEquipment,
  useDeactivateEquipment,
  useSaveEditEquipment,
  useSaveNewEquipment,
} from "./equipment";
import { answers, callsOf, withFakeServer, wrapper } from "./fakeServer";
import { useSendFeedback } from "./feedback";
import { useAddFlight, useDeleteFlight, useSaveFlight } from "./flights";
import { useDeleteImage, useUploadImages } from "./images";
import { useAcceptImport, useDiscardImport, useMapColumns, useUndoImport, useUploadImport } from "./imports";
import { useDeleteLog, useEditLog, useSaveLog } from "./logs";
import { useSaveProfile } from "./profile";

withFakeServer();

type Mutation<Variables> = { mutateAsync: (variables: Variables) => Promise<unknown> };
type Sent = { requestId: string; fields: never; transfer: object; endFlight: boolean };

const file = new File(["1"], "a.txt");
const log = { info: "Propeller", time: "01.03.2026 10:00", file };

/** Calls of forms, which pass the request id. */
const ofForms: { [Name in Changing]?: [() => Mutation<Sent>, object] } = {
  SendFeedback: [useSendFeedback, { message: "Gut" }],
  SaveNewEquipment: [useSaveNewEquipment, { type: 1, name: "Akku 1" }],
  SaveEditEquipment: [() => useSaveEditEquipment("e1"), { type: 1, name: "Akku 1" }],
  DeactivateEquipment: [() => useDeactivateEquipment("e1"), { info: "Defekt" }],
  SaveCharging: [
    () => useSaveCharging("e1", null),
    { chargeStartTime: "01.03.2026 10:00", fromVoltage: "21" },
  ],
  SaveFlight: [() => useSaveFlight("f1"), { notes: "neu" }],
  SaveProfile: [useSaveProfile, { firstname: "Anna", photo: null, removePhoto: null }],
  UploadUserDocument: [useUploadDocument, { file, description: "Anleitung" }],
  EditUserDocument: [() => useEditDocument("d1"), { description: "Anleitung" }],
  SaveEquipmentLog: [() => useSaveLog({ kind: "equipment", dpfId: "e1" }), log],
  SaveFlightLog: [() => useSaveLog({ kind: "flight", dpfId: "f1" }), log],
  EditLog: [() => useEditLog("l1"), { ...log, removeDocument: false }],
  UploadImageForFlight: [() => useUploadImages("f1"), { files: [file] }],
  UploadImport: [useUploadImport, { files: [file] }],
  MapImportColumns: [() => useMapColumns("i1"), { file: 0, mapping: "{}" }],
  AcceptImport: [() => useAcceptImport("i1"), { choices: "[]" }],
};

/** Calls by one press. */
const ofTaps: { [Name in Changing]?: () => Mutation<string> } = {
  ActivateEquipment: useActivateEquipment,
  DeleteFlight: useDeleteFlight,
  DeleteUserDocument: useDeleteDocument,
  DeleteLog: useDeleteLog,
  DeleteImage: () => useDeleteImage("f1"),
  EndSession: useEndSession,
  DiscardImport: useDiscardImport,
};

test("no change is missing here", () => {
  const files = import.meta.glob<string>("./*.ts", { query: "?raw", import: "default", eager: true });
  const source = Object.values(files).join("\n");
  const sent = [...source.matchAll(/\b(?:write|upload)\(\s*"(\w+)"/g)].map(([, name]) => name);
  expect(sent.length).toBeGreaterThan(10);
  expect([...Object.keys(ofForms), ...Object.keys(ofTaps), "AddFlight"]).toEqual(
    expect.arrayContaining(sent),
  );
});

test("AddFlight is sent under the id of its flight", async () => {
  const { result } = renderHook(useAddFlight, { wrapper });
  const flight = { dpfId: "f1", config: { copter: "c1", equipments: [], payloads: [] }, flight: {} };
  const add = () => act(() => result.current.mutateAsync(flight as never));
  answers["AddFlight"] = ["lost", { status: 200, body: {} }];
  await expect(add()).rejects.toBeInstanceOf(NetworkFailure);
  await add();
  const ids = callsOf("AddFlight").map((sent) => [sent.get("dpfId"), sent.get("requestId")]);
  expect(ids).toEqual([
    ["f1", "f1"],
    ["f1", "f1"],
  ]);
});

test("An acceptance is taken back flight by flight, and goes on where it stopped", async () => {
  const { result } = renderHook(useUndoImport, { wrapper });
  const accepted = { created: ["f1", "f2"], completed: ["f3"], skipped: 0 };
  const undo = () => act(() => result.current.mutateAsync(accepted));
  const done = { status: 200, body: "" };
  answers["DeleteFlight"] = [done, "lost", done];
  await expect(undo()).rejects.toBeInstanceOf(NetworkFailure);
  await undo();
  const sent = callsOf("DeleteFlight").map((call) => [call.get("dpfId"), call.get("requestId")]);
  expect(sent.map(([dpfId]) => dpfId)).toEqual(["f1", "f2", "f2"]);
  expect(sent[2]).toEqual(sent[1]);
  expect(sent[0]?.[1]).not.toBe(sent[1]?.[1]);
});

test.each(Object.entries(ofForms))("%s is sent under the id of its form", async (name, [hook, fields]) => {
  const { result } = renderHook(hook, { wrapper });
  const send = (requestId: string) =>
    act(() =>
      result.current.mutateAsync({ requestId, fields: fields as never, transfer: {}, endFlight: false }),
    );
  answers[name] = [
    "lost",
    { status: 200, body: { dpfId: "x", lastCharging: null, images: [], completed: [] } },
  ];
  await expect(send("r1")).rejects.toBeInstanceOf(NetworkFailure);
  await send("r1");
  expect(callsOf(name).map((sent) => sent.get("requestId"))).toEqual(["r1", "r1"]);
});

test.each(Object.entries(ofTaps))("%s is the same request until it is answered", async (name, hook) => {
  const { result } = renderHook(hook, { wrapper });
  const press = (subject: string) => act(() => result.current.mutateAsync(subject));
  const done = { status: 200, body: {} };
  answers[name] = ["lost", { status: 409, body: "Nein." }, "lost", done, done];
  await expect(press("a")).rejects.toBeInstanceOf(NetworkFailure);
  await expect(press("a")).rejects.toThrow("Nein.");
  await expect(press("b")).rejects.toBeInstanceOf(NetworkFailure);
  await press("a");
  await press("a");
  const [lost, refused, other, repeated, another] = callsOf(name).map((sent) => sent.get("requestId"));
  expect(lost).toMatch(/^[0-9a-f-]{36}$/);
  expect([refused, repeated]).toEqual([lost, lost]);
  expect(new Set([lost, other, another]).size).toBe(3);
});
