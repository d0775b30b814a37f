// The login: the form's rules, what each answer shows, and the browser that waits for a login by mail.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { answers, calls, callsOf } from "../../api/fakeServer";
import { refused } from "../../test/openScreen";
import {
  expectAlert,
  expectFieldError,
  field,
  heading,
  held,
  notLoggedIn,
  ok,
  open,
  pilot,
  press,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const email = "pilotin@example.org";
const password = "rotorblatt-17";
const loggedIn = { ...pilot, token: "" };
const needsConsent = "Bitte akzeptieren Sie die technisch notwendigen Cookies.";
const cookieNotKept = /Ihr Browser hat das Cookie nicht gespeichert/;
const expired = "Die Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.";

async function submit(typed: { email?: string; password?: string } = {}) {
  await type("E-Mail", typed.email ?? email);
  await type("Passwort", typed.password ?? password);
  await press("Login");
}

/** Answers the session checks: none before the login, then this. */
function sessionAfterLogin(session = ok({ ...pilot, remembered: false })) {
  answers.CheckSession = [notLoggedIn, session];
}

/** The calls that aren't about the state of the page. */
const sent = () =>
  calls.map(({ name }) => name).filter((name) => !["CheckSession", "GetSetupState"].includes(name));

test("The login names an e-mail that is none beside its field and sends nothing", async () => {
  await open("login", null);
  for (const wrong of ["", "pilotin", "pilotin@example", "pilotin @example.org"]) {
    await submit({ email: wrong, password: "" });
    await expectFieldError("E-Mail", "Bitte geben Sie eine gültige E-Mail-Adresse ein.");
    expect(document.activeElement, wrong).toBe(await field("E-Mail"));
  }
  expect(sent()).toEqual([]);
});

test("While the password is checked the login says so and can't be sent twice", async () => {
  const { answer, release } = held({ status: 202, body: loggedIn });
  answers.Login = [answer];
  const page = await open("login", null);
  await submit();
  await screen.findByText("Ihre Login-Daten werden überprüft.");
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Login" });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(button);
  const form = button.closest("form");
  if (form) fireEvent.submit(form);
  sessionAfterLogin(ok({ ...pilot, remembered: false }));
  answers.CheckSession?.shift();
  release();
  await page.expectPath("home");
  expect(callsOf("Login")).toHaveLength(1);
});

test("Spaces around the e-mail don't matter, and unless it was asked for nobody stays logged in", async () => {
  answers.Login = [{ status: 202, body: loggedIn }];
  sessionAfterLogin();
  const page = await open("login", null);
  await submit({ email: ` ${email} ` });
  await page.expectPath("home");
  expect(callsOf("Login").map((fields) => Object.fromEntries(fields))).toEqual([
    { email, password, rememberMe: "false" },
  ]);
});

test("A browser that keeps no cookies gets an error instead of the login again", async () => {
  answers.Login = [{ status: 202, body: loggedIn }];
  sessionAfterLogin(notLoggedIn);
  const page = await open("login", null);
  await submit();
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(cookieNotKept));
  await page.expectPath("login");
});

test("The password can be shown and hidden again", async () => {
  await open("login", null);
  await type("Passwort", password);
  const input = await field("Passwort");
  expect(input.type).toBe("password");
  await press("Passwort anzeigen");
  expect(input.type).toBe("text");
  await press("Passwort verbergen");
  expect(input.type).toBe("password");
});

test("A refused login says the one sentence for a wrong password and an unknown e-mail", async () => {
  answers.Login = [refused(401, "Irgendein Satz")];
  await open("login", null);
  await submit();
  await expectAlert("Login fehlgeschlagen");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Login" }).disabled).toBe(false);
});

test("After too many tries the login says in the server's words to wait", async () => {
  const wait = "Zu viele Versuche. Bitte warten Sie einige Minuten und versuchen Sie es erneut.";
  answers.Login = [refused(429, wait)];
  await open("login", null);
  await submit();
  await expectAlert(wait);
});

test("With the server gone the login says that an error occurred, keeps the typed values, and works once it is back", async () => {
  answers.Login = ["lost", { status: 202, body: loggedIn }];
  sessionAfterLogin();
  const page = await open("login", null);
  await submit();
  await expectAlert("Ein Fehler ist aufgetreten");
  expect((await field("E-Mail")).value).toBe(email);
  expect((await field("Passwort")).value).toBe(password);
  await press("Login");
  await page.expectPath("home");
});

describe("Without consent", () => {
  function forgetConsent() {
    // biome-ignore lint/suspicious/noDocumentCookie: consent.ts keeps the consent in this cookie
    document.cookie = "cookieConsent=; Path=/; Max-Age=0";
  }

  test("Without accepting the cookies there is no login, and after it there is", async () => {
    forgetConsent();
    answers.Login = [{ status: 202, body: loggedIn }];
    const page = await open("login", null);
    const dialog = await screen.findByRole("dialog", { name: "Cookies" });
    fireEvent.click(within(dialog).getByRole("button", { name: "Ablehnen" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    for (const typed of [password, ""]) {
      await submit({ password: typed });
      await expectAlert(needsConsent);
    }
    expect(sent()).toEqual([]);

    await press("Cookie-Hinweis öffnen");
    await press("Akzeptieren");
    const asked = await screen.findByRole("dialog", { name: "Cookies" });
    await waitFor(() => expect(within(asked).getByRole("alert").textContent).toBe(needsConsent));
    fireEvent.click(within(asked).getByRole("checkbox", { name: "Technisch notwendige Cookies" }));
    await press("Akzeptieren");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByRole("alert")).toBeNull();
    answers.CheckSession = [ok({ ...pilot, remembered: false })];
    await submit();
    await page.expectPath("home");
  });

  test("The cookies' dialog leads to the privacy policy in a tab of its own", async () => {
    forgetConsent();
    await open("login", null);
    const dialog = await screen.findByRole("dialog", { name: "Cookies" });
    const link = within(dialog).getByRole<HTMLAnchorElement>("link", { name: /^Datenschutz/ });
    expect(link.getAttribute("href")).toBe("/app/dataprivacy");
    expect(link.target).toBe("_blank");
  });

  test("A pilot who is logged in never sees the cookies' dialog, not even until the session is checked", async () => {
    forgetConsent();
    const { answer, release } = held(ok({ ...pilot, remembered: false }));
    answers.CheckSession = [answer];
    const page = await open("login");
    await field("E-Mail");
    expect(screen.queryByRole("dialog")).toBeNull();
    release();
    await page.expectPath("home");
    await heading("Hallo, Pilotin");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("A login by mail", () => {
  async function askToLogIn(address = email) {
    answers.Login = [ok({ number: "07" })];
    const page = await open("login", null);
    await submit({ email: address, password: "" });
    await screen.findByText("07");
    return page;
  }
  const waitsForever = () => held("lost").answer;

  test("The waiting screen shows the number and the address, whoever has it", async () => {
    answers.CheckLoginToken = [waitsForever()];
    await askToLogIn("niemand@example.org");
    await heading("Anmeldung bestätigen");
    expect(screen.getByText("niemand@example.org")).toBeTruthy();
    expect(screen.getByText(/muss innerhalb von 10 Minuten bestätigt werden/)).toBeTruthy();
    expect(callsOf("Login").map((fields) => Object.fromEntries(fields))).toEqual([
      { email: "niemand@example.org", rememberMe: "false" },
    ]);
  });

  test("The waiting goes on after a reload, with the same number and without another mail, until it is confirmed", async () => {
    answers.CheckLoginToken = [waitsForever()];
    const waiting = await askToLogIn();
    const { answer, release } = held({ status: 202, body: loggedIn });
    answers.CheckLoginToken = [answer];
    const page = await waiting.reload();
    await screen.findByText("07");
    expect(screen.getByText(email)).toBeTruthy();
    expect(callsOf("Login")).toHaveLength(1);
    answers.CheckSession = [ok({ ...pilot, remembered: false })];
    release();
    await page.expectPath("home");
  });

  test("While the server is gone the waiting goes on, and so it does once it is back", async () => {
    const { answer, release } = held("lost");
    const confirmed = held({ status: 202, body: loggedIn });
    answers.CheckLoginToken = [answer, confirmed.answer];
    const page = await askToLogIn();
    release();
    await screen.findByText("Nicht verbunden");
    expect(screen.getByText("07")).toBeTruthy();
    await waitFor(() => expect(callsOf("CheckLoginToken")).toHaveLength(2), { timeout: 10_000 });
    answers.CheckSession = [ok({ ...pilot, remembered: false })];
    confirmed.release();
    await page.expectPath("home");
  }, 15_000);

  test("The waiting screen leads back to the form, which has kept the e-mail and waits no more after a reload", async () => {
    answers.CheckLoginToken = [waitsForever()];
    const page = await askToLogIn();
    await press("Zurück zur Anmeldung");
    expect((await field("E-Mail")).value).toBe(email);
    calls.length = 0;
    answers.Login = [{ status: 202, body: loggedIn }];
    sessionAfterLogin();
    const again = await page.reload();
    await submit();
    await again.expectPath("home");
    expect(callsOf("CheckLoginToken")).toEqual([]);
  });

  test("A login that has ended says so, and the form after it has kept the e-mail", async () => {
    answers.CheckLoginToken = [refused(410, "")];
    await open("login", null);
    answers.Login = [ok({ number: "07" })];
    await submit({ password: "" });
    await expectAlert(expired);
    await press("Zurück zur Anmeldung");
    expect((await field("E-Mail")).value).toBe(email);
  });

  test.each([
    ["of its request", [refused(400, "Die Zahl fehlt.", "number")]],
    ["of the confirmed login", [{ status: 202, body: loggedIn }]],
  ])(
    "A browser that doesn't keep the cookie %s gets an error instead of waiting in vain",
    async (_, given) => {
      answers.CheckLoginToken = given;
      const page = await open("login", null);
      answers.Login = [ok({ number: "07" })];
      await submit({ password: "" });
      await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(cookieNotKept));
      await page.expectPath("login");
      await press("Zurück zur Anmeldung");
      expect((await field("E-Mail")).value).toBe(email);
    },
  );
});

test("What waits on this device for an account is named, and can be discarded", async () => {
  const key = "fluglog.waiting.00000000000000aa";
  localStorage.setItem(key, JSON.stringify({ nickname: "Anna", count: 2, madeAt: Date.now() }));
  const old = { nickname: "Berta", count: 1, madeAt: Date.now() - 31 * 24 * 3_600_000 };
  localStorage.setItem("fluglog.waiting.00000000000000bb", JSON.stringify(old));
  await open("login", null);
  await screen.findByText("2 Einträge von Anna warten auf diesem Gerät.");
  expect(screen.queryByText(/Berta/)).toBeNull();
  await press("Verwerfen");
  await press("Ja");
  await waitFor(() => expect(screen.queryByText(/Anna/)).toBeNull());
  expect(Object.keys(localStorage).filter((one) => one.startsWith("fluglog.waiting."))).toEqual([]);
});
