// Configuration of the browser tests: the system's Chromium as a phone and as a desktop, both German, and a few tests
// in an English browser, because the language affects date fields and built-in texts.

import { defineConfig } from "@playwright/test";
import { desktop, germanBrowser, launchOptions, phone } from "./support/chromium.ts";

const english = "english.spec.ts";

export default defineConfig({
  testDir: "specs",
  outputDir: "test-results",
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  // Only a failing test waits this long: a machine that is busy with something else doesn't fail one.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["./closing-line.ts"]],
  use: {
    ...germanBrowser,
    browserName: "chromium",
    launchOptions,
    actionTimeout: 30_000,
    screenshot: "only-on-failure",
    // Requests that a service worker answers can't be held or counted; shell.spec.ts tests the worker.
    serviceWorkers: "block",
  },
  projects: [
    // Tests that don't depend on the screen's size run once.
    { name: "phone", use: phone, grepInvert: /@desktop/, testIgnore: english },
    { name: "desktop", use: desktop, grepInvert: /@phone/, testIgnore: english },
    { name: "english", use: { ...desktop, locale: "en-US" }, testMatch: english },
  ],
});
