// Maintenance on an item's page: jobs are added after a template or as own ones, done, edited and taken back.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers } from "../../api/fakeServer";
import type { JobTemplate } from "../../api/generated/JobTemplate";
import type { MaintenanceJob } from "../../api/generated/MaintenanceJob";
import { battery, item, log, maintenanceJob } from "../../test/objects";
import { refused, sent, setServer, toast, user } from "../../test/openScreen";
import {
  choose,
  expectFieldError,
  expectNoDialog,
  fieldsOf,
  ok,
  open,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const copter = item({ dpfId: "c1", name: "Nazgul F5" });
const noLimits = { hours: null, flights: null, cycles: null, days: null, date: null };
const templates: JobTemplate[] = [
  {
    ...{ template: "screws", title: "Schrauben nachziehen", types: [0], steps: ["Motoren", "Arme"] },
    ...{ limits: { ...noLimits, flights: 10, days: 30 }, repeat: "done", source: "DroneSense" },
  },
  {
    ...{ template: "propCheck", title: "Propeller prüfen", types: [0], steps: [], repeat: "done" },
    ...{ limits: { ...noLimits, flights: 10 }, source: "libdrone" },
  },
];

async function openItem(jobs: MaintenanceJob[], fields: Parameters<typeof item>[0] = {}) {
  const one = { ...copter, ...fields };
  setServer({ items: [one], known: { GetMaintenance: jobs, GetJobTemplates: templates } });
  await open(`equipments/${one.type}/${one.dpfId}`);
  await screen.findByRole("heading", { level: 1, name: one.name });
}
const section = async () => within(await screen.findByRole("region", { name: "Wartung" }));

test("An item without jobs has no section; its menu adds one after a template, whose source is said", async () => {
  await openItem([]);
  expect(screen.queryByRole("heading", { name: "Wartung" })).toBeNull();
  await press("Mehr");
  await choose("Wartung hinzufügen");
  const choice = await screen.findByRole("button", { name: /^Schrauben nachziehen/ });
  expect(choice.textContent).toBe(
    "Schrauben nachziehen10\u00a0Flüge oder 1\u00a0MonatVorschlag, Quelle: DroneSense",
  );
  await press(/^Schrauben nachziehen/);
  answers.SaveJob = [ok(maintenanceJob())];
  await press("Speichern");
  await expectNoDialog();
  const [saved] = sent("SaveJob");
  expect(saved).toMatchObject({ dpfId: "c1", newJobId: expect.any(String) });
  expect(saved?.job).toMatchObject({
    ...{ title: "Schrauben nachziehen", flights: "10", days: "30", hours: "", repeat: "done" },
    ...{ steps: "Motoren\nArme", source: "DroneSense", template: "screws" },
  });
});

test("An own job needs a title and a limit; a copter isn't charged", async () => {
  await openItem([maintenanceJob()]);
  (await section()).getByText("noch 5 Flüge (5 von 10)");
  await press("Wartung hinzufügen");
  // Not offered again.
  await screen.findByRole("button", { name: /^Schrauben nachziehen/ });
  expect(screen.queryByRole("button", { name: /^Propeller prüfen/ })).toBeNull();
  await press("Eigene Wartung");
  await press("Speichern");
  await expectFieldError("Was ist zu tun?", "Bitte geben Sie an, was zu tun ist.");
  await expectFieldError("Flugstunden", "Bitte mindestens eine Grenze angeben.");
  expect(screen.queryByLabelText("Ladezyklen")).toBeNull();
  // A series of fixed dates needs days or a date.
  expect(screen.queryByRole("radio", { name: "ab Fälligkeit" })).toBeNull();
  await type("Tage", "365");
  screen.getByRole("radio", { name: "ab Fälligkeit" });
});

test("A battery's job may count charge cycles", async () => {
  const pack = battery({ dpfId: "b1", name: "Akku 1" });
  setServer({ items: [pack], known: { GetJobTemplates: [] } });
  await open("equipments/1/b1");
  await press("Mehr");
  await choose("Wartung hinzufügen");
  await press("Eigene Wartung");
  await screen.findByLabelText("Ladezyklen");
});

test("Done with its steps and a photo; done again a moment later it asks", async () => {
  await openItem([maintenanceJob({ steps: ["Sichtprüfung", "Wuchten"] })]);
  await press("Erledigt Propeller prüfen");
  await user.press("Wuchten");
  await type("Was wurde gemacht?", "Adapter getauscht");
  answers.CompleteJob = [refused(400, "Gerade erst erledigt. Noch einmal?", "again")];
  await press("Erledigt");
  await screen.findByText("Gerade erst erledigt. Noch einmal?");
  answers.CompleteJob = [{ status: 201, body: { job: maintenanceJob(), run: "r1", log: log() } }];
  await press("Noch einmal");
  await expectNoDialog();
  const [first, second] = fieldsOf("CompleteJob");
  expect(first).toMatchObject({ info: "Adapter getauscht", steps: "1" });
  expect(first).not.toHaveProperty("again");
  expect(second).toMatchObject({ info: "Adapter getauscht", steps: "1", again: "true" });
});

test("A job says when it was done last", async () => {
  const lastRun = { run: "r1", kind: "done", time: "27.11.2026 18:30", hours: 4, flights: 20, days: 30 };
  await openItem([maintenanceJob({ lastRun: { ...lastRun, steps: [], info: null, cost: null, log: null } })]);
  await screen.findByText("Zuletzt am 27.11.2026");
});

test("A job that was done once is finished: it is looked at or deleted, nothing else", async () => {
  await openItem([maintenanceJob({ archived: true, level: "grey", rest: null, text: "abgeschlossen" })]);
  const jobs = await section();
  jobs.getByText("abgeschlossen");
  expect(jobs.queryByRole("button", { name: /^Erledigt/ })).toBeNull();
  await press("Mehr zu Propeller prüfen");
  const entries = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
  expect(entries).toEqual(["Bearbeiten", "Verlauf", "Löschen"]);
  await choose("Löschen");
  answers.DeleteJob = [ok()];
  await press("Ja");
  await toast("Erfolgreich gelöscht.");
  expect(fieldsOf("DeleteJob")).toEqual([{ dpfId: "c1", jobId: "j1" }]);
});

test("The jobs of a retired item rest: none is added or changed", async () => {
  const retired = { deactivateTime: "01.05.2026 10:00", deactivateText: "Verkauft" };
  await openItem([maintenanceJob({ level: "grey" })], retired);
  const jobs = await section();
  jobs.getByRole("button", { name: /^Erledigt/ });
  expect(jobs.queryByRole("button", { name: "Wartung hinzufügen" })).toBeNull();
  await press("Mehr zu Propeller prüfen");
  const entries = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
  expect(entries).toEqual(["Verlauf", "Löschen"]);
});

test("An own job's page of the manual and its warning can be edited", async () => {
  await openItem([maintenanceJob({ source: "Seite 12", warnShare: 20 })]);
  await press("Mehr zu Propeller prüfen");
  await choose("Bearbeiten");
  const dialog = await screen.findByRole("dialog", { name: "Wartung bearbeiten" });
  expect(within(dialog).queryByText(/^Vorschlag, Quelle/)).toBeNull();
  await type("Nach Handbuch", "Seite 14");
  await type("Vorher melden (% der Grenze)", "30");
  answers.SaveJob = [ok(maintenanceJob())];
  await press("Speichern");
  await expectNoDialog();
  const [saved] = fieldsOf("SaveJob");
  expect(JSON.parse(String(saved?.job))).toMatchObject({ source: "Seite 14", warnShare: "30" });
});

test("The history says when, after how much, and what; the newest entry is taken back", async () => {
  const run = {
    run: "r2",
    kind: "done",
    time: "01.05.2026 10:00",
    hours: 48.2,
    flights: 191,
    days: 92,
  } as const;
  const details = { steps: ["Wuchten"], info: "Adapter getauscht", cost: 12.5, log: "l1" };
  const before = {
    ...run,
    ...details,
    run: "r1",
    kind: "skipped",
    info: null,
    steps: [],
    cost: null,
    log: null,
  } as const;
  standing("GetJobRuns", ok([{ ...run, ...details }, before]));
  await openItem([maintenanceJob()]);
  await press("Mehr zu Propeller prüfen");
  await choose("Verlauf");
  const list = await screen.findByRole("list", { name: "Verlauf" });
  const [newest, older] = within(list).getAllByRole("listitem");
  expect(newest?.textContent?.replaceAll("\u00a0", " ")).toBe(
    "Erledigt 01.05.2026 10:00nach 48 h 12 min, 191 Flüge, 92 TageAdapter getauschtKosten: 12,50 €✓ WuchtenZurücknehmen",
  );
  expect(older?.textContent).toContain("Übersprungen");
  await press("Zurücknehmen");
  await screen.findByText("Es zählt dann wieder wie davor, und das Log wird gelöscht.");
  answers.DeleteJobRun = [ok(maintenanceJob())];
  await press("Zurücknehmen");
  await toast("Rückgängig gemacht.");
  expect(fieldsOf("DeleteJobRun")).toEqual([{ dpfId: "c1", jobId: "j1", run: "r2", withLog: "true" }]);
});
