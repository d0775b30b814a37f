// The feedback dialog: rating, message, and both kept after a failure.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { expectFieldError, field, recordCalls, submitLogin, toast } from "../support/actions.ts";
import { fluglog } from "../support/server.ts";
import { expect, openAs, test } from "../support/test.ts";

const praise = "Läuft gut.\nNur die Schrift ist klein.";

test("Feedback is sent with rating, message and version, and thanked for 5 seconds", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, "home");
  await page.getByRole("banner").getByRole("button", { name: "Feedback" }).click();
  const dialog = page.getByRole("dialog", { name: "Feedback" });
  const ratings = dialog.getByRole("radio");
  await expect(ratings).toHaveCount(10);
  await expect(dialog.getByRole("radio", { name: "5", exact: true })).toBeChecked();
  await expect(field(page, "Nachricht")).toHaveAttribute("rows", "10");
  await expectAccessible(page);

  await dialog.getByText("9", { exact: true }).click();
  await field(page, "Nachricht").fill(praise);
  const shownMs = howLongToastIsShown(page);
  await dialog.getByRole("button", { name: "Senden" }).click();
  await expect(toast(page, "Feedback erfolgreich gesendet!")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.mouse.move(0, 0);
  expect(await shownMs).toBeGreaterThanOrEqual(4_900);
  expect(await shownMs).toBeLessThan(6_000);

  const [sent, ...more] = JSON.parse(await fluglog(["feedback", "list", "--json", "--data-dir", app.dataDir]));
  expect(more).toEqual([]);
  const version = (await fluglog(["--version"])).trim().replace("fluglog ", "");
  expect(sent).toMatchObject({ rate: 9, message: praise, version });
});

test("Feedback that was sent with the keyboard leaves the focus where it was", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  // The focus returns only at the end of the animation.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await openAs(page, api, app, "home");
  const button = page.getByRole("banner").getByRole("button", { name: "Feedback" });
  await button.focus();
  await page.keyboard.press("Enter");
  await field(page, "Nachricht").focus();
  await page.keyboard.type("Läuft gut.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("dialog", { name: "Feedback" })).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("The ratings are in two rows on a phone and in one on a desktop, and follow the arrow keys", async ({
  page,
  app,
  api,
  isMobile,
}) => {
  await openAs(page, api, app, "home");
  await page.getByRole("button", { name: "Feedback" }).click();
  const boxes = await Promise.all(
    ["1", "5", "6", "10"].map((rating) => page.getByRole("dialog").getByText(rating, { exact: true }).boundingBox()),
  );
  const [first, fifth, sixth, last] = boxes.map((box) => box?.y ?? -1);
  expect(fifth).toBe(first);
  expect(last).toBe(sixth);
  if (isMobile) expect(sixth).toBeGreaterThan(first ?? 0);
  else expect(sixth).toBe(first);

  await page.getByRole("radio", { name: "5", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "6", exact: true })).toBeChecked();
});

test("Without a message nothing is sent; the dialog closes by its buttons only and forgets what is cancelled", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  const dialog = page.getByRole("dialog", { name: "Feedback" });
  await page.getByRole("button", { name: "Feedback" }).click();
  const calls = recordCalls(page);
  await field(page, "Nachricht").fill("  ");
  await dialog.getByRole("button", { name: "Senden" }).click();
  await expectFieldError(field(page, "Nachricht"), "Bitte geben Sie eine Nachricht ein.");
  await expectAccessible(page);
  expect(calls).not.toContain("SendFeedback");

  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await field(page, "Nachricht").fill(praise);
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Feedback" }).click();
  await expect(field(page, "Nachricht")).toHaveValue("");
});

test("Typed values survive a reload, and the end of the session", { tag: "@phone" }, async ({
  page,
  app,
  api,
  pilot,
  faults,
}) => {
  faults.expectAnswer("SendFeedback", 401);
  await openAs(page, api, app, "flights");
  await page.getByRole("button", { name: "Feedback" }).click();
  await field(page, "Nachricht").fill(praise);
  await page.reload();
  await page.getByRole("button", { name: "Feedback" }).click();
  await expect(field(page, "Nachricht")).toHaveValue(praise);

  await api.call("Logout");
  await page.getByRole("button", { name: "Senden" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/flights$/);
  await page.getByRole("button", { name: "Feedback" }).click();
  await expect(field(page, "Nachricht")).toHaveValue(praise);
  await page.getByRole("button", { name: "Senden" }).click();
  await expect(toast(page, "Feedback erfolgreich gesendet!")).toBeVisible();
});

test("With the server gone the feedback stays where it is, and goes out once the server is back", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "home");
  await page.getByRole("button", { name: "Feedback" }).click();
  await field(page, "Nachricht").fill(praise);
  await app.stop();
  await page.getByRole("button", { name: "Senden" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Ein Fehler ist aufgetreten");
  await expectAccessible(page);
  await app.startAgain();
  await page.getByRole("button", { name: "Senden" }).click();
  await expect(toast(page, "Feedback erfolgreich gesendet!")).toBeVisible();
});

/** Measures in the page how long the toast is shown, so that a slow machine doesn't matter. */
function howLongToastIsShown(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let came: number | undefined;
        const observer = new MutationObserver(() => {
          const isThere = document.querySelector('[role="alertdialog"]') !== null;
          if (isThere) came ??= performance.now();
          else if (came !== undefined) {
            observer.disconnect();
            resolve(performance.now() - came);
          }
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
  );
}
