// The flight editor: what it asks in its three modes, what it refuses, and the fields that it sends.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import type { Equipment } from "../../api/generated/Equipment";
import type { Flight } from "../../api/generated/Flight";
import { formatDateTime, wallClock } from "../../lib/dates";
import { battery, flight, flightItem, item } from "../../test/objects";
import {
  answerNext,
  button,
  dateOf,
  description,
  field,
  holdNext,
  openScreen,
  sent,
  setServer,
  toast,
  unfold,
  user,
} from "../../test/openScreen";
import type { LandingState } from "./useLanding";

withFakeServer();

const afterLanding = [
  "Flugzeit (min)",
  "Höhe (m)",
  "Strecke (km)",
  "Max. Entfernung (m)",
  "Max. Geschwindigkeit (km/h)",
  "Endspannung (V)",
  "Verbraucht (mA)",
];
const copter = flightItem({ name: "Nazgul F5" });
const discard = { name: "Flug Verwerfen" };

async function openEditor(
  mode: "new" | "finish" | "edit",
  fields: Partial<Flight> = {},
  items: Equipment[] = [],
) {
  const edited = flight({ copter, startTime: "01.03.2026 09:05", ...fields });
  const opened = await openScreen(`/flights/f1/${mode}`, {
    user: { openFlight: edited.open ? "f1" : null },
    flights: [edited],
    items,
  });
  await screen.findByText(/^Nazgul F5/);
  return { ...opened, edited };
}

const flightSent = () => sent("SaveFlight")[0]?.flight;

test("A flight that was started by mistake is discarded from its editor", async () => {
  const { address } = await openEditor("new", { open: true });
  await user.type("Ort", "Elbdeich");
  await user.press("Flug Verwerfen");
  const question = { name: "Wollen Sie diesen Flug verwerfen?" };
  await screen.findByRole("alertdialog", question);
  await user.press("Nein");
  await waitFor(() => expect(screen.queryByRole("alertdialog", question)).toBeNull());
  expect((await field("Ort")).value).toBe("Elbdeich");
  expect(sent("DeleteFlight")).toEqual([]);
  await user.press("Flug Verwerfen");
  answerNext("DeleteFlight", undefined);
  setServer({ items: [item({ name: "Nazgul F5" })] });
  await user.press("Ja");
  await waitFor(() => expect(address()).toBe("/home"));
  await screen.findByRole("link", { name: /^Fluglog starten/ });
  expect(sent("DeleteFlight")).toMatchObject([{ dpfId: "f1" }]);
});

test.each([-8, -1, 1, 7])(
  "A flight takes as long as it took on a phone %i hours from the start's clock",
  async (hours) => {
    const begun = Date.now() - 300_000;
    const startTime = formatDateTime(wallClock(new Date(begun - hours * 3_600_000)));
    const open = { open: true, startTime, startInstant: new Date(begun).toISOString() };
    const { edited } = await openEditor("finish", open);
    answerNext("SaveFlight", { ...edited, open: false });
    await user.press("Abschließen");
    await waitFor(() => expect(sent("SaveFlight")).toHaveLength(1));
    expect(flightSent()).toEqual({ dpfId: "f1", flightTime: "5" });
    const [{ endInstant } = {}] = sent("SaveFlight");
    const seconds = (Date.parse(String(endInstant)) - begun) / 1_000;
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThan(330);
  },
);

test("A finished flight can't be discarded from its editor", async () => {
  await openEditor("edit");
  await button("Speichern");
  expect(screen.queryByRole("button", discard)).toBeNull();
});

test("New asks only what is known before the start, saves it and leaves the flight open", async () => {
  const { address, edited } = await openEditor("new", { open: true, flightMode: "0" });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Flug-Editor");
  for (const label of [...afterLanding, "GPS Ende"]) expect(screen.queryByLabelText(label)).toBeNull();
  expect(screen.queryByRole("button", { name: "Abschließen" })).toBeNull();
  await unfold("Flug");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Winkel" }).checked).toBe(true);

  await user.type("Ort", "Elbdeich");
  await user.type("Startspannung (V)", "16,8");
  await user.press("Horizontal");
  await unfold("Notizen");
  await user.type("Wetter", "Sonnig, 18 °C");
  answerNext("SaveFlight", edited);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  await waitFor(() => expect(address()).toBe("/home"));
  expect(sent("SaveFlight")).toMatchObject([{ endFlight: "false" }]);
  expect(flightSent()).toEqual({
    dpfId: "f1",
    location: "Elbdeich",
    batteryStartVoltage: "16,8",
    flightMode: "1",
    weatherConditions: "Sonnig, 18 °C",
  });
});

test("Who has landed with the form of the start open saves it and goes on to the end", async () => {
  const { address, edited, router } = await openEditor("new", { open: true });
  await user.type("Ort", "Elbdeich");
  answerNext("SaveFlight", { ...edited, location: "Elbdeich" });
  const pressedAt = Date.now();
  await user.press("Fluglog beenden");
  await waitFor(() => expect(address()).toBe("/flights/f1/finish"));
  const { landedAt } = router.state.location.state as LandingState;
  expect(Math.abs((landedAt?.device ?? 0) - pressedAt)).toBeLessThan(1_000);
  await button("Abschließen");
  expect(sent("SaveFlight")).toMatchObject([
    { flight: { dpfId: "f1", location: "Elbdeich" }, endFlight: "false" },
  ]);
});

test("Finish of a flight that has ended already only saves", async () => {
  const { edited } = await openEditor("finish");
  await button("Speichern");
  expect(screen.queryByRole("button", { name: "Abschließen" })).toBeNull();
  await unfold("Notizen");
  await user.type("Zweck", "Training");
  answerNext("SaveFlight", { ...edited, purpose: "Training" });
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("SaveFlight")).toMatchObject([
    { flight: { dpfId: "f1", purpose: "Training" }, endFlight: "false" },
  ]);
});

test("Every number field says Ungültige Eingabe, and what was typed stays", async () => {
  const { edited } = await openEditor("edit");
  const numbers = [...afterLanding, "Startspannung (V)"];
  for (const label of numbers) await user.type(label, "1.5.2");
  await user.press("Speichern");
  for (const label of numbers) {
    const input = await field(label);
    await waitFor(() => expect(input.getAttribute("aria-invalid")).toBe("true"));
    expect(description(input)).toContain("Ungültige Eingabe");
    expect(input.value).toBe("1.5.2");
  }
  for (const [position, label] of numbers.entries()) await user.type(label, `${position}.5`);
  for (const label of numbers) expect((await field(label)).getAttribute("aria-invalid")).toBeNull();
  expect(sent("SaveFlight")).toEqual([]);
  answerNext("SaveFlight", edited);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
});

test("Without a start time nothing is saved", async () => {
  await openEditor("edit");
  await user.press("Kalender öffnen Startzeit");
  await screen.findByRole("dialog", { name: "Kalender" });
  await user.press("Löschen");
  await user.press("Speichern");
  const start = await screen.findByRole("group", { name: "Startzeit" });
  await waitFor(() => expect(description(start)).toMatch(/Pflichtfeld/));
  await waitFor(() => expect(within(start).getAllByRole("spinbutton")[0]).toBe(document.activeElement));
  expect(sent("SaveFlight")).toEqual([]);
});

test("The start time moves by five minutes and by an hour, and keeps minutes off that grid", async () => {
  const { edited } = await openEditor("edit", { startTime: "31.12.2025 23:57" });
  await user.press("5 Minuten später");
  expect(dateOf("Startzeit")).toEqual([1, 1, 2026, 0, 2]);
  await user.press("5 Minuten früher");
  expect(dateOf("Startzeit")).toEqual([31, 12, 2025, 23, 57]);
  await user.press("Kalender öffnen Startzeit");
  const calendar = await screen.findByRole("dialog", { name: "Kalender" });
  await user.press("1 Stunde früher");
  await within(calendar).findByText("22:57");
  await user.press("Bestätigen");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Kalender" })).toBeNull());
  expect(dateOf("Startzeit")).toEqual([31, 12, 2025, 22, 57]);
  answerNext("SaveFlight", { ...edited, startTime: "31.12.2025 22:57" });
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(flightSent()).toEqual({ dpfId: "f1", startTime: "31.12.2025 22:57" });
});

test("A GPS text shows what was understood of it and links to the map only then", async () => {
  const { address, edited } = await openEditor("new", { open: true });
  const gps = await field("GPS Start");
  const link = { name: /^Auf der Karte zeigen/ };
  expect(screen.queryByRole("link", link)).toBeNull();
  for (const [text, understood, target] of [
    ["53.551086, 9.993682", "53,551086 · 9,993682", "mlat=53.551086&mlon=9.993682"],
    ["53,551086 9,993682", "53,551086 · 9,993682", "mlat=53.551086&mlon=9.993682"],
    ["Lat -33.9 Lon 18.42 (Kapstadt)", "-33,9 · 18,42", "mlat=-33.9&mlon=18.42"],
  ] as const) {
    await user.type(gps, text);
    expect(description(gps)).toMatch(new RegExp(`^Verstanden: ${understood}`));
    const shown = screen.getByRole<HTMLAnchorElement>("link", link);
    expect(shown.href).toContain(target);
    expect(shown.target).toBe("_blank");
    expect(shown.rel).toContain("noopener");
  }
  for (const [text, sentence] of [
    ["am Deich 7", /^Ungültige Eingabe/],
    ["95.5, 9.9", /^Die geografische Breite muss zwischen -90 und 90 liegen\.$/],
    ["53.5, 190", /^Die geografische Länge muss zwischen -180 und 180 liegen\.$/],
  ] as const) {
    await user.type(gps, text);
    expect(screen.queryByRole("link", link)).toBeNull();
    gps.blur();
    await user.press("Speichern");
    await waitFor(() => expect(description(gps)).toMatch(sentence));
    await waitFor(() => expect(gps).toBe(document.activeElement));
  }
  expect(sent("SaveFlight")).toEqual([]);
  await user.type(gps, "53,5 9,9");
  answerNext("SaveFlight", edited);
  await user.press("Speichern");
  await waitFor(() => expect(address()).toBe("/home"));
  expect(flightSent()).toEqual({ dpfId: "f1", startLatitude: 53.5, startLongitude: 9.9 });
});

test.each([
  ["doesn't have", () => Reflect.deleteProperty(Navigator.prototype, "geolocation")],
  [
    "has no value for",
    () => Object.defineProperty(Navigator.prototype, "geolocation", { configurable: true, value: undefined }),
  ],
])("A browser that %s geolocation says so", async (_, remove) => {
  const position = Object.getOwnPropertyDescriptor(Navigator.prototype, "geolocation");
  remove();
  onTestFinished(() => void Object.defineProperty(Navigator.prototype, "geolocation", position ?? {}));
  await openEditor("new", { open: true });
  await user.press("Mein Standort");
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Geolocation wird von diesem Browser nicht unterstützt.",
  );
});

test("While a flight is saved the button is busy and says so", async () => {
  const { edited } = await openEditor("edit");
  const answer = holdNext("SaveFlight");
  await user.type("Notizen", "Böig");
  await user.press("Speichern");
  const save = await button("Speichern");
  await waitFor(() => expect(save.getAttribute("aria-disabled")).toBe("true"));
  await answer({ ...edited, notes: "Böig" });
  await toast("Erfolgreich gespeichert.");
  await waitFor(() => expect(save.getAttribute("aria-disabled")).toBeNull());
  expect(sent("SaveFlight")).toHaveLength(1);
});

test.each(["/flights/f9", "/flights/f9/edit"])(
  "A flight that is someone else's or doesn't exist says so and leads to the list: %s",
  async (path) => {
    const { address } = await openScreen(path, { flights: [flight({ copter })] });
    const sentence = await screen.findByRole("alert");
    expect(sentence.textContent).toBe("Diesen Flug gibt es nicht, oder er gehört zu einem anderen Konto.");
    expect(screen.queryByText("Nazgul F5")).toBeNull();
    await user.press("Zu den Flügen");
    await waitFor(() => expect(address()).toBe("/flights"));
  },
);

test("Leaving with something unsaved asks first", async () => {
  const { address, router, reload } = await openScreen("/flights/f1", { flights: [flight({ copter })] });
  await user.press("Editieren");
  await user.type("Notizen", "Böig");
  await user.press("Zurück");
  const question = { name: "Änderungen verwerfen und die Seite verlassen?" };
  await screen.findByRole("alertdialog", question);
  await user.press("Nein");
  await waitFor(() => expect(screen.queryByRole("alertdialog", question)).toBeNull());
  expect((await field("Notizen")).value).toBe("Böig");
  expect(address()).toBe("/flights/f1/edit");
  await user.press("Fluglog, zur Startseite");
  await screen.findByRole("alertdialog", question);
  await user.press("Ja");
  await waitFor(() => expect(address()).toBe("/home"));
  await router.navigate("/flights/f1/edit");
  await reload();
  expect((await field("Notizen")).value).toBe("");
});

test("A number that looks like thousands says how it is understood", async () => {
  await openEditor("edit", { open: true });
  const distance = await field("Strecke (km)");
  await user.type(distance, "1.300");
  expect(description(distance)).toBe("Verstanden: 1,3");
  await user.type(distance, "1300");
  expect(description(distance)).toBe("");
});

test("A voltage that the pack can't have asks for a comma, and is saved nevertheless", async () => {
  const pack = battery({ cells: 6, cellsGuessed: false });
  const flown = flightItem({ dpfId: pack.dpfId, type: pack.type, name: pack.name });
  const { edited } = await openEditor("finish", { open: true, equipments: [flown] }, [pack]);
  const landed = await field("Endspannung (V)");
  await user.type(landed, "214");
  await waitFor(() => expect(description(landed)).toBe("So viel haben 6 Zellen nicht. Fehlt ein Komma?"));
  await user.type(landed, "21,4");
  expect(description(landed)).toBe("");
  await user.type(landed, "214");
  answerNext("SaveFlight", { ...edited, open: false });
  await user.press("Abschließen");
  await waitFor(() => expect(flightSent()).toMatchObject({ batteryEndVoltage: "214" }));
});
