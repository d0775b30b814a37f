// The page behind a sticker's code: the sheet of the item, or why there is none.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { callsOf } from "../../api/fakeServer";
import { battery } from "../../test/objects";
import { refused, setServer, user } from "../../test/openScreen";
import { fieldsOf, heading, ok, open, standing, withScreens } from "../../test/pages";

withScreens();

test("Someone else's sticker says how to reach them, and leads home", async () => {
  const sentence = "Das gehört zu einem anderen Konto. Kontakt: Anna, 0170 1234567.";
  standing("GetSticker", refused(403, sentence));
  const page = await open("s/0123ABCD");
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  expect(callsOf("GetSticker")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Nochmal" })).toBeNull();
  await user.press(within(screen.getByRole("main")).getByRole("link", { name: "Start" }));
  await page.expectPath("home");
});

test("The pilot's own sticker leads to the sheet of its item", async () => {
  setServer({ items: [battery({ name: "Akku 5" })] });
  standing("GetSticker", ok(battery({ name: "Akku 5" })));
  await open("s/0123ABCD");
  await heading("Akku 5");
  expect(fieldsOf("GetSticker")).toEqual([{ code: "0123ABCD" }]);
});

test("A number of several items opens none before one is chosen", async () => {
  const club = { dpfId: "s1", name: "MFC Falke" };
  const items = [
    battery({ dpfId: "b1", name: "Meiner", number: 7 }),
    battery({ dpfId: "b2", name: "Schulung 7", number: 7, space: club, rights: "use" as const }),
  ];
  setServer({ items });
  await open("number/7");
  await screen.findByText("Mehrere haben diese Nummer. Bitte wählen:");
  expect(screen.getByRole("button", { name: "Öffnen" })).toHaveProperty("disabled", true);
  await user.press(screen.getByRole("link", { name: /Schulung 7/ }));
  await heading("Schulung 7");
});

test("A log from the sheet of a sticker names the model of its item", async () => {
  const pack = battery({ name: "Akku 5", model: "Tattu R-Line" });
  setServer({ items: [pack] });
  standing("GetSticker", ok(pack));
  await open("s/0123ABCD");
  await user.press("Log");
  await screen.findByRole("dialog", { name: /Tattu R-Line/ });
});
