// What a pilot does and sees on an open screen, in short: for tests of forms, their errors and their dialogs.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeEach, expect, vi } from "vitest";
import { type Answer, callsOf, standingAnswers, withFakeServer } from "../api/fakeServer";
import type { Calls } from "../api/generated/Calls";
import type { DetailedUser } from "../api/generated/DetailedUser";
import type { SessionUser } from "../api/generated/SessionUser";
import type { Statistics } from "../api/generated/Statistics";
import { basePath } from "../urls";
import { description, type Opened, openScreen, refused, setServer } from "./openScreen";

export const pilot: SessionUser = {
  account: "1a2b3c4d5e6f7a8b",
  nickname: "Pilotin",
  photo: "",
  openFlight: null,
};

export function detailedUser(fields: Partial<DetailedUser> = {}): DetailedUser {
  const names = { nickname: pilot.nickname, firstname: "", lastname: "" };
  return { email: "pilotin@example.org", photo: "", contact: "", ...names, ...fields };
}

/** The figures of a pilot without a flight, but for those given. */
export function statistics(fields: Partial<Statistics> = {}): Statistics {
  const none: Partial<Statistics> = { totalFlightCount: "0" };
  return { ...none, ...fields } as Statistics;
}

export function ok(body?: unknown): Answer {
  return { status: 200, body };
}

export const notLoggedIn = refused(401, "Bitte melden Sie sich an.");

/** An answer that comes with `release`. */
export function held(answer: Answer): { answer: Promise<Answer>; release: () => void } {
  let release = () => {};
  const promise = new Promise<Answer>((resolve) => {
    release = () => resolve(answer);
  });
  return { answer: promise, release: () => release() };
}

/** Sets the answer to all calls of this name, or requests of a file of this name. */
export function standing(name: keyof Calls | `${string}.txt`, answer: Answer): void {
  standingAnswers[name] = () => answer;
}

/** Installs the fake server with the answers for a visitor, and for a pilot who has nothing yet. */
export function withScreens(): void {
  withFakeServer();
  beforeEach(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: consent.ts keeps the consent in this cookie
    document.cookie = "cookieConsent=necessary; Path=/";
    setServer({
      user: null,
      known: {
        GetSetupState: { open: false },
        GetDetailedUser: detailedUser(),
        GetSessions: [],
        GetStorageUsage: { bytes: 50_000, quota: null },
        GetStatistics: statistics(),
      },
    });
    standing("GetAdminState", refused(403, "Darauf haben Sie keinen Zugriff."));
  });
  // A component that is loaded after the file's last test would miss the file's environment.
  afterAll(() =>
    vi.waitFor(() => expect(performance.getEntriesByName("fluglog-complete")).not.toHaveLength(0), 20_000),
  );
}

/** Opens a path such as "flights" as this pilot; null: as a visitor. */
export async function open(path: string, user: SessionUser | null = pilot): Promise<Page> {
  if (user !== null) standing("CheckSession", ok({ remembered: false, ...user }));
  return pageOf(await openScreen(`/${path}`));
}

type Page = Omit<Opened, "reload"> & {
  reload: () => Promise<Page>;
  /** Waits until the address is this path. */
  expectPath: (expected: string) => Promise<void>;
};

function pageOf(opened: Opened): Page {
  const reload = async () => pageOf(await opened.reload());
  const expectPath = (expected: string) =>
    waitFor(() => {
      const { pathname, search, hash } = opened.router.state.location;
      expect(`${pathname}${search}${hash}`).toBe(`${basePath}/${expected}`);
    });
  return { ...opened, reload, expectPath };
}

/** The fields of each call of this name. */
export function fieldsOf(name: keyof Calls): Record<string, FormDataEntryValue>[] {
  return callsOf(name).map((fields) => {
    const { requestId: _, ...others } = Object.fromEntries(fields);
    return others;
  });
}

/** The field with this label, once it is there. */
export function field(label: string): Promise<HTMLInputElement> {
  return screen.findByLabelText((text) => text === label || text === `${label}*`);
}

export async function type(label: string, text: string): Promise<void> {
  const input = await field(label);
  await act(async () => void fireEvent.change(input, { target: { value: text } }));
}

/** Presses the button with this name, in the dialog in front if there is one, once it is there. */
export function press(name: string | RegExp): Promise<void> {
  return click((front) => front.getByRole("button", { name }));
}

/** Chooses this entry of the open menu. */
export function choose(name: string | RegExp): Promise<void> {
  return click((front) => front.getByRole("menuitem", { name }));
}

export function follow(name: string | RegExp): Promise<void> {
  return click((front) => front.getByRole("link", { name }));
}

async function click(find: (front: ReturnType<typeof within>) => HTMLElement): Promise<void> {
  const found = await waitFor(() => {
    const dialogs = document.querySelectorAll<HTMLElement>(
      "dialog, section:is([role=dialog], [role=alertdialog])",
    );
    return find(within([...dialogs].at(-1) ?? document.body));
  });
  await act(async () => void fireEvent.click(found));
}

export function heading(name: string | RegExp): Promise<HTMLElement> {
  return screen.findByRole("heading", { level: 1, name });
}

/** Expects this error of a field, beside which it stands. */
export async function expectFieldError(label: string, sentence: string): Promise<void> {
  const input = await field(label);
  await waitFor(() => {
    expect(description(input)).toBe(sentence);
    expect(input.getAttribute("aria-invalid")).toBe("true");
  });
}

/** Expects the only error note to say this. */
export function expectAlert(sentence: string): Promise<void> {
  return waitFor(() => expect(screen.getByRole("alert").textContent).toBe(sentence));
}

export function expectNoDialog(): Promise<void> {
  return waitFor(() => expect(document.querySelector("dialog, [data-dialog]")).toBeNull());
}

/** Chooses these files where the button with this name opens the browser's file dialog. */
export async function pick(button: string, ...files: File[]): Promise<void> {
  const input = await waitFor(() => {
    const next = screen.getByRole("button", { name: button }).nextElementSibling;
    if (!(next instanceof HTMLInputElement)) throw new Error(`${button} opens no file dialog`);
    return next;
  });
  await act(async () => void fireEvent.change(input, { target: { files } }));
}

/** A file of this size, whatever it holds. */
export function fileOf(name: string, size: number, type = ""): File {
  const file = new File(["x"], name, { type });
  Object.defineProperty(file, "size", { value: size });
  return file;
}
