// Android's Back, as Chromium passes it on: to the newest watcher, which may let it pass once.
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { setTouch } from "../test/openScreen";
import { Dialog } from "./Dialog";
import { Menu } from "./Menu";

let watchers: EventTarget[] = [];

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
    if (watcher.dispatchEvent(new Event("cancel", { cancelable: true })))
      watcher.dispatchEvent(new Event("close"));
  });
  return true;
}

beforeEach(() => {
  watchers = [];
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

test("A dialog that holds input stays at the first Back, and closes at the second one", async () => {
  setTouch();
  const onClose = vi.fn();
  render(
    <Dialog title="Eingabe" isOpen onClose={onClose} isBlocking>
      Text
    </Dialog>,
  );
  await screen.findByRole("dialog");
  expect(await goBack()).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
  await goBack();
  expect(onClose).toHaveBeenCalledTimes(1);
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
