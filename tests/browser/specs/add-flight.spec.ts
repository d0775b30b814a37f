// A past flight in one form, the next one of its series, and equipment that was retired later.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { expectDate, field, pickFromMenu, toast, typeDate, unfold } from "../support/actions.ts";
import { addEquipment, addFlight, type Client, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const save = (page: Page) => page.getByRole("button", { name: "Speichern" });
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
}, async ({ page, app, api, isMobile }) => {
  const { copter, packs } = await addFlownCopter(api);
  await openAs(page, api, app, "flights");
  if (isMobile) await pickFromMenu(page, "Flug nachtragen");
  else await page.getByRole("link", { name: "Flug nachtragen" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Flug nachtragen");
  await expect(field(page, "Flugzeit (min)")).toBeFocused();
  await expect(field(page, "Ort")).toHaveValue("Elbdeich");
  await expect(section(page, "Copter")).toContainText("Brummer");
  await expect(section(page, "Batterien")).toContainText("Akku 1");
  await expectAccessible(page);

  await typeDate(page, "Startzeit", "020320261407");
  await field(page, "Flugzeit (min)").fill("6,9");
  await field(page, "Endspannung (V)").fill("14,2");
  await unfold(page, "Notizen");
  await field(page, "Notizen").fill("Böig");
  await page.getByRole("button", { name: "Nochmals, später" }).click();
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

test("What a past flight carried is entered with it, by Enter too and without it", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await addFlownCopter(api);
  await openAs(page, api, app, "flights/add");
  await typeDate(page, "Startzeit", "020320261407");
  await section(page, "Nutzlast").click();
  await field(page, "Name").fill("Kescher");
  await field(page, "Gewicht (g)").fill("100");
  await page.keyboard.press("Enter");
  await expect(page.getByText("100 g")).toBeVisible();
  await expect(field(page, "Name")).toBeFocused();
  // An incomplete payload isn't sent, and stays in the form.
  await field(page, "Name").fill("GPS-Finder");
  await save(page).click();
  await expect(page.getByRole("alert")).toContainText("Die eingegebene Nutzlast ist unvollständig.");
  await field(page, "Gewicht (g)").fill("9,5");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  const [added] = await flights(api);
  expect(added).toMatchObject({
    payloads: [
      { name: "Kescher", weight: 100 },
      { name: "GPS-Finder", weight: 9.5 },
    ],
  });
});

test("A copter that was retired since may have flown before", { tag: "@desktop" }, async ({ page, app, api }) => {
  const { copter } = await addFlownCopter(api);
  await api.call("DeactivateEquipment", { dpfId: copter, info: "Rahmen gebrochen" });
  await openAs(page, api, app, "flights/add");
  // The retired item can't be chosen any more.
  await section(page, "Copter").click();
  await typeDate(page, "Startzeit", "010120301200");
  await save(page).click();
  await expect(page.getByRole("alert")).toHaveText("Bitte wählen Sie einen Copter.");
  await typeDate(page, "Startzeit", "020320261407");
  await expect(page.getByText(/Ausgemustert am/)).toBeVisible();
  await expect(page.getByRole("radio", { name: /Brummer/ })).toBeChecked();
  await save(page).click();
  await expect(page).toHaveURL(/\/(flights|home)$/);
  const [added] = await flights(api);
  expect(added).toMatchObject({ startTime: "02.03.2026 14:07", copter: { dpfId: copter } });
});

test("With the answer lost, and after a reload, the flight is there once", { tag: "@phone" }, async ({
  page,
  lossyProxy,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await addFlownCopter(api);
  await openAs(page, api, lossyProxy, "flights/add");
  await typeDate(page, "Startzeit", "020320261407");
  await field(page, "Flugzeit (min)").fill("6,9");
  lossyProxy.loseAnswers("/app/api/AddFlight");
  await save(page).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await expect(page).toHaveURL(/\/(flights|home)$/);
  await expect.poll(async () => (await flights(api)).length).toBe(2);
  lossyProxy.restore();
  await page.reload();
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  expect(await flights(api)).toHaveLength(2);
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

test("A start that lies ahead by the server's clock is refused beside its field", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  await addFlownCopter(api);
  await openAs(page, api, app, "flights/add");
  await typeDate(page, "Startzeit", "010120301200");
  await expect(page.getByText("Die Startzeit liegt in der Zukunft. Geht die Uhr dieses Geräts richtig?")).toBeVisible();
  faults.expectAnswer("AddFlight", 400);
  await save(page).click();
  await expect(page.getByRole("group", { name: "Startzeit", exact: true })).toHaveAccessibleDescription(
    /Die Startzeit liegt in der Zukunft\.$/,
  );
});
