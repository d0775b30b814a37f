// The page of a flight: its values, deleting it, and what it says when it can't be loaded.
import { screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import { Kind } from "../../api/generated/Kind";
import { battery, flight, flightItem, row } from "../../test/objects";
import { answerNext, failNext, openScreen, pickFromMenu, sent, setServer, user } from "../../test/openScreen";

withFakeServer();

const copter = flightItem({ dpfId: "c1", name: "Nazgul F5", weight: 680 });
const older = flight({
  startTime: "01.03.2026 09:05",
  location: "Elbdeich",
  startLatitude: 53.5,
  startLongitude: 9.9,
  flightTime: 65,
  distance: 12.5,
  maximumDistance: 1250,
  maxDistance: 1250,
  speed: 72.5,
  maximumAltitude: 85,
  batteryStartVoltage: 16.8,
  batteryEndVoltage: 14.2,
  consumedCapacity: 1100,
  flightMode: "2",
  weatherConditions: "Sonnig",
  purpose: "Training",
  notes: "Erste Zeile\nzweite Zeile <b>",
  weight: 970.5,
  copter,
  equipments: [
    flightItem({ dpfId: "b1", type: Kind.Battery, name: "Akku 1", weight: 190.5, model: "Tattu R-Line" }),
  ],
  payloads: [{ name: "Kescher", weight: 100 }],
});
const heading = (text: string) =>
  waitFor(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(text));

/** The values of the page by their labels. */
const values = () =>
  Object.fromEntries(
    [...document.querySelectorAll("main dl > div")].map((one) => [
      one.querySelector("dt")?.textContent ?? "",
      one.querySelector("dd")?.textContent?.replaceAll("\u00a0", " ") ?? "",
    ]),
  );

test("The page of a flight shows everything that was entered", async () => {
  await openScreen("/flights/f1", { flights: [older] });
  await heading("Nazgul F5 · So, 01.03.2026 09:05 · Elbdeich");
  expect(document.title).toBe("Nazgul F5 · Elbdeich · Fluglog");
  expect(screen.getAllByRole("heading", { level: 2 })[0]?.textContent).toBe("Flug");
  const shown = values();
  expect(shown).toMatchObject({
    Flugzeit: "65 min",
    Höhe: "85 m",
    Strecke: "12,5 km",
    "Max. Entfernung": "1.250 m",
    "Max. Geschwindigkeit": "72,5 km/h",
    Flugmodus: "Manuell",
    Startspannung: "16,8 V",
    Endspannung: "14,2 V",
    Verbraucht: "1.100 mAh",
    Wetter: "Sonnig",
    Zweck: "Training",
    Notizen: "Erste Zeile\nzweite Zeile <b>",
  });
  // The heading says when and where, and what isn't known isn't there.
  expect(shown).not.toHaveProperty("Startzeit");
  expect(shown).not.toHaveProperty("GPS Ende");
  const map = screen.getByRole<HTMLAnchorElement>("link", { name: /^Auf der Karte zeigen/ });
  expect(map.href).toBe("https://www.openstreetmap.org/?mlat=53.5&mlon=9.9#map=17/53.5/9.9");
  screen.getByText("Gesammtgewicht: 970,5g");
});

test("The page of a flight without values has no headline of dashes", async () => {
  await openScreen("/flights/f1", { flights: [flight({ copter, flightMode: "0" })] });
  await heading("Nazgul F5 · Fr, 01.05.2026 10:00");
  expect(values()).toEqual({ Flugmodus: "Winkel" });
  expect(screen.queryByRole("heading", { name: "Notizen" })).toBeNull();
});

const proofLine = () =>
  [...document.querySelectorAll("main p")].find(({ textContent }) => textContent?.startsWith("Nachweise"));

test("One line says which proofs held on the day of the flight, only for a pilot who has some", async () => {
  const proofs = [
    { kind: 0, kindName: "A1/A3", dpfId: "d1" },
    { kind: 4, kindName: "Haftpflicht", dpfId: "" },
  ];
  const { router } = await openScreen("/flights/f1", {
    flights: [older, flight({ dpfId: "f2", startTime: "02.03.2026 09:05", copter, proofs })],
  });
  await heading("Nazgul F5 · So, 01.03.2026 09:05 · Elbdeich");
  expect(proofLine()).toBeUndefined();
  await router.navigate("/flights/f2");
  await waitFor(() =>
    expect(proofLine()?.textContent).toBe("Nachweise am 02.03.2026: A1/A3 ✓galt · Haftpflicht –keiner"),
  );
});

test("A damaged proof costs its own words on the flight's page and nothing else", async () => {
  const proofs = [{ kind: 0, kindName: "A1/A3", dpfId: "d1" }];
  await openScreen("/flights/f2", {
    flights: [
      older,
      flight({ dpfId: "f2", startTime: "02.03.2026 09:05", copter, proofs, proofsDamaged: true }),
    ],
  });
  await waitFor(() =>
    expect(proofLine()?.textContent).toMatch(/A1\/A3 ✓galt · ein Nachweis ist beschädigt und nicht lesbar$/),
  );
});

test("A pack's voltages are shown per cell", async () => {
  const pack = flightItem({ dpfId: "b1", type: Kind.Battery, name: "Akku 1", model: "Tattu 4S" });
  const flown = flight({ copter, equipments: [pack], batteryStartVoltage: 16.8, batteryEndVoltage: 14.2 });
  await openScreen("/flights/f1", {
    items: [battery({ model: "Tattu 4S", cells: 4 })],
    flights: [flown],
  });
  await screen.findByText(/^4,20\sV → 3,55\sV je Zelle$/);
});

test("An open flight's page says since when it runs and leads to its end", async () => {
  const open = flight({ dpfId: "f3", copter, open: true });
  const { address } = await openScreen("/flights/f3", { user: { openFlight: "f3" }, flights: [open] });
  await screen.findByText(/Flug läuft seit 01\.05\.2026 10:00/);
  await user.press("Fluglog beenden");
  await waitFor(() => expect(address()).toBe("/flights/f3/finish"));
});

test("Deleting the open flight frees the way for a new one", async () => {
  const open = flight({ dpfId: "f3", copter, open: true });
  const { address } = await openScreen("/flights/f3", {
    user: { openFlight: "f3" },
    flights: [open, older],
  });
  await heading("Nazgul F5 · Fr, 01.05.2026 10:00");
  await pickFromMenu("Löschen");
  answerNext("DeleteFlight", undefined);
  setServer({ flights: [older] });
  await user.press("Ja");
  await waitFor(() => expect(address()).toBe("/flights"));
  expect(sent("DeleteFlight")).toMatchObject([{ dpfId: "f3" }]);
  await screen.findByRole("link", { name: "Fluglog starten" });
  expect(screen.getAllByRole("link", { name: /\d\d\.\d\d\.\d{4} \d\d:\d\d/ })).toHaveLength(1);
});

test("With the server gone a deletion says so, and the flight is still there", async () => {
  const { address } = await openScreen("/flights/f1", { flights: [older] });
  await heading("Nazgul F5 · So, 01.03.2026 09:05 · Elbdeich");
  await pickFromMenu("Löschen");
  failNext("DeleteFlight", "lost");
  await user.press("Ja");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Löschen fehlgeschlagen.");
  await heading("Nazgul F5 · So, 01.03.2026 09:05 · Elbdeich");
  await pickFromMenu("Löschen");
  answerNext("DeleteFlight", undefined);
  setServer({ flights: [] });
  await user.press("Ja");
  await waitFor(() => expect(address()).toBe("/flights"));
});

const lost = () => "lost" as const;

test("A flight that can't be loaded says so and can be asked for again", async () => {
  await openScreen("/flights/f1", { flights: [older], known: { GetFlight: lost, GetFlights: lost } });
  await heading("Fluglog");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Flug konnten nicht geladen werden. Bitte versuchen Sie es erneut.");
  setServer({ flights: [older] });
  await user.press("Nochmal");
  await screen.findByText("Gesammtgewicht: 970,5g");
});

function loseNetwork(): void {
  const spy = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  onTestFinished(() => spy.mockRestore());
  setServer({ known: { GetFlight: lost, GetFlights: lost } });
}

test("Without network a flight shows what the list knows of it, and one line for the rest", async () => {
  await openScreen("/flights", { flights: [older] });
  await screen.findByRole("table");
  loseNetwork();
  await user.press(/01\.03\.2026 09:05/);
  await screen.findByText("Gesammtgewicht: 970,5g");
  await screen.findByText("Alles andere zu diesem Flug ist ohne Netz nicht zu sehen.");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByRole("button", { name: "Nochmal" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Editieren" })).toBeNull();
});

test("Without network a flight shows its small path from the list", async () => {
  await openScreen("/flights", { known: { GetFlights: [{ ...row(older), path: [0, 0, 40, 10, 80, 60] }] } });
  await screen.findByRole("table");
  loseNetwork();
  await user.press(/01\.03\.2026 09:05/);
  await screen.findByRole("img", { name: "1 Flugweg von seinem Start aus" });
});

test("Without network a flight that no list has is one grey line", async () => {
  loseNetwork();
  await openScreen("/flights/f1");
  await screen.findByText("Ohne Netz nicht zu sehen.");
  expect(screen.queryByRole("alert")).toBeNull();
});
