// A login counts only when the browser keeps its cookie; if the check gets no answer, the login counts.
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { cache, type Session, sessionKey } from "./cache";
import { CookieNotKept, useLogin } from "./session";

const anna = { account: "1a2b3c4d5e6f7a8b", nickname: "Anna", photo: "", openFlight: null };
const fields = { email: "anna@example.org", password: "Propeller-17", rememberMe: false };

/** Accepts the login, and answers the session check with this; null: no answer. */
function server(session: { status: number; body: unknown } | null) {
  vi.stubGlobal("fetch", async (url: string) => {
    const answer = url.endsWith("/Login") ? { status: 202, body: { ...anna, token: "" } } : session;
    if (answer === null) throw new TypeError("no network");
    const headers = { "Content-Type": "application/json", "X-Fluglog": "1" };
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
  });
}

function logIn(): Promise<string | null> {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={cache}>{children}</QueryClientProvider>
  );
  return renderHook(() => useLogin(), { wrapper }).result.current.mutateAsync(fields);
}

const user = () => cache.getQueryData<Session>(sessionKey)?.user ?? null;

beforeEach(() => cache.clear());

test("a browser that sends the cookie back is logged in", async () => {
  server({ status: 200, body: anna });
  await logIn();
  expect(user()).toEqual(anna);
});

test("a browser that doesn't gets an error instead of a loop of logins", async () => {
  server({ status: 401, body: "Sie sind nicht angemeldet." });
  await expect(logIn()).rejects.toThrow(CookieNotKept);
  expect(user()).toBeNull();
});

test("a lost check is no reason to refuse the login", async () => {
  server(null);
  await logIn();
  expect(user()).toEqual(anna);
});
