// Watches everything that a browser complains about and that no user would report: console errors, uncaught exceptions,
// violations of the Content-Security-Policy, requests that fail, answer an error or leave the server. A test fails on each
// of them, unless it said beforehand that it provokes it. Knows nothing of the product's screens.

import type { BrowserContext, Request } from "@playwright/test";

export interface Faults {
  /** Says that this call will answer with this status; a test that announces it and never sees it fails too. */
  expectAnswer(call: string, status: number): void;
  /** Says that requests will not get through: the test cuts the network. */
  expectLostRequests(): void;
  /** Everything that nobody announced, and every announcement that didn't come true. */
  list(): string[];
}

export function watchFaults(context: BrowserContext, origins: string[]): Faults {
  const found: string[] = [];
  const announced = new Set<string>();
  const seen = new Set<string>();
  let lostRequestsExpected = false;

  context.on("weberror", (error) => found.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on("console", (message) => {
    // Violations of the Content-Security-Policy come here too. Lost requests and error answers are judged below.
    if (message.text().startsWith("Failed to load resource")) return;
    if (message.type() === "error" || message.type() === "warning") found.push(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && !origins.includes(origin)) found.push(`foreign request: ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "unknown";
    // A page that is left, and a query that is no longer wanted, abort their requests.
    if (reason === "net::ERR_ABORTED" || lostRequestsExpected) return;
    found.push(`request failed: ${request.url()} (${reason})`);
  });
  context.on("response", (response) => {
    if (response.status() < 400) return;
    const answer = `${callOf(response.request())} ${response.status()}`;
    seen.add(answer);
    if (!announced.has(answer) && !isVisitorsSessionCheck(answer)) found.push(`error answer: ${answer}`);
  });

  return {
    expectAnswer: (call, status) => void announced.add(`${call} ${status}`),
    expectLostRequests: () => {
      lostRequestsExpected = true;
    },
    list: () => {
      const missing = [...announced].filter((answer) => !seen.has(answer));
      return [...found, ...missing.map((answer) => `announced and never seen: ${answer}`)];
    },
  };
}

/** `SaveFlight` for a call, the path for anything else. */
function callOf(request: Request): string {
  return new URL(request.url()).pathname.replace("/app/api/", "");
}

/** Every visitor who is not logged in is told so once, which the browser counts as an error. */
function isVisitorsSessionCheck(answer: string): boolean {
  return answer === "CheckSession 401";
}
