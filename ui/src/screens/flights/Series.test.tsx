// The end of a flight: its proposed time, a flight that was left open, and the start of the next one of a series.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import type { Flight } from "../../api/generated/Flight";
import { Kind } from "../../api/generated/Kind";
import { recordServerTime } from "../../lib/clock";
import { battery, flight, flightItem, item, noStatistics } from "../../test/objects";
import {
  answerNext,
  button,
  failNext,
  field,
  openScreen,
  refused,
  sent,
  setServer,
  unfold,
  user,
} from "../../test/openScreen";

withFakeServer();

const now = new Date(2026, 4, 4, 12, 0);
function at(time: Date): void {
  vi.useFakeTimers({ now: time, shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

/** The clock is this much later, and everything that waits for the next seconds has happened. */
async function minutesLater(minutes: number): Promise<void> {
  vi.setSystemTime(now.getTime() + minutes * 60_000);
  await vi.advanceTimersByTimeAsync(10_000);
}

const albatros = item({ dpfId: "c1", name: "Albatros", weight: 690 });
const packs = [1, 2, 3].map((number) =>
  battery({
    dpfId: `b${number}`,
    name: `Langstrecke ${number}`,
    model: "6S 4000",
    state: "full",
    currentCharge: 25.2,
    lastChargeTime: "04.05.2026 11:00",
  }),
);
const running = flight({
  open: true,
  startTime: "04.05.2026 11:57",
  copter: flightItem({ dpfId: "c1", name: "Albatros" }),
  equipments: [flightItem({ dpfId: "b1", type: Kind.Battery, name: "Langstrecke 1", model: "6S 4000" })],
});

async function flying(fields: Partial<Flight> = {}, path = "/flights/f1/finish") {
  const open = { ...running, ...fields };
  const opened = await openScreen(path, {
    user: { openFlight: "f1" },
    items: [albatros, ...packs],
    flights: [open],
  });
  return { ...opened, open };
}

const next = () => button(/^Abschließen, nächster Akku/);
const land = async () => {
  await user.type("Endspannung (V)", "22.3");
  await user.type("Verbraucht (mA)", "3100");
};
const flightsSent = () => sent("SaveFlight").map(({ flight }) => flight);

test("Finish proposes the flight time, asks for everything and ends the flight", async () => {
  at(now);
  const { address, open } = await flying();
  await unfold("Flug");
  expect((await field("Flugzeit (min)")).value).toBe("3");
  expect(screen.queryByRole("button", { name: "Speichern" })).toBeNull();
  const values = {
    "Flugzeit (min)": "flightTime",
    "Höhe (m)": "maximumAltitude",
    "Strecke (km)": "distance",
    "Max. Entfernung (m)": "maximumDistance",
    "Max. Geschwindigkeit (km/h)": "speed",
    "Endspannung (V)": "batteryEndVoltage",
    "Verbraucht (mA)": "consumedCapacity",
  };
  const expected: Record<string, string> = {};
  for (const [position, [label, name]] of Object.entries(values).entries()) {
    expected[name] = `${position + 1},5`;
    await user.type(label, `${position + 1},5`);
  }
  const ended = { ...open, open: false };
  setServer({ items: [albatros, ...packs], flights: [ended] });
  answerNext("SaveFlight", ended);
  await user.press("Abschließen");
  await waitFor(() => expect(address()).toBe("/flights/f1"));
  expect(sent("SaveFlight")).toMatchObject([{ endFlight: "true", flight: { dpfId: "f1", ...expected } }]);
});

test("The flight time stops when the form of the end opens, also over a reload, and is what is sent", async () => {
  at(now);
  const { open, reload } = await flying();
  await unfold("Flug");
  expect((await field("Flugzeit (min)")).value).toBe("3");
  await minutesLater(2);
  await user.type("Endspannung (V)", "22,3");
  await reload();
  await minutesLater(7);
  expect((await field("Flugzeit (min)")).value).toBe("3");
  expect((await screen.findByRole("timer")).textContent).toMatch(/^3(\smin|:0\d)$/);
  answerNext("SaveFlight", { ...open, open: false });
  await user.press("Abschließen");
  await waitFor(() =>
    expect(flightsSent()).toEqual([{ dpfId: "f1", flightTime: "3", batteryEndVoltage: "22,3" }]),
  );
  const [{ endInstant } = {}] = sent("SaveFlight");
  expect(Math.abs(Date.parse(String(endInstant)) - now.getTime())).toBeLessThan(10_000);
});

test("A typed flight time stays", async () => {
  at(now);
  const { open } = await flying();
  await user.type("Flugzeit (min)", "8,5");
  await minutesLater(12);
  await user.type("Endspannung (V)", "22,3");
  answerNext("SaveFlight", { ...open, open: false });
  await user.press("Abschließen");
  await waitFor(() =>
    expect(flightsSent()).toEqual([{ dpfId: "f1", flightTime: "8,5", batteryEndVoltage: "22,3" }]),
  );
});

test("The time of a series' next flight runs until a value of its landing is typed", async () => {
  at(now);
  const { open, router } = await flying({}, "/home");
  await router.navigate("/flights/f1/finish", { state: { isOfSeries: true } });
  await unfold("Flug");
  const time = await field("Flugzeit (min)");
  expect(time.value).toBe("3");
  await minutesLater(7);
  await waitFor(() => expect(time.value).toBe("10"));
  await user.type("Startspannung (V)", "25");
  await user.type("Endspannung (V)", "22");
  await user.type("Endspannung (V)", "");
  await minutesLater(8);
  await waitFor(() => expect(time.value).toBe("11"));
  await user.type("Endspannung (V)", "22,3");
  await minutesLater(12);
  expect(time.value).toBe("11");
  answerNext("SaveFlight", { ...open, open: false });
  await user.press("Abschließen");
  await waitFor(() =>
    expect(flightsSent()).toEqual([
      { dpfId: "f1", flightTime: "11", batteryStartVoltage: "25", batteryEndVoltage: "22,3" },
    ]),
  );
});

test("A new entry of the history that restores the draft keeps its landing, as after a login", async () => {
  at(now);
  const { router, reload } = await flying({}, "/home");
  await router.navigate("/flights/f1/finish");
  await user.type("Endspannung (V)", "22,3");
  const { key } = router.state.location;
  await minutesLater(6);
  const { router: after } = await reload();
  expect(after.state.location.key).not.toBe(key);
  await unfold("Flug");
  expect((await field("Endspannung (V)")).value).toBe("22,3");
  expect((await field("Flugzeit (min)")).value).toBe("3");
});

test.each([
  ["01.05.2026 11:30", "3 Tagen"],
  ["03.05.2026 11:30", "1 Tag"],
])("A flight that is open since %s says so, and asks for its real minutes", async (startTime, since) => {
  at(now);
  const { open } = await flying({ startTime }, "/home");
  await screen.findByText(`Flug läuft seit ${since}`);
  await user.press("Fluglog beenden");
  await screen.findByText(`Flug läuft seit ${since}.`, { exact: false, selector: "main *" });
  const time = await field("Flugzeit (min)");
  await waitFor(() => expect(document.activeElement).toBe(time));
  expect(time.value).toBe("");
  expect(screen.queryByRole("button", { name: /nächster Akku/ })).toBeNull();
  await button(/^Flug verwerfen$/i);
  await user.type(time, "12");
  answerNext("SaveFlight", { ...open, open: false, flightTime: 12 });
  await user.press("Abschließen");
  await waitFor(() =>
    expect(sent("SaveFlight")).toMatchObject([{ endFlight: "true", flight: { flightTime: "12" } }]),
  );
});

test("A clock that is an hour behind counts from the start and proposes the minutes since", async () => {
  at(now);
  const anHourAhead = new Date(now.getTime() + 60 * 60_000);
  recordServerTime(anHourAhead.toUTCString(), now.getTime(), now.getTime());
  onTestFinished(() => recordServerTime(now.toUTCString(), now.getTime(), now.getTime()));
  const { open } = await flying(
    { startTime: "04.05.2026 12:57", startInstant: new Date(2026, 4, 4, 12, 57, 1).toISOString() },
    "/home",
  );
  expect((await screen.findByRole("timer")).textContent).toMatch(/^(2:59|3:\d\d)$/);
  await user.press("Fluglog beenden");
  const time = await field("Flugzeit (min)");
  expect(time.value).toBe("3");
  await user.type(time, "7");
  answerNext("SaveFlight", { ...open, open: false, flightTime: 7 });
  await user.press("Abschließen");
  await waitFor(() => expect(flightsSent()).toEqual([{ dpfId: "f1", flightTime: "7" }]));
});

test("A pack that was retired after it was proposed doesn't fly, and home proposes the next one", async () => {
  at(now);
  const { address, open } = await flying();
  await land();
  expect((await next()).textContent).toContain("Langstrecke 2");
  const ended = { ...open, open: false, flightTime: 3 };
  setServer({
    items: [albatros, ...packs.filter(({ dpfId }) => dpfId !== "b2")],
    flights: [ended],
    known: { GetStatistics: { ...noStatistics, totalFlightCount: "1" } },
  });
  answerNext("SaveFlight", ended);
  failNext("CreateFlight", refused(400, "Langstrecke 2 ist nicht mehr in Betrieb.", "equipments"));
  await user.press(/^Abschließen, nächster Akku/);
  await waitFor(() => expect(address()).toBe("/home"));
  expect((await screen.findByRole("alert")).textContent).toContain(
    "Der Flug ist abgeschlossen, der nächste wurde nicht gestartet.",
  );
  expect(sent("SaveFlight")).toMatchObject([{ endFlight: "true" }]);
  expect(sent("CreateFlight")).toMatchObject([{ config: { equipments: ["b2"] } }]);
  await within(screen.getByRole("main")).findByText("Langstrecke 3");
  answerNext("CreateFlight", "f2");
  await user.press("Jetzt starten");
  await waitFor(() => expect(sent("CreateFlight")[1]).toMatchObject({ config: { equipments: ["b3"] } }));
});

test("Who has a single pack of its type hears of no next one", async () => {
  at(now);
  await openScreen("/flights/f1/finish", {
    user: { openFlight: "f1" },
    items: [albatros, ...packs.slice(0, 1)],
    flights: [running],
  });
  await button("Abschließen");
  await waitFor(() => expect(screen.queryByRole("button", { name: /nächster Akku/ })).toBeNull());
  expect(screen.queryByText("Kein geladener Akku dieser Art")).toBeNull();
});

test("Of two devices that end one flight the second starts no other one", async () => {
  at(now);
  const { open } = await flying();
  await land();
  await next();
  const sentence = "Dieser Flug ist bereits abgeschlossen.";
  const ended = { ...open, open: false };
  setServer({ user: { openFlight: "f2" }, items: [albatros, ...packs], flights: [ended] });
  failNext("SaveFlight", refused(409, sentence));
  await user.press(/^Abschließen, nächster Akku/);
  expect((await screen.findByRole("alert")).textContent).toContain(sentence);
  await waitFor(() => expect(screen.queryByRole("button", { name: /nächster Akku/ })).toBeNull());
  expect((await field("Endspannung (V)")).value).toBe("22.3");
  expect(sent("CreateFlight")).toEqual([]);
});
