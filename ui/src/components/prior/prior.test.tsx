// Hours from before Fluglog: one entry of an item's menu, and a line of the profile.
import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { refreshEquipment } from "../../api/equipment";
import { answers } from "../../api/fakeServer";
import { battery, item } from "../../test/objects";
import { refused, sent, setServer, toast } from "../../test/openScreen";
import {
  choose,
  detailedUser,
  expectFieldError,
  expectNoDialog,
  field,
  ok,
  open,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const copter = item({ dpfId: "c1", name: "Nazgul F5", usageTime: 0.2 });
const prior = { flights: 900, minutes: 7200, cycles: 0, until: "01.05.2024", note: "" };

async function openForm(fields: Parameters<typeof item>[0] = {}) {
  const months = [{ month: "2024-05", flights: 1, minutes: 12 }];
  setServer({ items: [{ ...copter, ...fields }], known: { GetFlightMonths: months } });
  await open("equipments/0/c1");
  await screen.findByRole("heading", { level: 1, name: "Nazgul F5" });
  await press("Mehr");
  await choose("Stunden von vor Fluglog");
  await field("Anzahl Flüge");
}

test("An item shows nothing of them until they are entered; then its figures count them and say so", async () => {
  await openForm();
  expect(screen.queryByText("davon vor Fluglog")).toBeNull();
  expect(screen.queryByLabelText("Ladezyklen")).toBeNull();
  await type("Anzahl Flüge", "900");
  await type("Flugzeit (Stunden)", "120:00");
  answers.SavePriorFlights = [ok(prior)];
  setServer({ items: [{ ...copter, prior }] });
  await press("Speichern");
  await expectNoDialog();
  expect(sent("SavePriorFlights")[0]).toMatchObject({
    dpfId: "c1",
    prior: { flights: "900", minutes: 7200, until: "01.05.2024" },
  });
  const label = await screen.findByText("davon vor Fluglog");
  expect(label.nextElementSibling?.textContent).toBe("900 Flüge, 120\u00a0h 00\u00a0min");
  screen.getByText("120 h 12 min");
});

test("What isn't a number is said at its field, and so is what the server refuses", async () => {
  await openForm();
  await type("Anzahl Flüge", "viele");
  await type("Flugzeit (Stunden)", "1:75");
  await press("Speichern");
  await expectFieldError("Anzahl Flüge", "Bitte geben Sie eine ganze Zahl ein.");
  await expectFieldError(
    "Flugzeit (Stunden)",
    "Bitte geben Sie Stunden ein, zum Beispiel 120,5 oder 120:30.",
  );
  await type("Anzahl Flüge", "100001");
  await type("Flugzeit (Stunden)", "1");
  answers.SavePriorFlights = [refused(400, "Bitte geben Sie 0 bis 100.000 Flüge ein.")];
  await press("Speichern");
  await screen.findByText("Bitte geben Sie 0 bis 100.000 Flüge ein.");
  expect(await field("Anzahl Flüge")).toHaveProperty("value", "100001");
});

test("Hours that may be thousands are asked for again", async () => {
  await openForm();
  await type("Flugzeit (Stunden)", "1.250");
  await press("Speichern");
  await expectFieldError(
    "Flugzeit (Stunden)",
    "Bitte geben Sie Stunden ein, zum Beispiel 120,5 oder 120:30.",
  );
  expect(sent("SavePriorFlights")).toEqual([]);
});

test("A note alone isn't saved", async () => {
  await openForm();
  await type("Woher", "Papierbuch");
  await press("Speichern");
  await expectFieldError("Anzahl Flüge", "Bitte geben Sie mindestens eine Zahl ein.");
  expect(sent("SavePriorFlights")).toEqual([]);
});

test("What is cleared after a lost answer is cleared on the server, too", async () => {
  await openForm();
  await type("Anzahl Flüge", "900");
  await type("Woher", "Papierbuch");
  answers.SavePriorFlights = ["lost", ok(prior), ok(prior)];
  await press("Speichern");
  await screen.findByText("Speichern fehlgeschlagen.");
  await type("Anzahl Flüge", "");
  await type("Woher", "");
  await type("Flugzeit (Stunden)", "120");
  await press("Speichern");
  await expectNoDialog();
  const [first, repeated, corrected] = sent("SavePriorFlights");
  expect(repeated).toEqual(first);
  expect(corrected?.prior).toEqual({ flights: "", minutes: 7200, until: "01.05.2024", note: "" });
});

test("What another device saves while the form is open stays, unless it is typed", async () => {
  await openForm({ prior });
  setServer({ items: [{ ...copter, name: "Nazgul V3", prior: { ...prior, flights: 950, minutes: 7260 } }] });
  await act(() => refreshEquipment());
  await screen.findAllByText("Nazgul V3");
  await type("Woher", "Papierbuch");
  answers.SavePriorFlights = [ok(prior)];
  await press("Speichern");
  await expectNoDialog();
  expect(sent("SavePriorFlights")[0]?.prior).toEqual({ note: "Papierbuch" });
});

test("A pack has cycles from before, which count among its own", async () => {
  const ofPack = { ...prior, flights: 0, minutes: 0, cycles: 40 };
  setServer({ items: [battery({ prior: ofPack, cycles: 2 })] });
  await open("equipments/1/b1");
  const label = await screen.findByText("davon vor Fluglog");
  expect(label.nextElementSibling?.textContent).toBe("40 Zyklen");
});

test("A pilot's hours from before are a line of the profile", async () => {
  standing("GetDetailedUser", ok(detailedUser()));
  await open("myProfile");
  await press("Vor Fluglog");
  const line = within(await screen.findByRole("region", { name: "Vor Fluglog" }));
  line.getByText(/nie in der Statistik/);
  await press("Eintragen");
  await type("Anzahl Flüge", "900");
  await type("Woher", "Papierbuch");
  answers.SavePriorFlights = [ok({ ...prior, note: "Papierbuch" })];
  await press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("SavePriorFlights")[0]?.dpfId).toBeUndefined();
  expect(sent("SavePriorFlights")[0]?.prior).toMatchObject({ flights: "900", note: "Papierbuch" });
  line.getByText(/vor dem 01.05.2024, Papierbuch/);
});
