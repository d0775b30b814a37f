// A waiting browser asks until its login is confirmed, and never after it is over: that would send another mail.
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { type PendingLogin, readPendingLogin, storePendingLogin } from "../lib/pendingLogin";
import { cache, type Session, sessionKey } from "./cache";
import { useWaitForConfirmation } from "./mailLogin";

const asked: string[] = [];
const user = { account: "1a2b3c4d5e6f7a8b", nickname: "Anna", photo: "", openFlight: null };
/** The user of the cookie that the browser sends. */
let session: typeof user | null = null;

/** The server's answers, in order; the last one is repeated. */
function answer(...answers: { status: number; body?: unknown }[]) {
  vi.stubGlobal("fetch", async (url: string) => {
    const name = url.split("/").at(-1) ?? "";
    asked.push(name);
    if (name === "CheckSession") {
      const headers = { "X-Fluglog": "1" };
      if (session) return Response.json(session, { headers });
      return new Response("Sie sind nicht angemeldet.", { status: 401, headers });
    }
    const { status, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500 };
    const headers = { "X-Fluglog": "1" };
    return body === undefined
      ? new Response(null, { status, headers })
      : Response.json(body, { status, headers });
  });
}

function wait(askedAt: number) {
  const waiting: PendingLogin = { email: "anna@example.org", rememberMe: false, number: "07", askedAt };
  storePendingLogin(waiting);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={cache}>{children}</QueryClientProvider>
  );
  return renderHook(() => useWaitForConfirmation(waiting), { wrapper }).result;
}

beforeEach(() => {
  asked.length = 0;
  session = null;
  cache.clear();
});

test("a waiting browser asks again after every 204 and is logged in by 202", async () => {
  session = user;
  answer({ status: 204 }, { status: 204 }, { status: 202, body: { ...user, token: "" } });
  wait(Date.now());
  await waitFor(() => expect(cache.getQueryData<Session>(sessionKey)?.user).toEqual(user));
  expect(asked.slice(0, 3)).toEqual(["CheckLoginToken", "CheckLoginToken", "CheckLoginToken"]);
  expect(readPendingLogin()).toBeNull();
});

test("after 410 a waiting browser asks once who is logged in, because another tab may have the answer", async () => {
  answer({ status: 410, body: "" });
  const result = wait(Date.now());
  await waitFor(() => expect(result.current.data).toBe("expired"));
  expect(asked).toEqual(["CheckLoginToken", "CheckSession"]);
  expect(readPendingLogin()).toBeNull();
});

test("a login that is ten minutes old isn't asked about", async () => {
  answer({ status: 204 });
  const result = wait(Date.now() - 600_000);
  await waitFor(() => expect(result.current.data).toBe("expired"));
  expect(asked).toEqual(["CheckSession"]);
});

test("a login whose cookie the browser doesn't keep is none", async () => {
  answer({ status: 202, body: { ...user, token: "" } });
  const result = wait(Date.now());
  await waitFor(() => expect(result.current.data).toBe("cookieNotKept"));
  expect(cache.getQueryData<Session>(sessionKey)?.user).toBeNull();
  expect(readPendingLogin()).toBeNull();
});
