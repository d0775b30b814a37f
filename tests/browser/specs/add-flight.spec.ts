// A past flight in one form, by thumb and by keyboard, and the next one of its series. What it carries, and what the
// form refuses, is tested in ui/src/screens/flights/AddFlight.test.tsx.

import type { Page } from "@playwright/test";
import { expectDate, field, pickFromMenu, toast, typeDate, unfold } from "../support/actions.ts";
import { addEquipment, addFlight, type Client, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const save = (page: Page) => page.getByRole("button", { name: "Speichern", exact: true });
const section = (page: Page, name: string) => page.getByRole("heading", { level: 2, name }).getByRole("button");

async function addFlownCopter(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Brummer", { weight: 338 });
  const packs: string[] = [];
  for (const name of ["Akku 1", "Akku 2"]) {
    packs.push(await addEquipment(api, kind.battery, name, { model: "Funfly 4S", weight: 172 }));
  }
  const flight = { startTime: "01.03.2026 09:00", flightTime: 6, location: "Elbdeich" };
  await addFlight(api, { copter, equipments: packs.slice(0, 1) }, flight);
  return { copter, packs };
}

interface Row {
  dpfId: string;
  startTime: string;
  open: boolean;
  copter: { dpfId: string };
  equipments: { dpfId: string }[];
}

async function flights(api: Client): Promise<Row[]> {
  const rows: Row[] = JSON.parse(await api.call("GetFlights", {}));
  return Promise.all(rows.map(async ({ dpfId }) => JSON.parse(await api.call("GetFlight", { dpfId }))));
}

test("A past flight is entered in one form, and the next of its series has only its own numbers to type", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { copter, packs } = await addFlownCopter(api);
  await openAs(page, api, app, "flights");
  await pickFromMenu(page, "Flug nachtragen");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Flug nachtragen");
  await expect(field(page, "Flugzeit (min)")).toBeFocused();
  await expect(field(page, "Ort")).toHaveValue("Elbdeich");
  await expect(section(page, "Copter")).toContainText("Brummer");
  await expect(section(page, "Batterien")).toContainText("Akku 1");

  await typeDate(page, "Startzeit", "020320261407");
  await field(page, "Flugzeit (min)").fill("6,9");
  await field(page, "Endspannung (V)").fill("14,2");
  await unfold(page, "Notizen");
  await field(page, "Notizen").fill("Böig");
  await page.getByRole("button", { name: "Speichern, nächster Flug" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expectDate(page, "Startzeit", 2, 3, 2026, 14, 19);
  await expect(section(page, "Batterien")).toContainText("Akku 2");
  await expect(field(page, "Flugzeit (min)")).toBeFocused();
  for (const name of ["Flugzeit (min)", "Endspannung (V)", "Notizen"]) await expect(field(page, name)).toHaveValue("");
  await field(page, "Flugzeit (min)").fill("7");
  await save(page).click();
  await expect(page).toHaveURL(/\/app\/flights$/);

  const [second, first] = await flights(api);
  expect(first).toMatchObject({ startTime: "02.03.2026 14:07", flightTime: 6.9, batteryEndVoltage: 14.2, open: false });
  expect(first).toMatchObject({ location: "Elbdeich", notes: "Böig" });
  expect(second).toMatchObject({ startTime: "02.03.2026 14:19", flightTime: 7, batteryEndVoltage: null, open: false });
  expect([first, second].map((flight) => flight?.copter.dpfId)).toEqual([copter, copter]);
  expect([first, second].map((flight) => flight?.equipments[0]?.dpfId)).toEqual(packs);
});

test("What a past flight lacks is said above the buttons, in sight", { tag: "@phone" }, async ({ page, app, api }) => {
  for (const name of ["Brummer", "Hummel"]) await addEquipment(api, kind.copter, name);
  await openAs(page, api, app, "flights/add");
  await page.getByRole("radio", { name: /^Brummer/ }).waitFor();
  await save(page).click();
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("Bitte wählen Sie einen Copter.");
  const isCovered = await alert.evaluate((element) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    return [top + 2, bottom - 2].some((y) => !element.contains(document.elementFromPoint(left + 30, y)));
  });
  expect(isCovered).toBe(false);
});

test("At a desk a past flight needs the keyboard alone, and Enter saves it", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await addFlownCopter(api);
  await page.clock.setFixedTime(new Date("2026-03-02T21:37:00+01:00"));
  await openAs(page, api, app, "flights/add");
  await expect(field(page, "Flugzeit (min)")).toBeFocused();
  await expectDate(page, "Startzeit", 2, 3, 2026, 21, 37);
  // Until the start is typed, the form assumes that the flight has just ended.
  await page.keyboard.type("7");
  await expectDate(page, "Startzeit", 2, 3, 2026, 21, 30);
  await field(page, "Flugzeit (min)").fill("");
  await typeDate(page, "Startzeit", "020320261407");
  await field(page, "Flugzeit (min)").focus();
  await page.keyboard.type("8");
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/\/(flights|home)$/);
  expect((await flights(api))[0]).toMatchObject({ flightTime: 8, startTime: "02.03.2026 14:07" });
});
