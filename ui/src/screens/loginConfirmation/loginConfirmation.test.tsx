// The page behind the link in a login mail: the number is typed there, or the request denied.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, calls, callsOf } from "../../api/fakeServer";
import type { LoginRequest } from "../../api/generated/LoginRequest";
import { refused } from "../../test/openScreen";
import {
  expectAlert,
  expectFieldError,
  heading,
  ok,
  open,
  pilot,
  press,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const gone = "Dieser Link ist abgelaufen oder wurde schon benutzt.";
const wrongNumber = "Die Zahl stimmt nicht mit der überein, die der wartende Browser zeigt.";
const numberField = "Zahl aus dem wartenden Browser";
const request: LoginRequest = {
  browser: "Chrome auf Android",
  from: "aus diesem Netz",
  time: "01.03.2026 09:05",
  admin: false,
};

function openLink(user: typeof pilot | null = null) {
  answers.GetLoginRequest = [ok(request)];
  return open("loginConfirmation#0123abcd", user);
}

async function confirm(number: string) {
  await type(numberField, number);
  await press("Anmeldung bestätigen");
}

test("The link's page says which browser asks, and confirms nothing by being opened", async () => {
  const page = await openLink();
  for (const fact of Object.values(request).filter((value) => typeof value === "string")) {
    await screen.findByText(fact);
  }
  await page.expectPath("loginConfirmation");
  expect(calls.map(({ name }) => name)).toEqual(["GetLoginRequest"]);
  expect(callsOf("GetLoginRequest")[0]?.get("token")).toBe("0123abcd");
});

test.each([
  ["a visitor", null],
  ["a pilot who is logged in", pilot],
])(
  "The number, without the spaces around it, confirms the login of another browser for %s",
  async (_, user) => {
    answers.ConfirmLogin = [ok()];
    await openLink(user);
    await confirm(" 07 ");
    await heading("Die Anmeldung ist bestätigt");
    expect(callsOf("ConfirmLogin").map((fields) => Object.fromEntries(fields))).toEqual([
      { token: "0123abcd", number: "07" },
    ]);
  },
);

test("Without a number or with a wrong one nothing is confirmed, and a request that was tried too often is gone", async () => {
  answers.ConfirmLogin = [refused(400, wrongNumber, "number"), refused(410, gone)];
  await openLink();
  await press("Anmeldung bestätigen");
  await expectFieldError(numberField, "Bitte geben Sie die Zahl ein, die der wartende Browser zeigt.");
  expect(callsOf("ConfirmLogin")).toEqual([]);
  await confirm("11");
  await expectFieldError(numberField, wrongNumber);
  await confirm("22");
  await expectAlert(gone);
  expect(screen.queryByLabelText(numberField)).toBeNull();
});

test("A user who denies the request ends the login", async () => {
  answers.DenyLogin = [ok()];
  await openLink();
  await press("Das war ich nicht");
  await heading("Niemand wurde angemeldet");
  expect(callsOf("DenyLogin")[0]?.get("token")).toBe("0123abcd");
});

test("A link without its end says so, and asks the server nothing", async () => {
  await open("loginConfirmation", null);
  await heading("Link unvollständig");
  await expectAlert("Dieser Link ist unvollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.");
  expect(callsOf("GetLoginRequest")).toEqual([]);
});

test("A link that was used, or never was, says so and leads to the login", async () => {
  answers.GetLoginRequest = [refused(410, gone)];
  const page = await open("loginConfirmation#0123abcd", null);
  await expectAlert(gone);
  await page.expectPath("loginConfirmation");
  expect(screen.getByRole("link", { name: "Zur Anmeldung" }).getAttribute("href")).toBe("/app/login");
});
