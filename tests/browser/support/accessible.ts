// The accessibility check of one screen in both colour schemes, by axe.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// preload fetches style sheets by extra requests, which only some media queries would need.
const options: RunOptions = {
  preload: false,
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

// react-aria's last announcement stays here for seconds, and may name a button that is gone by then.
const scope = { exclude: ["[data-live-announcer]"] };

/** Fails if the page, including any open dialog, has a violation in light or dark. */
export async function expectAccessible(page: Page): Promise<void> {
  // After a reload the app has to start first.
  await page.locator("h1").first().waitFor({ state: "attached" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
    // Axe recognises a modal dialog by the elements that cover the page: a dialog that is just opening may not take
    // clicks yet.
    await page.waitForFunction(() => {
      const dialog = [...document.querySelectorAll("[data-dialog]")].at(-1);
      return !dialog || document.elementsFromPoint(innerWidth / 2, innerHeight / 2).includes(dialog);
    });
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
    const results = await page.evaluate(
      async ({ context, runOptions }) => {
        // Elements that stick to the edges of the window cover content below by chance; scrolling uncovers it.
        const sticky = "header, thead th, [data-action-bar], [data-bottom-navigation]";
        const bars = [...document.querySelectorAll<HTMLElement>(sticky)];
        for (const bar of bars) bar.style.position = "static";
        const { axe } = window as unknown as { axe: typeof import("axe-core") };
        const found = await axe.run(context, runOptions);
        for (const bar of bars) bar.style.position = "";
        return found;
      },
      { context: scope, runOptions: options },
    );
    expect(readable(results), `accessibility of ${page.url()} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

function readable({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  at ${target.join(" ")}\n  ${failureSummary ?? ""}`),
  );
}
