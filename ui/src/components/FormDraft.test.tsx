// What was typed survives a reload, the end of a session, a server that is gone and what was saved elsewhere.
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, callsOf } from "../api/fakeServer";
import type { Flight } from "../api/generated/Flight";
import { flight, flightItem, item } from "../test/objects";
import { refused, sent, setServer, toast } from "../test/openScreen";
import {
  choose,
  expectAlert,
  expectFieldError,
  field,
  fieldsOf,
  notLoggedIn,
  ok,
  open,
  pilot,
  press,
  standing,
  type,
  withScreens,
} from "../test/pages";

withScreens();

const copter = item({ dpfId: "c1", name: "Nazgul F5", weight: 680 });
const flown = flight({
  copter: flightItem({ dpfId: "c1", name: "Nazgul F5" }),
  startTime: "01.03.2026 09:05",
  location: "Elbdeich",
});
const saved = "Erfolgreich gespeichert.";

const textOf = async (label: string) => (await field(label)).value;
const restored = () => screen.queryByText(/Entwurf von \d\d:\d\d wiederhergestellt/);

function knows(fields: Partial<Flight> = {}) {
  setServer({ items: [copter], flights: [{ ...flown, ...fields }] });
  standing("CheckSession", ok({ remembered: false, ...pilot }));
}

async function openEditor(fields: Partial<Flight> = {}) {
  knows(fields);
  return open("flights/f1/edit");
}

/** The session has ended: the next call says so. */
function endSession(call: "SaveFlight" | "CreateFlight" | "DeactivateEquipment") {
  answers[call] = [notLoggedIn];
  standing("CheckSession", notLoggedIn);
}

async function logIn() {
  answers.Login = [{ status: 202, body: { ...pilot, token: "" } }];
  await field("E-Mail");
  standing("CheckSession", ok({ remembered: false, ...pilot }));
  await type("E-Mail", "pilotin@example.org");
  await type("Passwort", "rotorblatt-17");
  await press("Login");
}

test("A new item that was being typed is there again after a reload, and can be dropped", async () => {
  const page = await open("equipments/1/editor");
  await type("Name", "Akku 1");
  await type("Kapazität (mA)", "15zu50");
  await page.reload();
  await waitFor(() => expect(restored()).not.toBeNull());
  expect(await textOf("Name")).toBe("Akku 1");
  expect(await textOf("Kapazität (mA)")).toBe("15zu50");
  cleanup();
  await open("equipments/0/editor");
  expect(await textOf("Name")).toBe("");

  cleanup();
  const again = await open("equipments/1/editor");
  await press("Verwerfen");
  expect(await textOf("Name")).toBe("");
  await again.reload();
  expect(await textOf("Name")).toBe("");
  expect(restored()).toBeNull();
});

test("A flight that was being edited is there again after a reload, until it is saved", async () => {
  const page = await openEditor();
  await type("Notizen", "Böig");
  const again = await page.reload();
  await waitFor(() => expect(restored()).not.toBeNull());
  expect(await textOf("Notizen")).toBe("Böig");
  expect(await textOf("Ort")).toBe("Elbdeich");
  answers.SaveFlight = [ok({ ...flown, notes: "Böig" })];
  await press("Speichern");
  await toast(saved);
  expect(sent("SaveFlight")[0]?.flight).toEqual({ dpfId: "f1", notes: "Böig" });
  expect(restored()).toBeNull();
  knows({ notes: "Böig" });
  await again.reload();
  expect(await textOf("Notizen")).toBe("Böig");
  expect(restored()).toBeNull();
});

test("Logout takes the drafts along", async () => {
  const page = await openEditor();
  await type("Notizen", "Böig");
  expect(Object.keys(localStorage)).not.toEqual([]);
  answers.Logout = [ok()];
  await press("Konto");
  standing("CheckSession", notLoggedIn);
  await choose("Logout");
  await page.expectPath("login");
  expect(Object.keys(localStorage)).toEqual([]);
});

test("A session that ended while a flight was being edited: after the login the text is there and can be saved", async () => {
  const page = await openEditor();
  await type("Notizen", "Böig");
  endSession("SaveFlight");
  await press("Speichern");
  await page.expectPath("login");
  await logIn();
  await page.expectPath("flights/f1/edit");
  await waitFor(() => expect(restored()).not.toBeNull());
  expect(await textOf("Notizen")).toBe("Böig");
  answers.SaveFlight = [ok({ ...flown, notes: "Böig" })];
  await press("Speichern");
  await toast(saved);
});

test("A session that ended while equipment was being chosen: after the login the choice is there", async () => {
  const other = item({ dpfId: "c2", name: "Milan", weight: 900 });
  setServer({ items: [other, copter] });
  const page = await open("flights/config");
  fireEvent.click(await screen.findByRole("radio", { name: /Nazgul F5/ }));
  await screen.findByText("Startgewicht: 680g");
  endSession("CreateFlight");
  await press("Weiter");
  await page.expectPath("login");
  await logIn();
  await page.expectPath("flights/config");
  await screen.findByText("Startgewicht: 680g");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /Nazgul F5/ }).checked).toBe(true);
});

async function openReason() {
  await press("Mehr");
  await choose("Deaktivieren");
  await field("Grund");
}

test("A session that ended while a reason was being typed: after the login the reason is there", async () => {
  knows();
  const page = await open("equipments/0/editor/c1");
  await openReason();
  await type("Grund", "Rahmen gebrochen");
  endSession("DeactivateEquipment");
  await press("Deaktivieren");
  await page.expectPath("login");
  await logIn();
  await page.expectPath("equipments/0/editor/c1");
  await openReason();
  expect(await textOf("Grund")).toBe("Rahmen gebrochen");
});

test("With the server gone an item isn't saved, the text stays, and saving works once it is back", async () => {
  const page = await open("equipments/0/editor");
  await type("Name", "Nazgul F5");
  answers.SaveNewEquipment = ["lost", ok(copter)];
  await press("Speichern");
  await expectAlert("Speichern fehlgeschlagen.");
  expect(await textOf("Name")).toBe("Nazgul F5");
  await press("Speichern");
  await page.expectPath("equipments/0");
  const [first, second] = fieldsOf("SaveNewEquipment");
  expect(second).toEqual(first);
});

test("With the server gone an item isn't retired, the reason stays, and it works once it is back", async () => {
  knows();
  await open("equipments/0/editor/c1");
  await openReason();
  await type("Grund", "Rahmen gebrochen");
  answers.DeactivateEquipment = ["lost", ok({ ...copter, deactivateTime: "01.05.2026 10:00" })];
  await press("Deaktivieren");
  await expectAlert("Speichern fehlgeschlagen.");
  expect(await textOf("Grund")).toBe("Rahmen gebrochen");
  await press("Deaktivieren");
  await toast("Erfolgreich deaktiviert.");
});

test("A draft isn't put over what was saved since; it is offered", async () => {
  const page = await openEditor();
  await type("Notizen", "Böig");
  await type("Zweck", "Training");
  knows({ notes: "Windstill" });
  const again = await page.reload();
  await screen.findByText(/Es gibt einen Entwurf von \d\d:\d\d\./);
  expect(await textOf("Notizen")).toBe("Windstill");
  await press("Wiederherstellen");
  expect(await textOf("Notizen")).toBe("Böig");
  expect(await textOf("Zweck")).toBe("Training");
  await press("Verwerfen");
  expect(await textOf("Notizen")).toBe("Windstill");
  await again.reload();
  expect(await textOf("Notizen")).toBe("Windstill");
  expect(screen.queryByText(/Entwurf von/)).toBeNull();
});

test("A number that only reads differently from what is stored is no draft and stops nobody", async () => {
  const page = await openEditor({ batteryEndVoltage: 14.2 });
  expect(await textOf("Endspannung (V)")).toBe("14,2");
  await type("Endspannung (V)", "14.2");
  await press("Zurück");
  await page.expectPath("flights/f1");
});

test("A flight that was deleted in another tab says so when it is saved, and the text stays", async () => {
  await openEditor();
  await type("Notizen", "Böig");
  answers.SaveFlight = [refused(403, "Darauf haben Sie keinen Zugriff.")];
  await press("Speichern");
  await expectAlert("Diesen Flug gibt es nicht, oder er gehört zu einem anderen Konto.");
  expect(await textOf("Notizen")).toBe("Böig");
});

test("An error of the server is shown beside its field", async () => {
  await openEditor();
  await type("Ort", "Elb\u0007deich");
  const sentence = "Der Text enthält nicht erlaubte Steuerzeichen.";
  answers.SaveFlight = [refused(400, sentence, "location"), ok({ ...flown, location: "Elbdeich 7" })];
  await press("Speichern");
  await expectFieldError("Ort", sentence);
  expect(await field("Ort")).toBe(document.activeElement);
  await type("Ort", "Elbdeich 7");
  await press("Speichern");
  await toast(saved);
  expect(callsOf("SaveFlight")).toHaveLength(2);
});
