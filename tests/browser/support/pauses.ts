// Ends the app's pauses, such as the time until it asks for the server again, when a test has seen what it waits for.
// Playwright's clock would hide the page's performance entries. Knows no screens.

import type { BrowserContext, Page } from "@playwright/test";

interface PauseWindow extends Window {
  endPauses: (milliseconds: number) => void;
}

/** Until screens are prefetched, a part is sent again, the server is asked for again, and a message at the edge goes. */
const pauses = { prefetch: 2_000, part: 3_000, poll: 5_000, toast: 6_000 } as const;

/** Lets `endPause` end the pauses of pages that are opened from now on. */
export async function watchPauses(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { setTimeout: start, clearTimeout: stop } = window;
    const running = new Map<number, { length: number; end: () => void }>();
    const watched = (work: () => void, length?: number, ...values: []) => {
      const end = () => {
        running.delete(id);
        work(...values);
      };
      const id = start(end, length);
      running.set(id, { length: length ?? 0, end });
      return id;
    };
    const clearTimeout = (id?: number) => {
      running.delete(id ?? 0);
      stop(id);
    };
    const endPauses = (milliseconds: number) => {
      for (const [id, { length, end }] of [...running]) {
        if (length !== milliseconds) continue;
        stop(id);
        end();
      }
    };
    Object.assign(window, { setTimeout: watched, clearTimeout, endPauses });
  });
}

/** Ends the running pauses of this length. One that begins later takes its time. */
export async function endPause(page: Page, name: keyof typeof pauses): Promise<void> {
  await page.evaluate((length) => (window as unknown as PauseWindow).endPauses(length), pauses[name]);
}
