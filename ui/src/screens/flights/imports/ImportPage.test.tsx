// Flights from files: what the choice of files refuses, the review of what was found, and the outcome.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { withFakeServer } from "../../../api/fakeServer";
import type { Import } from "../../../api/generated/Import";
import type { ImportRow } from "../../../api/generated/ImportRow";
import { Kind } from "../../../api/generated/Kind";
import {
  accepted,
  battery,
  flight,
  flightItem,
  found,
  importFile,
  item,
  proposal,
} from "../../../test/objects";
import {
  answerNext,
  button,
  dateOf,
  failNext,
  field,
  openScreen,
  refused,
  type ServerState,
  sent,
  setServer,
  toast,
  user,
} from "../../../test/openScreen";

withFakeServer();

const quad = item({ dpfId: "c1", name: "Testquad" });
const ofDay = importFile("Testquad-2026-05-09.csv");
const threeFlights = found(
  [ofDay],
  [
    proposal("0-0", {
      copter: "c1",
      distance: 2.7,
      maximumDistance: 120,
      maximumAltitude: 40,
      speed: 32.4,
      track: [
        [53.5, 9.9],
        [53.501, 9.901],
      ],
    }),
    proposal("0-1", { copter: "c1", startTime: "09.05.2026 10:40" }),
    proposal("0-2", {
      copter: "c1",
      startTime: "09.05.2026 11:30",
      flightTime: 0.2,
      ticked: false,
      hints: ["kurz: 10 s"],
    }),
  ],
);

/** What the server knows: this import, and the rest. */
const knowing = (of: Import, more: ServerState = {}): ServerState => ({
  items: [quad],
  ...more,
  known: { GetImport: of, ...more.known },
});

async function openReview(of: Import, more: ServerState = {}) {
  const opened = await openScreen("/flights/import/i1", knowing(of, more));
  await summary();
  return opened;
}

const summary = () => screen.findByText(/erkannt/, { selector: "[role=status], [role=status] *" });
const tick = (start: string) =>
  screen.getByRole<HTMLInputElement>("checkbox", { name: `Flug übernehmen, ${start}` });
const row = (start: string) => tick(start).closest("li") as HTMLElement;
const said = (start: string) => row(start).textContent?.replaceAll("\u00a0", " ");
const copterOf = (start: string) =>
  screen.getByRole<HTMLSelectElement>("combobox", { name: `Copter, ${start}` });
const takeOver = () => button(/(Flug|Flüge) übernehmen$/);
const choices = () => sent("AcceptImport").map(({ choices }) => choices);

function chooseFiles(...files: File[]): Promise<void> {
  const input = document.querySelector<HTMLInputElement>("input[type=file]") as HTMLInputElement;
  Object.defineProperty(input, "files", { configurable: true, value: files });
  return act(async () => void fireEvent.change(input));
}
const csv = (name: string) => new File(["a;b\n1;2\n"], name);

const gone = () => refused(403, "Darauf haben Sie keinen Zugriff.");

/** Answers the acceptance of an import by these flights. */
async function accept(outcome: Parameters<typeof accepted>[0], after: ServerState = {}): Promise<void> {
  setServer({ items: [quad], ...after });
  answerNext("AcceptImport", accepted(outcome));
  await user.press(await takeOver());
}
const made = [
  flight({ dpfId: "f1", startTime: "09.05.2026 10:02", copter: flightItem({ name: "Testquad" }) }),
  flight({ dpfId: "f2", startTime: "09.05.2026 10:40", copter: flightItem({ name: "Testquad" }) }),
];

test("The first steps of a new pilot lead to the import page", async () => {
  const { address } = await openScreen("/home");
  await screen.findByText("Drei Schritte bis zum ersten Flug");
  await user.press(/^Aus Datei übernehmen/);
  await waitFor(() => expect(address()).toBe("/flights/import"));
  await waitFor(() =>
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Flüge aus Dateien"),
  );
});

test("The review says what is in a file and what was left out, and keeps the choices after a reload", async () => {
  const { reload } = await openReview(threeFlights);
  expect((await summary()).textContent).toBe("3 Flüge erkannt");
  expect([tick("10:02").checked, tick("11:30").checked]).toEqual([true, false]);
  expect(said("11:30")).toContain("kurz: 10 s");
  expect(said("10:02")).toContain("5,2 min");
  expect(said("10:02")).toContain("2,7 km · 120 m weit · 40 m hoch · 32,4 km/h");
  expect((await takeOver()).textContent).toBe("2 Flüge übernehmen");
  await user.press(tick("10:40"));
  await button("1 Flug übernehmen");
  const { address } = await reload();
  await button("1 Flug übernehmen");
  expect(tick("10:40").checked).toBe(false);

  await user.press("Verwerfen");
  await screen.findByRole("alertdialog");
  answerNext("DiscardImport", undefined);
  await user.press("Ja");
  await toast("Import verworfen.");
  expect(sent("DiscardImport")).toMatchObject([{ dpfId: "i1" }]);
  await button("Dateien auswählen");
  expect(address()).toBe("/flights/import");
});

const waiting: ImportRow = { dpfId: "i1", time: "09.05.2026 12:00", files: [ofDay.name], flights: 3 };

test("An import that isn't over is on the import page, on any device", async () => {
  const { address } = await openScreen(
    "/flights/import",
    knowing(threeFlights, { known: { GetImports: [waiting] } }),
  );
  await user.press(/^Testquad-2026-05-09\.csv.*3 Flüge$/);
  await waitFor(() => expect(address()).toBe("/flights/import/i1"));
  expect((await summary()).textContent).toBe("3 Flüge erkannt");
});

test("Every value can be changed before it is sent, and the file is kept if that is wanted", async () => {
  await openReview(threeFlights);
  await user.press("Mehr 10:02");
  await within(await screen.findByRole("dialog")).findByRole("img", { name: /^Flugweg/ });
  await user.type("Ort", "Müllwiese");
  await user.type("Max. Geschwindigkeit (km/h)", "33");
  await user.press("Fertig");
  await waitFor(() => expect(said("10:02")).toContain("Müllwiese"));
  expect(said("10:02")).toContain("33 km/h");
  await user.press(/^Dateien ?1/);
  await user.press("Originaldatei beim Flug aufbewahren");
  await accept({ created: ["f1", "f2"], skipped: 1 }, { flights: made });
  await screen.findByText(/^2 Flüge übernommen\. 1\sübersprungen\.$/);
  const change = { location: "Müllwiese", speed: "33" };
  expect(choices()).toMatchObject([
    [
      { key: "0-0", action: "create", copter: "c1", flight: change, keepFile: true },
      { key: "0-1", action: "create", copter: "c1", keepFile: true },
      { key: "0-2", action: "skip" },
    ],
  ]);
});

test("What was taken over can be taken back, and nothing else goes with it", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { router } = await openReview(threeFlights);
  await accept({ created: ["f1", "f2"], skipped: 1 }, { flights: made });
  await button("Rückgängig");
  await vi.advanceTimersByTimeAsync(600_000);
  answerNext("DeleteFlight", undefined);
  // The pilot deleted it before.
  failNext("DeleteFlight", gone());
  await user.press("Rückgängig");
  await screen.findByRole("alertdialog", { name: "Alle 2 übernommenen Flüge wieder löschen?" });
  expect(sent("DeleteFlight")).toEqual([]);
  await user.press("Ja");
  await screen.findByText("Rückgängig: 2 Flüge gelöscht.");
  expect(sent("DeleteFlight").map(({ dpfId }) => dpfId)).toEqual(["f1", "f2"]);
  await waitFor(() => expect(router.state.location.state).toMatchObject({ undone: true }));
  await router.navigate("/flights");
  await router.navigate(-1);
  await screen.findByText("Rückgängig: 2 Flüge gelöscht.");
  expect(screen.queryByRole("button", { name: "Rückgängig" })).toBeNull();
});

test("The open flight is finished with the file", async () => {
  const open = found([importFile("Adler.csv")], [proposal("0-0", { copter: "c1", open: true })]);
  const running = flight({ dpfId: "f3", open: true, copter: flightItem({ dpfId: "c1" }) });
  await openReview(open, { user: { openFlight: "f3" }, flights: [running] });
  expect(
    screen.getByRole<HTMLInputElement>("radio", { name: "Offenen Flug damit abschließen" }).checked,
  ).toBe(true);
  await accept({ completed: ["f3"] }, { flights: [{ ...running, open: false }] });
  await screen.findByText("1 Flug ergänzt.");
  expect(choices()).toMatchObject([[{ key: "0-0", action: "finish" }]]);
  await user.press("Fluglog, zur Startseite");
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Hallo, Anna"));
  expect(screen.queryByRole("link", { name: "Fluglog beenden" })).toBeNull();
});

const whoop = importFile("Whoop.csv");
const ofWhoop = (fields: Parameters<typeof proposal>[1]) =>
  found([whoop], [proposal("0-0", { copter: "c1", ...fields })]);
const twin = { kind: "time", dpfId: "f1", key: null, text: "Um diese Zeit gibt es schon einen Flug." };
const shiftable = ({ shifts = "" }: Record<string, string>) =>
  shifts.includes("90")
    ? ofWhoop({
        startTime: "09.05.2026 11:30",
        startTimeFile: "10:00",
        shiftMinutes: 90,
        twin,
        ticked: false,
      })
    : ofWhoop({ startTime: "09.05.2026 10:00" });

test("A shifted time finds the duplicate at the new time", async () => {
  await openScreen("/flights/import/i1", { items: [quad], known: { GetImport: shiftable } });
  await summary();
  expect(screen.queryByRole("radiogroup")).toBeNull();
  await user.press(/^Dateien ?1/);
  await user.press("Zeit verschieben");
  await user.type("Um ±h:mm", "+1:30");
  await user.press("Verschieben");
  const skip = await screen.findByRole<HTMLInputElement>("radio", { name: "Überspringen" });
  expect(skip.checked).toBe(true);
  expect(said("11:30")).toContain("11:30 (Datei: 10:00)");
  await screen.findByText(/um \+1:30 verschoben/);
  expect(sent("GetImport").at(-1)).toMatchObject({ dpfId: "i1", shifts: { 0: 90 } });
});

test("A start that the file doesn't know is asked for before the flight is taken over", async () => {
  vi.useFakeTimers({ now: new Date(2026, 4, 3, 11, 15), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await openReview(ofWhoop({ startTime: "", startTimeFile: "01.01.2003 10:00", ticked: false }));
  expect((await takeOver()).disabled).toBe(true);
  await user.press("Kalender öffnen Startzeit");
  await screen.findByRole("dialog", { name: "Kalender" });
  await user.press("Heute");
  await user.press("Bestätigen");
  await waitFor(() => expect(dateOf("Startzeit").slice(0, 3)).toEqual([3, 5, 2026]));
  await button("1 Flug übernehmen");
  await accept({ created: ["f1"] }, { flights: made });
  await screen.findByText("1 Flug übernommen.");
  expect(JSON.stringify(choices()[0])).toContain("03.05.2026");
});

const table = importFile("Flugbuch.csv");
const ofFalke = found(
  [table],
  // Not in the order of the page.
  ["11:00", "12:00", "10:00"].map((clock, at) =>
    proposal(`0-${at}`, { startTime: `09.05.2026 ${clock}`, copterName: "Falke" }),
  ),
);

test("An unknown copter is made on the way and chosen for all its flights", async () => {
  await openReview(ofFalke, { items: [] });
  await user.press(await takeOver());
  expect((await screen.findByRole("alert")).textContent).toBe("Bitte Copter wählen. Er fehlt bei 3 Flügen.");
  await waitFor(() => expect(document.activeElement).toBe(copterOf("10:00")));
  expect(document.activeElement?.getAttribute("aria-invalid")).toBe("true");
  expect(sent("AcceptImport")).toEqual([]);
  await user.press("Neuen Copter anlegen");
  expect((await field("Name*")).value).toBe("Falke");
  const falke = item({ dpfId: "c7", name: "Falke" });
  setServer(knowing(ofFalke, { items: [falke] }));
  answerNext("SaveNewEquipment", falke);
  await user.press("Speichern");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent("SaveNewEquipment")).toMatchObject([{ equipment: { type: Kind.Copter, name: "Falke" } }]);
  expect(screen.queryByRole("alert")).toBeNull();
  for (const start of ["10:00", "11:00", "12:00"]) {
    await waitFor(() => expect(copterOf(start).selectedOptions[0]?.text).toBe("Falke"));
  }
  await accept({ created: ["f1", "f2", "f3"] }, { flights: made });
  await screen.findByText("3 Flüge übernommen.");
  expect((choices()[0] as { copter: string }[]).map(({ copter }) => copter)).toEqual(["c7", "c7", "c7"]);
});

test("A file without flights is refused in one sentence, and left out beside others", async () => {
  const sentence = "Diese Datei ist keine Flugdatei, die Fluglog kennt.";
  const { address } = await openScreen("/flights/import");
  failNext("UploadImport", refused(415, sentence));
  await chooseFiles(csv("Notizen.txt"));
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);

  answerNext(
    "UploadImport",
    found([importFile("leer.gpx", { message: "Keine Flüge gefunden." })], [], { dpfId: null }),
  );
  await chooseFiles(csv("leer.gpx"));
  await screen.findByText("leer.gpx: Keine Flüge gefunden.");
  expect(screen.queryByRole("alert")).toBeNull();

  await chooseFiles(...Array.from({ length: 21 }, (_, place) => csv(`${place}.csv`)));
  expect((await screen.findByRole("alert")).textContent).toBe("Höchstens 20 Dateien auf einmal.");
  expect(sent("UploadImport")).toHaveLength(2);

  const both = found(
    [importFile("Notizen.txt", { message: sentence }), ofDay],
    [proposal("1-0", { copter: "c1" })],
  );
  setServer(knowing(both));
  answerNext("UploadImport", both);
  await chooseFiles(csv("Notizen.txt"), csv(ofDay.name));
  await screen.findByText(`Notizen.txt: ${sentence}`);
  expect(address()).toBe("/flights/import/i1");
  tick("10:02");
});

test("With the server gone an import is kept, and taken over with the same choices once it is back", async () => {
  await openReview(threeFlights);
  await user.press(tick("10:40"));
  failNext("AcceptImport", "lost");
  await user.press(await button("1 Flug übernehmen"));
  expect((await screen.findByRole("alert")).textContent).toContain("Keine Antwort vom Server.");
  await accept({ created: ["f1"], skipped: 2 }, { flights: made });
  await screen.findByText(/^1 Flug übernommen\./);
  const [first, second] = sent("AcceptImport");
  expect(second).toEqual(first);
  expect(second).toMatchObject({ requestId: expect.any(String) });
});

test("An import that another device accepted or discarded says so", async () => {
  const { address } = await openReview(threeFlights);
  setServer({ items: [quad], known: { GetImport: gone }, flights: made });
  failNext("AcceptImport", refused(409, "Der Import wurde schon übernommen."));
  await user.press(await takeOver());
  await screen.findByText(/^Diesen Import gibt es nicht mehr\./);
  await user.press("Zu den Flügen");
  await waitFor(() => expect(address()).toBe("/flights"));
});

const expired = "Der Import ist abgelaufen. Bitte die Datei erneut wählen.";
const over = () => refused(409, expired);

test("An import that has expired says so", async () => {
  await openScreen("/flights/import/i1", { known: { GetImport: over } });
  await screen.findByText(expired);
  await user.press("Dateien auswählen");
  await button("Dateien auswählen");
});

test("A flight from before the retirement of its items is imported with them", async () => {
  const retirement = { deactivateTime: "01.06.2026 12:00", deactivateText: "Defekt" };
  const [copter, pack] = [item({ ...quad, ...retirement }), battery(retirement)];
  await openReview(found([ofDay], [proposal("0-0", { copter: "c1", equipments: ["b1"] })]), {
    items: [copter, pack],
  });
  expect(copterOf("10:02").value).toBe("c1");
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Akku, 10:02" }).value).toBe("b1");
  await accept({ created: ["f1"] }, { flights: made });
  await screen.findByText("1 Flug übernommen.");
  expect(choices()).toMatchObject([[{ key: "0-0", copter: "c1", equipments: ["b1"] }]]);
});

test("An import of one flight opens it, and is undone there", async () => {
  const { address } = await openReview(threeFlights);
  await user.press(tick("10:40"));
  answerNext("AcceptImport", accepted({ created: ["f1"], skipped: 2 }));
  setServer({ items: [quad], flights: made });
  await user.press(await button("1 Flug übernehmen"));
  await waitFor(() => expect(address()).toBe("/flights/f1"));
  await toast("1 Flug übernommen. 2\u00a0übersprungen.");
  answerNext("DeleteFlight", undefined);
  await user.press(await button("Rückgängig"));
  await waitFor(() => expect(address()).toBe("/flights"));
  expect(sent("DeleteFlight")).toMatchObject([{ dpfId: "f1" }]);
});

test("An import of many flights ends in their sum over their paths", async () => {
  await openReview(threeFlights);
  const paths = [
    [0, 0, 500, 0, 0, 0],
    [0, 0, 0, 700, 0, 0],
  ];
  await accept({ created: ["f1", "f2"], minutes: 364, distance: 108.3, paths }, { flights: made });
  const stage = await screen.findByRole("region", { name: "Übernommen" });
  expect(stage.querySelector("p")?.textContent?.replaceAll("\u00a0", " ")).toBe(
    "2 Flüge · 6 h 04 min · 108 km",
  );
  within(stage).getByRole("img", { name: "2 Flugwege, je vom eigenen Start aus" });
  await button("Rückgängig");
});

test("The sixth open import waits until one is over", async () => {
  const open = Array.from({ length: 5 }, (_, at) => ({ ...waiting, dpfId: `i${at}`, files: ["Litchi.csv"] }));
  await openScreen("/flights/import", { known: { GetImports: open } });
  await screen.findAllByRole("link", { name: /Litchi\.csv/ });
  const sentence = "Bitte erst einen Import abschließen oder verwerfen.";
  failNext("UploadImport", refused(409, sentence));
  await chooseFiles(csv("a.csv"));
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  const [first] = screen.getAllByRole("button", { name: "Litchi.csv verwerfen" });
  await user.press(first as Element);
  await screen.findByRole("alertdialog");
  setServer(knowing({ ...threeFlights, dpfId: "i9" }, { known: { GetImports: open.slice(1) } }));
  answerNext("DiscardImport", undefined);
  await user.press("Ja");
  await waitFor(() => expect(screen.getAllByRole("link", { name: /Litchi\.csv/ })).toHaveLength(4));
  expect(sent("DiscardImport")).toMatchObject([{ dpfId: "i0" }]);
  answerNext("UploadImport", { ...threeFlights, dpfId: "i9" });
  await chooseFiles(csv("a.csv"));
  expect((await summary()).textContent).toBe("3 Flüge erkannt");
});

const column = (name: string, guess = "") => ({ name, examples: ["1"], guess, unit: "", decimal: "" });
const own = importFile("eigen.csv", {
  format: "csv",
  message: "Bitte die Spalten prüfen.",
  columns: [column("wann", "dateTime"), column("was"), column("wie weit"), column("wie lang")],
  separator: ";",
  decimal: ",",
  dateOrder: "dmy",
});

test("The columns of a table are chosen before its flights are found", async () => {
  await openScreen("/flights/import/i1", knowing(found([own], [])));
  await screen.findByText("eigen.csv: Bitte die Spalten prüfen.");
  const [first] = await screen.findAllByRole("button", { name: "Spalten zuordnen" });
  await user.press(first as Element);
  const meaning = (name: string) => `Bedeutung von ${name}`;
  await user.choose(meaning("was"), "Copter");
  await user.choose(meaning("wie weit"), "Strecke");
  await user.choose("Einheit von wie weit", "m");
  expect(screen.getByLabelText<HTMLSelectElement>(meaning("wann")).selectedOptions[0]?.text).toBe(
    "Datum und Zeit",
  );
  await user.choose(meaning("wie lang"), "Datum und Zeit");
  await user.press("Auswerten");
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Bitte genau eine Spalte mit dem Datum wählen und keine Bedeutung doppelt.",
  );
  expect(sent("MapImportColumns")).toEqual([]);
  await user.choose(meaning("wie lang"), "Dauer");
  const read = found(
    [{ ...own, message: "" }],
    [proposal("0-0", { copter: "c1", flightTime: 7, distance: 1.2 })],
  );
  setServer(knowing(read));
  answerNext("MapImportColumns", read);
  await user.press("Auswerten");
  await summary();
  await waitFor(() => expect(said("10:02")).toContain("7 min"));
  expect(said("10:02")).toContain("1,2 km");
  expect(sent("MapImportColumns")).toMatchObject([{ dpfId: "i1", file: "0" }]);
  expect(JSON.stringify(sent("MapImportColumns")[0])).toMatch(/distance.*m/);
});

test("What a list doesn't say is said above its flights, each with its way out", async () => {
  const list = importFile("Fluege alt.csv", {
    format: "csv",
    columns: [column("Datum", "date"), column("Helfer")],
    separator: ";",
    decimal: ",",
    dateOrder: "dmy",
  });
  const old = found(
    [list],
    [
      proposal("0-0", { copter: "c1", location: "Garten", unknownPacks: ["A1", "A2"] }),
      proposal("0-1", {
        copter: "c1",
        startTime: "10.05.2026 11:00",
        flightTime: null,
        unknownPacks: ["A1"],
      }),
      proposal("0-2", { copter: "c1", startTime: "", startTimeFile: "02.05.2024", ticked: false }),
    ],
  );
  await openReview(old);
  expect((await summary()).textContent).toBe("3 Flüge erkannt · 1 ohne Startzeit");
  expect(said("10:02")).toContain("Garten");
  expect(said("10:02")).toContain("Akku A1, A2");
  expect(said("11:00")).toContain("ohne Dauer");

  await screen.findByText("Nicht gelesen: Helfer");
  await user.press("Spalten zuordnen");
  await screen.findByLabelText("Bedeutung von Helfer");
  await user.press("Abbrechen");

  await screen.findByText("2 Akkus der Datei sind noch nicht angelegt: A1, A2");
  const packs = ["A1", "A2"].map((name, at) => battery({ dpfId: `b${at + 1}`, name }));
  failNext("SaveNewEquipment", "lost");
  await user.press("Akkus anlegen");
  await screen.findByRole("alert");
  setServer(knowing(old, { items: [quad, ...packs] }));
  for (const pack of packs) answerNext("SaveNewEquipment", pack);
  await user.press("Akkus anlegen");
  await waitFor(() => expect(screen.queryByText(/noch nicht angelegt/)).toBeNull());
  await toast("2 Akkus angelegt.");
  await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
  expect(sent("SaveNewEquipment")).toMatchObject(
    ["A1", "A1", "A2"].map((name) => ({ equipment: { type: Kind.Battery, name } })),
  );
  const [lost, again, other] = sent("SaveNewEquipment").map(({ dpfId }) => dpfId);
  expect(again).toBe(lost);
  expect(other).not.toBe(lost);

  await screen.findByText("1 Flug ist ohne Uhrzeit und wird so nicht übernommen.");
  await user.press("12:00 annehmen");
  expect((await summary()).textContent).toBe("3 Flüge erkannt");
  expect(
    within(row("02.05.2024 12:00")).getByRole("group", { name: "Uhrzeit am 02.05.2024" }).textContent,
  ).toContain("12:00");
  await accept({ created: ["f1", "f2"] }, { flights: made });
  await screen.findByText("2 Flüge übernommen.");
  expect(choices()).toMatchObject([
    [
      { key: "0-0", action: "create", equipments: ["b1", "b2"] },
      { key: "0-1", action: "create", equipments: ["b1"] },
      { key: "0-2", action: "create", startTime: "02.05.2024 12:00" },
    ],
  ]);
});
