// Actions shared by many tests: logging in by the form, counting calls, holding a call back. Knows screens by their
// visible texts.

import { readFile } from "node:fs/promises";
import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { endPause } from "./pauses.ts";
import type { Server, User } from "./server.ts";

/** Fills in the login form and submits it. Doesn't wait for the outcome. */
export async function submitLogin(page: Page, { email, password }: Pick<User, "email" | "password">): Promise<void> {
  await page.getByLabel("E-Mail").fill(email);
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Answers the cookie dialog of the first visit. */
export async function acceptCookies(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Cookies" });
  await dialog.getByText("Technisch notwendige Cookies", { exact: true }).click();
  await dialog.getByRole("button", { name: "Akzeptieren" }).click();
  await expect(dialog).toHaveCount(0);
}

/** Turns on the browser's data saver, so that no screen is prefetched. */
export async function saveData(page: BrowserContext | Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "connection", { configurable: true, value: { saveData: true } }),
  );
}

/** Waits until an opened page has prefetched every screen. */
export async function prefetched(page: Page): Promise<void> {
  await endPause(page, "prefetch");
  // The last one to be prefetched.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/WaitingPage")),
  );
  await page.waitForLoadState("networkidle");
}

/** Records the names of the page's calls from now on, in their order. */
export function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const [, call] = new URL(request.url()).pathname.split("/app/api/");
    if (call !== undefined) calls.push(call);
  });
  return calls;
}

/** Holds requests of this call until `release`; then they go to the server unchanged. */
export async function holdCall(page: Page, call: string): Promise<{ release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/app/api/${call}`, async (route) => {
    await released;
    await route.continue();
  });
  return { release };
}

/**
 * Presses "Nochmal" of a part of the page and starts the server again. The page also tries by itself once the server is
 * back: the request is held until then, so that it is the pressed one.
 */
export async function tryAgain(page: Page, app: Server, call: string, part: Page | Locator = page): Promise<void> {
  const held = await holdCall(page, call);
  const asked = page.waitForRequest(`**/app/api/${call}`);
  await part.getByRole("button", { name: "Nochmal" }).click();
  await asked;
  await app.startAgain();
  held.release();
}

/** Headers of an answer that a test gives in the server's place. */
export const mark = { "X-Fluglog": "1" };

/**
 * Sends requests of this call to the server at once, but holds their answers until `release`, if that is ever called.
 */
export async function holdAnswer(page: Page, call: string): Promise<{ release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/app/api/${call}`, async (route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response }).catch(() => {});
  });
  return { release };
}

/** Runs in the page: counts the printed flights, in place of the system's dialog. */
export function countWhilePrinting(): void {
  window.print = () => {
    window.dispatchEvent(new Event("beforeprint"));
    const printed = document.querySelectorAll("table tbody tr:has(td)").length;
    window.dispatchEvent(new Event("afterprint"));
    document.documentElement.dataset["printed"] = String(printed);
  };
}

/** Returns the text field with exactly this label. */
export function field(page: Page, label: string): Locator {
  return page.getByRole("textbox", { name: label, exact: true });
}

/** Expects this error of a field. */
export async function expectFieldError(target: Locator, sentence: string): Promise<void> {
  await expect(target).toHaveAccessibleDescription(sentence);
  await expect(target).toHaveAttribute("aria-invalid", "true");
}

/** Returns the segments of a date field in their order: day, month, year, and with a time also hour and minute. */
export function dateParts(page: Page, label: string): Locator {
  return page.getByRole("group", { name: label, exact: true }).getByRole("spinbutton");
}

/** Types `010320260905` or the like into a date field and leaves it. */
export async function typeDate(page: Page, label: string, digits: string): Promise<void> {
  await dateParts(page, label).first().focus();
  await page.keyboard.type(digits);
  await page.keyboard.press("Tab");
}

/** Expects these numbers in the date field. Its text has invisible direction marks, so its values are compared. */
export async function expectDate(page: Page, label: string, ...numbers: number[]): Promise<void> {
  const parts = dateParts(page, label);
  await expect(parts).toHaveCount(numbers.length);
  for (const [position, number] of numbers.entries()) {
    await expect(parts.nth(position)).toHaveAttribute("aria-valuenow", String(number));
  }
}

/** Returns the newest toast with this text. */
export function toast(page: Page, text: string): Locator {
  return page.getByRole("alertdialog").filter({ hasText: text }).first();
}

/** Chooses an entry of a menu: the screen's own, unless the name of its button is given. */
export async function pickFromMenu(page: Page, entry: string, menu = "Mehr"): Promise<void> {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Chooses an entry of the menu in an item's row. */
export async function goFromRow(page: Page, entry: string, name: string): Promise<void> {
  await page.getByRole("button", { name: `Mehr zu ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Opens a group of a flight's form, unless it is open. */
export async function unfold(page: Page, group: string): Promise<void> {
  const line = page.locator("h2").getByRole("button", { name: new RegExp(`^${group}\\b`) });
  if ((await line.getAttribute("aria-expanded")) === "false") await line.click();
}

/** Chooses files by a button that opens the system's file dialog. */
export async function pick(
  page: Page,
  button: string,
  files: FilePayload | FilePayload[] | string | string[],
): Promise<void> {
  const asked = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button, exact: true }).click();
  await (await asked).setFiles(files);
}

export interface FilePayload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Drops these files of this machine onto an element, like from the desktop. */
export async function drop(page: Page, target: Locator, paths: string[]): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error("There is nothing to drop onto.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const browser = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    const copy = 1;
    await browser.send("Input.dispatchDragEvent", {
      type,
      x,
      y,
      data: { items: [], files: paths, dragOperationsMask: copy },
    });
  }
  await browser.detach();
}

/** Returns the name and content of the file that the browser saves after `act`. */
export async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; content: string }> {
  const coming = page.waitForEvent("download");
  await act();
  const download = await coming;
  const content = await readFile(await download.path(), "utf8");
  return { name: download.suggestedFilename(), content };
}

/** Expects that a blocking dialog stays open on Escape and on a click beside it. */
export async function expectBlocking(page: Page, dialog: Locator): Promise<void> {
  for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
}
