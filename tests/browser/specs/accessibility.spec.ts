// Screens with errors, open dialogs and menus, filled and empty, in light and dark, on a phone and on a desktop: no axe
// violation, and nothing wider than the window. every-screen.spec.ts has every address.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, pickFromMenu, submitLogin, unfold } from "../support/actions.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

async function fill(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680, model: "Nazgul Evoque" });
  const battery = await addEquipment(api, kind.battery, "Akku 1", { weight: 190, capacity: 1550 });
  const goggles = await addEquipment(api, kind.goggles, "DJI Goggles 3", { firmwareNumber: "01.00" });
  const old = await addEquipment(api, kind.battery, "Alter Akku");
  await api.call("DeactivateEquipment", { dpfId: old, info: "Zelle defekt" });
  const flight = await createFlight(api, {
    copter,
    equipments: [battery, goggles],
    payloads: [{ name: "Kescher", weight: 100 }],
  });
  await finishFlight(api, flight, {
    startTime: "01.03.2026 09:05",
    location: "Elbdeich",
    startLatitude: 53.5,
    startLongitude: 9.9,
    flightTime: 12,
    speed: 72.5,
    notes: "Böig",
  });
  return { copter, battery, old, flight };
}

async function expectFine(page: Page): Promise<void> {
  // Not innerWidth, which grows with the content on a phone.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `width of ${page.url()}`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  await expectAccessible(page);
}

test("The login with an error", { tag: "@phone" }, async ({ page }) => {
  await page.goto("login");
  await submitLogin(page, { email: "keine-adresse", password: "" });
  await expect(field(page, "E-Mail")).toHaveAttribute("aria-invalid", "true");
  await expectFine(page);
});

test("The screens of a pilot who has nothing yet", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await expectFine(page);
  for (const { path, text } of [
    { path: "equipments/0", text: "Kein Copter in Betrieb." },
    { path: "equipments/1?ausgemustert=true", text: "Keine ausgemusterten Batterien." },
    { path: "flights", text: "Keine Flüge vorhanden" },
    { path: "flights/config", text: "Kein Copter in Betrieb." },
  ]) {
    await page.goto(path);
    await expect(page.getByText(text)).toBeVisible();
    await expectFine(page);
  }
});

test("Home with figures, an open flight and the account's menu", async ({ page, app, api }) => {
  const { copter } = await fill(api);
  await createFlight(api, { copter });
  await openAs(page, api, app, "home");
  await expect(page.getByText("72,5 km/h").first()).toBeVisible();
  await expectFine(page);
  await page.getByRole("button", { name: "Konto" }).click();
  await expect(page.getByText("pilotin@example.org")).toBeVisible();
  await expectFine(page);
});

test("The equipment's lists, forms, calendar, menu and dialogs", { tag: "@desktop" }, async ({ page, app, api }) => {
  const { battery, old } = await fill(api);
  await openAs(page, api, app, "equipments/1");
  await expect(page.getByRole("heading", { name: "Akku 1" })).toBeVisible();
  await expectFine(page);
  await page.getByRole("button", { name: "Ladevorgang starten Akku 1" }).click();
  await page.getByRole("button", { name: "Kalender öffnen Startzeit" }).click();
  const calendar = page.getByRole("dialog", { name: "Kalender" });
  for (const name of ["Voriger Monat", "Bestätigen"]) {
    await expect(calendar.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  }
  await page.goto("equipments/1?ausgemustert=true");
  await expect(page.getByRole("heading", { name: "Alter Akku" })).toBeVisible();
  await expectFine(page);

  await page.goto("equipments/1/editor");
  await field(page, "Gewicht (g)").fill("zwölf");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(field(page, "Name")).toHaveAttribute("aria-invalid", "true");
  await expectFine(page);
  await page.getByRole("button", { name: "Kalender öffnen Kaufdatum" }).click();
  await expect(page.getByRole("dialog", { name: "Kalender" })).toBeVisible();
  await expectFine(page);

  await page.goto(`equipments/1/editor/${battery}`);
  await page.getByRole("button", { name: /^Weitere Angaben/ }).click();
  await expect(field(page, "Zellen in Reihe")).toBeVisible();
  await expectFine(page);
  await page.getByRole("button", { name: "Mehr", exact: true }).click();
  await expect(page.getByRole("menuitem")).toHaveCount(1);
  await expectFine(page);
  await page.getByRole("menuitem").click();
  await page.getByRole("dialog").getByRole("button", { name: "Deaktivieren" }).click();
  await expect(page.getByRole("textbox", { name: "Grund" })).toHaveAttribute("aria-invalid", "true");
  await expectFine(page);

  await page.goto(`equipments/1/editor/${old}`);
  await pickFromMenu(page, "Aktivieren");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectFine(page);
});

test("Choosing equipment, with every section open", { tag: "@phone" }, async ({ page, app, api }) => {
  await fill(api);
  await openAs(page, api, app, "flights/config");
  await expect(page.getByText("Startgewicht: 970g")).toBeVisible();
  for (const section of ["Brillen", "Sender", "Videokameras", "Nutzlast"]) {
    await page.getByRole("heading", { level: 2, name: section }).click();
  }
  await page.getByRole("button", { name: "Hinzufügen" }).click();
  await expect(field(page, "Name")).toHaveAttribute("aria-invalid", "true");
  await expectFine(page);
});

test("The list of flights with what flew along, and the page of a flight with its dialog", async ({
  page,
  app,
  api,
}) => {
  const { copter, flight } = await fill(api);
  await openAs(page, api, app, `flights/${flight}`);
  await expect(page.getByText("Gesammtgewicht: 970g")).toBeVisible();
  await expectFine(page);
  await pickFromMenu(page, "Löschen");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectFine(page);

  await createFlight(api, { copter });
  await page.goto("flights");
  await page.getByRole("button", { name: "Nazgul F5, Equipment anzeigen" }).last().click();
  await expect(page.getByText("Gesammtgewicht: 970g")).toBeVisible();
  await expectFine(page);
  await page.getByRole("button", { name: "Flugbuch" }).click();
  await expect(page.getByRole("dialog").getByText("1 Flug · 3 Seiten · 12 min")).toBeVisible();
  await expectFine(page);
});

test("The flight editor in its three modes, with errors, a draft, a message and the question before leaving", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { copter, flight } = await fill(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Flugzeit (min)").fill("1.5.2");
  await field(page, "GPS Ende").fill("am Deich");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(field(page, "Flugzeit (min)")).toHaveAttribute("aria-invalid", "true");
  await expectFine(page);
  await page.reload();
  await expect(page.getByText(/Entwurf von/)).toBeVisible();
  await page.getByRole("button", { name: "Kalender öffnen Startzeit" }).click();
  await expect(page.getByRole("dialog", { name: "Kalender" })).toBeVisible();
  await expectFine(page);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectFine(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Nein" }).click();
  await field(page, "Flugzeit (min)").fill("13");
  await field(page, "GPS Ende").fill("53,5 9,9");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Erfolgreich gespeichert.")).toBeVisible();
  await expectFine(page);

  const open = await createFlight(api, { copter });
  for (const mode of ["new", "finish"]) {
    await page.goto(`flights/${open}/${mode}`);
    await expectFine(page);
    if (mode === "finish") await unfold(page, "Startspannung");
    await expect(field(page, "Startspannung (V)")).toBeVisible();
    await unfold(page, "Flug");
    await unfold(page, "Notizen");
    await expectFine(page);
  }
  await page.goto("flights/config");
  await expect(page.getByText("Es läuft bereits ein Flug.")).toBeVisible();
  await expectFine(page);
});

test("The error screens without a server, and of a missing flight", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  faults.expectAnswer("GetFlight", 403);
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await page.goto("flights/gibt-es-nicht");
  await expect(page.getByRole("alert")).toHaveText("Diesen Flug gibt es nicht, oder er gehört zu einem anderen Konto.");
  await expectFine(page);
  await app.stop();
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  const sentence = page.getByText(/^Statistik konnten nicht geladen werden\./);
  await expect(sentence).toBeVisible();
  // On a phone the sentence has the full width, and "Nochmal" is below it.
  expect((await sentence.boundingBox())?.width).toBeGreaterThan(250);
  await expectFine(page);
  await pickFromMenu(page, "Logout", "Konto");
  await expect(page.getByRole("alertdialog")).toContainText("Abmelden fehlgeschlagen.");
  await expectFine(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Schließen" }).click();
  await page.getByRole("link", { name: "Dokumente" }).last().click();
  await expect(page.getByText("Ein Fehler ist aufgetreten!")).toBeVisible();
  await expectFine(page);
});
