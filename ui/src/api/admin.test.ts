// The admin's page asks for the password again when the server does.
import { renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useAdminAction, useAdminState, useIsAdmin, useNumberTyped } from "./admin";
import { answers, callsOf, withFakeServer, wrapper } from "./fakeServer";

withFakeServer();

const state = (confirmedSeconds: number, operator = true, adminUi = true) => ({
  status: 200,
  body: { operator, adminUi, confirmedSeconds, proof: "mail", sendsMail: true },
});
const again = { status: 403, body: "Bitte Passwort erneut eingeben." };

test("an action that is refused for the password has the state asked for again", async () => {
  answers.GetAdminState = [state(900), state(0)];
  answers.LogOutAccount = [again];
  const { result } = renderHook(() => ({ state: useAdminState(), action: useAdminAction("LogOutAccount") }), {
    wrapper,
  });
  await waitFor(() => expect(result.current.state.data?.confirmedSeconds).toBe(900));
  await expect(result.current.action.mutateAsync({ email: "anna@example.org" })).rejects.toThrow(again.body);
  await waitFor(() => expect(result.current.state.data?.confirmedSeconds).toBe(0));
  expect(callsOf("LogOutAccount")).toHaveLength(1);
});

test.each([
  ["an operator", state(0), true],
  ["a pilot", state(0, false), false],
  ["an operator of a server without the page", state(0, true, false), false],
])("%s has a way to the page or none", async (_, answer, expected) => {
  answers.GetAdminState = [answer];
  const { result } = renderHook(() => ({ state: useAdminState(), isAdmin: useIsAdmin() }), { wrapper });
  await waitFor(() => expect(result.current.state.isSuccess).toBe(true));
  expect(result.current.isAdmin).toBe(expected);
});

test("the page opens once the number of the mail was typed", async () => {
  answers.GetAdminState = [state(0)];
  answers.CheckAdminNumber = [{ status: 503, body: "Bitte später." }, state(0), state(900)];
  const { result } = renderHook(() => ({ state: useAdminState(), typed: useNumberTyped("47") }), { wrapper });
  await waitFor(() => expect(result.current.state.data?.confirmedSeconds).toBe(0));
  await waitFor(() => expect(result.current.state.data?.confirmedSeconds).toBe(900), { timeout: 10_000 });
  expect(result.current.typed.data).toBe(true);
});

test("a number that can't be typed any more is asked for no longer", async () => {
  answers.GetAdminState = [state(0)];
  answers.CheckAdminNumber = [{ status: 410, body: "Diese Bestätigung ist abgelaufen." }];
  const { result } = renderHook(() => useNumberTyped("47"), { wrapper });
  await waitFor(() => expect(result.current.isError).toBe(true));
  expect(callsOf("CheckAdminNumber")).toHaveLength(1);
});
