// The dialog of a book: which period its files have, and whose flights they hold.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { flight, flightItem, item } from "../../test/objects";
import { openScreen, sent, user } from "../../test/openScreen";
import { withScreens } from "../../test/pages";

withScreens();

const preview = {
  ...{ flights: 412, pages: 14, time: "96 h 12 min" },
  ...{ carriedFlights: 0, carriedTime: "0 min", withoutTime: 0, withoutLocation: 0 },
};
const copter = item({ dpfId: "c1", name: "Nazgul F5" });
const flown = flight({ dpfId: "f1", copter: flightItem({ dpfId: "c1", name: "Nazgul F5" }) });

async function openBook(path: string, name: string, space?: { dpfId: string; name: string }) {
  await openScreen(path, {
    items: [{ ...copter, ...(space && { space, rights: "use" as const }) }],
    flights: [flown],
    known: { GetLogbookPreview: preview, GetSharedUses: [] },
  });
  await user.press(name);
  const dialog = within(await screen.findByRole("dialog", { name }));
  await dialog.findByText(/^412 Flüge/);
  return dialog;
}

test("A day that isn't one has no book, and not that of another period", async () => {
  const dialog = await openBook("/flights", "Flugbuch");
  fireEvent.change(dialog.getByLabelText("Zeitraum"), { target: { value: "own" } });
  const group = await dialog.findByRole("group", { name: "Letzter Tag" });
  const parts = () => within(group).getAllByRole("spinbutton");
  const pdf = () => dialog.queryByRole("link", { name: "PDF" })?.getAttribute("href");
  fireEvent.paste(parts()[0] as Element, { clipboardData: { getData: () => "31.05.2025" } });
  await waitFor(() => expect(pdf()).toBe("/app/api/GetLogbook?to=31.05.2025"));
  await dialog.findByText(/^412 Flüge/);

  // Without its year.
  const asked = sent("GetLogbookPreview").length;
  for (let digit = 0; digit < 4; digit++) await pressKey(parts()[2] as HTMLElement, "Backspace");
  await leave(parts()[2] as HTMLElement);
  await waitFor(() => expect(dialog.queryAllByRole("link")).toEqual([]));
  expect(dialog.queryByText(/^412 Flüge/)).toBeNull();
  dialog.getByText(/^Ungültige Eingabe/);
  expect(sent("GetLogbookPreview")).toHaveLength(asked);

  fireEvent.paste(parts()[0] as Element, { clipboardData: { getData: () => "31.05.2025" } });
  await waitFor(() => expect(pdf()).toBe("/app/api/GetLogbook?to=31.05.2025"));
  await pressKey(parts()[1] as HTMLElement, "ArrowUp");
  await leave(parts()[1] as HTMLElement);
  await dialog.findByText("Ungültige Eingabe: 31.06.2025");
  expect(dialog.queryAllByRole("link")).toEqual([]);

  fireEvent.paste(parts()[0] as Element, { clipboardData: { getData: () => "30.06.2025" } });
  await waitFor(() => expect(pdf()).toBe("/app/api/GetLogbook?to=30.06.2025"));
});

async function pressKey(element: HTMLElement, key: string): Promise<void> {
  await act(async () => {
    element.focus();
    fireEvent.keyDown(element, { key });
    fireEvent.keyUp(element, { key });
  });
}

async function leave(element: HTMLElement): Promise<void> {
  await act(async () => void fireEvent.blur(element));
}

test("An own item's book also is a table with all fields", async () => {
  const full = "CSV mit allen Feldern";
  const own = await openBook("/equipments/0/c1", "Gerätebuch");
  expect(own.getByRole("link", { name: full }).getAttribute("href")).toBe(
    "/app/api/GetLogbook?equipment=c1&full=true",
  );
});

test("A shared item's book has no table with all fields", async () => {
  const shared = await openBook("/equipments/0/c1", "Gerätebuch", { dpfId: "s1", name: "Verein" });
  shared.getByRole("link", { name: "PDF" });
  expect(shared.queryByRole("link", { name: "CSV mit allen Feldern" })).toBeNull();
});
