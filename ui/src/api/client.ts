// How the browser talks to the server: one POST or GET per call, and the two ways in which it can fail.
// Knows nothing of any single call, of caching or of what a screen does with an error.
import { callUrl } from "../urls";
import { reportReachable } from "./reachability";

/** The server answered, and not with success. `text` is a German sentence that may be shown as it is. */
export class ApiError extends Error {
  readonly status: number;
  readonly text: string;
  /** The input field that the sentence is about, as the server names it. */
  readonly field: string | null;

  constructor(status: number, text: string, field: string | null) {
    super(text);
    this.name = "ApiError";
    this.status = status;
    this.text = text;
    this.field = field;
  }
}

/** No answer came: no network, no server, or too slow. Whether the server did the work is unknown. */
export class NetworkFailure extends Error {
  constructor(cause: unknown) {
    super("no answer", { cause });
    this.name = "NetworkFailure";
  }
}

export function isNotLoggedIn(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

export type Fields = Record<string, string | number | boolean | null | undefined>;

const answerTimeoutMs = 30_000;

/** A POST with form-encoded fields; fields that are null or undefined are left out. `signal` gives the answer up. */
export function call<T = undefined>(name: string, fields: Fields = {}, signal?: AbortSignal): Promise<T> {
  const body = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) body.set(key, String(value));
  }
  return send<T>(callUrl(name), body.size > 0 ? { method: "POST", body } : { method: "POST" }, signal);
}

/** What a form sends, and the id of the request that it is. */
export type Write<Sent> = { fields: Sent; requestId: string };

/**
 * A call that changes something. Sent again under the same id it isn't done again: the answer is what it is about, as it is
 * now, and empty when that is gone.
 */
export function write<T = undefined>(name: string, fields: Fields, requestId: string): Promise<T> {
  return call<T>(name, { ...fields, requestId });
}

export function get<T>(url: string): Promise<T> {
  return send<T>(url, { method: "GET" });
}

let session = new AbortController();

/** Aborted when the session ends that a call begins in, or another begins: its answer is nobody's any more. */
export function sessionSignal(): AbortSignal {
  return session.signal;
}

/** Gives up everything that is under way, for a user who is gone. */
export function giveUpCalls(): void {
  session.abort();
  session = new AbortController();
}

async function send<T>(url: string, init: RequestInit, givenUp?: AbortSignal): Promise<T> {
  const timeout = AbortSignal.timeout(answerTimeoutMs);
  const unwanted = AbortSignal.any([sessionSignal(), ...(givenUp ? [givenUp] : [])]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.any([timeout, unwanted]) });
    text = await response.text();
  } catch (cause) {
    if (unwanted.aborted) throw cause;
    reportReachable(false);
    throw new NetworkFailure(cause);
  }
  reportReachable(true);
  if (!response.ok) throw new ApiError(response.status, text, response.headers.get("X-Field"));
  if (text === "") return undefined as T;
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return (isJson ? JSON.parse(text) : text) as T;
}
