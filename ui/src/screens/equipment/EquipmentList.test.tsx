// The lists of equipment: what is in use and what is retired, their search and their order.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import { prefetchFlights } from "../../api/flights";
import { Kind } from "../../api/generated/Kind";
import { battery, item } from "../../test/objects";
import {
  answerNext,
  field,
  holdNext,
  openInWindow,
  openScreen,
  pickFromMenu,
  refused,
  sent,
  setServer,
  toast,
  user,
} from "../../test/openScreen";

withFakeServer();

const heading = (text: string) =>
  waitFor(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(text));
const names = () =>
  within(screen.getByRole("main"))
    .queryAllByRole("heading", { level: 2 })
    .map(({ textContent }) => textContent);
const expectNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected));
const addressed = (path: string) =>
  waitFor(() => expect(location.pathname + location.search).toBe(`/app/${path}`));

const goggles = [
  item({
    dpfId: "g1",
    type: Kind.Goggles,
    name: "Fatshark",
    deactivateTime: "02.05.2026 10:00",
    deactivateText: "Display defekt",
  }),
  item({ dpfId: "g2", type: Kind.Goggles, name: "DJI Goggles 3", firmwareNumber: "01.00.0300" }),
];

test("The list shows what is in use or what is retired, and says so when there is nothing", async () => {
  setServer({ items: goggles });
  await openInWindow("/home");
  await heading("Hallo, Anna");
  await user.press("Brillen");
  await heading("In Betrieb Brillen");
  await expectNames("DJI Goggles 3");
  screen.getByText(/01\.00\.0300/);
  await user.press("Ausgemustert");
  await heading("Ausgemusterte Brillen");
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>("switch", { name: "Ausgemustert" }).checked).toBe(true),
  );
  await expectNames("Fatshark");
  screen.getByText("Display defekt");

  // The view is part of the address: Back from an item restores it.
  await addressed("equipments/2?ausgemustert=true");
  await pickFromMenu("Bearbeiten", "Mehr zu Fatshark");
  await heading("Brille editieren");
  await user.press("Zurück");
  await heading("Ausgemusterte Brillen");
  await expectNames("Fatshark");
  await user.press("Zurück");
  await addressed("home");

  await openInWindow("/equipments/4?ausgemustert=true");
  await screen.findByText("Keine ausgemusterten Videokameras.");
  screen.getByRole("link", { name: "Hinzufügen" });
  await user.press("In Betrieb anzeigen");
  await screen.findByText("Keine Videokamera in Betrieb.");
});

const unread = () => refused(500, "Ein Fehler ist aufgetreten.");

test("A list that the server refuses says so and can be asked for again", async () => {
  await openScreen("/equipments/0", { known: { GetEquipments: unread } });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(
    "Das Laden vom Equipment ist fehlgeschlagen. Bitte versuchen Sie es erneut.",
  );
  setServer({ items: [item({ name: "Nazgul F5" })] });
  await user.press("Nochmal");
  await expectNames("Nazgul F5");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("A list stays while what the other screens need is loaded in the background", async () => {
  setServer({ items: goggles });
  await openInWindow("/equipments/2");
  await expectNames("DJI Goggles 3");
  const release = holdNext("GetBatteryHints");
  const loaded = prefetchFlights();
  await waitFor(() => expect(sent("GetBatteryHints")).toHaveLength(1));
  expect(names()).toEqual(["DJI Goggles 3"]);
  await release([]);
  await loaded;
});

const copters = [1, 2, 3, 4, 5, 6, 7, 8].map((number) =>
  item({
    dpfId: `c${number}`,
    name: `Copter ${number}`,
    manufacturer: number === 3 ? "iFlight" : "DJI",
    lastFlight: number === 5 ? "01.03.2026 10:00" : "",
  }),
);

test("Many items are searched by name, maker and reason, and sorted by what they did", async () => {
  setServer({ items: copters });
  await openInWindow("/equipments/0");
  await waitFor(() => expect(names()).toHaveLength(8));
  await user.choose("Sortierung", "Zuletzt geflogen");
  await waitFor(() => expect(names()[0]).toBe("Copter 5"));
  await user.type("Suche", "iflight");
  await expectNames("Copter 3");
  await addressed("equipments/0?sortierung=letzter-flug&suche=iflight");
  await openInWindow(location.pathname.replace("/app", "") + location.search);
  await expectNames("Copter 3");
  await pickFromMenu("Bearbeiten", "Mehr zu Copter 3");
  await heading("Copter editieren");
  await user.press("Zurück");
  await expectNames("Copter 3");

  await user.type("Suche", "gibt es nicht");
  await screen.findByText("Nichts gefunden.");
  expect(screen.queryByText(/^Kein Copter in Betrieb\./)).toBeNull();
  await user.press("Filter zurücksetzen");
  await waitFor(() => expect(names()).toHaveLength(8));

  const broken = { deactivateTime: "02.05.2026 10:00", deactivateText: "Rahmen gebrochen" };
  setServer({
    items: copters.map((one, at) => ({ ...one, ...broken, ...(at > 0 && { deactivateText: "alt" }) })),
  });
  await openInWindow("/equipments/0?ausgemustert=true&suche=gebrochen");
  await expectNames("Copter 1");
});

test("A few items have no field to search in", async () => {
  const { reload } = await openScreen("/equipments/0", { items: copters.slice(0, 3) });
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(screen.queryByLabelText("Suche")).toBeNull();
  setServer({ items: copters });
  await reload();
  await field("Suche");
});

test("Each pack says its state under that of its group, those that wait for an action first", async () => {
  const states = ["storage", "full", "empty", "low", "partial", "full", null, "charging", "flying"] as const;
  const packs = states.map((state, at) =>
    battery({
      ...{ dpfId: `b${at + 1}`, name: `Akku ${at + 1}`, state, stateSince: "02.05.2026 10:00" },
      light: at === 3 ? "red" : at === 1 ? "amber" : "green",
    }),
  );
  const low = { dpfId: "b4", name: "Akku 4", rule: "low", level: "red", canDismiss: false } as const;
  const aged = { dpfId: "b2", name: "Akku 2", rule: "capacity", level: "amber", canDismiss: true } as const;
  const hints = [low, aged].map((hint) => ({ ...hint, text: "" }));
  setServer({ items: packs, known: { GetBatteryHints: hints } });
  await openInWindow("/equipments/1");
  const said = () =>
    within(screen.getByRole("main"))
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(names()).toHaveLength(9));
  expect(said()).toEqual(
    [
      /^Akku 4.*zu tief/,
      /^Akku 9.*im Flug/,
      /^Akku 8.*lädt/,
      /^Akku 2.*voll.*gealtert/,
      /^Akku 6.*voll/,
      /^Akku 3.*leer/,
      /^Akku 5.*teilgeladen/,
      /^Akku 7.*unbekannt/,
      /^Akku 1.*Lagerung/,
    ].map((row) => expect.stringMatching(row)),
  );
  // Screen readers hear the state in each row.
  const heads = within(screen.getByRole("main")).getAllByRole("listitem", { hidden: true });
  const groups = heads.filter((head) => head.hasAttribute("aria-hidden"));
  expect(groups.map((group) => group.textContent)).toEqual([
    "Braucht Aufmerksamkeit1",
    "Im Flug1",
    "Lädt1",
    "Voll2",
    "Leer, teilgeladen2",
    "Zustand unbekannt1",
    "Lagerung1",
  ]);
  await user.choose("Sortierung", "Name, A bis Z");
  await waitFor(() => expect(names()[0]).toMatch(/^Akku 1/));
});

test("A pack is charged with one press in the list, whatever is known of it, and that is taken back", async () => {
  const flown = battery({ cells: null, state: null });
  setServer({ items: [flown, battery({ dpfId: "b2", name: "Akku 2", state: "full" })] });
  await openInWindow("/equipments/1");
  await screen.findByText("unbekannt");
  expect(screen.queryByRole("button", { name: "Geladen Akku 2" })).toBeNull();
  answerNext("QuickCharge", undefined);
  await user.press("Geladen Akku 1");
  await toast("Akku 1 ist geladen.");
  expect(sent("QuickCharge")).toMatchObject([{ battery: "b1" }]);
  answerNext("Undo", undefined);
  await user.press("Rückgängig");
  await toast("Rückgängig gemacht.");
});
