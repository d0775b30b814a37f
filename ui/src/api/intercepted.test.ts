import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { general } from "../texts";
import { ApiError, call, InterceptedAnswer, NetworkFailure } from "./client";
import { isReachable, reportReachability, untilReachable } from "./reachability";

type Foreign = { status: number; body: string | null; headers: Record<string, string> };

/** Answers by something between browser and server. */
const foreign: Record<string, Foreign> = {
  "a portal's page": {
    status: 200,
    body: "<html>Willkommen</html>",
    headers: { "Content-Type": "text/html" },
  },
  "an empty page": { status: 200, body: "", headers: {} },
  "JSON of another program": { status: 200, body: "{}", headers: { "Content-Type": "application/json" } },
  "no content": { status: 204, body: null, headers: {} },
  "a proxy's login": { status: 401, body: "Login", headers: { "WWW-Authenticate": "Basic" } },
  "a refusal": { status: 403, body: "Forbidden", headers: {} },
  "a missing page": { status: 404, body: "Not Found", headers: {} },
  "a conflict": { status: 409, body: "Conflict", headers: {} },
  "an error": { status: 500, body: "Internal Server Error", headers: {} },
  "a bad gateway": { status: 502, body: "Bad Gateway", headers: {} },
  "a captive network": { status: 511, body: "Login", headers: {} },
};

function answerWith({ status, body, headers }: Foreign): void {
  vi.stubGlobal("fetch", async () => new Response(body, { status, headers }));
}

const startFlight = () => call("CreateFlight", { config: { copter: "x", equipments: [], payloads: [] } });

beforeEach(() => reportReachability("reachable"));
afterEach(() => vi.unstubAllGlobals());

test.each(Object.keys(foreign))(
  "%s is no answer of Fluglog's, and its text is shown nowhere",
  async (name) => {
    answerWith(foreign[name] as Foreign);
    const error = await startFlight().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(InterceptedAnswer);
    // A write that can be queued is queued after every NetworkFailure.
    expect(error).toBeInstanceOf(NetworkFailure);
    expect(String(error)).not.toContain(foreign[name]?.body || "<html>");
    expect(isReachable()).toBe(false);
  },
);

test("The redirect to a login page on another server is no answer either", async () => {
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    expect(init.redirect).toBe("manual");
    return Object.assign(Response.error(), { type: "opaqueredirect" });
  });
  await expect(startFlight()).rejects.toBeInstanceOf(InterceptedAnswer);
});

test("When the browser finds a network, the server is asked at once", async () => {
  answerWith({ status: 200, body: "ok", headers: { "X-Fluglog": "" } });
  reportReachability("unreachable");
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(isReachable()).toBe(true));
});

test("A proxy's limit on the size of files is said in words of Fluglog's own", async () => {
  answerWith({ status: 413, body: "<html>nginx</html>", headers: {} });
  const error = await startFlight().catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).text).toBe(general.proxyLimit);
});

test("The server counts as found again when the health check has Fluglog's mark", async () => {
  answerWith(foreign["a portal's page"] as Foreign);
  await startFlight().catch(() => {});
  const found = untilReachable();
  answerWith({ status: 200, body: "ok", headers: { "X-Fluglog": "1" } });
  // The first poll met the portal, so that a later one finds the server.
  await expect(Promise.all([found, untilReachable()])).resolves.toBeDefined();
  expect(isReachable()).toBe(true);
});
