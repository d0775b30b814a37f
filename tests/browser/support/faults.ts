// Watches for everything that a browser complains about and that no user would report: console errors, uncaught
// exceptions, violations of the Content-Security-Policy, requests that fail, answer an error or go to other servers.
// Each of them fails the test, unless the test announced it. Knows no screens.

import type { BrowserContext, ConsoleMessage, Request } from "@playwright/test";

export interface Faults {
  /**
   * Announces that this call, or file, will answer with this status; a test that announces it without seeing it fails
   * too.
   */
  expectAnswer(call: string | RegExp, status: number): void;
  /** Announces that requests will fail: the test cuts the network. */
  expectLostRequests(): void;
  /** Announces a console error like this: the test makes the app itself fail. */
  expectComplaint(pattern: RegExp): void;
  /** Announces another address of the program. */
  allowOrigin(origin: string): void;
  /** Returns everything that wasn't announced, and every announcement that didn't come true. */
  list(): string[];
}

export function watchFaults(context: BrowserContext, origins: string[]): Faults {
  const allowed = [...origins];
  const found: string[] = [];
  const announcements: Announcement[] = [];
  let lostRequestsExpected = false;
  const refused: Request[] = [];
  const logouts: Request[] = [];

  function judge(kind: Announcement["kind"], text: string): void {
    const announced = announcements.filter((one) => one.kind === kind && one.matches(text));
    if (announced.length === 0) found.push(`${kind}: ${text}`);
    for (const announcement of announced) announcement.cameTrue = true;
  }

  context.on("weberror", (error) => found.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on("console", (message) => {
    // Violations of the Content-Security-Policy are console errors too. Lost requests and error answers are handled
    // below.
    if (message.text().startsWith("Failed to load resource")) return;
    if (isOfTrace(message) || message.text() === "Service Worker registration blocked by Playwright") return;
    if (message.type() === "error" || message.type() === "warning") judge("console", message.text());
  });
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && !allowed.includes(origin)) found.push(`foreign request: ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "unknown";
    // Leaving a page, and cancelling a query, abort their requests.
    if (reason === "net::ERR_ABORTED" || lostRequestsExpected) return;
    found.push(`request failed: ${request.url()} (${reason})`);
  });
  context.on("response", (response) => {
    const request = response.request();
    const answer = `${callOf(request)} ${response.status()}`;
    if (answer === "Logout 200") logouts.push(request);
    if (response.status() === 401) refused.push(request);
    else if (response.status() >= 400) judge("error answer", answer);
  });

  /** Whether the call was refused after a logout was asked for: the page knows of its end a moment later. */
  function isOvertaken(request: Request): boolean {
    return logouts.some((logout) => logout.timing().startTime <= answeredAt(request));
  }

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
      for (const request of refused.splice(0)) {
        const answer = `${callOf(request)} 401`;
        if (!isVisitorsSessionCheck(answer) && !isOvertaken(request)) judge("error answer", answer);
      }
      const missing = announcements.filter(({ cameTrue }) => !cameTrue);
      return [...found, ...missing.map(({ kind, text }) => `announced and never seen: ${kind} ${text}`)];
    },
  };
}

/** When the answer began, in ms since 1970. Playwright's events come in another order than the answers. */
function answeredAt(request: Request): number {
  const { startTime, responseStart } = request.timing();
  return startTime + responseStart;
}

interface Announcement {
  kind: "error answer" | "console";
  text: string;
  matches: (seen: string) => boolean;
  cameTrue: boolean;
}

/**
 * Whether the message is Playwright's own: its trace fetches the file of a preview that couldn't be decoded, which the
 * app's policy forbids. No script of the page does it, so none is named: a violation of the app's own names the file
 * and the line.
 */
function isOfTrace(message: ConsoleMessage): boolean {
  return message.text().startsWith("Connecting to 'blob:") && message.location().url === "";
}

/** Returns `SaveFlight` for a call, the path for anything else. */
function callOf(request: Request): string {
  return new URL(request.url()).pathname.replace("/app/api/", "");
}

/**
 * Whether the answer is the 401 that every visitor without a login gets once, and that the browser reports as an error.
 */
function isVisitorsSessionCheck(answer: string): boolean {
  return answer === "CheckSession 401";
}
