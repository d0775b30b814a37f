// The product's main job from end to end, like a pilot does it, on a phone and on a desktop.

import { field, pickFromMenu, submitLogin, toast, unfold } from "../support/actions.ts";
import { expect, test } from "../support/test.ts";

test("A pilot logs in, adds a copter and two batteries, flies, looks the flight up, corrects and deletes it", async ({
  page,
  pilot,
}) => {
  const home = () => page.getByRole("link", { name: "Start", exact: true }).click();
  const tile = (name: string) =>
    page.getByRole("navigation", { name: "Bereiche" }).getByRole("link", { name, exact: true }).click();
  const heading = page.getByRole("heading", { level: 1 });

  await test.step("log in", async () => {
    await page.goto("login");
    await submitLogin(page, pilot);
    await expect(heading).toHaveText("Hallo, Pilotin");
  });

  await test.step("add a copter, whose name follows from its model", async () => {
    await tile("Copter");
    await expect(page.getByText("Kein Copter in Betrieb.")).toBeVisible();
    await page.getByRole("link", { name: "Hinzufügen", exact: true }).click();
    await expect(heading).toHaveText("Copter neu erfassen");
    await field(page, "Modell").fill("Nazgul Evoque F5");
    await field(page, "Name").focus();
    await expect(field(page, "Name")).toHaveValue("Nazgul Evoque F5");
    await field(page, "Gewicht (g)").fill("680,5");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
    await expect(heading).toHaveText("In Betrieb Copter");
    await expect(page.getByRole("heading", { name: "Nazgul Evoque F5" })).toBeVisible();
    await expect(page.getByText("680,5 g")).toBeVisible();
  });

  await test.step("add two batteries, one after the other", async () => {
    await home();
    await tile("Batterien");
    await expect(page.getByText("Keine Batterie in Betrieb.")).toBeVisible();
    await page.getByRole("link", { name: "Hinzufügen", exact: true }).click();
    await field(page, "Name").fill("Akku 1");
    await field(page, "Gewicht (g)").fill("190");
    await page.getByText("Danach noch eine Batterie erfassen").click();
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(field(page, "Name")).toHaveValue("Akku 2");
    await expect(field(page, "Gewicht (g)")).toHaveValue("190");
    await page.getByText("Danach noch eine Batterie erfassen").click();
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(heading).toHaveText("In Betrieb Batterien");
    await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(["Akku 1", "Akku 2"]);
  });

  await test.step("choose what flies", async () => {
    await home();
    await page.getByRole("link", { name: "Fluglog starten" }).click();
    await expect(page.getByRole("button", { name: "Weiter" })).toBeDisabled();
    await page.getByText("Nazgul Evoque F5").click();
    await expect(page.getByText("Startgewicht: 680,5g")).toBeVisible();
    await page.getByText("Akku 1").click();
    await page.getByText("Akku 2").click();
    await expect(page.getByRole("heading", { name: "Batterien 2 ausgewählt" })).toBeVisible();
    await expect(page.getByText("Startgewicht: 1.060,5g")).toBeVisible();
    await page.getByRole("button", { name: "Weiter" }).click();
  });

  await test.step("enter what is known before the start", async () => {
    await expect(page).toHaveURL(/\/app\/flights\/[^/]+\/new$/);
    await expect(heading).toHaveText("Flug-Editor");
    await field(page, "Ort").fill("Modellflugplatz Harsefeld");
    await field(page, "GPS Start").fill("53,4558 9,5032");
    await field(page, "Startspannung (V)").fill("16,8");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(heading).toHaveText("Hallo, Pilotin");
  });

  await test.step("finish the flight", async () => {
    await page.getByRole("link", { name: "Fluglog beenden" }).click();
    await expect(page).toHaveURL(/\/app\/flights\/[^/]+\/finish$/);
    await expect(field(page, "Endspannung (V)")).toBeFocused();
    await unfold(page, "Startspannung");
    await expect(field(page, "Startspannung (V)")).toHaveValue(/^16[.,]8$/);
    await unfold(page, "Flug");
    await field(page, "Endspannung (V)").fill("14.2");
    await field(page, "Flugzeit (min)").fill("12");
    await field(page, "Höhe (m)").fill("85");
    await field(page, "Strecke (km)").fill("3,25");
    await field(page, "Max. Entfernung (m)").fill("640");
    await field(page, "Max. Geschwindigkeit (km/h)").fill("72,5");
    await field(page, "Verbraucht (mA)").fill("980");
    await page.getByRole("button", { name: "Abschließen" }).click();
    await expect(heading).toHaveText("Hallo, Pilotin");
    await expect(page.getByRole("link", { name: "Fluglog starten" })).toBeVisible();
  });

  const figures = page.getByRole("region", { name: "Statistik" }).getByRole("listitem");
  await test.step("see it in the statistics", async () => {
    await expect(figures.filter({ hasText: "Anzahl der Flüge" })).toHaveText("Anzahl der Flüge1");
    await expect(figures.filter({ hasText: "Gesamtflugzeit" })).toHaveText("Gesamtflugzeit12 min");
    await expect(figures.filter({ hasText: "Maximale Entfernung" })).toContainText("640 m");
    await expect(figures.filter({ hasText: "Gesamtstrecke" })).toContainText("3,25 km");
  });

  await test.step("see it in what the battery tells", async () => {
    await tile("Batterien");
    const battery = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Akku 1" }) });
    await expect(battery).toContainText("leer");
    await home();
  });

  await test.step("find it in the list and open it", async () => {
    await tile("Flüge");
    const flight = page.getByRole("main").getByRole("link", { name: /\d\d\.\d\d\.\d{4} \d\d:\d\d/ });
    await expect(flight).toHaveCount(1);
    await expect(page.getByText("Modellflugplatz Harsefeld")).toBeVisible();
    await flight.click();
    await expect(heading).toHaveText(/ · Modellflugplatz Harsefeld$/);
    await expect(page.getByText("Gesammtgewicht: 1.060,5g")).toBeVisible();
    await expect(shown("Max. Geschwindigkeit")).toHaveText("72,5 km/h");
    await expect(shown("Verbraucht")).toHaveText("980 mAh");
    await expect(shown("GPS Start").getByRole("link")).toHaveAttribute("href", /mlat=53\.4558&mlon=9\.5032/);
    await expect(shown("GPS Ende")).toHaveCount(0);
  });

  function shown(label: string) {
    return page
      .locator("dl > div")
      .filter({ has: page.getByText(label, { exact: true }) })
      .getByRole("definition");
  }

  await test.step("correct it", async () => {
    await page.getByRole("link", { name: "Editieren" }).click();
    await expect(page).toHaveURL(/\/edit$/);
    await field(page, "Notizen").fill("Neue Propeller,\nviel ruhiger.");
    await field(page, "Flugzeit (min)").fill("13");
    await page.getByText("Manuell").click();
    const save = page.getByRole("button", { name: "Speichern" });
    const answered = page.waitForResponse("**/app/api/SaveFlight");
    await save.click();
    // The message of the flight's end may still be shown.
    await answered;
    await expect(save).toBeEnabled();
    await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
    await expect(page).toHaveURL(/\/edit$/);
    await page.getByRole("button", { name: "Zurück" }).first().click();
    await expect(heading).toHaveText(/ · Modellflugplatz Harsefeld$/);
    await expect(shown("Flugzeit")).toHaveText("13 min");
    await expect(shown("Flugmodus")).toHaveText("Manuell");
    await expect(shown("Notizen")).toHaveText("Neue Propeller,\nviel ruhiger.", { useInnerText: true });
  });

  await test.step("delete it, but not at the first question", async () => {
    await pickFromMenu(page, "Löschen");
    const question = page.getByRole("alertdialog", { name: "Wollen Sie den Fluglog löschen?" });
    await question.getByRole("button", { name: "Nein" }).click();
    await expect(question).toHaveCount(0);
    await expect(heading).toHaveText(/ · Modellflugplatz Harsefeld$/);
    await pickFromMenu(page, "Löschen");
    await question.getByRole("button", { name: "Ja" }).click();
    await expect(heading).toHaveText("Flüge");
    await expect(page.getByText("Keine Flüge vorhanden")).toBeVisible();
  });

  await test.step("find nothing of it on the start page", async () => {
    await home();
    await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
    await expect(figures).toHaveCount(0);
  });
});
