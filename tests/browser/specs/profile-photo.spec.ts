// The profile's form: names, and the photo with its preview and removal.

import { expectAccessible } from "../support/accessible.ts";
import { field, pick, pickFromMenu, toast } from "../support/actions.ts";
import { bitmap, blue, pictureFile, red } from "../support/pictures.ts";
import { expect, openAs, test } from "../support/test.ts";

test("Names are saved and come back", { tag: "@desktop" }, async ({ page, app, api, pilot }) => {
  await openAs(page, api, app, "home");
  await pickFromMenu(page, "Mein Profil", "Konto");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mein Profil");
  await expect(page.getByRole("main").getByText(pilot.email)).toBeVisible();
  await expectAccessible(page);
  await field(page, "Vorname").fill("Anna");
  await field(page, "Nachname").fill("Beck");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await page.reload();
  await expect(field(page, "Vorname")).toHaveValue("Anna");
  await expect(field(page, "Nachname")).toHaveValue("Beck");

  await field(page, "Vorname").fill("");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await page.reload();
  await expect(field(page, "Nachname")).toHaveValue("Beck");
  await expect(field(page, "Vorname")).toHaveValue("");
});

test("Two tabs that change one name each keep both, and a name is shown as it was stored", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, "myProfile");
  await expect(field(page, "Vorname")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto("myProfile");
  await field(other, "Nachname").fill("Beck");
  await other.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(other, "Erfolgreich gespeichert.")).toBeVisible();

  await field(page, "Vorname").fill("  Anna ");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(field(page, "Vorname")).toHaveValue("Anna");
  expect(JSON.parse(await api.call("GetDetailedUser"))).toMatchObject({ firstname: "Anna", lastname: "Beck" });
});

test("A photo is previewed, saved, changed and removed", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "myProfile");
  await expect(page.locator('input[type="file"]').nth(1)).toHaveAttribute("capture", "user");
  await pick(page, "Aus Galerie wählen", pictureFile("ich.png", red));
  await expect(page.getByRole("img", { name: "Vorschau des Fotos" })).toBeVisible();
  await expectAccessible(page);
  const inHeader = page.getByRole("banner").locator("img");
  await expect(inHeader).toHaveCount(0);
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(inHeader).toHaveAttribute("src", /GetPhoto/);
  await expect.poll(() => inHeader.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const first = await inHeader.getAttribute("src");

  await pick(page, "Aus Galerie wählen", pictureFile("ich.png", blue));
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(inHeader).not.toHaveAttribute("src", first ?? "");
  await page.reload();
  await expect(page.getByRole("img", { name: "Foto" })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Foto entfernen" }).click();
  await expect(page.getByText("Kein Foto")).toBeAttached();
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(inHeader).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("Kein Foto")).toBeAttached();
});

test("A chosen photo can be taken back before it is saved", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "myProfile");
  await pick(page, "Aus Galerie wählen", pictureFile("ich.png", red));
  await page.getByRole("button", { name: "Foto entfernen" }).click();
  await expect(page.getByRole("img", { name: "Vorschau des Fotos" })).toBeHidden();
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  expect(JSON.parse(await api.call("CheckSession")).photo).toBe("");
});

test("A chosen photo isn't left behind unasked, and a saved one is", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  await pickFromMenu(page, "Mein Profil", "Konto");
  await pick(page, "Aus Galerie wählen", pictureFile("ich.png", red));
  const question = page.getByRole("alertdialog", { name: "Änderungen verwerfen und die Seite verlassen?" });
  await page.goBack();
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(page.getByRole("img", { name: "Vorschau des Fotos" })).toBeVisible();
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();

  await page.getByRole("button", { name: "Foto entfernen" }).click();
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await question.getByRole("button", { name: "Nein" }).click();
  await pick(page, "Aus Galerie wählen", pictureFile("ich.png", blue));
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("img", { name: "Foto", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("A file that is no picture is refused with the server's sentence", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectAnswer("SaveProfile", 415);
  await openAs(page, api, app, "myProfile");
  await pick(page, "Aus Galerie wählen", { name: "falsch.png", mimeType: "image/png", buffer: bitmap() });
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.")).toBeVisible();
});

test("A photo that the browser can't show has no preview, and is refused when it is saved", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectAnswer("SaveProfile", 415);
  await openAs(page, api, app, "myProfile");
  const broken = { name: "kaputt.png", mimeType: "image/png", buffer: Buffer.alloc(50_000, "x") };
  await pick(page, "Aus Galerie wählen", broken);
  await expect(page.getByText("Keine Vorschau")).toBeAttached();
  await expect(page.getByRole("img", { name: "Vorschau des Fotos" })).toHaveCount(0);
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.")).toBeVisible();
  await pick(page, "Aus Galerie wählen", pictureFile("ich.png", red));
  await expect(page.getByRole("img", { name: "Vorschau des Fotos" })).toBeVisible();
});

test("A server that doesn't answer is an error, and nothing is lost", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "myProfile");
  await field(page, "Vorname").fill("Anna");
  await app.stop();
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Speichern fehlgeschlagen.")).toBeVisible();
  // Elsewhere the line below the header may cross a button.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);
  await app.startAgain();
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  expect(JSON.parse(await api.call("GetDetailedUser")).firstname).toBe("Anna");
});
