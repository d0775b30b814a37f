// Ways through the app that many tests take: logging in at the form, counting calls, holding a call back.
// Knows screens by what a pilot reads on them.

import type { Page } from "@playwright/test";
import type { User } from "./server.ts";

/** Fills in the login form and sends it. Doesn't wait for what comes of it. */
export async function submitLogin(page: Page, { email, password }: Pick<User, "email" | "password">): Promise<void> {
  await page.getByLabel("E-Mail").fill(email);
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
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
