// An invitation into a space: for a pilot who is logged in, for one who logs in first, and for somebody without account.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers } from "../../../api/fakeServer";
import type { Offer, Space } from "../../../api/spaces";
import { refused, toast } from "../../../test/openScreen";
import {
  expectAlert,
  fieldsOf,
  follow,
  heading,
  ok,
  open,
  pilot,
  press,
  type,
  withScreens,
} from "../../../test/pages";

withScreens();

const offer: Offer = {
  ...{ name: "FPV-Verein Elbe", kind: 2, role: 2, by: "Tina", members: 14, items: 9 },
  ...{ ends: "07.11.2026 12:00", space: null },
};
const joined: Space = {
  ...{ dpfId: "s1", name: offer.name, kind: 2, role: 2, contact: "", created: "01.03.2024 10:00" },
  ...{ members: 15, items: 9, nameShown: false },
};

test("A pilot reads what the club will see and what not, keeps the name back, and joins", async () => {
  answers.GetSpaceInvitation = [ok(offer)];
  answers.AcceptSpaceInvitation = [ok(joined)];
  answers.GetSpaces = [ok([joined])];
  const page = await open("invite#abc");
  await heading(offer.name);
  await page.expectPath("invite");
  await screen.findByText(/Tina lädt Sie als/);
  expect(screen.getByText("Mitglied")).toBeTruthy();
  expect(screen.getByText("Er sieht nicht")).toBeTruthy();
  expect(screen.getByText("Ihre Flüge, Orte und Flugwege")).toBeTruthy();
  screen.getByRole("switch", { name: "Mein Name darf beim Vereinsgerät stehen" }).click();
  await press("Beitreten");
  await page.expectPath("spaces/s1?teil=geraet");
  expect(fieldsOf("AcceptSpaceInvitation")).toEqual([{ token: "abc", nameShown: "false" }]);
});

test("A visitor comes back to the invitation after the login", async () => {
  answers.GetSpaceInvitation = [ok(offer)];
  const page = await open("invite#abc", null);
  await heading(offer.name);
  await follow("Anmelden und beitreten");
  await page.expectPath("login");
  expect(page.router.state.location.state).toEqual({ from: "/invite#abc" });
});

test("A new account is made from the invitation and joins", async () => {
  answers.GetSpaceInvitation = [ok(offer)];
  answers.RegisterByInvitation = [ok({ ...pilot, nickname: "Jonas" })];
  const page = await open("invite#abc", null);
  await heading(offer.name);
  await press("Ich habe noch kein Konto");
  await type("E-Mail", "jonas@example.org");
  await type("Nickname", "Jonas");
  await type("Passwort", "rotorblatt-17");
  await press("Konto anlegen");
  await page.expectPath("home");
  await toast("Willkommen! Was FPV-Verein Elbe hat, steht jetzt in Ihren Listen.");
  expect(fieldsOf("RegisterByInvitation")).toEqual([
    {
      ...{ token: "abc", email: "jonas@example.org", nickname: "Jonas", password: "rotorblatt-17" },
      ...{ nameShown: "true", rememberMe: "false" },
    },
  ]);
});

test.each([
  [pilot, "Zur Startseite"],
  [null, "Zur Anmeldung"],
])("An expired invitation says so, and leads whoever opens it on", async (user, way) => {
  answers.GetSpaceInvitation = [refused(410, "Diese Einladung ist abgelaufen.")];
  await open("invite#abc", user);
  await expectAlert("Diese Einladung ist abgelaufen.");
  expect(screen.getByRole("link", { name: way })).toBeTruthy();
});

test("Who is a member already is led to the space", async () => {
  answers.GetSpaceInvitation = [ok({ ...offer, space: "s1" })];
  await open("invite#abc");
  expect((await screen.findByRole("link", { name: "Zum Bereich" })).getAttribute("href")).toBe(
    "/app/spaces/s1",
  );
});
