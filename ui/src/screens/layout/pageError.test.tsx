// A screen that fails takes neither the frame nor the way home with it.
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { user } from "../../test/openScreen";
import { follow, heading, open, withScreens } from "../../test/pages";

vi.mock("../equipment/EquipmentList", () => ({
  EquipmentList: () => {
    throw new Error("no list");
  },
}));

withScreens();

test("A screen that fails is replaced by an error page that leads home", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const page = await open("home");
  await follow("Copter");
  await heading("Ein Fehler ist aufgetreten!");
  screen.getByRole("contentinfo");
  expect(screen.getByRole("main").textContent).not.toContain("undefined");
  expect(screen.getByRole("main").textContent).not.toContain("no list");
  await user.press(within(screen.getByRole("main")).getByRole("link", { name: "Zur Startseite" }));
  await heading("Hallo, Pilotin");
  await page.expectPath("home");
});
