// A fake server for unit tests: gives queued answers and records the requests.
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeEach, vi } from "vitest";
import { deleteQueue, queueState } from "../offline/queueState";
import { cache, type Session, sessionKey } from "./cache";
import { isReachable } from "./reachability";

/**
 * "lost": a network failure. `field`: the input field that an error is about; `isForeign`: something between browser
 * and server answers; `cut`: the share of the body that arrives.
 */
export type Answer =
  | "lost"
  | { status: number; body: unknown; field?: string; isForeign?: boolean; cut?: number };

/** Answers to the next calls by name, a promise while the server is busy; a call without one is lost. */
export const answers: Record<string, (Answer | Promise<Answer>)[]> = {};

/** Answers to all calls by name that have none in `answers`. */
export const standingAnswers: Record<string, (fields: Record<string, string>) => Answer> = {};

export const calls: { name: string; fields: Map<string, FormDataEntryValue>; files: string[] }[] = [];

export function callsOf(name: string): Map<string, FormDataEntryValue>[] {
  return calls.filter((call) => call.name === name).map(({ fields }) => fields);
}

/** The names of the files of each call of this name. */
export function filesOf(name: string): string[][] {
  return calls.filter((call) => call.name === name).map(({ files }) => files);
}

export const wrapper = ({ children }: { children: ReactNode }) =>
  createElement(QueryClientProvider, { client: cache }, children);

/** Has a pilot logged in, so that there is an outbox. */
export function logIn(account = "0123456789abcdef"): void {
  const user = { account, nickname: "Anna", photo: "", openFlight: null };
  cache.setQueryData<Session>(sessionKey, { user, leftOnPurpose: false });
}

/** A timer of an earlier test may ask for the server's health: that changes nothing. */
function unanswered(name: string): Answer {
  return name === "health" && isReachable() ? { status: 200, body: "ok" } : "lost";
}

/** Rejects when the page gives the request up. */
function givenUp({ signal }: RequestInit): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

async function take(url: string, body: unknown): Promise<Response | null> {
  const name = url.split("/").at(-1) ?? "";
  const fields = new Map(body instanceof FormData ? body : new URLSearchParams(body as URLSearchParams));
  const sent = body instanceof FormData ? [...body.values()] : [];
  calls.push({ name, fields, files: sent.flatMap((value) => (value instanceof File ? [value.name] : [])) });
  const standing = () => standingAnswers[name]?.(Object.fromEntries(fields) as Record<string, string>);
  const answer = (await answers[name]?.shift()) ?? standing() ?? unanswered(name);
  if (answer === "lost") return null;
  const isText = typeof (answer.body ?? "") === "string";
  const whole = isText ? String(answer.body ?? "") : JSON.stringify(answer.body);
  const text = whole.slice(0, Math.floor(whole.length * (answer.cut ?? 1)));
  const headers = new Headers({ "Content-Type": isText ? "text/plain" : "application/json" });
  if (!answer.isForeign) headers.set("X-Fluglog", "1");
  if (answer.field !== undefined) headers.set("X-Field", answer.field);
  return new Response(answer.status === 204 ? null : text, { status: answer.status, headers });
}

/** The part of XMLHttpRequest that transfer.ts uses. */
class FakeXMLHttpRequest {
  upload = {};
  status = 0;
  response = new Blob();
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  onloadend = () => {};
  #url = "";
  #isAborted = false;
  #headers = new Headers();

  open(_: string, url: string) {
    this.#url = url;
  }
  getResponseHeader(name: string) {
    return this.#headers.get(name);
  }
  abort() {
    this.#isAborted = true;
    this.onabort();
    this.onloadend();
  }
  async send(body: unknown) {
    const answer = await take(this.#url, body);
    if (this.#isAborted) return;
    if (answer === null) {
      this.onerror();
    } else {
      this.status = answer.status;
      this.#headers = answer.headers;
      this.response = await answer.blob();
      this.onload();
    }
    this.onloadend();
  }
}

/** Installs the fake server for all tests of a file. */
export function withFakeServer(): void {
  // Enables React's act().
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  beforeEach(() => {
    for (const name of Object.keys(answers)) delete answers[name];
    for (const name of Object.keys(standingAnswers)) delete standingAnswers[name];
    calls.length = 0;
    vi.stubGlobal("XMLHttpRequest", FakeXMLHttpRequest);
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const answer = await Promise.race([take(url, init.body), givenUp(init)]);
      if (answer === null) throw new TypeError("network");
      return answer;
    });
  });
  afterEach(() => {
    cleanup();
    // The browser of the tests stores nothing: the outbox lives until the logout.
    deleteQueue(queueState().account);
    cache.clear();
    localStorage.clear();
    sessionStorage.clear();
  });
}
