// The photo of the profile, as a browser decodes and shows it.

import { expectAccessible } from "../support/accessible.ts";
import { pick, toast } from "../support/actions.ts";
import { blue, pictureFile, red } from "../support/pictures.ts";
import { expect, openAs, test } from "../support/test.ts";

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
