// Watches everything that a browser complains about and that no user would report: console errors, uncaught exceptions,
// violations of the Content-Security-Policy, requests that fail, answer an error or leave the server. A test fails on each
// of them, unless it said beforehand that it provokes it. Knows nothing of the product's screens.

import type { BrowserContext, ConsoleMessage, Request } from "@playwright/test";

export interface Faults {
  /** Says that this call, or file, will answer with this status; a test that announces it and never sees it fails too. */
  expectAnswer(call: string | RegExp, status: number): void;
  /** Says that requests will not get through: the test cuts the network. */
  expectLostRequests(): void;
  /** Says that the console will show an error like this: the test makes the app itself fail. */
  expectComplaint(pattern: RegExp): void;
  /** Says that the program is reached at this address too. */
  allowOrigin(origin: string): void;
  /** Everything that nobody announced, and every announcement that didn't come true. */
  list(): string[];
}

export function watchFaults(context: BrowserContext, origins: string[]): Faults {
  const allowed = [...origins];
  const found: string[] = [];
  const announcements: Announcement[] = [];
  let lostRequestsExpected = false;

  function judge(kind: Announcement["kind"], text: string): void {
    const announced = announcements.filter((one) => one.kind === kind && one.matches(text));
    if (announced.length === 0) found.push(`${kind}: ${text}`);
    for (const announcement of announced) announcement.cameTrue = true;
  }

  context.on("weberror", (error) => found.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on("console", (message) => {
    // Violations of the Content-Security-Policy come here too. Lost requests and error answers are judged below.
    if (message.text().startsWith("Failed to load resource")) return;
    if (isOfTrace(message)) return;
    if (message.type() === "error" || message.type() === "warning") judge("console", message.text());
  });
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && !allowed.includes(origin)) found.push(`foreign request: ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "unknown";
    // A page that is left, and a query that is no longer wanted, abort their requests.
    if (reason === "net::ERR_ABORTED" || lostRequestsExpected) return;
    found.push(`request failed: ${request.url()} (${reason})`);
  });
  context.on("response", (response) => {
    const answer = `${callOf(response.request())} ${response.status()}`;
    if (response.status() >= 400 && !isVisitorsSessionCheck(answer)) judge("error answer", answer);
  });

  return {
    expectAnswer: (call, status) => {
      const matches = (answer: string) =>
        typeof call === "string" ? answer === `${call} ${status}` : call.test(answer) && answer.endsWith(` ${status}`);
      announcements.push({ kind: "error answer", text: `${call} ${status}`, matches, cameTrue: false });
    },
    expectComplaint: (pattern) => {
      const matches = (message: string) => pattern.test(message);
      announcements.push({ kind: "console", text: String(pattern), matches, cameTrue: false });
    },
    expectLostRequests: () => {
      lostRequestsExpected = true;
    },
    allowOrigin: (origin) => {
      allowed.push(origin);
    },
    list: () => {
      const missing = announcements.filter(({ cameTrue }) => !cameTrue);
      return [...found, ...missing.map(({ kind, text }) => `announced and never seen: ${kind} ${text}`)];
    },
  };
}

interface Announcement {
  kind: "error answer" | "console";
  text: string;
  matches: (seen: string) => boolean;
  cameTrue: boolean;
}

/**
 * Playwright's trace fetches the file of a preview that couldn't be decoded, to show it there, which the app's policy
 * forbids. No script of the page does it, so none is named: a violation of the app's own names the file and the line.
 */
function isOfTrace(message: ConsoleMessage): boolean {
  return message.text().startsWith("Connecting to 'blob:") && message.location().url === "";
}

/** `SaveFlight` for a call, the path for anything else. */
function callOf(request: Request): string {
  return new URL(request.url()).pathname.replace("/app/api/", "");
}

/** Every visitor who is not logged in is told so once, which the browser counts as an error. */
function isVisitorsSessionCheck(answer: string): boolean {
  return answer === "CheckSession 401";
}
