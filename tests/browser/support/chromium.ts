// How Chromium is started, for tests, screenshots and measurements alike. Knows nothing of the product.

/** A name that Chromium resolves to this machine, but that is no secure context: how a phone in the LAN sees the server. */
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

/** The browser of a pilot in Germany; animations are off so that a picture or a check never sees half of one. */
export const germanBrowser = {
  locale: "de-DE",
  timezoneId: "Europe/Berlin",
  colorScheme: "light",
  contextOptions: { reducedMotion: "reduce" },
} as const;

export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const desktop = { viewport: { width: 1280, height: 800 } };
