import { afterEach, expect, test, vi } from "vitest";
import { replaceForbiddenStorage } from "./storage";

afterEach(() => vi.unstubAllGlobals());

test("Storage that the browser forbids is replaced by memory, and allowed storage stays", () => {
  const allowed = window.sessionStorage;
  const original = Object.getOwnPropertyDescriptor(window, "localStorage");
  Object.defineProperty(window, "localStorage", {
    configurable: true,
    get() {
      throw new DOMException("Access is denied.", "SecurityError");
    },
  });
  replaceForbiddenStorage();
  localStorage.setItem("key", "value");
  expect([localStorage.getItem("key"), localStorage.getItem("getItem")]).toEqual(["value", null]);
  expect(Object.keys(localStorage)).toEqual(["key"]);
  localStorage.removeItem("key");
  expect(localStorage.getItem("key")).toBeNull();
  expect(window.sessionStorage).toBe(allowed);
  if (original) Object.defineProperty(window, "localStorage", original);
});
