// The list of flights: its order, its days, its filters, and what it says when it can't be loaded.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { answers, calls, callsOf, withFakeServer } from "../../api/fakeServer";
import type { Flight } from "../../api/generated/Flight";
import type { FlightItem } from "../../api/generated/FlightItem";
import type { FlightMonth } from "../../api/generated/FlightMonth";
import { Kind } from "../../api/generated/Kind";
import { reportReachability } from "../../api/reachability";
import { flightItem, flight as flightOf, item as itemOf, row } from "../../test/objects";
import {
  failNext,
  field,
  ok,
  openInWindow,
  refused,
  type ServerState,
  setServer,
  setWide,
  user,
} from "../../test/openScreen";

withFakeServer();
beforeEach(() => setWide(true));

const item = (dpfId: string, name: string, type: Kind = Kind.Copter, more: Partial<FlightItem> = {}) =>
  flightItem({ dpfId, name, type, ...more });
const flight = (fields: Partial<Flight> = {}) =>
  flightOf({
    startTime: "01.03.2026 09:05",
    copter: item("c1", "Nazgul F5"),
    maxDistance: fields.maximumDistance ?? null,
    ...fields,
  });

/** Answers these flights, newest first. A list that is asked for beside one is empty. */
const openList = (flights: Flight[], path = "/flights", more: ServerState = {}) => {
  setServer({ flights, ...more });
  return openInWindow(path);
};

/** Entries of the list, without the headings of days. */
const rows = () => [
  ...document.querySelectorAll<HTMLElement>("tbody tr:has(td), ul[aria-label='Liste der Flüge'] > li"),
];
const texts = () => rows().map(({ textContent }) => textContent ?? "");

/** What the list says of each flight, with plain spaces. */
const said = () => texts().map((text) => text.replaceAll("\u00a0", " "));
const expectStarts = (...starts: string[]) =>
  waitFor(() => expect(texts().map((text) => /\d\d\.\d\d\.\d{4}/.exec(text)?.[0])).toEqual(starts));
const heading = (text: RegExp) => screen.findByRole("heading", { level: 1, name: text });
const openFilter = () => user.press(/^Filtern/);
const addressed = (path: string) =>
  waitFor(() => expect(location.pathname + location.search).toBe(`/app/${path}`));

const older = flight({
  dpfId: "f1",
  location: "Elbdeich",
  flightTime: 65,
  distance: 12.5,
  maximumDistance: 1250,
  speed: 72.5,
  maximumAltitude: 85,
  weight: 970.5,
  equipments: [
    item("b1", "Akku 1", Kind.Battery, { weight: 190.5, model: "Tattu R-Line" }),
    item("g1", "DJI Goggles 3", Kind.Goggles),
  ],
  payloads: [{ name: "Kescher", weight: 100 }],
});
const newer = flight({ dpfId: "f2", startTime: "02.03.2026 09:05", location: "Lüneburger Heide" });
const open = flight({ dpfId: "f3", startTime: "01.01.2026 08:00", open: true });

test("Without flights the list says so and offers to start one", async () => {
  await openList([]);
  expect(await screen.findByText("Keine Flüge vorhanden")).toBeDefined();
  fireEvent.click(screen.getByRole("link", { name: "Fluglog starten" }));
  await addressed("flights/config");
});

test.each([true, false])(
  "The list has the newest flight first, the open one on top, and a way to end it (wide: %s)",
  async (isWide) => {
    await setWide(isWide);
    await openList([newer, older, open], "/flights", { user: { openFlight: "f3" } });
    await expectStarts("01.01.2026", "02.03.2026", "01.03.2026");
    expect(texts().map((text) => text.includes("Flug läuft"))).toEqual([true, false, false]);
    expect(screen.queryByRole("link", { name: "Fluglog starten" })).toBeNull();
    fireEvent.click(screen.getByRole("link", { name: "Fluglog beenden" }));
    await addressed("flights/f3/finish");
  },
);

test("On a desktop the list is a table with the columns in their order, whose rows open their flights", async () => {
  await openList([newer, older]);
  await expectStarts("02.03.2026", "01.03.2026");
  expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Startzeit",
    "Ort",
    "Strecke (km)",
    "Max. Entfernung (m)",
    "Max. Geschwindigkeit (km/h)",
    "Flugzeit (min)",
    "Höhe (m)",
    "Copter",
  ]);
  const cells = within(rows()[1] as HTMLElement).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "01.03.2026 09:05",
    "Elbdeich",
    "12,5",
    "1.250",
    "72,5",
    "65",
    "85",
    "Nazgul F5",
  ]);
  fireEvent.click(screen.getByRole("cell", { name: "Elbdeich" }));
  await heading(/^Nazgul F5 · .* · Elbdeich$/);
});

test("On a phone a flight is one line of its day, and opens to say the rest", async () => {
  await setWide(false);
  await openList([newer, older]);
  await expectStarts("02.03.2026", "01.03.2026");
  expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "März 2026",
  ]);
  const row = rows()[1] as HTMLElement;
  expect(said()[1]).toMatch(/So, 1\. /);
  expect(within(row).getByText(/Elbdeich/).textContent).toBe("01.03.2026 09:05 · Elbdeich");
  fireEvent.click(within(row).getByRole("button"));
  for (const text of ["Nazgul F5", "65 min", "12,5 km", "1.250 m", "72,5 km/h", "85 m"]) {
    expect(said()[1]).toContain(text);
  }
  fireEvent.click(within(row).getByText(/Elbdeich/));
  await heading(/^Nazgul F5 · .* · Elbdeich$/);
});

test("Each day of the table is a band with its sums, and another order has none", async () => {
  const evening = { ...older, dpfId: "f0", startTime: "01.03.2026 18:05" };
  await openList([newer, evening, older]);
  const bands = () =>
    screen.queryAllByRole("rowheader").map(({ textContent }) => textContent?.replaceAll("\u00a0", " "));
  await waitFor(() => expect(bands()).toEqual(["Mo, 2. März ", "So, 1. März 2 Flüge · 2 h 10 min · 25 km"]));
  await user.press("Ort");
  await waitFor(() => expect(bands()).toEqual([]));
  expect(rows()).toHaveLength(3);
});

test("The copter of a flight opens and closes what flew along", async () => {
  await setWide(false);
  await openList([newer, older]);
  const show = await screen.findAllByRole("button", { name: "Nazgul F5, Equipment anzeigen" });
  expect(show).toHaveLength(2);
  fireEvent.click(show[1] as HTMLElement);
  const hide = screen.getByRole("button", { name: "Nazgul F5, Equipment schließen" });
  expect(hide.getAttribute("aria-expanded")).toBe("true");
  for (const text of ["Gesammtgewicht: 970,5g", "Kescher", "DJI Goggles 3"]) screen.getByText(text);
  await addressed("flights");
  fireEvent.click(hide);
  expect(screen.queryByText("Gesammtgewicht: 970,5g")).toBeNull();
});

test("Coming back from a flight the list shows which one it was", async () => {
  await openList([newer, older]);
  fireEvent.click(await screen.findByRole("link", { name: /01\.03\.2026 09:05/ }));
  await heading(/^Nazgul F5 · .* · Elbdeich$/);
  await user.press("Zurück");
  await expectStarts("02.03.2026", "01.03.2026");
  const current = document.querySelectorAll("[aria-current=true]:not(nav *)");
  expect([...current].map(({ textContent }) => textContent)).toEqual(["01.03.2026 09:05"]);
});

test("A list that can't be loaded says so and can be asked for again", async () => {
  await openList([], "/flights", { known: { GetFlights: lost } });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Flüge konnten nicht geladen werden. Bitte versuchen Sie es erneut.");
  setServer({ flights: [newer, older] });
  await user.press("Nochmal");
  await expectStarts("02.03.2026", "01.03.2026");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("A flight that another tab deleted says so when it is opened, and the list has it no more", async () => {
  await openList([newer, older]);
  const link = await screen.findByRole("link", { name: /01\.03\.2026 09:05/ });
  answers.GetFlight = [refused(403, "Darauf haben Sie keinen Zugriff.")];
  fireEvent.click(link);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("Diesen Flug gibt es nicht, oder er gehört zu einem anderen Konto.");
  calls.length = 0;
  fireEvent.click(screen.getByRole("link", { name: "Zu den Flügen" }));
  await expectStarts("02.03.2026");
  expect(callsOf("GetFlights")).toEqual([]);
});

test("A flight that is saved or deleted takes its place in the list, and no page is asked for again", async () => {
  const first = flight({ dpfId: "f0", startTime: "01.02.2026 09:05", location: "Heide" });
  const many = [7, 6, 5, 4, 3, 2].map((day) =>
    flight({ dpfId: `d${day}`, startTime: `0${day}.03.2026 09:05` }),
  );
  await openList([...many, first]);
  await screen.findByText(/^7 Flüge, /);
  fireEvent.click(screen.getByRole("link", { name: /01\.02\.2026/ }));
  await heading(/^Nazgul F5 · .* · Heide$/);
  fireEvent.click(screen.getByRole("link", { name: "Editieren" }));
  fireEvent.change(await field("Ort"), { target: { value: "Alsterwiesen" } });
  calls.length = 0;
  const saved = { ...first, location: "Alsterwiesen", startTime: "08.03.2026 09:05" };
  answers.SaveFlight = [ok("SaveFlight", saved)];
  answers.GetFlight = [ok("SaveFlight", saved)];
  await user.press("Speichern");
  await screen.findByText("Erfolgreich gespeichert.");
  await user.press("Zurück");
  await user.press("Zurück");
  await waitFor(() => expect(texts()[0]).toMatch(/08\.03\.2026.*Alsterwiesen/));
  await screen.findByText(/^7 Flüge, /);

  fireEvent.click(screen.getByRole("link", { name: /08\.03\.2026/ }));
  await heading(/^Nazgul F5 · .* · Alsterwiesen$/);
  answers.DeleteFlight = [ok("DeleteFlight", undefined)];
  await user.press("Mehr");
  await user.press("Löschen");
  await user.press("Ja");
  await screen.findByText(/^6 Flüge, /);
  expect(texts()[0]).not.toContain("Alsterwiesen");
  expect(callsOf("GetFlights")).toEqual([]);
});

const lost = () => "lost" as const;

/** A full first page; of the other flights there is no answer. */
const firstPageOnly = ({ limit }: Record<string, string>) =>
  limit ? Array.from({ length: 60 }, (_, at) => row({ ...newer, dpfId: `p${at}` })) : lost();

const heide = "Lüneburger Heide";
/** Seven flights of two copters in two years, newest first: Heide, Elbe, Heide, Elbe, … */
const seven = [7, 6, 5, 4, 3, 2, 1].map((month) =>
  flight({
    dpfId: `m${month}`,
    startTime: `01.0${month}.${month <= 3 ? 2025 : 2026} 09:05`,
    copter: month % 2 === 0 ? item("c1", "Nazgul F5") : item("c2", "Mavic 3"),
    equipments: month === 2 ? [item("b7", "Akku 7", Kind.Battery)] : [],
    location: month % 2 === 0 ? "Elbdeich" : heide,
    flightTime: month === 5 ? null : 10 * month,
  }),
);

test("A pause between two words costs nothing of what was typed", async () => {
  await openList(seven);
  const search = await searchField();
  fireEvent.change(search, { target: { value: "heide " } });
  await addressed("flights?suche=heide");
  await waitFor(() => expect(rows()).toHaveLength(4));
  expect(search.value).toBe("heide ");
  fireEvent.change(search, { target: { value: `${search.value}nazgul` } });
  expect(search.value).toBe("heide nazgul");
  await addressed("flights?suche=heide+nazgul");
});

const searchField = () => screen.findByLabelText<HTMLInputElement>("Suche");

test("A filter that no flight passes says so, and not that there are none", async () => {
  await setWide(false);
  await openList(seven, "/flights?suche=gibt%20es%20nicht");
  await screen.findByText("Kein Flug passt zu diesem Filter.");
  expect(screen.queryByText("Keine Flüge vorhanden")).toBeNull();
  fireEvent.click(await screen.findByRole("button", { name: "Filter zurücksetzen" }));
  await waitFor(() => expect(rows()).toHaveLength(7));
});

test("A press on a heading sorts by it, the next one the other way round", async () => {
  await openList(seven);
  const column = (name: RegExp) => screen.getByRole("columnheader", { name });
  await waitFor(() => expect(column(/Startzeit/).getAttribute("aria-sort")).toBe("descending"));
  await user.press("Flugzeit (min)");
  await addressed("flights?sortierung=-flugzeit");
  expect(column(/Flugzeit/).getAttribute("aria-sort")).toBe("descending");
  // The flight without a time comes last in both directions.
  const byTime = ["01.07.2026", "01.06.2026", "01.04.2026", "01.03.2025", "01.02.2025", "01.01.2025"];
  await expectStarts(...byTime, "01.05.2026");
  await user.press("Flugzeit (min)");
  expect(column(/Flugzeit/).getAttribute("aria-sort")).toBe("ascending");
  await expectStarts(...byTime.toReversed(), "01.05.2026");
});

test("A phone sorts by a choice, and names an order that only the headings of the table offer", async () => {
  await setWide(false);
  await openList(seven);
  await openFilter();
  await user.choose("Sortierung", "Älteste zuerst");
  await waitFor(() => expect(texts()[0]).toContain("01.01.2025"));
  await user.choose("Sortierung", "Ort, A bis Z");
  await waitFor(() => expect(texts()[0]).toContain("Elbdeich"));
  await openInWindow("/flights?sortierung=-ort");
  await waitFor(() => expect(texts()[0]).toContain(heide));
  expect(screen.getByLabelText<HTMLSelectElement>("Sortierung").value).toBe("-ort");
});

test("The open flight stays on top of what it belongs to", async () => {
  const running = flight({
    dpfId: "o",
    startTime: "01.08.2026 09:05",
    open: true,
    copter: item("c3", "Tinyhawk"),
  });
  await openList([running, ...seven], "/flights?sortierung=startzeit", { user: { openFlight: "o" } });
  await waitFor(() => expect(texts()[0]).toContain("Flug läuft"));
  expect(texts()[1]).toContain("01.01.2025");
  await openInWindow("/flights?suche=mavic");
  await waitFor(() => expect(rows()).toHaveLength(4));
  expect(texts().join()).not.toContain("Flug läuft");
});

test("On a desktop the search is open, and the day is said once", async () => {
  await openList([flight({ ...newer, dpfId: "n2" }), newer, ...seven]);
  await searchField();
  expect(screen.queryByRole("button", { name: /Filtern/ })).toBeNull();
  const day = await screen.findAllByText(/02\.03\.2026/);
  expect(day.map(({ className }) => className)).toEqual(["visually-hidden", "visually-hidden"]);
});

test("A short list has nothing to filter with", async () => {
  await setWide(false);
  await openList(seven.slice(0, 5));
  await waitFor(() => expect(rows()).toHaveLength(5));
  expect(screen.queryByRole("button", { name: /Filtern/ })).toBeNull();
  await openList(seven.slice(0, 6));
  await screen.findByRole("button", { name: /Filtern/ });
});

test("On a phone the flights of a copter in a year are two choices away, with nothing to open", async () => {
  await setWide(false);
  const month = { month: "2025-03", flights: 1, minutes: 0 };
  await openList(seven, "/flights", {
    items: [itemOf({ dpfId: "c2", name: "Mavic 3", lastFlight: "01.07.2026 09:05" })],
    known: { GetFlightMonths: [month as never] },
  });
  await waitFor(() => expect(rows()).toHaveLength(7));
  await user.choose("Jahr", "2025");
  await user.choose("Copter", "Mavic 3");
  await expectStarts("01.03.2025", "01.01.2025");
});

test("A search that gets no answer shows an error, and shows what it finds once the server is back", async () => {
  await setWide(false);
  await openList(seven, "/flights", { known: { GetFlights: firstPageOnly } });
  await waitFor(() => expect(rows().length).toBeGreaterThan(0));
  await openFilter();
  fireEvent.change(await searchField(), { target: { value: "deich" } });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Flüge konnten nicht geladen werden. Bitte versuchen Sie es erneut.");
  expect((await searchField()).value).toBe("deich");
  setServer({ flights: seven });
  act(() => reportReachability("unreachable"));
  act(() => reportReachability("reachable"));
  await waitFor(() => expect(texts()[0]).toContain("Elbdeich"));
});

/** Waits until the page of this flight is open. */
const isAt = (dpfId: string) =>
  waitFor(() => {
    expect(location.pathname).toBe(`/app/flights/${dpfId}`);
    expect(document.querySelector("main article")).not.toBeNull();
  });
const following = "Nächster Flug der Liste";

test("The flights beside one are those of the list it was opened from, after a reload too", async () => {
  const list = "/flights?suche=mavic&sortierung=-flugzeit";
  await openList(seven, list);
  await expectStarts("01.07.2026", "01.03.2025", "01.01.2025", "01.05.2026");
  fireEvent.click(screen.getByRole("link", { name: /01\.07\.2026/ }));
  await isAt("m7");
  await user.press(following);
  await isAt("m3");
  await user.press("Zurück");
  await addressed(list.slice(1));
  fireEvent.click(await screen.findByRole("link", { name: /01\.03\.2025/ }));
  await isAt("m3");
  await openInWindow(location.pathname.replace("/app", "") + location.search);
  await user.press(following);
  await isAt("m1");
  await user.press(following);
  await isAt("m5");
  expect(screen.queryByRole("link", { name: following })).toBeNull();
});

test("From an item's page the flights beside one are the item's", async () => {
  await openList(seven, "/equipments/0/c2", { items: [itemOf({ dpfId: "c2", name: "Mavic 3" })] });
  const [latest] = await screen.findAllByRole("link", { name: /Heide/ });
  fireEvent.click(latest as HTMLElement);
  await isAt("m7");
  await user.press("Früher: der Flug davor");
  await isAt("m5");
});

/** A full first page, and the flights just before and after one of `seven`, which are older. */
const firstPageAndBeside = ({ before, after, limit }: Record<string, string>) => {
  const at = seven.findIndex(({ dpfId }) => dpfId === (before ?? after));
  if (at === -1) return firstPageOnly({ limit: limit ?? "" });
  const beside = seven[before === undefined ? at - 1 : at + 1];
  return limit === "1" && beside ? [row(beside)] : [];
};

test("A flight that is older than the loaded part of the list has neighbours", async () => {
  await openList(seven, "/flights/m1", { known: { GetFlights: firstPageAndBeside } });
  await user.press("Später: der Flug danach");
  await isAt("m2");
  await user.press("Früher: der Flug davor");
  await isAt("m1");
  expect(screen.queryByRole("link", { name: "Früher: der Flug davor" })).toBeNull();
  // Nothing asked for the list of all flights.
  expect(callsOf("GetFlights").filter((fields) => !fields.has("limit"))).toEqual([]);
});

const preview = {
  flights: 412,
  pages: 14,
  time: "96 h 12 min",
  carriedFlights: 0,
  carriedTime: "0 min",
  withoutTime: 7,
  withoutLocation: 1,
};

const monthOf = (name: string) =>
  ({ month: name, flights: 1, minutes: 1, distance: 0 }) as unknown as FlightMonth;

const previewOf = ({ from }: Record<string, string>) =>
  from === "01.01.2025"
    ? { ...preview, flights: 1, pages: 1, carriedFlights: 411, withoutTime: 0, withoutLocation: 0 }
    : preview;

test("A book says what is in it and what is missing, for all years or for one", async () => {
  await openList([flight({ dpfId: "f1" })], "/flights", {
    known: {
      GetFlightMonths: [monthOf("2025-03"), monthOf("2026-03")],
      GetLogbookPreview: previewOf,
    },
  });
  await user.press("Flugbuch");
  const dialog = await screen.findByRole("dialog", { name: "Flugbuch" });
  await within(dialog).findByText("412 Flüge · 14 Seiten · 96 h 12 min");
  expect(dialog.textContent).toContain("7 Flüge ohne Flugzeit. 1 Flug ohne Ort.");
  expect(dialog.textContent).not.toContain("Übertrag aus");
  const link = (name: string) => within(dialog).getByRole("link", { name }).getAttribute("href");
  expect(link("PDF")).toBe("/app/api/GetLogbook?");
  expect(link("CSV")).toBe("/app/api/GetLogbook?csv=true");
  expect(link("CSV mit allen Feldern")).toBe("/app/api/GetLogbook?full=true");

  fireEvent.change(within(dialog).getByLabelText("Zeitraum"), { target: { value: "2025" } });
  await within(dialog).findByText("1 Flug · 1 Seite · 96 h 12 min");
  expect(dialog.textContent).toContain("Übertrag aus der Zeit davor: 411 Flüge, 0 min.");
  expect(link("PDF")).toBe("/app/api/GetLogbook?from=01.01.2025&to=31.12.2025");

  fireEvent.change(within(dialog).getByLabelText("Zeitraum"), { target: { value: "own" } });
  await within(dialog).findByText("412 Flüge · 14 Seiten · 96 h 12 min");
  for (const name of ["Erster Tag", "Letzter Tag"]) within(dialog).getByRole("group", { name });
  expect(link("PDF")).toBe("/app/api/GetLogbook?");
});

test("A book that can't be made says why, and has no file", async () => {
  const why = "Ein Flugbuch hat höchstens 5.000 Einträge. Bitte nach Jahren teilen.";
  await openList([flight({ dpfId: "f1" })]);
  failNext("GetLogbookPreview", refused(400, why));
  await user.press("Flugbuch");
  const dialog = await screen.findByRole("dialog", { name: "Flugbuch" });
  await within(dialog).findByText(why);
  expect(within(dialog).queryByRole("link")).toBeNull();
});
