// Chargings of a battery: starting, finishing and editing one in its dialog, the dialog's errors and drafts, and the
// history with entries of flights.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import type { Charging } from "../../api/generated/Charging";
import type { Chargings } from "../../api/generated/Chargings";
import type { Equipment } from "../../api/generated/Equipment";
import { battery, charging, item } from "../../test/objects";
import {
  answerNext,
  button,
  dateOf,
  description,
  failNext,
  field,
  fieldError,
  holdNext,
  openScreen,
  pickFromMenu,
  refused,
  sent,
  setServer,
  toast,
  user,
} from "../../test/openScreen";

withFakeServer();

const open = charging({ fromVoltage: 21.6 });
const ended = charging({
  fromVoltage: 21.6,
  chargeEndTime: "01.05.2026 11:05",
  toVoltage: 25.2,
  charged: 1234,
});
const pack = battery();
const onCharger = battery({ lastCharging: open });

/** Answers this battery, with this history, newest first. */
function setBattery(of: Equipment, history: Charging[] = []): void {
  const chargings: Chargings = { equipmentName: of.name, chargings: history };
  setServer({ items: [of], known: { GetChargings: chargings } });
}

async function openList(of: Equipment, history: Charging[] = []) {
  setBattery(of, history);
  const opened = await openScreen("/equipments/1");
  await screen.findByRole("heading", { level: 2, name: /^Akku 1/ });
  return opened;
}

const form = () => screen.getByRole("dialog", { name: "Ladevorgang für Akku 1" });
const start = async () => {
  await user.press("Ladevorgang starten Akku 1");
  await button("Starten");
};
const finish = async () => {
  await user.press("Ladevorgang beenden Akku 1");
  await button("Abschließen");
};
const cellVoltage = (when: "vorher" | "nachher") =>
  within(form()).getByLabelText<HTMLInputElement>(`Zellspannung ${when} (V)`);
const closed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const groupError = (name: string, sentence: string) =>
  waitFor(() => {
    const ids = screen.getByRole("group", { name }).getAttribute("aria-describedby")?.split(" ") ?? [];
    const said = ids.map((id) => document.getElementById(id)?.textContent).join(" ");
    expect(said.endsWith(sentence), said).toBe(true);
  });

/** Sets the clock of the device to a time of 1 May 2026. */
function at(hour: number, minute: number): void {
  vi.useFakeTimers({ now: new Date(2026, 4, 1, hour, minute), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

const history = () => screen.getByRole("dialog", { name: /^Akkuladungsverlauf/ });
const rows = () => within(history()).queryAllByRole("listitem");
const said = () => rows().map(({ textContent }) => textContent?.replaceAll("\u00a0", " ") ?? "");
async function openHistory(of: Equipment, entries: Charging[]) {
  setBattery(of, entries);
  const opened = await openScreen("/equipments/1?verlauf=b1");
  await screen.findByRole("dialog", { name: /^Akkuladungsverlauf/ });
  return opened;
}

test("A charging is started with its time and voltages, and finished with what the charger says", async () => {
  at(10, 0);
  await openList(pack);
  await start();
  expect(dateOf("Startzeit")).toEqual([1, 5, 2026, 10, 0]);
  const voltage = await field("Startspannung (V)*");
  await user.type(voltage, "216");
  expect(description(voltage)).toContain("Fehlt ein Komma?");
  await user.type(voltage, "21,6");
  expect(description(voltage)).not.toContain("Komma");
  await user.type(cellVoltage("vorher"), "3,6");
  const begun = { ...open, fromCellVoltage: 3.6 };
  setBattery({ ...pack, lastCharging: begun, state: "charging", stateSince: "01.05.2026 10:00" }, [begun]);
  answerNext("SaveCharging", begun);
  await user.press("Starten");
  await toast("Ladevorgang gestartet.");
  await closed();
  expect(sent("SaveCharging")).toMatchObject([
    { battery: "b1", chargeStartTime: "01.05.2026 10:00", fromVoltage: "21,6", fromCellVoltage: "3,6" },
  ]);
  await waitFor(() => expect(screen.getByText(/^lädt/).closest("li")?.textContent).toContain("seit 10:00"));
  expect(screen.queryByRole("button", { name: "Ladevorgang starten Akku 1" })).toBeNull();

  at(11, 5);
  await finish();
  expect(dateOf("Endzeit")).toEqual([1, 5, 2026, 11, 5]);
  expect(dateOf("Startzeit")).toEqual([1, 5, 2026, 10, 0]);
  expect((await field("Startspannung (V)*")).value).toBe("21,6");
  expect(cellVoltage("vorher").value).toBe("3,6");
  await user.type("Endspannung (V)*", "25.2");
  await user.type("Geladen (mA)*", "1234");
  await user.type(cellVoltage("nachher"), "4,2");
  setBattery({ ...pack, state: "full" }, [ended]);
  answerNext("SaveCharging", ended);
  await user.press("Abschließen");
  await toast("Ladevorgang abgeschlossen.");
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Ladevorgang/ })).toBeNull());
  await screen.findByText("voll");
  expect(sent("SaveCharging")[1]).toMatchObject({
    dpfId: "c1",
    chargeEndTime: "01.05.2026 11:05",
    toVoltage: "25.2",
    toCellVoltage: "4,2",
    charged: "1234",
  });
});

test("A retired battery finishes its charging and has no button to start one", async () => {
  const retired = { deactivateTime: "02.05.2026 10:00", deactivateText: "gebläht" };
  setBattery({ ...onCharger, ...retired }, [open]);
  await openScreen("/equipments/1?ausgemustert=true");
  await finish();
  await user.type("Endspannung (V)*", "25.2");
  await user.type("Geladen (mA)*", "1100");
  setBattery({ ...pack, ...retired, chargeCount: 1 }, [ended]);
  answerNext("SaveCharging", ended);
  await user.press("Abschließen");
  await closed();
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Ladevorgang/ })).toBeNull());
  await waitFor(() =>
    expect(screen.getByText("Ladungen", { selector: "dt" }).parentElement?.textContent).toContain("1"),
  );
});

test("A start needs its time and its voltage, and numbers", async () => {
  await openList(pack);
  await start();
  await user.press("Kalender öffnen Startzeit");
  await user.press("Löschen");
  await user.type(cellVoltage("vorher"), "viel");
  await user.press("Starten");
  await groupError("Startzeit", "Bitte geben Sie die Startzeit des Ladevorgangs ein.");
  const voltage = await field("Startspannung (V)*");
  await fieldError(voltage, /^Bitte geben Sie die Spannung vor dem Ladevorgang ein\.$/);
  await fieldError(cellVoltage("vorher"), /^Ungültige Eingabe$/);
  await user.type(voltage, "1.5.2");
  await fieldError(voltage, /^Ungültige Eingabe$/);
  expect(sent("SaveCharging")).toEqual([]);
});

test("Finishing needs voltage, capacity and a time that isn't before the start", async () => {
  at(9, 59);
  await openList(onCharger, [open]);
  await finish();
  await user.press("Abschließen");
  const [voltage, charged] = [await field("Endspannung (V)*"), await field("Geladen (mA)*")];
  await fieldError(voltage, /^Bitte geben Sie die Spannung nach dem Ladevorgang ein\.$/);
  await fieldError(charged, /^Bitte geben Sie die geladene Kapazität ein\.$/);
  await groupError("Endzeit", "Die Endzeit liegt vor der Startzeit.");

  await user.type(voltage, "-1");
  await user.type(charged, "1e9");
  await user.type(cellVoltage("nachher"), "1234567890");
  await user.press("Abschließen");
  for (const wrong of [voltage, charged, cellVoltage("nachher")])
    await fieldError(wrong, /^Ungültige Eingabe$/);

  await user.press("Kalender öffnen Endzeit");
  await user.press("Löschen");
  await user.press("Abschließen");
  await groupError("Endzeit", "Bitte geben Sie die Endzeit des Ladevorgangs ein.");
  expect(sent("SaveCharging")).toEqual([]);
});

test("A charging that another device has started is an error in the dialog, and then shown in its row", async () => {
  await openList(pack);
  await start();
  await user.type("Startspannung (V)*", "20");
  setBattery(onCharger, [open]);
  const sentence = "Für diese Batterie läuft bereits ein Ladevorgang.";
  failNext("SaveCharging", refused(409, sentence));
  await user.press("Starten");
  expect((await within(form()).findByRole("alert")).textContent).toBe(sentence);
  expect((await field("Startspannung (V)*")).value).toBe("20");
  await user.press("Abbrechen");
  await button("Ladevorgang beenden Akku 1");
});

test("The end that is proposed is the pack's own, even if its history comes late", async () => {
  await openList(battery({ model: "6S 1300", lastCharging: { ...open, dpfId: "c2" } }));
  const answer = holdNext("GetChargings");
  await user.press("Ladevorgang beenden Akku 1");
  await screen.findByRole("dialog", { name: "Ladevorgang für Akku 1" });
  expect(screen.queryByLabelText(/^Endspannung/)).toBeNull();
  const chargings = [
    { ...open, dpfId: "c2" },
    { ...ended, toVoltage: 24.9 },
  ];
  await answer({ equipmentName: "Akku 1", chargings });
  expect((await field("Endspannung (V)*")).value).toBe("24,9");
});

test("Typed values survive a reload", async () => {
  const { reload } = await openList(onCharger, [open]);
  await finish();
  await user.type("Endspannung (V)*", "25.1");
  await user.type("Geladen (mA)*", "900");
  await act(async () => void window.dispatchEvent(new Event("pagehide")));
  await reload();
  await finish();
  await within(form()).findByText(/Entwurf von .* wiederhergestellt/);
  expect((await field("Endspannung (V)*")).value).toBe("25.1");
  setBattery(pack, [ended]);
  answerNext("SaveCharging", ended);
  await user.press("Abschließen");
  await closed();
  expect(sent("SaveCharging")).toMatchObject([{ dpfId: "c1", toVoltage: "25.1", charged: "900" }]);
});

test("A number that only reads differently from what is stored is no draft", async () => {
  const { reload } = await openHistory(pack, [ended]);
  await user.press("Bearbeiten 01.05.2026 10:00");
  await user.type("Startspannung (V)*", "21.6");
  await act(async () => void window.dispatchEvent(new Event("pagehide")));
  await reload();
  await user.press("Bearbeiten 01.05.2026 10:00");
  expect((await field("Startspannung (V)*")).value).toBe("21,6");
  expect(screen.queryByText(/Entwurf von/)).toBeNull();
});

test("While a charging is saved, pressing again doesn't save it twice", async () => {
  await openList(pack);
  await start();
  await user.type("Startspannung (V)*", "21,6");
  const answer = holdNext("SaveCharging");
  await user.press("Starten");
  const submit = await button("Starten");
  await waitFor(() => expect(submit.getAttribute("aria-disabled")).toBe("true"));
  await user.press("Starten");
  fireEvent.submit(submit.closest("form") as HTMLFormElement);
  setBattery(onCharger, [open]);
  await answer(open);
  await button("Ladevorgang beenden Akku 1");
  expect(sent("SaveCharging")).toHaveLength(1);
});

const day = (number: number, fields: Partial<Charging>) =>
  charging({ dpfId: `d${number}`, chargeStartTime: `0${number}.05.2026 10:00`, ...fields });

test("The history has every kind of entry in the server's order, and leads to a flight", async () => {
  const { address } = await openHistory(pack, [
    day(4, { fromVoltage: 22.8 }),
    day(3, { fromVoltage: 25.2, chargeEndTime: "03.05.2026 10:30", toVoltage: 22.8, charged: 640 }),
    day(2, {
      flight: "f1",
      fromVoltage: 25.1,
      toVoltage: 21.9,
      charged: 905,
      chargeEndTime: "02.05.2026 10:12",
    }),
    { ...ended, fromCellVoltage: 3.6, toCellVoltage: 4.2 },
  ]);
  await waitFor(() => expect(rows()).toHaveLength(4));
  const [running = "", discharge = "", flown = "", charged = ""] = said();
  expect(running).toContain("Ladevorgang läuft");
  expect(running).toContain("04.05.2026 10:00");
  expect(discharge).toContain("Entladung");
  expect(discharge).toContain("0,64 A");
  expect(flown).toContain("0,91 A");
  expect(flown).toContain("02.05.2026 10:12");
  expect(within(rows()[2] as HTMLElement).queryByRole("button")).toBeNull();
  expect(charged).toContain("Aufladung");
  for (const text of ["01.05.2026 10:00", "01.05.2026 11:05", "1,23 A", "21,6 V → 25,2 V", "3,6 V → 4,2 V"]) {
    expect(charged).toContain(text);
  }
  await user.press(/Flug vom 02\.05\.2026 10:00 anzeigen/);
  await waitFor(() => expect(address()).toBe("/flights/f1"));
});

test("A finished charging is edited from the history, an open one is finished there", async () => {
  const running = day(2, { fromVoltage: 22 });
  await openHistory(battery({ lastCharging: running }), [running, ended]);
  await user.press("Bearbeiten 01.05.2026 10:00");
  expect((await field("Geladen (mA)*")).value).toBe("1234");
  expect(dateOf("Endzeit")).toEqual([1, 5, 2026, 11, 5]);
  await user.type("Endspannung (V)*", "20");
  const changed = { ...ended, toVoltage: 20 };
  setBattery(battery({ lastCharging: running }), [running, changed]);
  answerNext("SaveCharging", changed);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  await waitFor(() => expect(said()[1]).toContain("Entladung"));
  expect(sent("SaveCharging")).toMatchObject([{ dpfId: "c1", toVoltage: "20", charged: "1234" }]);

  await user.press("Ladevorgang beenden");
  await user.type("Endspannung (V)*", "25,2");
  await user.type("Geladen (mA)*", "800");
  const over = { ...running, chargeEndTime: "02.05.2026 11:00", toVoltage: 25.2, charged: 800 };
  setBattery(pack, [over, changed]);
  answerNext("SaveCharging", over);
  await user.press("Abschließen");
  await waitFor(() => expect(said()[0]).toContain("Aufladung"));
  expect(said()[0]).toContain("0,80 A");
  await user.press(within(history()).getByText("Schließen"));
  await closed();
  expect(screen.queryByRole("button", { name: "Ladevorgang beenden Akku 1" })).toBeNull();
});

const charge = (number: number) =>
  day(number, {
    fromVoltage: 21.6,
    chargeEndTime: `0${number}.05.2026 11:00`,
    toVoltage: number === 3 ? 25.1 : 25.2,
    charged: 1200 - number * 100,
  });

test("Three chargings make a chart that says in words what it shows", async () => {
  const { reload } = await openHistory(pack, [charge(2), charge(1)]);
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(screen.queryByRole("figure")).toBeNull();
  setBattery(pack, [charge(3), charge(2), charge(1)]);
  await reload();
  const caption = await screen.findByText("3 Aufladungen im Lauf der Zeit");
  const chart = caption.closest("figure") as HTMLElement;
  const about = (name: string) => {
    const plot = within(chart).getByRole("img", { name });
    const ids = plot.getAttribute("aria-describedby")?.split(" ") ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent?.replaceAll("\u00a0", " ")).join(" ");
  };
  expect(about("Spannung vor und nach dem Laden")).toBe(
    "3 Aufladungen vom 01.05.2026 bis zum 03.05.2026. Vor dem Laden 21,6 V, danach 25,1 V bis 25,2 V.",
  );
  expect(about("Geladen")).toBe("Geladen wurden 0,90 A bis 1,10 A, zuletzt 0,90 A.");
});

test("A battery without any charging says so", async () => {
  await openHistory(pack, []);
  await screen.findByText("Kein Akkuladungsverlauf vorhanden");
  await user.press(within(history()).getByText("Schließen"));
  await closed();
  await button("Ladevorgang starten Akku 1");
});

const lost = () => "lost" as const;

test("A history that can't be loaded says so and can be asked for again", async () => {
  setServer({ items: [pack], known: { GetChargings: lost } });
  await openScreen("/equipments/1?verlauf=b1");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(
    "Akkuladungsverlauf konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  );
  setBattery(pack);
  await user.press("Nochmal");
  await screen.findByText("Kein Akkuladungsverlauf vorhanden");
});

test("Nothing but batteries is charged", async () => {
  await openScreen("/equipments/0?verlauf=i1", { items: [item({ name: "Nazgul F5" })] });
  await screen.findByRole("heading", { level: 2, name: "Nazgul F5" });
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("button", { name: /Ladevorgang/ })).toBeNull();
  await user.press("Mehr zu Nazgul F5");
  expect(screen.queryByRole("menuitem", { name: /Ladevorgang|Akkuladungsverlauf/ })).toBeNull();
});

const many = Array.from({ length: 61 }, (_, place) => {
  const minute = 70 - place;
  const time = `01.05.2026 ${minute < 60 ? 10 : 11}:${String(minute % 60).padStart(2, "0")}`;
  return { ...ended, dpfId: `m${minute}`, chargeStartTime: time, chargeEndTime: time };
});

test("A long history shows its newest entries, all of them when asked or printed", async () => {
  const { reload } = await openHistory(pack, many);
  await waitFor(() => expect(rows()).toHaveLength(60));
  expect(said()[0]).toContain("01.05.2026 11:10");
  await act(async () => void window.dispatchEvent(new Event("beforeprint")));
  expect(rows()).toHaveLength(61);
  await reload();
  await waitFor(() => expect(rows()).toHaveLength(60));
  await user.press("Alle 61 Einträge anzeigen");
  expect(rows()).toHaveLength(61);
  expect(said()[60]).toContain("01.05.2026 10:10");
});

test("The menu of a pack's row has its actions", async () => {
  await openList(battery({ model: "R-Line 6S 1300", state: "full" }));
  const go = (way: string) => pickFromMenu(way, "Mehr zu Akku 1");
  await go("Log erstellen");
  await screen.findByRole("dialog", { name: "Neuer Log für R-Line 6S 1300" });
  await user.press("Abbrechen");
  await closed();
  await go("Bearbeiten");
  await screen.findByRole("heading", { level: 1, name: "Batterie editieren" });
  await user.press("Zurück");
  await go("Logs");
  await screen.findByRole("heading", { level: 1, name: /^Logs für/ });
});
