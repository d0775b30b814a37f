// The feedback: what is sent, and what becomes of the typed text when it isn't.
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { answers, callsOf } from "../../api/fakeServer";
import { toast } from "../../test/openScreen";
import {
  expectAlert,
  expectFieldError,
  expectNoDialog,
  field,
  fieldsOf,
  heading,
  notLoggedIn,
  ok,
  open,
  pilot,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";
import { version } from "../../version";

withScreens();

const praise = "Läuft gut.\nNur die Schrift ist klein.";
const thanks = "Feedback erfolgreich gesendet!";

test("Feedback is sent with rating, message and version, and thanked for 5 seconds", async () => {
  answers.SendFeedback = [ok()];
  await open("home");
  await press("Feedback");
  expect((await field("Nachricht")).getAttribute("rows")).toBe("10");
  const ratings = screen.getAllByRole<HTMLInputElement>("radio");
  expect(ratings.map(({ value }) => value)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  expect(ratings.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(["5"]);
  fireEvent.click(screen.getByRole("radio", { name: "9" }));
  await type("Nachricht", praise);
  const timer = vi.spyOn(globalThis, "setTimeout");
  await press("Senden");
  await toast(thanks);
  await expectNoDialog();
  expect(timer.mock.calls.map(([, delay]) => delay)).toContain(5_000);
  timer.mockRestore();
  expect(fieldsOf("SendFeedback")).toEqual([{ rate: "9", message: praise, version }]);
});

test("Without a message nothing is sent; the dialog closes by its buttons only and forgets what is cancelled", async () => {
  await open("home");
  await press("Feedback");
  await type("Nachricht", "  ");
  await press("Senden");
  await expectFieldError("Nachricht", "Bitte geben Sie eine Nachricht ein.");
  expect(callsOf("SendFeedback")).toEqual([]);
  await act(async () => void fireEvent.keyDown(await field("Nachricht"), { key: "Escape" }));
  await type("Nachricht", praise);
  await press("Abbrechen");
  await expectNoDialog();
  await press("Feedback");
  expect((await field("Nachricht")).value).toBe("");
});

test("Typed values survive a reload, and the end of the session", async () => {
  const page = await open("home");
  await press("Feedback");
  await type("Nachricht", praise);
  const again = await page.reload();
  await press("Feedback");
  expect((await field("Nachricht")).value).toBe(praise);

  answers.SendFeedback = [notLoggedIn, ok()];
  standing("CheckSession", notLoggedIn);
  await press("Senden");
  await again.expectPath("login");
  answers.Login = [{ status: 202, body: { ...pilot, token: "" } }];
  standing("CheckSession", ok({ ...pilot, remembered: false }));
  await type("E-Mail", "pilotin@example.org");
  await type("Passwort", "rotorblatt-17");
  await press("Login");
  await heading("Hallo, Pilotin");
  await press("Feedback");
  expect((await field("Nachricht")).value).toBe(praise);
  await press("Senden");
  await toast(thanks);
});

test("With the server gone the feedback stays where it is, and goes out once the server is back", async () => {
  answers.SendFeedback = ["lost", ok()];
  await open("home");
  await press("Feedback");
  await type("Nachricht", praise);
  await press("Senden");
  await expectAlert("Ein Fehler ist aufgetreten");
  await press("Senden");
  await toast(thanks);
  await waitFor(() => expect(callsOf("SendFeedback")).toHaveLength(2));
  const [first, second] = callsOf("SendFeedback").map((fields) => Object.fromEntries(fields));
  expect(second).toEqual(first);
});
