// Ways through the app that many tests take: logging in at the form, counting calls, holding a call back.
// Knows screens by what a pilot reads on them.

import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import type { User } from "./server.ts";

/** Fills in the login form and sends it. Doesn't wait for what comes of it. */
export async function submitLogin(page: Page, { email, password }: Pick<User, "email" | "password">): Promise<void> {
  await page.getByLabel("E-Mail").fill(email);
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Answers the question about cookies that the login asks at the first visit. */
export async function acceptCookies(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Cookies" });
  await dialog.getByText("Technisch notwendige Cookies", { exact: true }).click();
  await dialog.getByRole("button", { name: "Akzeptieren" }).click();
  await expect(dialog).toHaveCount(0);
}

/** Asks the browser to save data, as a phone's setting does: then no screen is loaded before it is opened. */
export async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
}

/** The calls that the page makes from now on, by name, in their order. */
export function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const [, call] = new URL(request.url()).pathname.split("/app/api/");
    if (call !== undefined) calls.push(call);
  });
  return calls;
}

/** Requests of this call wait until `release`; then they go to the server as they are. */
export async function holdCall(page: Page, call: string): Promise<{ release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/app/api/${call}`, async (route) => {
    await released;
    await route.continue();
  });
  return { release };
}

/** Requests of this call reach the server at once; its answers wait until `release`, or for ever if nobody waits for them. */
export async function holdAnswer(page: Page, call: string): Promise<{ release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/app/api/${call}`, async (route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response }).catch(() => {});
  });
  return { release };
}

/** The text field with exactly this label. */
export function field(page: Page, label: string): Locator {
  return page.getByRole("textbox", { name: label, exact: true });
}

/** What a field says is wrong with it; the test fails while it says nothing. */
export async function expectFieldError(target: Locator, sentence: string): Promise<void> {
  await expect(target).toHaveAccessibleDescription(sentence);
  await expect(target).toHaveAttribute("aria-invalid", "true");
}

/** The parts of a date field in their order: day, month, year, and with a time also hour and minute. */
export function dateParts(page: Page, label: string): Locator {
  return page.getByRole("group", { name: label, exact: true }).getByRole("spinbutton");
}

/** Types `010320260905` or the like into a date field and leaves it. */
export async function typeDate(page: Page, label: string, digits: string): Promise<void> {
  await dateParts(page, label).first().focus();
  await page.keyboard.type(digits);
  await page.keyboard.press("Tab");
}

/** The date field shows these numbers. Its text holds invisible direction marks, so its values are compared. */
export async function expectDate(page: Page, label: string, ...numbers: number[]): Promise<void> {
  const parts = dateParts(page, label);
  await expect(parts).toHaveCount(numbers.length);
  for (const [position, number] of numbers.entries()) {
    await expect(parts.nth(position)).toHaveAttribute("aria-valuenow", String(number));
  }
}

/** The newest short message of success at the window's edge that says this. */
export function toast(page: Page, text: string): Locator {
  return page.getByRole("alertdialog").filter({ hasText: text }).first();
}

/** Picks an entry of a screen's "Mehr" menu. */
export async function pickFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Mehr", exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Chooses files by a button that opens the system's dialog for it. */
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

/** Drops these files of this machine onto a place, as from the desktop. */
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

/** What the browser saves when `act` is done: its name and its content. */
export async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; content: string }> {
  const coming = page.waitForEvent("download");
  await act();
  const download = await coming;
  const content = await readFile(await download.path(), "utf8");
  return { name: download.suggestedFilename(), content };
}

/** A blocking dialog stays on Escape and on a click beside it. */
export async function expectBlocking(page: Page, dialog: Locator): Promise<void> {
  for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
}
