// A pack's readings, its number and cells, and the warning before it flies: what is asked and sent.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, callsOf } from "../../../api/fakeServer";
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

test("A reading is edited and deleted in the life of its pack", async () => {
  const entry: PassportEntry = {
    ...{ dpfId: "r1", deed: "reading", time: measured.time, reading: measured, flight: null },
    ...{ minutes: null, fromVoltage: null, toVoltage: null, charged: null },
  };
  setServer({ items: [pack] });
  knows({ readings: [measured], timeline: [entry] });
  const page = await open("equipments/1/passport/b1");
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
  await page.expectPath("equipments/1/passport/b1");
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

test("A pack with an urgent hint flies only when its pilot says so twice, and a set with one press", async () => {
  const set = { dpfId: "s1", name: "Lang" };
  const packs = [
    battery({ set, cells: 6, light: "red", state: "full" }),
    battery({ dpfId: "b2", name: "Akku 2", set, cells: 6, state: "full" }),
  ];
  setServer({
    items: [item({ name: "Falke" }), ...packs],
    known: {
      GetBatteryHints: [
        { dpfId: "b1", name: "Akku 1", rule: "full", level: "red", text: "Seit 9 Tagen voll." },
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
  await waitFor(async () => expect((await question()).textContent).toContain("Seit 9 Tagen voll."));
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
