// What the app has stored in the browser for when there is no network. An answer is on screen a moment before it is
// stored. Knows no screens.

import { expect, type Page } from "@playwright/test";

/** Returns the keys of the stored answers: a call and its fields, or `["session"]`. */
async function storedKeys(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === "fluglog.known")) return [];
    return new Promise<string[]>((resolve) => {
      const opening = indexedDB.open("fluglog.known");
      opening.onsuccess = () => {
        const asked = opening.result.transaction("answers").objectStore("answers").getAllKeys();
        asked.onsuccess = () => resolve(asked.result.map(String));
        opening.result.close();
      };
    });
  });
}

/** Waits until the worker has stored the app and answers for the page. */
export async function expectActivated(page: Page): Promise<void> {
  const isActivated = () => navigator.serviceWorker.controller?.state === "activated";
  // The worker loads every file of the app first, which takes a busy machine longer than an answer does.
  await page.waitForFunction(isActivated, null, { timeout: 90_000 });
}

/** Waits until the worker is activated, and the page has stored the session and an answer of each of these calls. */
export async function expectStored(page: Page, calls: string[]): Promise<void> {
  await expectActivated(page);
  const names = async () => (await storedKeys(page)).map((key) => JSON.parse(key)[0]);
  await expect.poll(names).toEqual(expect.arrayContaining(["session", ...calls]));
}
