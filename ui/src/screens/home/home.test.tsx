// Home: where its tiles and the bar lead, the figures, and the months.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type Answer, answers, callsOf, standingAnswers } from "../../api/fakeServer";
import type { FlightMonth } from "../../api/generated/FlightMonth";
import type { FlightRow } from "../../api/generated/FlightRow";
import type { ReminderLine } from "../../api/generated/ReminderLine";
import type { Review } from "../../api/generated/Review";
import type { Statistics } from "../../api/generated/Statistics";
import { wallClock } from "../../lib/dates";
import {
  flight,
  flightItem,
  item,
  log,
  maintenanceJob,
  noReview,
  noStatistics,
  reminder,
  row,
} from "../../test/objects";
import { openScreen, setServer, toast, user } from "../../test/openScreen";
import {
  detailedUser,
  expectNoDialog,
  fieldsOf,
  follow,
  heading,
  ok,
  open,
  pilot,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const steps = "Drei Schritte bis zum ersten Flug";
const copter = item({ dpfId: "c1", name: "Nazgul F5" });

const flownOnce = {
  GetStatistics: { ...noStatistics, totalFlightCount: "1" },
  GetFlightMonths: [],
  GetReview: noReview,
};

/** Opens home as a pilot with a finished flight and these figures. */
async function openHome(
  figures: Partial<Statistics> = {},
  months: FlightMonth[] = [],
  review: Review | ((fields: Record<string, string>) => Review) = noReview,
  rows: FlightRow[] | null = null,
) {
  setServer({
    items: [copter],
    flights: [flight({ copter: flightItem({ dpfId: "c1", name: "Nazgul F5" }) })],
    known: {
      GetStatistics: { ...noStatistics, totalFlightCount: "1", ...figures },
      GetFlightMonths: months,
      GetReview: review,
      ...(rows && { GetFlights: rows }),
    },
  });
  const page = await open("home");
  await screen.findByRole("heading", { name: "Statistik" });
  return page;
}

const region = () => screen.findByRole("region", { name: "Statistik" });
const figureTexts = async () => {
  const texts = within(await region())
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
  return texts.map((text) => text?.replace(/\u00a0/g, " "));
};

test.each([
  ["Flüge", "flights"],
  ["Copter", "equipments/0"],
  ["Batterien", "equipments/1"],
  ["Brillen", "equipments/2"],
  ["Sender", "equipments/3"],
  ["Videokameras", "equipments/4"],
  ["Meine Dokumente", "myDocuments"],
])("The tile %s leads to /%s, and Back leads home again", async (name, path) => {
  const page = await open("home");
  const tiles = within(await screen.findByRole("navigation", { name: "Bereiche" }));
  await user.press(tiles.getByRole("link", { name }));
  await page.expectPath(path);
  await heading(new RegExp(`${name}$`));
  await page.router.navigate(-1);
  await heading("Hallo, Pilotin");
  await page.expectPath("home");
});

test("The tiles are the flights, the kinds of equipment and the documents", async () => {
  await open("home");
  const tiles = within(await screen.findByRole("navigation", { name: "Bereiche" })).getAllByRole("link");
  expect(tiles.map(({ textContent }) => textContent)).toEqual([
    "Flüge",
    "Copter",
    "Batterien",
    "Brillen",
    "Sender",
    "Videokameras",
    "Meine Dokumente",
  ]);
});

test("Without an open flight the card starts one", async () => {
  const page = await openHome();
  const main = within(screen.getByRole("main"));
  await user.press(await main.findByRole("link", { name: "Fluglog starten" }));
  await page.expectPath("flights/config");
});

test("With an open flight the card ends it", async () => {
  const running = flight({ dpfId: "f7", open: true });
  setServer({ flights: [running] });
  const page = await open("home", { ...pilot, openFlight: "f7" });
  const main = within(screen.getByRole("main"));
  await main.findByRole("link", { name: "Fluglog beenden" });
  expect(screen.queryByRole("link", { name: "Fluglog starten" })).toBeNull();
  await user.press(main.getByRole("link", { name: "Fluglog beenden" }));
  await page.expectPath("flights/f7/finish");
});

test("Of a flight that says nothing every figure but their number is a dash and none can be clicked", async () => {
  await openHome();
  await waitFor(async () =>
    expect(await figureTexts()).toEqual([
      "Gesamtflugzeit-",
      "Anzahl der Flüge1",
      "Durchschnittliche Flugzeit-",
      "Längste Flugzeit-",
      "Gesamtstrecke-",
      "Maximale Entfernung-",
      "Maximale Geschwindigkeit-",
      "Durchschnittliche Geschwindigkeit-",
      "Maximale Höhe-",
      "Durchschnittliche Höhe-",
      "Durchschnittlicher Verbrauch-",
    ]),
  );
  for (const figure of within(await region()).getAllByRole("listitem"))
    expect(within(figure).queryByRole("link")).toBeNull();
});

const twoFlights: Partial<Statistics> = {
  totalFlightTime: "1 h 17 min",
  totalFlightCount: "2",
  averageFlightTime: "39 min",
  maximumFlightTime: "1 h 05 min",
  maximumFlightTimeDate: "02.03.2026",
  maximumFlightTimeDpfId: "f1",
  totalDistance: "13,75 km",
  maximumDistance: "1.250 m",
  maximumDistanceDate: "02.03.2026",
  maximumDistanceDpfId: "f1",
  maximumSpeed: "90,5 km/h",
  maximumSpeedDate: "05.03.2026",
  maximumSpeedDpfId: "f2",
  averageSpeed: "65,25 km/h",
  maximumAltitude: "120 m",
  maximumAltitudeDate: "05.03.2026",
  maximumAltitudeDpfId: "f2",
  averageAltitude: "100 m",
  averagePowerConsumption: "1.100 mAh",
};

test("The figures are the server's, averages with one decimal, and each record leads to its flight", async () => {
  await openHome(twoFlights);
  await waitFor(async () =>
    expect(await figureTexts()).toEqual([
      "Gesamtflugzeit1 h 17 min",
      "Anzahl der Flüge2",
      "Durchschnittliche Flugzeit39 min",
      "Längste Flugzeit1 h 05 min02.03.2026",
      "Gesamtstrecke13,75 km",
      "Maximale Entfernung1.250 m02.03.2026",
      "Maximale Geschwindigkeit90,5 km/h05.03.2026",
      "Durchschnittliche Geschwindigkeit65,3 km/h",
      "Maximale Höhe120 m05.03.2026",
      "Durchschnittliche Höhe100 m",
      "Durchschnittlicher Verbrauch1.100 mAh",
    ]),
  );
  const records = within(await region())
    .getAllByRole<HTMLAnchorElement>("link")
    .map((link) => [link.querySelector("span")?.textContent, link.getAttribute("href")]);
  expect(records).toEqual([
    ["Längste Flugzeit", "/app/flights/f1"],
    ["Maximale Entfernung", "/app/flights/f1"],
    ["Maximale Geschwindigkeit", "/app/flights/f2"],
    ["Maximale Höhe", "/app/flights/f2"],
  ]);
});

test("With the server gone the statistics say so, and can be asked for again once it is back", async () => {
  setServer({ items: [copter] });
  standing("GetStatistics", "lost");
  await open("home");
  const panel = within(await region());
  await waitFor(() =>
    expect(panel.getByRole("alert").textContent).toContain(
      "Statistik konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
    ),
  );
  expect(screen.getByText("Kein Netz. Alles wird gemerkt.")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Batterien" })).not.toHaveLength(0);

  standing("GetStatistics", ok({ ...noStatistics, ...twoFlights }));
  await user.press(panel.getByRole("button", { name: "Nochmal" }));
  await panel.findByText("1 h 17 min");
  expect(screen.queryByText("Kein Netz. Alles wird gemerkt.")).toBeNull();
});

test("With the server gone from the beginning home says so, and comes by itself once it is back", async () => {
  standing("impressum.txt", ok("Angaben des Betreibers"));
  setServer({});
  standing("CheckSession", "lost");
  const page = await openScreen("/impressum");
  await follow("Fluglog, zur Startseite");
  await screen.findByText("Nicht verbunden");
  expect(page.address()).toBe("/home");
  standing("CheckSession", ok({ ...pilot, remembered: false }));
  standingAnswers.health = () => ok("ok");
  await heading("Hallo, Pilotin");
  expect(screen.queryByText("Nicht verbunden")).toBeNull();
});

const month = (name: string, flights: number, minutes: number): FlightMonth => ({
  month: name,
  flights,
  minutes,
});

test("The flights month by month are a chart, a sentence and a table; a year can be chosen", async () => {
  const between = [
    "2024-12",
    ...Array.from({ length: 10 }, (_, at) => `2025-${String(at + 1).padStart(2, "0")}`),
  ];
  await openHome({}, [
    month("2024-11", 1, 30),
    ...between.map((name) => month(name, 0, 0)),
    month("2025-11", 1, 12),
    month("2025-12", 0, 0),
    month("2026-01", 0, 0),
    month("2026-02", 0, 0),
    month("2026-03", 2, 70),
  ]);
  const figure = await screen.findByRole("figure", { name: "Flüge nach Monaten" });
  const chart = within(figure);
  const text = () => figure.textContent?.replace(/\u00a0/g, " ");
  expect(text()).toContain("3 Flüge, 1 h 22 min");
  const drawing = chart.getByRole("img", { name: "Flugzeit" });
  const about = document.getElementById(drawing.getAttribute("aria-describedby") ?? "");
  expect(about?.textContent?.replace(/\u00a0/g, " ")).toBe(
    "April 2025 bis März 2026: 1 h 22 min, höchstens 1 h 10 min in einem Monat.",
  );
  const row = (name: string) =>
    chart.getByRole("row", { name: new RegExp(`^${name}`) }).textContent?.replace(/\u00a0/g, " ");
  expect(row("März 2026")).toBe("März 202621 h 10 min");
  expect(row("Februar 2026")).toBe("Februar 202600 min");
  expect(chart.getAllByRole("row")).toHaveLength(13);

  await user.choose("Zeitraum", "2024");
  expect(text()).toContain("1 Flug, 30 min");
  expect(text()).toContain("Januar 2024 bis Dezember 2024");
});

test("Without a flight home has the steps to the first one, and no figures and no chart", async () => {
  await open("home");
  await screen.findByText(steps);
  await waitFor(() => expect(callsOf("GetStatistics")).toHaveLength(1));
  expect(screen.queryByRole("figure")).toBeNull();
  expect(screen.queryByRole("heading", { name: "Statistik" })).toBeNull();
});

test("Without a password home says so and leads to the profile, until one is set or the hint is closed", async () => {
  const hint = "Sie melden sich bisher nur per E-Mail an.";
  setServer({ known: { GetLoginWays: { hasPassword: false } } });
  standing("GetDetailedUser", ok(detailedUser()));
  const page = await open("home");
  await screen.findByText(hint);
  await press("Schließen");
  expect(screen.queryByText(hint)).toBeNull();
  const again = await page.reload();
  await screen.findByText(steps);
  expect(screen.queryByText(hint)).toBeNull();

  localStorage.clear();
  const later = await again.reload();
  await follow("Passwort festlegen");
  await later.expectPath("myProfile#password");
  await screen.findByRole("dialog", { name: "Passwort festlegen" });
  await press("Abbrechen");
  await later.expectPath("myProfile");
  await expectNoDialog();
  await press("Passwort festlegen");
  await type("Neues Passwort", "rotorblatt-17");
  await type("Neues Passwort wiederholen", "rotorblatt-17");
  answers.SavePassword = [ok()];
  await press("Speichern");
  await toast("Passwort erfolgreich gespeichert.");
  await expectNoDialog();
  await screen.findByRole("button", { name: "Passwort ändern" });
  await later.router.navigate("/home");
  await screen.findByText(steps);
  expect(screen.queryByText(hint)).toBeNull();
});

test("The year stands above the latest flights, with its hours and the paths of its flights", async () => {
  const { year } = wallClock();
  const shown = { flights: 191, minutes: 1470, years: [{ year, flights: 191, minutes: 1470 }] };
  const paths = [
    [0, 0, 900, 0, 0, 0],
    [0, 0, 0, 900, 0, 0],
  ];
  await openHome({}, [], { ...noReview, ...shown, paths });
  const stage = await screen.findByRole("link", { name: /^Rückblick/ });
  await within(stage).findByText("24:30");
  expect(stage.textContent).toBe(`Rückblick ${year}24:30Stunden · 191 Flüge`);
  within(stage).getByRole("img", { name: "2 Flugwege, je vom eigenen Start aus" });
  await user.press(stage);
  await heading("Rückblick");
});

test("The year waits for the problems of the server, which would move it", async () => {
  let arrive = (_: Answer) => {};
  answers.GetServerProblems = [
    new Promise<Answer>((resolve) => {
      arrive = resolve;
    }),
  ];
  await openHome();
  await waitFor(() => expect(callsOf("GetReview")).not.toEqual([]));
  expect(screen.queryByRole("link", { name: /^Rückblick/ })).toBeNull();
  arrive(ok([{ sentence: "Es gibt keine Sicherung", command: "fluglog backup", isUrgent: false }]));
  await screen.findByText("fluglog backup");
  await screen.findByRole("link", { name: /^Rückblick/ });
});

test("In January the stage shows the year before", async () => {
  const before = wallClock().year - 1;
  const years = [{ year: before, flights: 3, minutes: 42 }];
  await openHome({}, [], ({ year }: Record<string, string>) =>
    year === String(before) ? { ...noReview, flights: 3, minutes: 42, years } : { ...noReview, years },
  );
  const stage = await screen.findByRole("link", { name: /^Rückblick/ });
  await within(stage).findByText("0:42");
  expect(stage.textContent).toContain(`Rückblick ${before}`);
});

test("A flight is pictured by its photo, else by its path, else by how far and high it went", async () => {
  const places = ["mit Foto", "mit Weg", "mit Werten", "ohne alles"];
  const flights = places.map((location, at) =>
    flight({
      dpfId: `f${at}`,
      location,
      startTime: `0${8 - at}.05.2026 10:00`,
      images: at === 0 ? ["i1"] : [],
      ...(at === 2 && { maximumDistance: 240, maximumAltitude: 58 }),
    }),
  );
  const rows = flights.map(row).map((one, at) => ({ ...one, path: at === 1 ? [0, 0, 300, 400] : [] }));
  await openHome({}, [], noReview, rows);
  const pictureOf = async (place: string) => {
    const line = (await screen.findByText(new RegExp(place))).closest("a");
    return line?.querySelector("img, svg");
  };
  expect((await pictureOf("mit Foto"))?.getAttribute("src")).toMatch(/GetImagePreview.*i1/);
  expect((await pictureOf("mit Weg"))?.querySelector("path")?.getAttribute("d")).toBe("M0 0L300 -400");
  expect((await pictureOf("mit Werten"))?.querySelectorAll("path")).toHaveLength(6);
  expect((await pictureOf("ohne alles"))?.querySelectorAll("path")).toHaveLength(1);
});

/** Opens home of a pilot with these things to do. */
async function openWithReminders(lines: Partial<ReminderLine>[]) {
  const known = { ...flownOnce, GetReminders: lines.map(reminder) };
  setServer({ items: [copter], flights: [flight()], known });
  return open("home");
}
const toDo = async () => {
  const list = await screen.findByRole("list", { name: "Zu erledigen" });
  return within(list).getAllByRole("listitem");
};

test("Home lists the packs that wait for an action, and none that is merely old", async () => {
  await openWithReminders([
    { dpfId: "b1", name: "Akku 1", rule: "capacity", canDismiss: true, text: "Noch etwa 78 %." },
    { dpfId: "b2", name: "Akku 2", rule: "full", text: "Seit 4 Tagen voll. Bitte einlagern." },
    { dpfId: "b2", name: "Akku 2", rule: "idle", text: "Lange nicht benutzt." },
  ]);
  expect((await toDo()).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Akku 2Seit 4 Tagen voll\.Eingelagert/),
  ]);
});

test("Home shows three things to do, the gravest first, and leads to all", async () => {
  const job = { topic: "maintenance", kind: 0, dpfId: "c1", name: "Nazgul F5", rule: null } as const;
  const page = await openWithReminders([
    { ...job, level: "red", jobId: "j1", title: "Propeller wechseln", text: "fällig seit 3 Flügen" },
    { topic: "proof", dpfId: "d1", name: "A2-Zeugnis", kind: null, rule: null, text: "Läuft in 7 Tagen ab." },
    { dpfId: "b1", name: "Akku 1", rule: "full" },
    { dpfId: "b2", name: "Akku 2", rule: "full" },
  ]);
  const [first, second, ...others] = await toDo();
  expect(first?.textContent).toMatch(/Dringend\.Propeller wechselnNazgul F5: fällig seit 3 FlügenErledigt/);
  expect(second && within(second).getByRole("link").getAttribute("href")).toMatch(/\/proofs\/d1$/);
  expect(others).toHaveLength(1);
  await follow("Alle 4");
  await page.expectPath("todo");
});

test("Packs that wait for the same are one line, which stores them all or opens to each", async () => {
  const group = { key: "battery amber", title: "Akkus einlagern" };
  const job = { topic: "maintenance", kind: 0, dpfId: "c1", name: "Nazgul F5", rule: null } as const;
  await openWithReminders([
    { ...job, level: "red", jobId: "j1", title: "Propeller wechseln", text: "fällig seit 3 Flügen" },
    { dpfId: "b1", name: "Akku 1", rule: "full", group },
    { dpfId: "b2", name: "Akku 2", rule: "empty", text: "Seit 2 Tagen leer.", group },
    { dpfId: "b3", name: "Akku 3", rule: "unchecked", group: { key: "other", title: "Akkus prüfen" } },
  ]);
  const lines = await toDo();
  expect(lines).toHaveLength(3);
  expect(lines[1]?.textContent).toMatch(/2 Akkus einlagernAkku 1, Akku 2Eingelagert/);
  // Of its group only this one is left.
  expect(lines[2]?.textContent).toMatch(/Akku 3Seit/);
  const trigger = screen.getByRole("button", { name: /^Braucht Aufmerksamkeit\.\s?2 Akkus einlagern/ });
  expect(trigger.getAttribute("aria-expanded")).toBe("false");
  await user.press(trigger);
  const members = await screen.findByRole("list", { name: "2 Akkus einlagern" });
  expect(
    within(members)
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["Eingelagert Akku 1", "Eingelagert Akku 2"]);
  answers.QuickStore = [ok(null)];
  await press("Eingelagert 2 Akkus einlagern");
  await toast("2 Akkus sind eingelagert.");
  expect(fieldsOf("QuickStore")).toEqual([expect.objectContaining({ battery: "b1;b2" })]);
});

test("Two taps on home record that a job is done, and a third takes it back", async () => {
  const about = { dpfId: "c1", jobId: "j1", title: "Propeller wechseln" };
  await openWithReminders([{ ...about, topic: "maintenance", kind: 0, name: "Nazgul F5", rule: null }]);
  await press("Erledigt Propeller wechseln");
  await screen.findByRole("dialog", { name: "Erledigt: Propeller wechseln" });
  answers.CompleteJob = [{ status: 201, body: { job: maintenanceJob(about), run: "r1", log: log() } }];
  setServer({ items: [copter], flights: [flight()], known: flownOnce });
  await press("Erledigt");
  await expectNoDialog();
  const [done] = fieldsOf("CompleteJob");
  expect(done).toMatchObject({
    dpfId: "c1",
    jobId: "j1",
    time: expect.stringMatching(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/),
  });
  expect(done?.instant).toMatch(/Z$/);
  expect(screen.queryByText("Zu erledigen")).toBeNull();
  answers.DeleteJobRun = [ok(maintenanceJob(about))];
  await user.press(
    within(await toast("Erledigt: Propeller wechseln")).getByRole("button", { name: "Rückgängig" }),
  );
  await toast("Rückgängig gemacht.");
  expect(fieldsOf("DeleteJobRun")).toEqual([{ dpfId: "c1", jobId: "j1", run: "r1", withLog: "true" }]);
});

test("Home has no list of tasks when nothing is to be done", async () => {
  await openWithReminders([]);
  await screen.findByRole("heading", { name: "Statistik" });
  expect(screen.queryByText("Zu erledigen")).toBeNull();
});
