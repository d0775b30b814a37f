// Equipment of all five kinds: the forms with their errors, and retiring and reactivating an item.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { battery, item } from "../../test/objects";
import {
  answerNext,
  button,
  dateOf,
  failNext,
  field,
  fieldError,
  holdNext,
  openScreen,
  pickFromMenu,
  refused,
  sent,
  setServer,
  setTouch,
  toast,
  user,
} from "../../test/openScreen";

withFakeServer();

const nazgul = item({ name: "Nazgul F5" });
const retired = item({
  name: "Nazgul F5",
  deactivateTime: "02.05.2026 10:00",
  deactivateText: "Rahmen gebrochen",
});
const heading = () => screen.getByRole("heading", { level: 1 }).textContent;
const number = (label: string) => label.endsWith(")");

// The name first: while it is empty, focusing it takes the model.
const common = ["Name", "Modell", "Hersteller", "Verkäufer"];
const kinds = [
  { type: Kind.Copter, one: "Copter", many: "Copter", own: { "Gewicht (g)": "weight" } },
  {
    type: Kind.Battery,
    one: "Batterie",
    many: "Batterien",
    own: { Batterietyp: "batteryType", "Kapazität (mA)": "capacity", "Gewicht (g)": "weight" },
  },
  { type: Kind.Goggles, one: "Brille", many: "Brillen", own: { "Firmware-Nummer": "firmwareNumber" } },
  { type: Kind.Transmitter, one: "Sender", many: "Sender", own: { "Firmware-Nummer": "firmwareNumber" } },
  { type: Kind.VideoCamera, one: "Videokamera", many: "Videokameras", own: { "Gewicht (g)": "weight" } },
];

test.each(kinds)(
  "$one: every field of the form is sent and comes back, and number fields refuse what is no number",
  async ({ type, one, many, own }) => {
    const { router } = await openScreen(`/equipments/${type}`);
    expect(heading()).toBe(`In Betrieb ${many}`);
    await screen.findByText(/^Keine? .* in Betrieb\./);
    await user.press("Hinzufügen");
    await waitFor(() => expect(heading()).toBe(`${one} neu erfassen`));
    const labels = Object.keys(own);
    const ofProfile = type === Kind.Battery ? ["Nummer", "Zellen in Reihe"] : ["Nummer"];
    expect(within(screen.getByRole("main")).getAllByRole("textbox")).toHaveLength(
      common.length + labels.length + ofProfile.length,
    );

    const numbers = labels.filter(number);
    for (const label of numbers) await user.type(label, "zwölf");
    await user.press("Speichern");
    await fieldError("Name*", /^Bitte geben Sie einen Namen ein\.$/);
    expect(document.activeElement).toBe(await field("Name*"));
    for (const label of numbers) await fieldError(label, /^Ungültige Eingabe$/);
    expect(sent("SaveNewEquipment")).toEqual([]);

    const typed = (label: string) => (number(label) ? "1250,5" : `${label} von ${one}`);
    for (const label of [...common, ...labels]) {
      await user.type(label === "Name" ? "Name*" : label, typed(label));
    }
    const ownFields = Object.fromEntries(Object.entries(own).map(([label, name]) => [name, typed(label)]));
    const texts = {
      name: `Name von ${one}`,
      model: `Modell von ${one}`,
      manufacturer: `Hersteller von ${one}`,
      seller: `Verkäufer von ${one}`,
    };
    const numbersOf = Object.fromEntries(
      Object.entries(own).map(([label, name]) => [name, number(label) ? 1250.5 : typed(label)]),
    );
    const stored = item({ type, ...texts, ...numbersOf, purchaseDate: "29.02.2024" });
    answerNext("SaveNewEquipment", stored);
    setServer({ items: [stored] });
    await user.press("Speichern");
    await toast("Erfolgreich gespeichert.");
    await waitFor(() => expect(heading()).toBe(`In Betrieb ${many}`));
    expect(sent("SaveNewEquipment")).toMatchObject([
      { equipment: { type, purchaseDate: "", ...texts, ...ownFields } },
    ]);

    await screen.findByRole("heading", { level: 2, name: texts.name });
    await router.navigate(`/equipments/${type}/editor/i1`);
    await waitFor(() => expect(heading()).toBe(`${one} editieren`));
    for (const label of [...common, ...labels]) {
      expect((await field(label === "Name" ? "Name*" : label)).value).toBe(typed(label));
    }
    expect(dateOf("Kaufdatum")).toEqual([29, 2, 2024]);

    await user.type("Hersteller", "Jemand anders");
    answerNext("SaveEditEquipment", { ...stored, manufacturer: "Jemand anders" });
    await user.press("Speichern");
    await waitFor(() => expect(sent("SaveEditEquipment")).toHaveLength(1));
    expect(sent("SaveEditEquipment")).toMatchObject([
      { equipment: { dpfId: "i1", name: texts.name, manufacturer: "Jemand anders" } },
    ]);
    expect((await field("Hersteller")).value).toBe("Jemand anders");
  },
);

test("What is no number is said at its field, which is asked for again", async () => {
  await openScreen("/equipments/0/editor");
  await user.type("Name*", "Nazgul F5");
  for (const wrong of ["1.5.2", "-1", "1e9", "1234567890", "12 g"]) {
    await user.type("Gewicht (g)", wrong);
    await user.press("Speichern");
    await fieldError("Gewicht (g)", /^Ungültige Eingabe$/);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Gewicht (g)")));
    await user.type("Gewicht (g)", "1");
    await waitFor(() => expect(screen.queryByText("Ungültige Eingabe")).toBeNull());
  }
  expect(sent("SaveNewEquipment")).toEqual([]);
});

test("On a touch screen a comma in a number becomes a dot", async () => {
  await openScreen("/equipments/0/editor");
  await user.type("Gewicht (g)", "680,5");
  expect((await field("Gewicht (g)")).value).toBe("680,5");
  setTouch();
  await user.type("Gewicht (g)", "680,6");
  expect((await field("Gewicht (g)")).value).toBe("680.6");
});

test("A name of nothing but spaces is refused", async () => {
  await openScreen("/equipments/0/editor");
  await user.type("Name*", "   ");
  await user.press("Speichern");
  await fieldError("Name*", /^Bitte geben Sie einen Namen ein\.$/);
  expect(sent("SaveNewEquipment")).toEqual([]);
});

test("Folded fields open when one of them gets the focus, and when one of them is wrong", async () => {
  await openScreen("/equipments/1/editor");
  const fold = await screen.findByRole("button", { name: /^Weitere Angaben/ });
  const expectOpen = (isOpen: boolean) =>
    waitFor(() => expect(fold.getAttribute("aria-expanded")).toBe(String(isOpen)));
  await expectOpen(false);
  fireEvent.focus(await field("Verkäufer"));
  await expectOpen(true);
  await user.type("Name*", "Akku 1");
  await user.type("Nummer", "0");
  fireEvent.click(fold);
  await expectOpen(false);
  expect(fold.textContent).toContain("Nr.\u00a00");
  await user.press("Speichern");
  await expectOpen(true);
  expect(sent("SaveNewEquipment")).toEqual([]);
});

test("An empty name takes the model when it gets the focus, a filled one keeps what it is", async () => {
  await openScreen("/equipments/1/editor");
  const name = await field("Name*");
  fireEvent.focus(name);
  expect(name.value).toBe("");
  await user.type("Modell", "Tattu R-Line 1550");
  fireEvent.focus(name);
  expect(name.value).toBe("Tattu R-Line 1550");
  // What is typed next replaces it.
  expect([name.selectionStart, name.selectionEnd]).toEqual([0, name.value.length]);
  await user.type(name, "Akku 1");
  fireEvent.focus(name);
  expect(name.value).toBe("Akku 1");
});

test("With only a model typed, the first press on Speichern saves it as the name too", async () => {
  await openScreen("/equipments/1/editor");
  await user.type("Modell", "Tattu R-Line 1550");
  answerNext("SaveNewEquipment", battery({ name: "Tattu R-Line 1550" }));
  await user.press("Speichern");
  await waitFor(() => expect(sent("SaveNewEquipment")).toHaveLength(1));
  expect(sent("SaveNewEquipment")[0]).toMatchObject({
    equipment: { name: "Tattu R-Line 1550", model: "Tattu R-Line 1550" },
  });
});

test("A date that is pasted is understood", async () => {
  await openScreen("/equipments/0/editor");
  const [day] = within(await screen.findByRole("group", { name: "Kaufdatum" })).getAllByRole("spinbutton");
  fireEvent.paste(day as Element, { clipboardData: { getData: () => "1.3.2026" } });
  await waitFor(() => expect(dateOf("Kaufdatum")).toEqual([1, 3, 2026]));
});

test("A press beside a date that was just typed leaves the focus where it was, so that the page doesn't scroll back", async () => {
  await openScreen("/equipments/0/editor");
  const [, month] = within(await screen.findByRole("group", { name: "Kaufdatum" })).getAllByRole(
    "spinbutton",
  );
  act(() => month?.focus());
  fireEvent.keyDown(month as Element, { key: "3" });
  const focused = vi.fn();
  document.addEventListener("focusin", focused);
  onTestFinished(() => document.removeEventListener("focusin", focused));
  fireEvent.pointerDown(document.body, { pointerType: "mouse", button: 0 });
  expect(focused).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(month);
});

test("A date of another century stays as typed, so that only its year has to be put right", async () => {
  await openScreen("/equipments/0/editor");
  const group = await screen.findByRole("group", { name: "Kaufdatum" });
  const parts = within(group).getAllByRole("spinbutton");
  for (const [at, digits] of ["01", "05", "2490"].entries()) {
    act(() => parts[at]?.focus());
    for (const data of digits) {
      const typed = { inputType: "insertText", data, bubbles: true, cancelable: true };
      fireEvent(parts[at] as Element, new InputEvent("beforeinput", typed));
    }
  }
  await user.press("Speichern");
  await screen.findByText("Das Jahr muss zwischen 1900 und 2099 liegen.");
  expect(dateOf("Kaufdatum")).toEqual([1, 5, 2490]);
});

test("The calendar begins on Monday and has Heute, Bestätigen and Löschen", async () => {
  vi.useFakeTimers({ now: new Date("2026-03-04T10:00:00+01:00"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await openScreen("/equipments/0/editor");
  const open = async () => {
    await user.press("Kalender öffnen Kaufdatum");
    return within(await screen.findByRole("dialog", { name: "Kalender" }));
  };
  const closed = () => waitFor(() => expect(screen.queryByRole("dialog", { name: "Kalender" })).toBeNull());

  let calendar = await open();
  expect(calendar.getByRole("heading").textContent).toBe("März 2026");
  const firstDay = document.querySelector("thead th")?.textContent;
  expect(firstDay).toBe("Mo");
  await user.press("Heute");
  await user.press("Bestätigen");
  await closed();
  expect(dateOf("Kaufdatum")).toEqual([4, 3, 2026]);

  calendar = await open();
  await user.press("Voriger Monat");
  await user.press(await calendar.findByRole("button", { name: /17\. Februar 2026/ }));
  await user.press("Bestätigen");
  await closed();
  expect(dateOf("Kaufdatum")).toEqual([17, 2, 2026]);

  await open();
  fireEvent.keyDown(document.activeElement as Element, { key: "Escape" });
  await closed();
  expect(dateOf("Kaufdatum")).toEqual([17, 2, 2026]);
  await open();
  await user.press("Löschen");
  await closed();
  const parts = within(screen.getByRole("group", { name: "Kaufdatum" })).getAllByRole("spinbutton");
  expect(parts.map((part) => part.hasAttribute("data-placeholder"))).toEqual([true, true, true]);
});

const reason = () => within(screen.getByRole("dialog")).getByRole<HTMLInputElement>("textbox");
const retire = () =>
  user.press(within(screen.getByRole("dialog")).getByRole("button", { name: "Deaktivieren" }));
const openReason = async () => {
  await pickFromMenu("Deaktivieren");
  await screen.findByRole("dialog", { name: "Equipment deaktvieren" });
  await screen.findByRole("textbox", { name: "Grund" });
};
const dialogClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test("Retiring needs a reason, and cancelling keeps none", async () => {
  await openScreen("/equipments/0/editor/i1", { items: [nazgul] });
  await openReason();
  for (const text of ["", "   "]) {
    await user.type(reason(), text);
    await retire();
    await fieldError(reason(), /^Bitte geben Sie einen Grund ein\.$/);
  }
  await user.press("Abbrechen");
  await dialogClosed();
  expect(sent("DeactivateEquipment")).toEqual([]);

  await openReason();
  expect(reason().value).toBe("");
  await user.type(reason(), "Rahmen gebrochen");
  answerNext("DeactivateEquipment", retired);
  setServer({ items: [retired] });
  await retire();
  await toast("Erfolgreich deaktiviert.");
  await dialogClosed();
  expect(sent("DeactivateEquipment")).toMatchObject([{ dpfId: "i1", info: "Rahmen gebrochen" }]);
  await screen.findByText(/Rahmen gebrochen/);
  await screen.findByText(/Ausgemustert am 02\.05\.2026\s10:00/);
  await user.press("Mehr");
  expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual(["Aktivieren"]);
});

test("A retired item is taken back into use after a question", async () => {
  await openScreen("/equipments/0/editor/i1", { items: [retired] });
  await pickFromMenu("Aktivieren");
  await screen.findByRole("alertdialog", { name: "Equipment wirklich wieder aktvieren?" });
  await user.press("Nein");
  await screen.findByText(/Rahmen gebrochen/);
  expect(sent("ActivateEquipment")).toEqual([]);
  await pickFromMenu("Aktivieren");
  answerNext("ActivateEquipment", nazgul);
  setServer({ items: [nazgul] });
  await user.press("Ja");
  await toast("Erfolgreich aktiviert.");
  await waitFor(() => expect(screen.queryByText(/Rahmen gebrochen/)).toBeNull());
  expect(sent("ActivateEquipment")).toMatchObject([{ dpfId: "i1" }]);
});

test("Values typed before retiring stay in the form", async () => {
  await openScreen("/equipments/0/editor/i1", { items: [nazgul] });
  await user.type("Verkäufer", "Flohmarkt");
  await openReason();
  await user.type(reason(), "Rahmen gebrochen");
  answerNext("DeactivateEquipment", retired);
  setServer({ items: [retired] });
  await retire();
  await screen.findByText(/Rahmen gebrochen/);
  expect((await field("Verkäufer")).value).toBe("Flohmarkt");
});

test("An item of the open flight can't be retired, and the dialog says why and keeps the reason", async () => {
  await openScreen("/equipments/0/editor/i1", { items: [nazgul] });
  await openReason();
  await user.type(reason(), "Rahmen gebrochen");
  const sentence = "Dieses Equipment ist gerade im Flug. Bitte beenden Sie zuerst den Fluglog.";
  failNext("DeactivateEquipment", refused(409, sentence));
  await retire();
  const alert = await within(screen.getByRole("dialog")).findByRole("alert");
  expect(alert.textContent).toBe(sentence);
  expect(reason().value).toBe("Rahmen gebrochen");
});

test("An item that is someone else's leads one step back", async () => {
  const { router, address } = await openScreen("/equipments/0");
  await screen.findByText(/^Kein Copter in Betrieb\./);
  await router.navigate("/equipments/0/editor/i2");
  await waitFor(() => expect(sent("GetEquipment")).toHaveLength(1));
  await waitFor(() => expect(address()).toBe("/equipments/0"));
  await waitFor(() => expect(heading()).toBe("In Betrieb Copter"));
});

test("A kind that doesn't exist leads home, and an item under another kind's address to its own", async () => {
  const pack: Equipment = item({ dpfId: "b1", type: Kind.Battery, name: "Akku 1" });
  const { router, address } = await openScreen("/equipments/5", { items: [pack] });
  await waitFor(() => expect(address()).toBe("/home"));
  await router.navigate("/equipments/0/editor/b1");
  await waitFor(() => expect(address()).toBe("/equipments/1/editor/b1"));
});

test("While an item is saved the button is busy, and pressing it again doesn't save it twice", async () => {
  const { address } = await openScreen("/equipments/0/editor");
  await user.type("Name*", "Nazgul F5");
  const answer = holdNext("SaveNewEquipment");
  await user.press("Speichern");
  const save = await button("Speichern");
  await waitFor(() => expect(save.getAttribute("aria-disabled")).toBe("true"));
  await user.press("Speichern");
  fireEvent.submit(save.closest("form") as HTMLFormElement);
  setServer({ items: [nazgul] });
  await answer(nazgul);
  await waitFor(() => expect(address()).toBe("/equipments/0"));
  await screen.findByRole("heading", { level: 2, name: "Nazgul F5" });
  expect(sent("SaveNewEquipment")).toHaveLength(1);
});

test("A success message goes away after six seconds", async () => {
  await openScreen("/equipments/0/editor/i1", { items: [nazgul] });
  await user.type("Verkäufer", "Flohmarkt");
  answerNext("SaveEditEquipment", { ...nazgul, seller: "Flohmarkt" });
  const save = await button("Speichern");
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await user.press(save);
  const messages = () => screen.queryAllByText("Erfolgreich gespeichert.").length;
  await vi.waitFor(() => expect(messages()).toBe(1), 5_000);
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(messages()).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(messages()).toBe(0);
});
