// The main navigation: where it leads, and what it says of where one is.
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import { flight, item } from "../../test/objects";
import { openScreen, setWide, user } from "../../test/openScreen";

withFakeServer();
beforeEach(() => setWide(true));

const navigation = () => within(screen.getByRole("navigation", { name: "Hauptnavigation" }));
const current = () =>
  [...document.querySelectorAll("nav[aria-label=Hauptnavigation] [aria-current]")].map((entry) => [
    entry.textContent,
    entry.getAttribute("aria-current"),
  ]);

test.each([true, false])(
  "One tap leads from any area to another, and the navigation says where one is (wide: %s)",
  async (isWide) => {
    await setWide(isWide);
    const { address } = await openScreen("/home");
    await waitFor(() => expect(current()).toEqual([["Start", "page"]]));
    for (const [name, path, title] of [
      ["Flüge", "/flights", "Flüge"],
      ["Akkus", "/equipments/1", "In Betrieb Batterien"],
      ["Dokumente", "/myDocuments", "Meine Dokumente"],
      ["Start", "/home", "Hallo, Anna"],
    ] as const) {
      await user.press(navigation().getByRole("link", { name }));
      await waitFor(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(title));
      expect(address()).toBe(path);
      expect(current()).toEqual([[name, "page"]]);
    }
  },
);

test("A screen below an area counts as part of it", async () => {
  const { router } = await openScreen("/flights/f1", {
    flights: [flight()],
    items: [item({ name: "Nazgul F5" })],
  });
  await waitFor(() => expect(current()).toEqual([["Flüge", "true"]]));
  await router.navigate("/equipments/0/i1");
  await screen.findByRole("heading", { level: 1, name: "Nazgul F5" });
  expect(current()).toEqual([["Mehr", "true"]]);
});
