// A thumb on a phone: taps elements in sight, swipes until they are, types, and counts each. `pick` counts the system's
// picker. Knows no screens.

import { expect, type Locator, type Page } from "@playwright/test";

export interface Effort {
  taps: number;
  swipes: number;
  characters: number;
}

export interface Thumb {
  /** Taps the element, after as many swipes as bring it into sight. */
  tap(target: Locator): Promise<void>;
  /** Types into the focused field. */
  type(text: string): Promise<void>;
  /** Taps the element that opens the system's picker, and one file in it: two taps. */
  pick(opener: Locator, file: string): Promise<void>;
  /** Returns the effort since the thumb was created. */
  effort(): Effort;
}

/** Fraction of the window that one swipe moves. */
const swipe = 0.6;
const maxSwipes = 40;
const secondsOf = { tap: 0.7, character: 0.25 };

export function thumbOn(page: Page): Thumb {
  const effort: Effort = { taps: 0, swipes: 0, characters: 0 };
  async function tap(target: Locator): Promise<void> {
    await target.waitFor();
    while (!(await canBeTapped(target))) {
      expect(effort.swipes, `swipes on the way to ${target}`).toBeLessThan(maxSwipes);
      const isBelow = await target.evaluate((element) => element.getBoundingClientRect().top > 0);
      await page.evaluate((part) => window.scrollBy({ top: innerHeight * part }), isBelow ? swipe : -swipe);
      effort.swipes++;
    }
    effort.taps++;
    await target.tap();
  }
  return {
    tap,
    async type(text) {
      await page.keyboard.type(text);
      effort.characters += text.length;
    },
    async pick(opener, file) {
      const asked = page.waitForEvent("filechooser");
      await tap(opener);
      await (await asked).setFiles(file);
      effort.taps++;
    },
    effort: () => ({ ...effort }),
  };
}

/** Whether the middle of the element is in the window and nothing covers it. */
function canBeTapped(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
}

/** Returns the seconds that a practised thumb needs. */
export function secondsFor({ taps, swipes, characters }: Effort): number {
  return (taps + swipes) * secondsOf.tap + characters * secondsOf.character;
}
