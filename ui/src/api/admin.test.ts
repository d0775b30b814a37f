// The admin's page asks for the password again when the server does.
import { renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useAdminState, useDeed, useIsAdmin } from "./admin";
import { answers, callsOf, withFakeServer, wrapper } from "./fakeServer";

withFakeServer();

const state = (confirmedSeconds: number, operator = true, adminUi = true) => ({
  status: 200,
  body: { operator, adminUi, confirmedSeconds },
});
const again = { status: 403, body: "Bitte Passwort erneut eingeben." };

test("a deed that is refused for the password has the state asked for again", async () => {
  answers.GetAdminState = [state(900), state(0)];
  answers.LogOutAccount = [again];
  const { result } = renderHook(() => ({ state: useAdminState(), deed: useDeed("LogOutAccount") }), {
    wrapper,
  });
  await waitFor(() => expect(result.current.state.data?.confirmedSeconds).toBe(900));
  await expect(result.current.deed.mutateAsync({ email: "anna@example.org" })).rejects.toThrow(again.body);
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
