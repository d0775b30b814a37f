// Permissions: visitors are led to the login and back to where they wanted to go; pilots are led home.
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { cache } from "../../api/cache";
import { answers, callsOf } from "../../api/fakeServer";
import { refused } from "../../test/openScreen";
import {
  choose,
  field,
  follow,
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

withScreens();

const continues = "Nach der Anmeldung geht es dort weiter, wo Sie waren.";

async function logIn() {
  answers.Login = [{ status: 202, body: { ...pilot, token: "" } }];
  answers.CheckSession = [ok({ ...pilot, remembered: false })];
  await type("E-Mail", "pilotin@example.org");
  await type("Passwort", "rotorblatt-17");
  await press("Login");
}

test.each([
  "home",
  "flights",
  "flights/config",
  "flights/irgendein-flug",
  "flights/irgendein-flug/new",
  "equipments/4",
  "equipments/1/editor",
  "myProfile",
])("A visitor of %s is led to the login", async (path) => {
  const page = await open(path, null);
  await page.expectPath("login");
  expect(await field("E-Mail")).toBeTruthy();
});

test.each(["register", "register/verify", "loginConfirmation", "impressum", "dataPrivacy"])(
  "Anyone may open %s, without any question about the session",
  async (path) => {
    for (const name of ["impressum.txt", "dataprivacy.txt"] as const)
      standing(name, ok("Angaben des Betreibers"));
    const page = await open(path, null);
    await screen.findByRole("heading", { level: 1 });
    await page.expectPath(path);
    expect(callsOf("CheckSession")).toEqual([]);
  },
);

test("After the login a visitor gets to the page that was wanted, with everything in its address", async () => {
  const page = await open("equipments/1?ausgemustert=true", null);
  await screen.findByText(continues);
  await logIn();
  await page.expectPath("equipments/1?ausgemustert=true");
  await heading(/Ausgemusterte Batterien/);
});

test("The bare address leads a visitor to the login, without a word of going on, and a pilot home", async () => {
  const page = await open("", null);
  await page.expectPath("login");
  await field("E-Mail");
  expect(screen.queryByText(continues)).toBeNull();
  cleanup();
  cache.clear();
  await (await open("")).expectPath("home");
});

test.each(["login", "gibt-es-nicht", "flights/a/b/c", "equipments"])(
  "A pilot is led from %s home",
  async (path) => {
    await (await open(path)).expectPath("home");
    await heading("Hallo, Pilotin");
  },
);

test("A logout that doesn't reach the server says so, and the pilot stays logged in", async () => {
  answers.Logout = ["lost", ok()];
  const page = await open("home");
  await press("Konto");
  await choose("Logout");
  const dialog = await screen.findByRole("alertdialog");
  await within(dialog).findByText("Abmelden fehlgeschlagen. Bitte versuchen Sie es erneut.");
  await press("Schließen");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  await page.expectPath("home");
  standing("CheckSession", notLoggedIn);
  await press("Konto");
  await choose("Logout");
  await page.expectPath("login");
});

test("After a login that the proxy has made, a logout leads to the proxy's logout", async () => {
  const ofProxy = { ...pilot, logoutUrl: "#beim-proxy-abmelden" };
  await open("home", ofProxy);
  answers.Logout = [ok()];
  await press("Konto");
  await choose("Logout");
  await waitFor(() => expect(location.hash).toBe("#beim-proxy-abmelden"));
});

test("A session that ended elsewhere leads to the login at the next call, and after it back to the same page", async () => {
  const page = await open("home");
  await heading("Hallo, Pilotin");
  answers.GetEquipments = [notLoggedIn];
  await follow("Batterien");
  await page.expectPath("login");
  await logIn();
  await page.expectPath("equipments/1");
  await heading(/Batterien/);
});

test("A login in the middle of a series leads back to a flight that is still one of the series", async () => {
  const page = await open("home", null);
  await page.expectPath("login");
  const state = { isOfSeries: true };
  await page.router.navigate("/flights/f1/finish", { state });
  await page.expectPath("login");
  await logIn();
  await page.expectPath("flights/f1/finish");
  expect(page.router.state.location.state).toEqual(state);
});

test("A session check that is answered by anything else leads to the login too", async () => {
  standing("CheckSession", refused(500, "Ein Fehler ist aufgetreten."));
  await (await open("flights", null)).expectPath("login");
});
