// The change to a new version. The workers of Chromium are for the browser tests.
import { afterEach, expect, test, vi } from "vitest";
import { markHeader } from "./api/reachability";
import { isSending } from "./api/send";
import { followUpdates } from "./update";

vi.mock("./api/send", () => ({ isSending: vi.fn(() => false) }));

afterEach(() => {
  Reflect.deleteProperty(navigator, "serviceWorker");
  vi.restoreAllMocks();
  vi.mocked(isSending).mockReset().mockReturnValue(false);
  vi.useRealTimers();
});

/** Opens another screen while a worker is installed that `isActivated` when a page asks it to take over. */
async function moveToAnotherScreen({ isActivated }: { isActivated: boolean }) {
  vi.useFakeTimers();
  vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(null, { headers: { [markHeader]: "1" } }));
  const reload = vi.spyOn(window.location, "reload").mockReturnValue();
  const unregister = vi.fn(async () => true);
  const waiting = Object.assign(new EventTarget(), {
    postMessage() {
      if (!isActivated) return;
      registration.waiting = null;
      waiting.dispatchEvent(new Event("statechange"));
    },
  });
  const registration: Record<string, unknown> = { active: null, waiting, unregister };
  const value = Object.assign(new EventTarget(), { controller: {}, register: async () => registration });
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value });
  let show = (_: unknown) => {};
  const router = {
    state: { location: { pathname: "/flights" } },
    subscribe: (listener: typeof show) => {
      show = listener;
    },
  };
  followUpdates(router as never, "http://127.0.0.1/app/assets/index.js");
  await vi.advanceTimersByTimeAsync(0);
  const moveTo = async (pathname: string) => {
    show({ location: { pathname } });
    await vi.advanceTimersByTimeAsync(0);
  };
  await moveTo("/home");
  return { reload, unregister, moveTo };
}

test("The next screen is loaded by the new worker", async () => {
  const { reload, unregister } = await moveToAnotherScreen({ isActivated: true });
  expect(reload).toHaveBeenCalledOnce();
  expect(unregister).not.toHaveBeenCalled();
});

test("A new worker that the browser doesn't activate in time is removed, so that the server answers", async () => {
  const { reload, unregister } = await moveToAnotherScreen({ isActivated: false });
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(unregister).toHaveBeenCalledOnce();
  expect(reload).toHaveBeenCalledOnce();
});

test("While an update is being taken, another change of screen doesn't take it too", async () => {
  const { reload, unregister, moveTo } = await moveToAnotherScreen({ isActivated: false });
  unregister.mockRejectedValue(new Error("gone"));
  await moveTo("/flights");
  await vi.advanceTimersByTimeAsync(4_000);
  expect(unregister).toHaveBeenCalledOnce();
  expect(reload).toHaveBeenCalledOnce();
});

test("A write that began while the worker was activated is sent before the page is loaded anew", async () => {
  const { reload, moveTo } = await moveToAnotherScreen({ isActivated: false });
  vi.mocked(isSending).mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reload).not.toHaveBeenCalled();
  vi.mocked(isSending).mockReturnValue(false);
  await moveTo("/flights");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reload).toHaveBeenCalledOnce();
});
