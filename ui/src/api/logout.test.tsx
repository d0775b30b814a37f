// The end of a session while other calls are under way: a logout stays a logout, and nothing more is asked.
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { queryOf } from "./answers";
import { cache, type Session, sessionKey } from "./cache";
import { type Answer, answers, calls, logIn, withFakeServer, wrapper } from "./fakeServer";
import { prefetchFlights } from "./flights";
import { useLogout } from "./session";

withFakeServer();

const notLoggedIn: Answer = { status: 401, body: "Sie sind nicht angemeldet." };
const ok: Answer = { status: 200, body: "" };

/** An answer that comes when it is asked for. */
function lateAnswer(): { answer: Promise<Answer>; arrive: (answer: Answer) => void } {
  let arrive = (_: Answer) => {};
  const answer = new Promise<Answer>((resolve) => {
    arrive = resolve;
  });
  return { answer, arrive };
}

test("a call that is refused before the logout is answered doesn't pass for a session that ended elsewhere", async () => {
  logIn();
  const left = cache.getQueryData<Session>(sessionKey) as Session;
  cache.setQueryData<Session>(sessionKey, { ...left, logoutUrl: "#beim-proxy" });
  const { answer, arrive } = lateAnswer();
  answers.Logout = [answer];
  answers.GetMaintenance = [notLoggedIn];
  const { result } = renderHook(() => useLogout(), { wrapper });
  const leaving = result.current.mutateAsync();
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain("Logout"));
  await expect(cache.fetchQuery(queryOf("GetMaintenance", {}))).rejects.toThrow();
  arrive(ok);
  await act(() => leaving);
  expect(cache.getQueryData<Session>(sessionKey)).toEqual({ user: null, leftOnPurpose: true });
  expect(location.hash).toBe("#beim-proxy");
});

test("what is asked ahead ends with the session", async () => {
  logIn();
  const { answer, arrive } = lateAnswer();
  answers.GetAllEquipments = [{ status: 200, body: {} }];
  answers.GetFlights = [{ status: 200, body: [] }, answer];
  answers.Logout = [ok];
  const asked = prefetchFlights();
  await waitFor(() =>
    expect(calls.map(({ name }) => name).filter((name) => name === "GetFlights")).toHaveLength(2),
  );
  const { result } = renderHook(() => useLogout(), { wrapper });
  await act(() => result.current.mutateAsync());
  arrive(notLoggedIn);
  await asked;
  expect(calls.at(-1)?.name).toBe("Logout");
});

test("what is asked ahead ends with the first answer that refuses a session that ended elsewhere", async () => {
  logIn();
  answers.GetAllEquipments = [{ status: 200, body: {} }];
  answers.GetFlights = [{ status: 200, body: [] }, notLoggedIn];
  await prefetchFlights();
  expect(cache.getQueryData<Session>(sessionKey)).toEqual({ user: null, leftOnPurpose: false });
  expect(calls.map(({ name }) => name)).toEqual(["GetAllEquipments", "GetFlights", "GetFlights"]);
});
