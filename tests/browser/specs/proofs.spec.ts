// Proofs: uploaded as a PDF or a photo, and shown in two taps, also without network.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, pick, pickFromMenu } from "../support/actions.ts";
import { clientWith } from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import { expectActivated, expectStored } from "../support/stored.ts";
import { expect, openAs, test } from "../support/test.ts";

const proofsLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^Nachweise/ });
const dialog = (page: Page) => page.getByRole("dialog");

/** A PDF of two pages, as the browser prints one. */
async function printed(page: Page): Promise<Buffer> {
  const paper = await page.context().newPage();
  await paper.setContent("<h1>Fernpilotenzeugnis</h1><p style='break-before: page'>Rückseite</p>");
  const pdf = await paper.pdf({ format: "A5" });
  await paper.close();
  return pdf;
}

async function beginProof(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.getByRole("button", { name: "Hochladen" }).click();
  await pick(page, "Datei auswählen", file);
  await field(page, "Beschreibung").fill("Zeugnis");
  await dialog(page)
    .getByRole("button", { name: /^Nachweis/ })
    .click();
  await dialog(page).getByLabel("Art", { exact: true }).selectOption({ label: "EU-Fernpilotenzeugnis A2" });
}

/** Waits until the picture is shown. */
async function expectPicture(page: Page, name: string): Promise<void> {
  const width = () =>
    dialog(page)
      .getByRole("img", { name })
      .evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(100);
}

test.describe("With the browser's worker", () => {
  test.use({ serviceWorkers: "allow", prefetches: true });

  test("A PDF is shown in two taps with the server stopped, and a logout leaves nothing of it", {
    tag: "@phone",
  }, async ({ page, app, pilot, faults }) => {
    faults.expectLostRequests();
    const api = clientWith(app.origin, "");
    await api.call("Login", { email: pilot.email, password: pilot.password, rememberMe: "true" });
    const pdf = await printed(page);
    await openAs(page, api, app, "myDocuments");
    await expectActivated(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Meine Dokumente");
    await expect(proofsLink(page)).toHaveCount(0);
    await beginProof(page, { name: "A2.pdf", mimeType: "application/pdf", buffer: pdf });
    await expect(dialog(page).getByText("seite-2.jpg")).toBeVisible();
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "Hochladen" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole("listitem").filter({ hasText: "A2.pdf" })).toContainText(/gültig bis \d\d\./);

    await expect(proofsLink(page)).toBeVisible();
    await page.goto(`${app.url}proofs`);
    await expect(page.getByRole("link", { name: "EU-Fernpilotenzeugnis A2" })).toBeVisible();
    const pictures = async () =>
      page.evaluate(async () =>
        (await caches.has("fluglog-proofs")) ? (await (await caches.open("fluglog-proofs")).keys()).length : 0,
      );
    await expect.poll(pictures).toBe(2);
    await expectStored(page, ["GetProofs"]);

    await app.stop();
    await page.goto(`${app.url}home`);
    await proofsLink(page).click();
    await page.getByRole("link", { name: "EU-Fernpilotenzeugnis A2" }).click();
    await expectPicture(page, "A2, Seite 1");
    await expect(dialog(page)).toContainText(/gültig bis \d\d\.\d\d\.\d{4}/);
    await expect(dialog(page)).toContainText(/Stand \d\d\.\d\d\.\d{4} \d\d:\d\d/);
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "Nächste Seite" }).click();
    await expectPicture(page, "A2, Seite 2");

    await app.startAgain();
    await page.goto(`${app.url}home`);
    await pickFromMenu(page, "Logout", "Konto");
    await expect(page).toHaveURL(/\/app\/login$/);
    await expect.poll(() => page.evaluate(() => caches.has("fluglog-proofs"))).toBe(false);
  });
});

test("Of a damaged PDF no picture can be made: the form asks for a photo, which is shown instead", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "myDocuments");
  const photo = await page.screenshot({ type: "jpeg" });
  await beginProof(page, { name: "A2.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 kaputt") });
  await expect(dialog(page).getByText("Bitte ein Foto oder Bildschirmfoto dazulegen.")).toBeVisible();
  await pick(page, "Aus Galerie wählen", { name: "foto.jpg", mimeType: "image/jpeg", buffer: photo });
  await dialog(page).getByRole("button", { name: "Hochladen" }).click();
  await expect(dialog(page)).toHaveCount(0);
  // At the top of a phone the message covers the link.
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await endPause(page, "toast");
  await proofsLink(page).click();
  await page.getByRole("link", { name: "EU-Fernpilotenzeugnis A2" }).click();
  await expectPicture(page, "A2, Seite 1");
});
