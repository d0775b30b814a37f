// Mounts the whole application at an address, as a browser has it, against the fake server. A file that uses it calls
// withFakeServer() first.
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { I18nProvider } from "react-aria-components";
import { createBrowserRouter, createMemoryRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, onTestFinished, vi } from "vitest";
import { cache } from "../api/cache";
import { type Answer, answers, callsOf, standingAnswers } from "../api/fakeServer";
import type { Calls } from "../api/generated/Calls";
import type { Equipment } from "../api/generated/Equipment";
import type { Flight } from "../api/generated/Flight";
import { Kind } from "../api/generated/Kind";
import type { SessionUser } from "../api/generated/SessionUser";
import { reportReachability } from "../api/reachability";
import { routes } from "../router";
import { basePath } from "../urls";
import { noReview, noStatistics, row } from "./objects";

// The first test of a file loads the code of its screen.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

type Body<Name extends keyof Calls> = Calls[Name]["answer"];

/** What the server knows, and what it answers to calls that it can't answer by that. */
export type ServerState = {
  /** Null: nobody is logged in. */
  user?: Partial<SessionUser> | null;
  items?: Equipment[];
  /** The newest first. */
  flights?: Flight[];
  /** Answers by call, or how each follows from the call's fields. */
  known?: {
    [Name in keyof Calls]?: Body<Name> | ((fields: Record<string, string>) => Body<Name> | Answer);
  };
};

const isAnswer = (answer: unknown): answer is Answer =>
  answer === "lost" || (typeof answer === "object" && answer !== null && "status" in answer);

const noAccess: Answer = { status: 403, body: "Darauf haben Sie keinen Zugriff." };

/** An answer with a body of the call's type. */
export function ok<Name extends keyof Calls>(_: Name, body: Body<Name>): Answer {
  return { status: 200, body };
}

export function refused(status: number, sentence: string, field?: string): Answer {
  return { status, body: sentence, ...(field !== undefined && { field }) };
}

/** Queues the answer to the next call of this name. */
export function answerNext<Name extends keyof Calls>(name: Name, body: Body<Name>): void {
  queue(name, ok(name, body));
}

/** Queues an error, or a lost answer, for the next call of this name. */
export function failNext(name: keyof Calls, failure: Answer): void {
  queue(name, failure);
}

/** The server is busy with the next call of this name until the returned function is called. */
export function holdNext<Name extends keyof Calls>(name: Name): (body: Body<Name> | Answer) => Promise<void> {
  let release: (answer: Answer) => void = () => {};
  queue(name, new Promise<Answer>((resolve) => (release = resolve)));
  return (body) => act(async () => release(isAnswer(body) ? body : ok(name, body)));
}

function queue(name: string, answer: Answer | Promise<Answer>): void {
  answers[name] = [...(answers[name] ?? []), answer];
}

/** The fields of each call of this name, with its objects as objects. */
export function sent(name: keyof Calls): Record<string, unknown>[] {
  return callsOf(name).map((fields) =>
    Object.fromEntries([...fields].map(([key, value]) => [key, parsed(value)])),
  );
}

function parsed(value: FormDataEntryValue): unknown {
  return typeof value === "string" && /^[{[]/.test(value) ? JSON.parse(value) : value;
}

type Standing = NonNullable<ServerState["known"]>;

function session(user: ServerState["user"]): Standing["CheckSession"] {
  const known = { account: "0123456789abcdef", nickname: "Anna", photo: "", openFlight: null };
  const answer: Answer =
    user === null
      ? { status: 401, body: "Bitte melden Sie sich an." }
      : ok("CheckSession", { ...known, ...user, remembered: false });
  return () => answer;
}

const isRetired = ({ deactivateTime }: Equipment) => deactivateTime !== "";

function calls(items: Equipment[], flights: Flight[]): Standing {
  const ofKind = (kind: Kind) => items.filter((one) => one.type === kind && !isRetired(one));
  const carries = ({ copter, equipments }: Flight, dpfId: string) =>
    [copter, ...equipments].some((one) => one.dpfId === dpfId);
  const list: Standing["GetEquipments"] = ({ type, deactivated }) =>
    items.filter((one) => String(one.type) === type && isRetired(one) === (deactivated === "true"));
  const one: Standing["GetEquipment"] = ({ dpfId }) => items.find((one) => one.dpfId === dpfId) ?? noAccess;
  const oneFlight: Standing["GetFlight"] = ({ dpfId }) =>
    flights.find((one) => one.dpfId === dpfId) ?? noAccess;
  // A single page.
  const flightList: Standing["GetFlights"] = ({ equipment, before, after }) =>
    before || after
      ? undefined
      : flights.filter((flight) => equipment === undefined || carries(flight, equipment)).map(row);
  return {
    GetAllEquipments: {
      copters: ofKind(Kind.Copter),
      batteries: ofKind(Kind.Battery),
      goggles: ofKind(Kind.Goggles),
      sender: ofKind(Kind.Transmitter),
      videoCams: ofKind(Kind.VideoCamera),
    },
    GetEquipments: list,
    GetEquipment: one,
    GetFlight: oneFlight,
    GetFlights: flightList,
  };
}

/** Sets what the server answers from now on. */
export function setServer({ user = {}, items = [], flights = [], known = {} }: ServerState): void {
  const answersOf: Standing = {
    CheckSession: session(user),
    ...calls(items, flights),
    GetServerProblems: [],
    GetFlightMonths: [],
    GetFlightLogs: { name: "", logs: [] },
    GetEquipmentLogs: { name: "", equipmentName: "", logs: [] },
    GetChargings: { equipmentName: "", chargings: [] },
    GetBatteryHints: [],
    GetReminders: [],
    GetMaintenance: [],
    GetPriorFlights: { flights: 0, minutes: 0, cycles: 0, until: "", note: "" },
    GetVoltageDoubts: [],
    GetImports: [],
    GetUserDocuments: [],
    GetLoginWays: { hasPassword: true },
    GetReminder: { on: false },
    GetReview: noReview,
    GetStatistics: noStatistics,
    ...known,
  };
  for (const [name, answer] of Object.entries(answersOf)) {
    standingAnswers[name] = (fields) => {
      const body: unknown = typeof answer === "function" ? answer(fields) : answer;
      return isAnswer(body) ? body : { status: 200, body };
    };
  }
}

// Happy DOM tells of a selection before it returns, and a date field answers by selecting: without an end.
Selection.prototype.collapse = () => {};

let unmount = () => {};

/** The open application. */
export type Opened = {
  router: ReturnType<typeof createMemoryRouter>;
  /** The address without the base path, with its query. */
  address: () => string;
  /** Loads the page anew at its address, as the browser does: only what is stored on the device stays. */
  reload: () => Promise<Opened>;
};

/** Opens the application at this path once its screen is shown. The window is as wide as a desktop's. */
export async function openScreen(path: string, state?: ServerState): Promise<Opened> {
  if (state) setServer(state);
  else if (Object.keys(standingAnswers).length === 0) setServer({});
  // Screens load their parts when they like; waiting for what is shown is enough.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  reportReachability("reachable");
  // The browser of the tests stores nothing, and doesn't say so.
  sessionStorage.setItem("fluglog.nothingKept", "");
  await closeToasts();
  const router = createMemoryRouter(routes as RouteObject[], {
    basename: basePath,
    initialEntries: [basePath + path],
  });
  const rendered = render(
    <I18nProvider locale="de-DE">
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>,
  );
  unmount = rendered.unmount;
  const address = () => {
    const { pathname, search } = router.state.location;
    return pathname.replace(basePath, "") + search;
  };
  await waitFor(() => {
    if (screen.queryByRole("heading", { level: 1 }) === null) throw new Error(`${path} shows no heading`);
  });
  const reload = () => {
    unmount();
    cache.clear();
    return openScreen(address());
  };
  return { router, address, reload };
}

/** Messages are outside of the page, and stay when it goes. */
async function closeToasts(): Promise<void> {
  const region = screen.queryByRole("region", { name: "Benachrichtigungen" });
  if (region === null) return;
  for (const close of within(region).queryAllByRole("button", { name: "Schließen" })) fireEvent.click(close);
  await waitFor(() => {
    if (region.isConnected) throw new Error("a message stays");
  });
}

type Name = string | RegExp;

/** The field with this label, also one that isn't shown yet. */
export const field = (label: Name) => screen.findByLabelText<HTMLInputElement>(label);
export const button = (name: Name) => screen.findByRole<HTMLButtonElement>("button", { name });

/** What a screen reader adds to the name of an element: its hint, or its error. */
export function description(element: Element): string {
  const ids = element.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
}

/** Waits for a short message with this text. */
export const toast = (text: string) =>
  waitFor(() => {
    const toasts = screen.queryAllByRole("alertdialog");
    const found = toasts.find(({ textContent }) => textContent?.includes(text));
    if (!found) throw new Error(`no message ${text}`);
    return found;
  });

/** Opens a group of a flight's form, unless it is open. */
export async function unfold(group: string): Promise<void> {
  const line = await waitFor(() => {
    const lines = screen.queryAllByRole("button", { name: new RegExp(`^${group}\\b`) });
    const found = lines.find((one) => one.closest("h2") !== null);
    if (!found) throw new Error(`no group ${group}`);
    return found;
  });
  if (line.getAttribute("aria-expanded") === "false") await user.press(line);
}

/** What a pilot does. Each waits until there is something to do it with. */
export const user = {
  /** Presses the button, link, tab or menu item of this name, or an element. */
  async press(what: Name | Element): Promise<void> {
    const element = what instanceof Element ? what : await pressable(what);
    await act(async () => void fireEvent.click(element));
  },
  /** Replaces the text of the field with this label, and leaves it. */
  async type(label: Name | Element, text: string): Promise<void> {
    const element = label instanceof Element ? label : await field(label);
    await act(async () => {
      if (element instanceof HTMLElement) element.focus();
      fireEvent.change(element, { target: { value: text } });
      fireEvent.blur(element);
    });
  },
  async choose(label: Name, option: string): Promise<void> {
    const select = await screen.findByLabelText<HTMLSelectElement>(label);
    const { value } = [...select.options].find(({ text }) => text === option) ?? { value: undefined };
    if (value === undefined) throw new Error(`no option ${option}`);
    await act(async () => void fireEvent.change(select, { target: { value } }));
  },
};

const pressedRoles = ["button", "link", "menuitem", "tab", "checkbox", "radio", "switch"];

function pressable(name: Name): Promise<Element> {
  return waitFor(() => {
    const found = pressedRoles.flatMap((role) => screen.queryAllByRole(role, { name }));
    const [element] = found;
    if (!element || found.length > 1) throw new Error(`${found.length} elements to press named ${name}`);
    return element;
  });
}

/** Makes the window as wide as a desktop's or as a phone's. */
export async function setWide(isWide: boolean): Promise<void> {
  const { happyDOM } = window as unknown as {
    happyDOM: { setViewport: (size: { width: number }) => void };
  };
  await act(async () => happyDOM.setViewport({ width: isWide ? 1280 : 390 }));
}

/** Opens a path such as `/flights` in the window's own address and history, which some screens read themselves. */
export async function openInWindow(path: string): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  reportReachability("reachable");
  cleanup();
  cache.clear();
  sessionStorage.setItem("fluglog.nothingKept", "");
  await closeToasts();
  window.history.pushState(null, "", basePath + path);
  render(
    <I18nProvider locale="de-DE">
      <QueryClientProvider client={cache}>
        <RouterProvider router={createBrowserRouter(routes, { basename: basePath })} />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

/** Makes the device one that is used by touch, until the test ends. */
export function setTouch(): void {
  const media = window.matchMedia.bind(window);
  const spy = vi.spyOn(window, "matchMedia").mockImplementation((query) => {
    const list = media(query);
    if (query.includes("coarse")) Object.defineProperty(list, "matches", { value: true });
    return list;
  });
  onTestFinished(() => spy.mockRestore());
}

/** The numbers of a date field: day, month, year, and with a time also hour and minute. */
export const dateOf = (label: string) =>
  within(screen.getByRole("group", { name: label }))
    .getAllByRole("spinbutton")
    .map((part) => Number(part.getAttribute("aria-valuenow")));

/** Waits until a field says this error. */
export const fieldError = (label: Name | Element, sentence: string | RegExp) =>
  waitFor(async () => {
    const input = label instanceof Element ? label : await field(label);
    expect(description(input)).toMatch(sentence);
    expect(input.getAttribute("aria-invalid")).toBe("true");
  });

/** Chooses an entry of the menu with this name: the screen's own, unless given. */
export async function pickFromMenu(entry: Name, menu: Name = "Mehr"): Promise<void> {
  await user.press(menu);
  await user.press(entry);
}
