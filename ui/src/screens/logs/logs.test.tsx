// The logs of an item and of a flight: what is asked, sent and shown.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, callsOf } from "../../api/fakeServer";
import type { Log } from "../../api/generated/Log";
import { flight, flightItem, item, log } from "../../test/objects";
import { refused, setServer, toast } from "../../test/openScreen";
import {
  expectAlert,
  expectFieldError,
  expectNoDialog,
  field,
  fieldsOf,
  fileOf,
  follow,
  heading,
  held,
  ok,
  open,
  pick,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const copter = item({ dpfId: "c1", name: "Nazgul F5", model: "Nazgul Evoque F5" });
const invoice = { dpfId: "d1", name: "Rechnung.pdf", size: "21 B" };
const notes = new File(["Motor 3 läuft ruhig"], "Notiz.txt", { type: "text/plain" });
const soldered = log({ info: "Stecker gelötet", time: "02.01.2026 10:00", documentObj: invoice });
const ofSoldered = { dpfId: "l1", info: "Stecker gelötet", time: "02.01.2026 10:00" };

function hasLogs(...logs: Log[]) {
  standing("GetEquipmentLogs", ok({ name: copter.model, equipmentName: copter.name, logs }));
}

async function openLogs(...logs: Log[]) {
  setServer({ items: [copter] });
  hasLogs(...logs);
  const page = await open("equipments/0/logs/c1");
  await heading("Logs für Nazgul F5");
  return page;
}

const edit = async () => {
  await press("Log vom 02.01.2026 10:00 editieren");
  await screen.findByRole("dialog", { name: "Log Editieren für Nazgul Evoque F5" });
};
const shown = () => screen.getByRole("main").textContent;
const asked = { name: "Wollen Sie den Log löschen?" };

test("Logs of somebody else's item aren't tried again: the page says so and leads to the own equipment", async () => {
  setServer({ items: [item({ dpfId: "b1", type: 1, name: "Akku 1" })] });
  const sentence = "Das gehört zu einem anderen Konto.";
  standing("GetEquipmentLogs", refused(403, sentence));
  const page = await open("equipments/1/logs/b7");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(sentence);
  expect(screen.queryByRole("button", { name: "Nochmal" })).toBeNull();
  await follow("Zum Equipment");
  await page.expectPath("equipments/1");
});

test("A log needs a text and a date", async () => {
  await openLogs();
  await press("Log erstellen");
  await press("Speichern");
  await expectFieldError("Text", "Bitte geben Sie einen Text ein.");
  await type("Text", "Propeller getauscht");
  await press("Kalender öffnen Datum");
  await press("Löschen");
  await press("Speichern");
  await screen.findByText("Bitte geben Sie Datum und Uhrzeit ein.");
  expect(callsOf("SaveEquipmentLog")).toEqual([]);
});

test("A document is attached, shown and downloaded with its log", async () => {
  await openLogs();
  await press("Log erstellen");
  await type("Text", "Stecker gelötet");
  await pick("Datei auswählen", notes);
  await within(screen.getByRole("dialog")).findByText("Notiz.txt");
  answers.SaveEquipmentLog = [ok(soldered)];
  hasLogs(soldered);
  await press("Speichern");
  await expectNoDialog();
  expect(fieldsOf("SaveEquipmentLog")).toEqual([
    {
      dpfId: "c1",
      log: expect.any(String),
      info: "Stecker gelötet",
      time: expect.stringMatching(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/),
      file: notes,
    },
  ]);
  await press(/Rechnung\.pdf/);
  await waitFor(() => expect(fieldsOf("DownloadDocument")).toEqual([{ dpfId: "d1" }]));
});

test("Without a change a log's document stays; it is replaced by another one, or taken away", async () => {
  await openLogs(soldered);
  answers.EditLog = [ok(soldered), ok(soldered), ok(soldered)];
  await edit();
  expect((await field("Text")).value).toBe("Stecker gelötet");
  const parts = within(screen.getByRole("group", { name: "Datum" })).getAllByRole("spinbutton");
  expect(parts.map((part) => Number(part.getAttribute("aria-valuenow")))).toEqual([2, 1, 2026, 10, 0]);
  await type("Text", "Stecker neu gelötet");
  await press("Speichern");
  await expectNoDialog();

  await edit();
  await pick("Datei auswählen", notes);
  await press("Speichern");
  await expectNoDialog();

  await edit();
  await press("Rechnung.pdf entfernen");
  await press("Speichern");
  await expectNoDialog();
  expect(fieldsOf("EditLog")).toEqual([
    { ...ofSoldered, info: "Stecker neu gelötet" },
    { ...ofSoldered, file: notes },
    { ...ofSoldered, removeDocument: "true" },
  ]);
});

test("A document of more than 50 MB isn't taken, and the one before it stays", async () => {
  await openLogs();
  await press("Log erstellen");
  await field("Text");
  await pick("Datei auswählen", notes);
  await pick("Datei auswählen", fileOf("51.bin", 52_428_801));
  await expectAlert("Die Datei überschreitet die 50-MB-Grenze und wurde nicht hinzugefügt");
  expect(screen.getByRole("dialog").textContent).toContain("Notiz.txt");
  expect(screen.getByRole("dialog").textContent).not.toContain("51.bin");
});

test("Logs are deleted after a question, which names the document, and the focus goes to the heading", async () => {
  const first = log({ dpfId: "l2", info: "Erster Log", time: "01.01.2026 10:00" });
  await openLogs(soldered, first);
  await press("Log vom 02.01.2026 10:00 löschen");
  const question = await screen.findByRole("alertdialog", asked);
  expect(question.textContent).toContain("Das Dokument Rechnung.pdf wird mit gelöscht.");
  await press("Nein");
  await expectNoDialog();
  expect(shown()).toContain("Stecker gelötet");
  expect(callsOf("DeleteLog")).toEqual([]);

  answers.DeleteLog = [ok()];
  hasLogs(first);
  await press("Log vom 02.01.2026 10:00 löschen");
  await press("Ja");
  await waitFor(() => expect(shown()).not.toContain("Stecker gelötet"));
  expect(shown()).toContain("Erster Log");
  expect(fieldsOf("DeleteLog")).toEqual([{ dpfId: "l1" }]);
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toBe(document.activeElement));
});

test("A flight has logs of its own, which are edited and deleted on its page", async () => {
  const flown = flightItem({ dpfId: "c1", name: "Nazgul F5", model: "Nazgul Evoque F5" });
  setServer({ items: [copter], flights: [flight({ copter: flown })] });
  standing("GetFlightLogs", ok({ name: "Nazgul Evoque F5", logs: [] }));
  await open("flights/f1");
  await screen.findByText("Keine Logs vorhanden");
  await press("Log erstellen");
  await screen.findByRole("dialog", { name: "Neuer Log für Nazgul Evoque F5" });
  await type("Text", "Antenne abgeknickt");
  await pick("Datei auswählen", notes);
  const bent = { ...soldered, info: "Antenne abgeknickt" };
  answers.SaveFlightLog = [ok(bent)];
  standing("GetFlightLogs", ok({ name: "Nazgul Evoque F5", logs: [bent] }));
  await press("Speichern");
  await expectNoDialog();
  const times = { log: expect.any(String), time: expect.any(String) };
  expect(fieldsOf("SaveFlightLog")).toEqual([
    { dpfId: "f1", info: "Antenne abgeknickt", file: notes, ...times },
  ]);
  await screen.findByText("Antenne abgeknickt");
  await edit();
  await press("Abbrechen");
  await expectNoDialog();

  answers.DeleteLog = [ok()];
  standing("GetFlightLogs", ok({ name: "Nazgul Evoque F5", logs: [] }));
  await press("Log vom 02.01.2026 10:00 löschen");
  await press("Ja");
  await screen.findByText("Keine Logs vorhanden");
});

test("Typed values survive a reload; Abbrechen discards them", async () => {
  const page = await openLogs();
  await press("Log erstellen");
  await type("Text", "Halb geschrieben");
  await page.reload();
  await press("Log erstellen");
  expect((await field("Text")).value).toBe("Halb geschrieben");
  await press("Abbrechen");
  await expectNoDialog();
  await press("Log erstellen");
  expect((await field("Text")).value).toBe("");
});

test("The save button of a log can't be pressed twice", async () => {
  await openLogs();
  await press("Log erstellen");
  await type("Text", "Einmal");
  const { answer, release } = held(ok(log({ info: "Einmal" })));
  answers.SaveEquipmentLog = [answer];
  await press("Speichern");
  const save = await screen.findByRole("button", { name: "Speichern" });
  await waitFor(() => expect(save.getAttribute("aria-disabled")).toBe("true"));
  fireEvent.click(save);
  const form = save.closest("form");
  if (form) await act(async () => void fireEvent.submit(form));
  release();
  await toast("Erfolgreich gespeichert.");
  await expectNoDialog();
  expect(callsOf("SaveEquipmentLog")).toHaveLength(1);
});

test("Logs that can't be loaded say so, and another try helps", async () => {
  setServer({ items: [copter] });
  standing("GetEquipmentLogs", "lost");
  await open("equipments/0/logs/c1");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Logs konnten nicht geladen werden. Bitte versuchen Sie es erneut.");
  hasLogs(soldered);
  await press("Nochmal");
  await screen.findByText("Stecker gelötet");
});
