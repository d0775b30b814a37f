// The proofs as cards and in full screen, and the way to them in the header.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { callsOf } from "../../api/fakeServer";
import type { Proof } from "../../api/generated/Proof";
import { proof } from "../../test/objects";
import { user } from "../../test/openScreen";
import {
  expectNoDialog,
  follow,
  heading,
  notLoggedIn,
  ok,
  open,
  pilot,
  press,
  standing,
  withScreens,
} from "../../test/pages";

withScreens();

const insurance = proof({
  dpfId: "d2",
  kind: 4,
  kindName: "Haftpflicht",
  kindLongName: "Haftpflichtversicherung",
  number: "",
  until: "30.11.2026",
  light: "red",
  sentence: "Seit 3 Tagen abgelaufen.",
});
const a2 = proof({ pages: ["p1", "p2"] });

async function openProofs(...list: Proof[]) {
  standing("GetProofs", ok(list));
  return open("proofs", { ...pilot, hasProofs: true });
}

const header = () => within(screen.getByRole("banner"));
const cards = () =>
  screen.getAllByRole("listitem").flatMap((item) => (item.querySelector("h2") ? [item.textContent] : []));

test("A pilot without proofs sees nothing of them in the header, and nothing is asked", async () => {
  await open("home");
  await heading("Hallo, Pilotin");
  expect(header().queryByRole("link", { name: /^Nachweise/ })).toBeNull();
  expect(callsOf("GetProofs")).toEqual([]);
});

test("The header's card leads to the proofs without a request of its own, and then tells what is due", async () => {
  standing("GetProofs", notLoggedIn);
  const page = await open("home", { ...pilot, hasProofs: true });
  await header().findByRole("link", { name: "Nachweise" });
  expect(callsOf("GetProofs")).toEqual([]);
  standing("GetProofs", ok([insurance, a2]));
  await follow("Nachweise");
  await page.expectPath("proofs");
  await heading("Nachweise");
  await waitFor(() => expect(cards()).toHaveLength(2));
  await header().findByRole("link", { name: "Nachweise: einer läuft ab oder ist abgelaufen" });
});

test("Cards say kind, end and number in the server's order; replaced ones are folded", async () => {
  await openProofs(
    insurance,
    a2,
    proof({ dpfId: "d0", until: "14.03.2026", replacedBy: "d1", sentence: "Ersetzt." }),
  );
  await waitFor(() => expect(cards()[0]).toContain("Haftpflichtversicherunggültig bis 30.11.2026"));
  expect(cards()[1]).toContain("EU-Fernpilotenzeugnis A2gültig bis 14.03.2031");
  expect(cards()[1]).toContain("DE-RP-1");
  const replaced = screen.getByRole("button", { name: /^Ersetzte Nachweise/ });
  expect(replaced.getAttribute("aria-expanded")).toBe("false");
  expect(screen.getByRole("link", { name: "A2 verlängert" }).getAttribute("href")).toContain(
    "/myDocuments?verlaengert=d1",
  );
});

test("Shown in full screen, a swipe leads from page to page and to the next proof", async () => {
  const page = await openProofs(a2, insurance);
  await follow("EU-Fernpilotenzeugnis A2");
  const dialog = await screen.findByRole("dialog", { name: "EU-Fernpilotenzeugnis A2" });
  expect(dialog.textContent).toContain("gültig bis 14.03.2031");
  expect(dialog.textContent).toMatch(/Stand \d\d\.\d\d\.\d{4} \d\d:\d\d/);
  const picture = await screen.findByRole("img", { name: "A2, Seite 1" });
  expect(picture.getAttribute("src")).toBe("/app/api/GetProofPage?dpfId=d1&page=p1");
  const paper = picture.parentElement as HTMLElement;
  fireEvent.pointerDown(paper, { pointerId: 1, clientX: 300, clientY: 100 });
  fireEvent.pointerUp(paper, { pointerId: 1, clientX: 100, clientY: 110 });
  await screen.findByRole("img", { name: "A2, Seite 2" });
  await press("Nächste Seite");
  await screen.findByRole("dialog", { name: "Haftpflichtversicherung" });
  await screen.findByText("Zu diesem Nachweis gibt es kein Bild.");
  await page.expectPath("proofs/d2");
  // The first one follows the last: a button that ended would lose the focus of the keyboard.
  await press("Nächste Seite");
  await screen.findByRole("img", { name: "A2, Seite 1" });
  await press("Schließen");
  await expectNoDialog();
  await page.expectPath("proofs");
});

test("Two fingers and two taps enlarge the picture, and an enlarged one is moved instead of turned", async () => {
  await openProofs(a2);
  await follow("EU-Fernpilotenzeugnis A2");
  const picture = await screen.findByRole("img", { name: "A2, Seite 1" });
  const paper = picture.parentElement as HTMLElement;
  paper.getBoundingClientRect = () => new DOMRect(0, 0, 400, 800);
  const finger = (type: "Down" | "Move" | "Up", pointerId: number, clientX: number) =>
    fireEvent[`pointer${type}`](paper, { pointerId, clientX, clientY: 400 });
  finger("Down", 1, 150);
  finger("Down", 2, 250);
  finger("Move", 2, 350);
  finger("Up", 2, 350);
  finger("Up", 1, 150);
  await waitFor(() => expect(picture.style.transform).toContain("scale(2)"));
  finger("Down", 1, 300);
  finger("Move", 1, 100);
  finger("Up", 1, 100);
  screen.getByRole("img", { name: "A2, Seite 1" });
  for (const _ of [1, 2]) {
    finger("Down", 1, 200);
    finger("Up", 1, 200);
  }
  await waitFor(() => expect(picture.style.transform).toContain("scale(1)"));
});

test("A picture that can't be loaded says so, and the rest is shown", async () => {
  await openProofs(a2);
  await user.press(await screen.findByRole("link", { name: "EU-Fernpilotenzeugnis A2" }));
  fireEvent.error(await screen.findByRole("img", { name: "A2, Seite 1" }));
  await screen.findByText("Das Bild ist ohne Netz nicht da.");
  expect(screen.getByRole("dialog").textContent).toContain("gültig bis 14.03.2031");
});

test("The screen stays on while a proof is shown, and no longer", async () => {
  const release = vi.fn(async () => {});
  const request = vi.fn(async () => ({ release }));
  Object.defineProperty(navigator, "wakeLock", { configurable: true, value: { request } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "wakeLock"));
  await openProofs(a2);
  await screen.findByRole("link", { name: "EU-Fernpilotenzeugnis A2" });
  expect(request).not.toHaveBeenCalled();
  await follow("EU-Fernpilotenzeugnis A2");
  await waitFor(() => expect(request).toHaveBeenCalledWith("screen"));
  await press("Schließen");
  await waitFor(() => expect(release).toHaveBeenCalled());
});

test("A damaged proof says so on its card, and the others are shown as ever", async () => {
  const page = await openProofs(
    proof({
      dpfId: "d9",
      description: "Police",
      pages: [],
      light: "red",
      sentence: "Beschädigt.",
      damaged: true,
    }),
    a2,
  );
  await waitFor(() => expect(cards()).toEqual(["PoliceBeschädigt.", expect.stringContaining("A2")]));
  expect(screen.queryByRole("link", { name: "Police" })).toBeNull();
  await follow("EU-Fernpilotenzeugnis A2");
  const dialog = await screen.findByRole("dialog", { name: "EU-Fernpilotenzeugnis A2" });
  expect(dialog.textContent).toContain("1 von 2");
  await page.expectPath("proofs/d1");
});

test("The page of a pilot without proofs leads to the documents", async () => {
  await openProofs();
  await screen.findByText(/^Noch keine Nachweise\./);
  within(screen.getByRole("main")).getByRole("link", { name: "Dokumente" });
});
