// The feedback dialog: its layout, its keys, and its focus.

import { expectAccessible } from "../support/accessible.ts";
import { expectFieldError, field } from "../support/actions.ts";
import { expect, openAs, test } from "../support/test.ts";

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

test("The ratings are in two rows on a phone and in one on a desktop, follow the arrow keys, and can be read", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  await page.getByRole("button", { name: "Feedback" }).click();
  const dialog = page.getByRole("dialog", { name: "Feedback" });
  const tops = async () => {
    const boxes = await Promise.all(
      ["1", "5", "6", "10"].map((rating) => dialog.getByText(rating, { exact: true }).boundingBox()),
    );
    return boxes.map((box) => box?.y ?? Number.NaN);
  };
  const [first = 0, fifth, sixth, last] = await tops();
  expect(fifth).toBe(first);
  expect(last).toBe(sixth);
  expect(sixth).toBeGreaterThan(first);
  await dialog.getByRole("button", { name: "Senden" }).click();
  await expectFieldError(field(page, "Nachricht"), "Bitte geben Sie eine Nachricht ein.");
  await expectAccessible(page);

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(async () => new Set(await tops()).size).toBe(1);
  await page.getByRole("radio", { name: "5", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "6", exact: true })).toBeChecked();
});
