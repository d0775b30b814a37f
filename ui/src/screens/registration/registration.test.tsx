// Registering: the rules of the two forms, and what each answer of the server shows.
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { cache, sessionKey } from "../../api/cache";
import { answers, callsOf } from "../../api/fakeServer";
import { refused } from "../../test/openScreen";
import {
  expectAlert,
  expectFieldError,
  field,
  follow,
  heading,
  notLoggedIn,
  ok,
  open,
  pilot,
  press,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const email = "neuling@example.org";
const accepted = ok();

async function register(address = email) {
  const page = await open("register", null);
  await type("E-Mail", address);
  await type("Nickname", "Neuling");
  await press("Registrieren");
  return page;
}

async function openCode() {
  answers.RegistrationAndVerification = [accepted];
  const page = await register();
  await field("Code");
  return page;
}

async function sendCode(code: string) {
  await type("Code", code);
  await press("Code prüfen");
}

test("Registration and login lead to each other", async () => {
  const page = await open("register", null);
  await follow("Zur Anmeldung");
  await page.expectPath("login");
  await follow("Registrieren");
  await page.expectPath("register");
});

test("E-mail and nickname are both needed, and nothing is sent without", async () => {
  await open("register", null);
  await press("Registrieren");
  await expectFieldError("E-Mail", "Bitte geben Sie Ihre E-Mail-Adresse ein.");
  await expectFieldError("Nickname", "Bitte geben Sie einen Nickname ein.");
  await type("E-Mail", email);
  await press("Registrieren");
  await expectFieldError("Nickname", "Bitte geben Sie einen Nickname ein.");
  expect(document.activeElement).toBe(await field("Nickname"));
  expect(callsOf("RegistrationAndVerification")).toEqual([]);
});

test("Spaces around what was typed aren't sent, and the code's screen names the address", async () => {
  answers.RegistrationAndVerification = [accepted];
  const page = await register(` ${email} `);
  await page.expectPath("register/verify");
  expect(callsOf("RegistrationAndVerification").map((fields) => [...fields])).toEqual([
    [
      ["email", email],
      ["nickname", "Neuling"],
    ],
  ]);
  await screen.findByText(email);
});

test("An address that is none is refused beside its field, as the server says it", async () => {
  const sentence = "Bitte geben Sie eine gültige E-Mail-Adresse ein.";
  answers.RegistrationAndVerification = [refused(400, sentence, "email")];
  await register("neuling");
  await expectFieldError("E-Mail", sentence);
  expect(document.activeElement).toBe(await field("E-Mail"));
});

test.each([
  ["An address that is registered already", 409, "Diese E-Mail-Adresse ist bereits registriert."],
  [
    "A registration on a closed server",
    403,
    "Die Registrierung ist auf diesem Server geschlossen. Bitte wenden Sie sich an den Betreiber.",
  ],
])("%s is refused in the server's words, and what was typed stays", async (_, status, sentence) => {
  answers.RegistrationAndVerification = [refused(status, sentence)];
  const page = await register();
  await expectAlert(sentence);
  await page.expectPath("register");
  expect((await field("E-Mail")).value).toBe(email);
  expect((await field("Nickname")).value).toBe("Neuling");
});

test("With the server gone the registration says so, and works once it is back", async () => {
  answers.RegistrationAndVerification = ["lost", accepted];
  const page = await register();
  await expectAlert(
    "Registrierung ist fehlgeschlagen. Bitte laden Sie die Seite neu und versuchen Sie es erneut.",
  );
  await press("Registrieren");
  await page.expectPath("register/verify");
});

test("Back from the code, by the browser or by the link, restores the typed values", async () => {
  const page = await openCode();
  await page.router.navigate(-1);
  await page.expectPath("register");
  expect((await field("E-Mail")).value).toBe(email);
  expect((await field("Nickname")).value).toBe("Neuling");
  await page.router.navigate(1);
  await follow("Noch einmal registrieren");
  expect((await field("E-Mail")).value).toBe(email);
  expect((await field("Nickname")).value).toBe("Neuling");
});

test("No code and a wrong code are refused beside the field; a dead one says to register again", async () => {
  await openCode();
  await press("Code prüfen");
  await expectFieldError("Code", "Bitte geben Sie den Code ein.");
  expect(callsOf("Verification")).toEqual([]);
  answers.Verification = [
    refused(400, "Der Code ist falsch.", "code"),
    refused(410, "Der Code ist abgelaufen. Bitte registrieren Sie sich erneut."),
  ];
  await sendCode("000000");
  await expectFieldError("Code", "Der Code ist falsch.");
  await sendCode("111111");
  await expectAlert("Der Code ist abgelaufen. Bitte registrieren Sie sich erneut.");
});

test("In a browser that didn't register, the code's screen says what the server says to the code", async () => {
  answers.Verification = [refused(410, "Der Code ist abgelaufen. Bitte registrieren Sie sich erneut.")];
  await open("register/verify", null);
  await sendCode("123456");
  await expectAlert("Der Code ist abgelaufen. Bitte registrieren Sie sich erneut.");
});

test("An address that somebody else has registered meanwhile is refused in the server's words", async () => {
  answers.Verification = [refused(409, "Diese E-Mail-Adresse ist bereits registriert.")];
  await openCode();
  await sendCode("123456");
  await expectAlert("Diese E-Mail-Adresse ist bereits registriert.");
});

test("With the server gone the code can't be checked, and is once the server is back", async () => {
  answers.Verification = ["lost", ok({ ...pilot, nickname: "Neuling", token: "" })];
  answers.CheckSession = [notLoggedIn];
  const page = await openCode();
  await sendCode(" 123456 ");
  await expectAlert("Verifizierung ist fehlgeschlagen! Bitte geben Sie den Code erneut ein.");
  answers.CheckSession = [ok({ ...pilot, nickname: "Neuling", remembered: false })];
  await press("Code prüfen");
  await page.expectPath("home");
  await heading("Hallo, Neuling");
  expect(callsOf("Verification").map((fields) => fields.get("code"))).toEqual(["123456", "123456"]);
  expect(callsOf("Verification").map((fields) => fields.get("rememberMe"))).toEqual(["false", "false"]);
});

test("Who registers may stay logged in, which the app needs to open without network", async () => {
  answers.Verification = [ok({ ...pilot, nickname: "Neuling" })];
  const page = await openCode();
  fireEvent.click(await screen.findByRole("checkbox", { name: "Angemeldet bleiben" }));
  await sendCode("123456");
  await page.expectPath("home");
  expect(callsOf("Verification").map((fields) => fields.get("rememberMe"))).toEqual(["true"]);
  expect(cache.getQueryData(sessionKey)).toMatchObject({ isRemembered: true });
});
