// A waiting login survives a reload, but not the end of the server's request.
import { beforeEach, expect, test } from "vitest";
import { clearPendingLogin, isOver, readPendingLogin, storePendingLogin } from "./pendingLogin";

const askedAt = Date.UTC(2026, 2, 1, 9);
const tenMinutesMs = 600_000;
const waiting = { email: "anna@example.org", rememberMe: true, number: "07", askedAt };

beforeEach(() => sessionStorage.clear());

test("a stored login is read again, the number with its leading zero", () => {
  storePendingLogin(waiting);
  expect(readPendingLogin(askedAt + tenMinutesMs - 1)).toEqual(waiting);
});

test("after ten minutes the login is over and not read any more", () => {
  storePendingLogin(waiting);
  expect(isOver(waiting, askedAt + tenMinutesMs)).toBe(true);
  expect(readPendingLogin(askedAt + tenMinutesMs)).toBeNull();
});

test("a removed, missing or malformed login isn't read", () => {
  expect(readPendingLogin(askedAt)).toBeNull();
  storePendingLogin(waiting);
  clearPendingLogin();
  expect(readPendingLogin(askedAt)).toBeNull();
  sessionStorage.setItem("fluglog.waitingLogin", "{");
  expect(readPendingLogin(askedAt)).toBeNull();
});
