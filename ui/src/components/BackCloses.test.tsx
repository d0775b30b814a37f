// Android's Back, as Chromium passes it on: to the newest watcher, which may refuse it once after each input.
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { setTouch } from "../test/openScreen";
import { Dialog } from "./Dialog";
import { Menu } from "./Menu";

let watchers: EventTarget[] = [];
/** Whether there was input since Back was refused. */
let mayRefuse = true;

class FakeCloseWatcher extends EventTarget {
  constructor() {
    super();
    watchers.push(this);
  }
  destroy() {
    watchers = watchers.filter((one) => one !== this);
  }
}

/** Returns whether the page keeps the step. */
async function goBack(): Promise<boolean> {
  const watcher = watchers.at(-1);
  if (watcher === undefined) return false;
  await act(async () => {
    const isClosing = watcher.dispatchEvent(new Event("cancel", { cancelable: mayRefuse }));
    if (isClosing) watcher.dispatchEvent(new Event("close"));
    else mayRefuse = false;
  });
  return true;
}

beforeEach(() => {
  watchers = [];
  mayRefuse = true;
  vi.stubGlobal("CloseWatcher", FakeCloseWatcher);
  onTestFinished(() => void vi.unstubAllGlobals());
});
afterEach(cleanup);

test("On a phone Back closes an open dialog, and the next one leaves the page", async () => {
  setTouch();
  const onClose = vi.fn();
  const dialog = (isOpen: boolean) => (
    <Dialog title="Frage" isOpen={isOpen} onClose={onClose}>
      Text
    </Dialog>
  );
  const { rerender } = render(dialog(true));
  await screen.findByRole("dialog");
  expect(await goBack()).toBe(true);
  expect(onClose).toHaveBeenCalledTimes(1);
  rerender(dialog(false));
  await waitFor(() => expect(watchers).toEqual([]));
  expect(await goBack()).toBe(false);
});

/** Opens a dialog that holds input. */
async function openForm() {
  setTouch();
  const onClose = vi.fn();
  render(
    <Dialog title="Eingabe" isOpen onClose={onClose} isBlocking>
      Text
    </Dialog>,
  );
  await screen.findByRole("dialog");
  return onClose;
}

test("A dialog that holds input stays at the first Back, and closes at the second one", async () => {
  const onClose = await openForm();
  expect(await goBack()).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("After further input the dialog stays at the next Back again", async () => {
  const onClose = await openForm();
  await goBack();
  mayRefuse = true;
  await goBack();
  expect(onClose).not.toHaveBeenCalled();
});

test("On a phone Back closes an open menu", async () => {
  setTouch();
  render(<Menu entries={[{ id: "one", text: "Löschen", icon: "delete", onAction: () => {} }]} />);
  await act(async () => screen.getByRole("button").click());
  await screen.findByRole("menuitem");
  expect(await goBack()).toBe(true);
  await waitFor(() => expect(screen.queryByRole("menuitem")).toBeNull());
});

test("At a desk the library alone closes a dialog", async () => {
  render(
    <Dialog title="Frage" isOpen onClose={() => {}}>
      Text
    </Dialog>,
  );
  await screen.findByRole("dialog");
  expect(watchers).toEqual([]);
});
