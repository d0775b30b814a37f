// All that is to be done, and what comes later.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers } from "../../api/fakeServer";
import { item, maintenanceJob, reminder } from "../../test/objects";
import { setServer, user } from "../../test/openScreen";
import { choose, expectNoDialog, fieldsOf, ok, open, press, type, withScreens } from "../../test/pages";

withScreens();

const propellers = maintenanceJob({ level: "red", rest: -0.3, text: "fällig seit 3 Flügen" });
const screws = maintenanceJob({
  ...{ dpfId: "c2", itemName: "Apex", jobId: "j2", title: "Schrauben nachziehen" },
});
const goggles = maintenanceJob({
  ...{ dpfId: "g1", itemName: "Brille", jobId: "j3", title: "Linsen putzen", level: "grey" },
  ...{ text: "pausiert", paused: true },
});
const dueLine = reminder({
  ...{ topic: "maintenance", dpfId: "c1", name: "Nazgul F5", kind: 0, level: "red", rule: null },
  ...{ jobId: "j1", title: propellers.title, text: propellers.text },
});
const known = { GetReminders: [dueLine, reminder()], GetMaintenance: [propellers, screws, goggles] };

async function linesOf(group: string): Promise<HTMLElement[]> {
  return within(await screen.findByRole("list", { name: group })).getAllByRole("listitem");
}

test("Packs, jobs and what comes later are one list, the gravest first", async () => {
  setServer({ known });
  await open("todo");
  await screen.findByText("Schrauben nachziehen", { selector: "strong" });
  const groups = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(groups).toEqual(["Fällig", "Bald fällig", "Demnächst", "Verschoben und pausiert"]);
  expect((await linesOf("Fällig"))[0]?.textContent).toMatch(
    /Propeller prüfenNazgul F5Fällig\. fällig seit 3 Flügen/,
  );
  expect((await linesOf("Bald fällig"))[0]?.textContent).toMatch(/Akku 1Seit 4 Tagen voll/);
});

test("Jobs that will be due are one line, which opens to each; of one item they stand alone", async () => {
  const group = { key: "maintenance amber", title: "Wartungen bald fällig" };
  const soon = (jobId: string, dpfId: string, itemName: string) =>
    maintenanceJob({ jobId, dpfId, itemName, level: "amber", text: "noch 1 Flug (9 von 10)" });
  const jobs = [soon("j1", "c1", "Nazgul F5"), soon("j2", "c2", "Apex")];
  const lines = jobs.map(({ jobId, dpfId, itemName: name, title, text }) =>
    reminder({ topic: "maintenance", kind: 0, rule: null, jobId, dpfId, name, title, text, group }),
  );
  setServer({ known: { GetReminders: lines, GetMaintenance: jobs } });
  await open("todo");
  await user.press(await screen.findByRole("button", { name: /2 Wartungen bald fällig/ }));
  const members = await screen.findByRole("list", { name: "2 Wartungen bald fällig" });
  expect(within(members).getAllByRole("button", { name: "Erledigt Propeller prüfen" })).toHaveLength(2);
  await user.choose("Gegenstand", "Apex");
  await screen.findByRole("button", { name: "Erledigt Propeller prüfen" });
  expect(screen.queryByRole("button", { name: /Wartungen bald fällig/ })).toBeNull();
});

test("The list of one item is an address", async () => {
  setServer({ known });
  const page = await open("todo");
  await user.choose("Gegenstand", "Apex");
  await page.expectPath("todo?equipment=c2");
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  screen.getByText("Schrauben nachziehen", { selector: "strong" });
});

test("A job is skipped, put off and paused from its row; a paused one can only go on", async () => {
  setServer({ known });
  await open("todo");
  await press("Mehr zu Propeller prüfen");
  await choose("Überspringen");
  await type("Grund", "Noch wie neu");
  answers.SkipJob = [ok(propellers)];
  await press("Überspringen");
  await expectNoDialog();
  expect(fieldsOf("SkipJob")).toEqual([
    expect.objectContaining({ dpfId: "c1", jobId: "j1", info: "Noch wie neu" }),
  ]);

  await press("Mehr zu Propeller prüfen");
  await choose("Später");
  await user.press("5 Flüge");
  answers.PutOffJob = [ok(propellers)];
  await press("Verschieben");
  await expectNoDialog();
  expect(fieldsOf("PutOffJob")).toEqual([expect.objectContaining({ jobId: "j1", flights: "5" })]);

  answers.PauseJob = [ok(goggles)];
  await press("Mehr zu Linsen putzen");
  expect(screen.queryByRole("menuitem", { name: "Später" })).toBeNull();
  await choose("Fortsetzen");
  await expect.poll(() => fieldsOf("PauseJob")).toEqual([{ dpfId: "g1", jobId: "j3", on: "false" }]);
});

test("Without anything to do the page says so, and where jobs are made", async () => {
  setServer({ items: [item()] });
  await open("todo");
  await screen.findByText("Nichts zu erledigen.");
  await screen.findByText(/Mehr, „Wartung hinzufügen“/);
});
