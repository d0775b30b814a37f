// One-time links: an invitation, a link to set a password, and one to confirm another e-mail address.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, callsOf } from "../../api/fakeServer";
import type { Invitation } from "../../api/generated/Invitation";
import type { NewAddress } from "../../api/generated/NewAddress";
import type { PasswordReset } from "../../api/generated/PasswordReset";
import { refused } from "../../test/openScreen";
import {
  expectAlert,
  expectFieldError,
  field,
  fieldsOf,
  heading,
  ok,
  open,
  pilot,
  press,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const email = "anna@example.org";
const password = "rotorblatt-17";
const anna = { ...pilot, nickname: "Anna", token: "" };

test("An invitation suggests a nickname, makes an account and logs in", async () => {
  answers.GetInvitation = [ok({ nickname: "Anna" } satisfies Invitation)];
  answers.AcceptInvitation = [ok(anna)];
  const page = await open("invitation#0123abcd", null);
  await heading("Einladung zu Fluglog");
  await page.expectPath("invitation");
  expect((await field("Nickname")).value).toBe("Anna");
  await type("E-Mail", ` ${email} `);
  await type("Passwort", password);
  await press("Konto anlegen");
  await heading("Hallo, Anna");
  await page.expectPath("home");
  expect(fieldsOf("AcceptInvitation")).toEqual([
    { token: "0123abcd", email, nickname: "Anna", password, rememberMe: "false" },
  ]);
});

test("A used or expired invitation says so, and offers no form", async () => {
  const gone = "Diese Einladung ist abgelaufen oder wurde schon benutzt.";
  answers.GetInvitation = [refused(410, gone)];
  await open("invitation#0123abcd", null);
  await expectAlert(gone);
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("A link of the admin sets a password, typed twice alike, and logs in", async () => {
  answers.GetPasswordReset = [ok({ email, nickname: "Anna" } satisfies PasswordReset)];
  answers.ResetPassword = [ok(anna)];
  const page = await open("passwordReset#0123abcd", null);
  await heading("Passwort festlegen");
  await screen.findByText(email);
  await type("Neues Passwort", password);
  await type("Neues Passwort wiederholen", "rotorblatt-18");
  await press("Passwort speichern");
  await expectFieldError("Neues Passwort wiederholen", "Die Passwörten stimmen nicht überein!");
  expect(callsOf("ResetPassword")).toEqual([]);
  await type("Neues Passwort wiederholen", password);
  await press("Passwort speichern");
  await page.expectPath("home");
  expect(fieldsOf("ResetPassword")).toEqual([{ token: "0123abcd", password, repeatPassword: password }]);
});

test("A new e-mail address counts after a press of the button on the page of its link", async () => {
  answers.GetNewAddress = [ok({ email } satisfies NewAddress)];
  answers.ConfirmEmail = [ok()];
  await open("newAddress#0123abcd", null);
  await heading("E-Mail-Adresse bestätigen");
  await screen.findByText(email);
  expect(callsOf("ConfirmEmail")).toEqual([]);
  await press("Ja, bestätigen");
  await heading("Die neue E-Mail-Adresse gilt");
  expect(fieldsOf("ConfirmEmail")).toEqual([{ token: "0123abcd" }]);
});
