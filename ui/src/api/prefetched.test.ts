import { expect, onTestFinished, test, vi } from "vitest";
import { takePrefetched } from "./prefetched";

const flights = { body: new URLSearchParams({ limit: "60" }) };

/** Plants what ask.js has asked for; the page is that old. */
function ask(ageMs = 1_000): Promise<Response> {
  const clock = vi.spyOn(performance, "now").mockReturnValue(ageMs);
  onTestFinished(() => clock.mockRestore());
  const answer = Promise.resolve(new Response("[]"));
  window.fluglogAsked = new Map([["/app/api/GetFlights?limit=60", answer]]);
  return answer;
}

test("an answer that was asked for ahead is taken once", () => {
  const answer = ask();
  expect(takePrefetched("/app/api/GetFlights", flights)).toBe(answer);
  expect(takePrefetched("/app/api/GetFlights", flights)).toBeUndefined();
});

test("another question leaves the answers that were asked for ahead", () => {
  const answer = ask();
  expect(takePrefetched("/app/api/GetServerProblems", {})).toBeUndefined();
  expect(takePrefetched("/app/api/GetFlights", flights)).toBe(answer);
});

test("after a write no answer that was asked for ahead is taken", () => {
  ask();
  takePrefetched("/app/api/SaveFlight", {});
  expect(takePrefetched("/app/api/GetFlights", flights)).toBeUndefined();
});

test("a page that is older than half a minute takes no answer that was asked for ahead", () => {
  ask(31_000);
  expect(takePrefetched("/app/api/GetFlights", flights)).toBeUndefined();
});
