// A pack's readings, its number and cells, and the warning before it flies: what is asked and sent.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, callsOf } from "../../../api/fakeServer";
import type { BatteryHint } from "../../../api/generated/BatteryHint";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { PassportEntry } from "../../../api/generated/PassportEntry";
import { battery, item, passport, reading } from "../../../test/objects";
import { sent, setServer, toast, user } from "../../../test/openScreen";
import {
  choose,
  expectNoDialog,
  field,
  fieldsOf,
  heading,
  ok,
  open,
  press,
  standing,
  type,
  withScreens,
} from "../../../test/pages";

withScreens();

const pack = battery({ cells: 6, chemistry: 0 });
const sixCells = [4.18, 4.18, 4.15, 4.18, 4.18, 4.18];
const measured = reading({ time: "05.05.2026 18:00", cellVoltages: sixCells, temperature: 20 });

function knows(fields: Partial<BatteryPassport>) {
  standing("GetBatteryPassport", ok(passport({ battery: pack, ...fields })));
}

test("A reading that misses a cell isn't sent, and nothing typed is lost", async () => {
  setServer({ items: [pack] });
  knows({});
  const page = await open("equipments/1/passport/b1/new");
  await type("Zelle 1, Spannung (V)", "3,82");
  await press("Speichern");
  await screen.findByText("Bitte 6 Werte angeben.");
  await waitFor(async () => expect(await field("Zelle 2, Spannung (V)")).toBe(document.activeElement));
  expect(callsOf("SaveBatteryReading")).toEqual([]);
  await page.reload();
  expect((await field("Zelle 1, Spannung (V)")).value).toBe("3,82");
});

test("A wrong temperature opens the folded group that it is in, and is focused", async () => {
  setServer({ items: [pack] });
  knows({});
  await open("equipments/1/passport/b1/new");
  const more = await screen.findByRole("button", { name: /^Temperatur, Zustand, Zeit/ });
  expect(more.getAttribute("aria-expanded")).toBe("false");
  await type("Zelle 1, Spannung (V)", "");
  await type("Temperatur (°C)", "120");
  await press("Speichern");
  await waitFor(() => expect(more.getAttribute("aria-expanded")).toBe("true"));
  expect(document.activeElement).toBe(await field("Temperatur (°C)"));
  expect(callsOf("SaveBatteryReading")).toEqual([]);
});

test("The page of a pack counts full cycles where they are known, and says where they are estimated", async () => {
  setServer({ items: [pack] });
  knows({});
  const figures = async () =>
    (await screen.findByRole("region", { name: "Batterie" })).textContent?.match(/Vollzyklen[≈ \d,]*/)?.[0];
  const page = await open("equipments/1/b1");
  await waitFor(async () => expect(await figures()).toBeUndefined());
  for (const [known, said] of [
    [{ cycles: 12.5 }, "Vollzyklen12,5"],
    [{ cycles: 12.5, cyclesEstimated: true }, "Vollzyklen≈ 12,5"],
  ] as const) {
    setServer({ items: [{ ...pack, ...known }] });
    knows({});
    await page.reload();
    await waitFor(async () => expect(await figures()).toBe(said));
  }
});

test("A reading is edited and deleted in the life of its pack", async () => {
  const entry: PassportEntry = {
    ...{ dpfId: "r1", deed: "reading", time: measured.time, reading: measured, flight: null },
    ...{ minutes: null, fromVoltage: null, toVoltage: null, charged: null },
  };
  setServer({ items: [pack] });
  knows({ readings: [measured], timeline: [entry] });
  // The earlier address of the passport leads to the page of the pack.
  const page = await open("equipments/1/passport/b1");
  await page.expectPath("equipments/1/b1");
  const menu = "Mehr zur Messung vom 05.05.2026 18:00";
  await press(menu);
  await choose("Bearbeiten");
  await page.expectPath("equipments/1/passport/b1/r1");
  expect((await field("Temperatur (°C)")).value).toBe("20");
  await type("Temperatur (°C)", "-4,5");
  const colder = { ...measured, temperature: -4.5 };
  answers.EditBatteryReading = [ok(colder)];
  await press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(fieldsOf("EditBatteryReading")).toMatchObject([
    { battery: "b1", dpfId: "r1", temperature: "-4,5", cellVoltages: "4,18;4,18;4,15;4,18;4,18;4,18" },
  ]);

  await heading("Akku 1");
  await page.expectPath("equipments/1/b1");
  answers.DeleteBatteryReading = [ok()];
  knows({});
  await press(menu);
  await choose("Löschen");
  await press("Ja");
  await toast("Messung gelöscht.");
  expect(fieldsOf("DeleteBatteryReading")).toEqual([{ battery: "b1", dpfId: "r1" }]);
  await waitFor(() => expect(screen.queryByRole("button", { name: menu })).toBeNull());
});

test("The number of an item and the cells of a pack are folded until they are asked for", async () => {
  const guessed = battery({ cells: 6, cellsGuessed: true });
  setServer({ items: [guessed] });
  await open("equipments/1/editor/b1");
  await field("Name");
  const fold = await screen.findByRole("button", { name: /^Weitere Angaben/ });
  expect(fold.getAttribute("aria-expanded")).toBe("false");
  await press(/^Weitere Angaben/);
  expect(fold.getAttribute("aria-expanded")).toBe("true");
  await type("Nummer", "7");
  await screen.findByText("Geschätzt: 6");
  await type("Zellen in Reihe", "6");
  fireEvent.click(screen.getByRole("radio", { name: "LiHV" }));
  answers.SaveEditEquipment = [ok({ ...guessed, number: 7, cells: 6, cellsGuessed: false, chemistry: 1 })];
  await press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("SaveEditEquipment")[0]?.equipment).toMatchObject({
    number: "7",
    profile: { cells: "6", chemistry: "1" },
  });
});

test("A pack with a doubtful state flies only when its pilot says so twice, and a set with one press", async () => {
  const set = { dpfId: "s1", name: "Lang" };
  const packs = [
    battery({ set, cells: 6, light: "red", doubtful: true, state: "full" }),
    battery({ dpfId: "b2", name: "Akku 2", set, cells: 6, state: "full" }),
  ];
  setServer({
    items: [item({ name: "Falke" }), ...packs],
    known: {
      GetBatteryHints: [
        {
          ...{ dpfId: "b1", name: "Akku 1", rule: "landedLow", level: "red", canDismiss: false },
          text: "Letzter Flug endete bei 2,9 V je Zelle.",
        },
      ],
    },
  });
  await open("flights/config");
  const chosen = () =>
    within(screen.getByRole("group", { name: "Batterien" }))
      .getAllByRole<HTMLInputElement>("checkbox")
      .filter(({ checked }) => checked).length;
  const question = () => screen.findByRole("alertdialog", { name: "Akku 1 trotzdem wählen?" });
  await press(/^Satz „Lang“ · 2 × 6S/);
  await waitFor(async () =>
    expect((await question()).textContent).toContain("Letzter Flug endete bei 2,9 V je Zelle."),
  );
  await press("Abbrechen");
  await expectNoDialog();
  expect(chosen()).toBe(0);
  await press(/^Satz „Lang“ · 2 × 6S/);
  await question();
  await press("Trotzdem wählen");
  await expectNoDialog();
  expect(chosen()).toBe(2);
  await user.press(screen.getByRole("checkbox", { name: /^Akku 2/ }));
  await waitFor(() => expect(chosen()).toBe(1));
  await press("Auch Akku 2 wählen (Satz „Lang“)");
  await waitFor(() => expect(chosen()).toBe(2));
});

test("An urgent light alone, and an estimate, are no question before a flight", async () => {
  const packs = [
    battery({ light: "red", state: "full" }),
    battery({ dpfId: "b2", name: "Akku 2", light: "amber", state: "full" }),
  ];
  setServer({ items: [item({ name: "Falke" }), ...packs] });
  await open("flights/config");
  for (const name of [/^Akku 1/, /^Akku 2/]) {
    const box = await screen.findByRole<HTMLInputElement>("checkbox", { name });
    await user.press(box);
    await waitFor(() => expect(box.checked).toBe(true));
  }
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("What a pilot knows about the age of a pack is dismissed for good, and can be brought back", async () => {
  const hint: BatteryHint = {
    ...{ rule: "capacity", level: "amber", canDismiss: true },
    text: "Noch etwa 78 % der Nennkapazität.",
  };
  setServer({ items: [pack] });
  knows({ hints: [hint] });
  await open("equipments/1/b1");
  answers.SnoozeBattery = [ok(), ok()];
  await screen.findByText(hint.text, { selector: "p" });
  knows({ dismissed: [hint] });
  await press(/^Weiß ich/);
  await toast("Wird nicht mehr gemeldet.");
  knows({ hints: [hint] });
  await press(/^Wieder erinnern/);
  await screen.findByRole("button", { name: /^Weiß ich/ });
  expect(fieldsOf("SnoozeBattery")).toEqual([
    { dpfId: "b1", days: "1", rule: "capacity" },
    { dpfId: "b1", days: "0", rule: "capacity" },
  ]);
});

test("A pack of which nothing is known shows no voltage at large, and is charged with one press", async () => {
  const flown = battery({ cells: null, state: null, currentCharge: 25.2, stateVoltage: null });
  setServer({ items: [flown] });
  standing("GetBatteryPassport", ok(passport({ battery: flown })));
  await open("equipments/1/b1");
  await screen.findByText("unbekannt");
  expect(screen.getByRole("region", { name: "Akkupass" }).textContent).not.toContain("25,2");
  answers.QuickCharge = [ok()];
  await press("Geladen Akku 1");
  await toast("Akku 1 ist geladen.");
  expect(fieldsOf("QuickCharge")).toMatchObject([{ battery: "b1" }]);
});

test("The hints of a pack are put off for three days, and brought back", async () => {
  const hint: BatteryHint = {
    ...{ rule: "capacity", level: "amber", canDismiss: false },
    text: "Noch etwa 78 % der Nennkapazität.",
  };
  setServer({ items: [pack] });
  knows({ hints: [hint] });
  await open("equipments/1/b1");
  answers.SnoozeBattery = [ok(), ok()];
  await screen.findByText(hint.text, { selector: "p" });
  knows({ hints: [hint], snoozedUntil: "08.05.2026 18:00" });
  await press("In 3 Tagen erinnern");
  await toast("In 3 Tagen werden Sie wieder erinnert.");
  knows({ hints: [hint] });
  await press("Wieder erinnern");
  await screen.findByRole("button", { name: "In 3 Tagen erinnern" });
  expect(fieldsOf("SnoozeBattery")).toEqual([
    { dpfId: "b1", days: "3" },
    { dpfId: "b1", days: "0" },
  ]);
});
