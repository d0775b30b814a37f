// The frame of every screen: its name in the browser's tab, the footer, and the legal pages that it leads to.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { flight, flightItem, item } from "../../test/objects";
import { setServer } from "../../test/openScreen";
import { choose, heading, ok, open, press, standing, withScreens } from "../../test/pages";
import { version } from "../../version";

withScreens();

const paragraphs = () =>
  [...screen.getByRole("main").querySelectorAll("p")].map(({ textContent }) => textContent);

test.each([
  ["home", "Startseite"],
  ["equipments/2", "In Betrieb Brillen"],
  ["equipments/2?ausgemustert=true", "Ausgemusterte Brillen"],
  ["equipments/3/editor", "Sender neu erfassen"],
  ["equipments/0/editor/c1", "Copter editieren"],
  ["flights", "Flüge"],
  ["flights/config", "Fluglog starten"],
  ["flights/f1", "Nazgul F5"],
  ["flights/f1/finish", "Flug-Editor"],
])("The screen of /%s names itself %s in the browser's tab", async (path, title) => {
  const name = "Nazgul F5";
  setServer({
    items: [item({ dpfId: "c1", name })],
    flights: [flight({ copter: flightItem({ dpfId: "c1", name }) })],
  });
  await open(path);
  await waitFor(() => expect(document.title).toBe(`${title} · Fluglog`));
});

test("On a desktop the menu of the other areas leads to the review", async () => {
  const page = await open("equipments/1");
  await press("Mehr Bereiche");
  await choose(/^Rückblick/);
  await page.expectPath("review");
  await heading("Rückblick");
});

test("The footer names the version, and leads to the start of the site on the login only", async () => {
  const footer = () => within(screen.getByRole("contentinfo"));
  const page = await open("home");
  expect(screen.getByRole("contentinfo").textContent).toContain(`Version ${version}`);
  expect(footer().queryByRole("link", { name: "Startseite" })).toBeNull();
  expect(within(screen.getByRole("banner")).getAllByRole("button")).not.toHaveLength(0);

  setServer({ user: null });
  await (await page.reload()).expectPath("login");
  expect(footer().getByRole("link", { name: "Startseite" }).getAttribute("href")).toBe("/");
  expect(within(screen.getByRole("banner")).queryByRole("button")).toBeNull();
});

test.each([
  ["Impressum", "impressum"],
  ["Datenschutz", "dataprivacy"],
] as const)("The footer leads to %s in a new tab, and anyone may read it", async (name, path) => {
  standing(`${path}.txt`, ok("Angaben des Betreibers"));
  const page = await open("login", null);
  const link = within(screen.getByRole("contentinfo")).getByRole<HTMLAnchorElement>("link", {
    name: `${name} (öffnet in neuem Tab)`,
  });
  expect(link.target).toBe("_blank");
  expect(link.getAttribute("href")).toBe(`/app/${path}`);
  await page.router.navigate(`/${path}`);
  await heading(name);
  await screen.findByText("Angaben des Betreibers");
  expect(document.title).toBe(`${name} · Fluglog`);
});

test("The legal pages show the operator's own texts as plain text, also under /dataPrivacy", async () => {
  const own = "# Unser Verein\n\nWir <b>speichern</b> wenig.\n\nUnd löschen viel.\n";
  standing("dataprivacy.txt", ok(own));
  await open("dataPrivacy", null);
  await heading("Datenschutz");
  await screen.findByRole("heading", { level: 2, name: "Unser Verein" });
  expect(paragraphs()).toEqual(["Wir <b>speichern</b> wenig.", "Und löschen viel."]);
});

test("A legal page that can't be loaded says so and tries again", async () => {
  standing("impressum.txt", "lost");
  await open("impressum", null);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Der Text konnte nicht geladen werden.");
  standing("impressum.txt", ok("Angaben des Betreibers"));
  await press("Nochmal");
  await screen.findByText("Angaben des Betreibers");
  expect(screen.queryByRole("alert")).toBeNull();
});
