// Starts Chromium, for tests, screenshots and measurements.

/**
 * A name that Chromium resolves to this machine but that isn't a secure context: like the server's name for a phone in
 * the LAN.
 */
export const lanHost = "fluglog.lan";

export const launchOptions = {
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--host-resolver-rules=MAP ${lanHost} 127.0.0.1`,
  ],
};

/** The browser of a pilot in Germany; animations are off so that no picture or check catches one half-way. */
export const germanBrowser = {
  locale: "de-DE",
  timezoneId: "Europe/Berlin",
  colorScheme: "light",
  contextOptions: { reducedMotion: "reduce" },
} as const;

export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const desktop = { viewport: { width: 1280, height: 800 } };
