// HTTP client: one POST or GET per call, and its two kinds of failure. Independent of single calls, caching and
// screens.

import { recordServerTime } from "../lib/clock";
import { general } from "../texts";
import { callUrl } from "../urls";
import type { Calls } from "./generated/Calls";
import { takePrefetched } from "./prefetched";
import { markHeader, reportReachability } from "./reachability";

/** An error answer of the server. `text` is a German sentence for the user. */
export class ApiError extends Error {
  readonly status: number;
  readonly text: string;
  /** Wire name of the input field that the sentence is about. */
  readonly field: string | null;

  constructor(status: number, text: string, field: string | null) {
    super(text);
    this.name = "ApiError";
    this.status = status;
    this.text = text;
    this.field = field;
  }
}

/** No answer of Fluglog's: no network, no server, or too slow. Whether the server did the work is unknown. */
export class NetworkFailure extends Error {
  constructor(cause: unknown) {
    super("no answer", { cause });
    this.name = "NetworkFailure";
  }
}

/** An answer by something between browser and server: a captive portal, a proxy, or a proxy's login page. */
export class InterceptedAnswer extends NetworkFailure {}

/**
 * Reports who answered, and returns the error that an answer without Fluglog's mark means; null for Fluglog's own.
 * Nothing of a foreign answer but its status is used.
 */
export function foreignAnswer(status: number, mark: string | null): Error | null {
  if (mark !== null) {
    reportReachability("reachable");
    return null;
  }
  if (status === 413) return new ApiError(status, general.proxyLimit, null);
  reportReachability("intercepted");
  return new InterceptedAnswer(status);
}

export function isNotLoggedIn(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** A call's body: values by field name. */
export type Fields<Name extends keyof Calls> = Omit<Calls[Name]["fields"], "requestId">;
export type Answer<Name extends keyof Calls> = Calls[Name]["answer"];

/** The calls that are sent as a form, with files, or as a query. */
export type SentAs<Way extends Calls[keyof Calls]["sends"]> = {
  [Name in keyof Calls]: Calls[Name]["sends"] extends Way ? Name : never;
}[keyof Calls];

/**
 * Calls with a request id, which take effect once however often they are sent: by `write` or, with files, by `upload`.
 */
export type ChangingCall = {
  [Name in keyof Calls]: "requestId" extends keyof Calls[Name]["fields"] ? Name : never;
}[keyof Calls];

/** Calls by GET whose answer is JSON. */
const getCalls = ["GetAllEquipments", "GetSetupState"] as const satisfies SentAs<"query">[];
type GetCall = (typeof getCalls)[number];

/** Calls without a request id. In `CreateFlight` the flight's id, given by the client, has its role. */
export type Callable = Exclude<SentAs<"form">, ChangingCall> | GetCall | "CreateFlight";

type Arguments<Name extends keyof Calls> =
  object extends Fields<Name>
    ? [fields?: Fields<Name>, signal?: AbortSignal]
    : [fields: Fields<Name>, signal?: AbortSignal];

const answerTimeoutMs = 30_000;

/** Sends a call that changes nothing, or can be sent again. */
export function call<Name extends Callable>(
  name: Name,
  ...fieldsAndSignal: Arguments<Name>
): Promise<Answer<Name>>;
export function call<Name extends Callable>(name: Name, fields: Fields<Name>): Promise<Answer<Name>>;
export function call(name: string, fields?: object, signal?: AbortSignal): Promise<unknown> {
  return getCalls.some((one) => one === name) ? get(callUrl(name)) : post(name, fields ?? {}, { signal });
}

/** `signal` aborts the request, `timeoutMs` is the time after which no answer counts as a failure. */
type Limits = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined };

/** Sends the fields form-encoded, without those that are null or undefined. */
export function post<T>(name: string, fields: object, limits: Limits = {}): Promise<T> {
  const body = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    body.set(key, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return send<T>(callUrl(name), body.size > 0 ? { method: "POST", body } : { method: "POST" }, limits);
}

export function get<T>(url: string): Promise<T> {
  return send<T>(url, { method: "GET" });
}

let session = new AbortController();

/** Aborted when the session ends or changes: nothing waits for the answers any more. */
export function sessionSignal(): AbortSignal {
  return session.signal;
}

/** Aborts all running calls of the ended session. */
export function abortCalls(): void {
  session.abort();
  session = new AbortController();
}

async function send<T>(
  url: string,
  init: RequestInit,
  { signal: givenUp, timeoutMs = answerTimeoutMs }: Limits = {},
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const unwanted = AbortSignal.any([sessionSignal(), ...(givenUp ? [givenUp] : [])]);
  let response: Response;
  let text: string;
  let sentAt = Date.now();
  try {
    const prefetched = await takePrefetched(url, init)?.catch(() => undefined);
    if (prefetched) sentAt = performance.timeOrigin;
    const signal = AbortSignal.any([timeout, unwanted]);
    response = prefetched ?? (await fetch(url, { ...init, redirect: "manual", signal }));
    text = await response.text();
  } catch (cause) {
    if (unwanted.aborted) throw cause;
    reportReachability("unreachable");
    throw new NetworkFailure(cause);
  }
  const foreign = foreignAnswer(response.status, response.headers.get(markHeader));
  if (foreign !== null) throw foreign;
  recordServerTime(response.headers.get("Date"), sentAt);
  if (!response.ok) throw new ApiError(response.status, text, response.headers.get("X-Field"));
  return contentOf(text, response.headers.get("Content-Type")) as T;
}

/** The content of an answer. JSON that was cut is none. */
export function contentOf(text: string, type: string | null): unknown {
  if (!type?.startsWith("application/json")) return text === "" ? undefined : text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NetworkFailure(cause);
  }
}
