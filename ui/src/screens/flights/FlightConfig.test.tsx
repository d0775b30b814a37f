// The choice of equipment before a flight: sections with their counts, start weight, payloads, presets, and errors
// before a flight exists.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { battery, charging, flight, flightItem, item } from "../../test/objects";
import {
  answerNext,
  button,
  failNext,
  field,
  fieldError,
  holdNext,
  openScreen,
  refused,
  type ServerState,
  sent,
  setServer,
  setTouch,
  user,
} from "../../test/openScreen";

withFakeServer();

const copter = item({ dpfId: "c1", name: "Nazgul F5", weight: 680 });
const pack = battery({ weight: 190.5 });
const goggles = item({ dpfId: "g1", type: Kind.Goggles, name: "DJI Goggles 3" });
const transmitter = item({ dpfId: "t1", type: Kind.Transmitter, name: "Boxer" });
const camera = item({ dpfId: "v1", type: Kind.VideoCamera, name: "GoPro 12", weight: 154 });
const oneOfEach = [copter, pack, goggles, transmitter, camera];

const open = async (items: Equipment[], more: ServerState = {}) => {
  const opened = await openScreen("/flights/config", { items, ...more });
  await button("Weiter");
  return opened;
};

const titles = () =>
  within(screen.getByRole("main"))
    .getAllByRole("heading", { level: 2 })
    .map(({ textContent }) => textContent);
const counts = (title: string) => waitFor(() => expect(titles()).toContain(title));
const weighs = (text: string) => screen.findByText(`Startgewicht: ${text}`);
const isEnabled = async () => (await button("Weiter")).disabled === false;
/** Opens a section. */
const unfoldSection = async (title: string) => {
  const line = screen.getByRole("button", { name: new RegExp(`^${title} ?\\d`) });
  if (line.getAttribute("aria-expanded") === "false") await user.press(line);
};
const choose = async (name: string) => {
  const [label] = await screen.findAllByText(name, { selector: "label *" });
  await user.press(label?.closest("label") as HTMLElement);
};

/** Answers the created flight f9, and waits until its editor is open. */
async function goOn(
  address: () => string,
  created = flight({ dpfId: "f9", open: true, copter: flightItem() }),
) {
  setServer({ user: { openFlight: "f9" }, items: oneOfEach, flights: [created] });
  answerNext("CreateFlight", "f9");
  await user.press("Weiter");
  await waitFor(() => expect(address()).toBe("/flights/f9/new"));
}
const configs = () => sent("CreateFlight").map(({ config }) => config);

test("Sections count what is chosen, and the start weight leaves out what stays with the pilot", async () => {
  const { address } = await open([...oneOfEach, battery({ dpfId: "b2", name: "Akku ohne Gewicht" })]);
  expect(titles()).toEqual([
    "Copter0 ausgewählt",
    "Batterien0 ausgewählt",
    "Brillen0 ausgewählt",
    "Sender0 ausgewählt",
    "Videokameras0 ausgewählt",
    "Nutzlast0 ausgewählt",
  ]);
  await weighs("0g");
  expect(await isEnabled()).toBe(false);
  await choose("Akku 1");
  await weighs("190,5g");
  expect(await isEnabled()).toBe(false);
  await choose("Nazgul F5");
  await weighs("870,5g");
  expect(await isEnabled()).toBe(true);
  await choose("Akku ohne Gewicht");
  await counts("Batterien2 ausgewählt");
  await weighs("870,5g");
  for (const [section, name] of [
    ["Brillen", "DJI Goggles 3"],
    ["Sender", "Boxer"],
  ] as const) {
    await unfoldSection(section);
    await choose(name);
    await counts(`${section}1 ausgewählt`);
    await weighs("870,5g");
  }
  await unfoldSection("Videokameras");
  await choose("GoPro 12");
  await weighs("1.024,5g");
  await choose("Akku 1");
  await counts("Batterien1 ausgewählt");
  await weighs("834g");
  await goOn(address);
  expect(configs()).toEqual([
    { copter: "c1", equipments: expect.arrayContaining(["b2", "g1", "t1", "v1"]), payloads: [] },
  ]);
  expect((configs()[0] as { equipments: string[] }).equipments).toHaveLength(4);
});

test("A payload needs a name and a weight that is a number, comes with Enter and goes with its button", async () => {
  await open(oneOfEach);
  await unfoldSection("Nutzlast");
  const [name, weight] = [await field("Name"), await field("Gewicht (g)")];
  await user.press("Hinzufügen");
  await fieldError(name, /^Pflichtfeld$/);
  await user.type(name, "Wasserprobe");
  for (const wrong of ["1.5.2", "-3"]) {
    await user.type(weight, wrong);
    await user.press("Hinzufügen");
    await fieldError(weight, /^Ungültige Eingabe$/);
  }
  await counts("Nutzlast0 ausgewählt");

  await user.type(weight, "250,5");
  await act(async () => void fireEvent.submit(weight.closest("form") as HTMLFormElement));
  await counts("Nutzlast1 ausgewählt");
  await weighs("250,5g");
  await waitFor(() => expect(screen.getByLabelText("Name")).toBe(document.activeElement));
  expect((await field("Name")).value).toBe("");
  await user.type("Name", "Kescher");
  await user.type("Gewicht (g)", "100");
  await user.press("Hinzufügen");
  await weighs("350,5g");
  await user.press("Nutzlast Wasserprobe löschen");
  await counts("Nutzlast1 ausgewählt");
  await weighs("100g");
  expect(await isEnabled()).toBe(false);
  expect(document.activeElement).toBe(await field("Name"));
  // On a touch screen the focus would open the keyboard.
  (await field("Name")).blur();
  setTouch();
  await user.press("Nutzlast Kescher löschen");
  await counts("Nutzlast0 ausgewählt");
  expect(document.activeElement).not.toBe(await field("Name"));
});

const flown = flight({
  copter: flightItem({ dpfId: "c1", name: "Nazgul F5", weight: 680 }),
  equipments: [pack, goggles, camera].map(({ dpfId, type, name, weight }) =>
    flightItem({ dpfId, type, name, weight }),
  ),
  payloads: [{ name: "Kescher", weight: 100 }],
});

test("The next flight is preset with what flew last and is still in use", async () => {
  const { address } = await open([copter, pack, goggles, transmitter], { flights: [flown] });
  await screen.findByText("Wie beim letzten Flug");
  await screen.findByText(/1 Teil Equipment davon steht Ihnen nicht mehr zur Verfügung\./);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /Nazgul F5/ }).checked).toBe(true);
  await weighs("970,5g");
  await user.press("Leeren");
  await weighs("0g");
  expect(await isEnabled()).toBe(false);
  await user.press("Wie zuletzt");
  await weighs("970,5g");
  await goOn(address);
  expect(configs()).toEqual([
    { copter: "c1", equipments: ["b1", "g1"], payloads: [{ name: "Kescher", weight: 100 }] },
  ]);
});

const charged = { state: "full", currentCharge: 16.8, lastChargeTime: "01.03.2026 09:00" } as const;

test("Who has left the household of the last flight's equipment reads that, as a sentence", async () => {
  const theirs = flight({ copter: flightItem({ dpfId: "gone", name: "Gemeinsamer" }) });
  await open(oneOfEach, { flights: [theirs] });
  await screen.findByText("Das Equipment des letzten Flugs steht Ihnen nicht mehr zur Verfügung.");
  expect(screen.queryByText("Wie beim letzten Flug")).toBeNull();
});

test("The next flight is preset with a ready battery of the same model, with its state", async () => {
  const flat = { state: null, currentCharge: 14.2, lastFlight: "01.03.2026 10:00" } as const;
  const onCharger = { ...charged, lastCharging: charging() };
  const packs = [
    battery({ dpfId: "b2", name: "Am Lader", model: "Tattu", ...onCharger }),
    battery({ dpfId: "b4", name: "Anderes Modell", model: "GNB", ...charged }),
    battery({ dpfId: "b3", name: "Bereit", model: "Tattu", ...charged }),
    battery({ dpfId: "b1", name: "Flach", model: "Tattu", ...charged, ...flat }),
  ];
  const last = flight({
    startTime: "01.03.2026 10:00",
    copter: flightItem({ dpfId: "c1", name: "Nazgul F5" }),
    equipments: [flightItem({ dpfId: "b1", type: Kind.Battery, name: "Flach", model: "Tattu" })],
  });
  const { address } = await open([copter, ...packs], { flights: [last] });
  await screen.findByText("Wie beim letzten Flug");
  expect(screen.getByRole("main").textContent).toMatch(
    /Wie beim letzten Flug mit Bereit \(16,8\sV · voll\)\./,
  );
  // Charged ones come first.
  const offered = [...screen.getByRole("group", { name: "Batterien" }).querySelectorAll("label")];
  expect(offered.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Bereit.*voll/),
    expect.stringMatching(/^Anderes Modell.*voll/),
    expect.stringMatching(/^Am Lader.*lädt/),
    expect.stringMatching(/^Flach.*seitdem geflogen/),
  ]);
  expect(offered[3]?.textContent).not.toContain("voll");
  const ticked = screen.getAllByRole<HTMLInputElement>("checkbox").filter(({ checked }) => checked);
  expect(ticked.map((box) => box.closest("label")?.textContent)).toEqual([expect.stringMatching(/^Bereit/)]);
  await goOn(address);
  expect(configs()).toMatchObject([{ copter: "c1", equipments: ["b3"] }]);
});

test("Another copter brings its own packs, unless others were chosen", async () => {
  const whoop = item({ dpfId: "c2", name: "Whoop" });
  const large = battery({ name: "Sechser", model: "6S", ...charged });
  const small = battery({ dpfId: "b2", name: "Einser", model: "1S", ...charged });
  const flights = [
    flight({
      startTime: "01.03.2026 10:00",
      copter: flightItem({ dpfId: "c1", name: "Nazgul F5" }),
      equipments: [flightItem({ dpfId: "b1", type: Kind.Battery, name: "Sechser", model: "6S" })],
    }),
    flight({
      ...{ dpfId: "f0", startTime: "01.02.2026 10:00" },
      copter: flightItem({ dpfId: "c2", name: "Whoop" }),
      equipments: [flightItem({ dpfId: "b2", type: Kind.Battery, name: "Einser", model: "1S" })],
    }),
  ];
  const { address } = await open([copter, whoop, large, small], { flights });
  const ticked = () =>
    within(screen.getByRole("group", { name: "Batterien" }))
      .getAllByRole<HTMLInputElement>("checkbox")
      .filter(({ checked }) => checked)
      .map((box) => box.closest("label")?.querySelector("strong")?.textContent);
  await waitFor(() => expect(ticked()).toEqual(["Sechser"]));
  await choose("Whoop");
  await waitFor(() => expect(ticked()).toEqual(["Einser"]));
  await choose("Nazgul F5");
  await waitFor(() => expect(ticked()).toEqual(["Sechser"]));
  // The pilot's own choice stays.
  await choose("Einser");
  await waitFor(() => expect(ticked()).toEqual(["Einser"]));
  await choose("Whoop");
  expect(ticked()).toEqual(["Einser"]);
  await goOn(address);
  expect(configs()).toMatchObject([{ copter: "c2", equipments: ["b2"] }]);
});

test("Of more than twelve items one is found by its name before all are shown", async () => {
  const packs = Array.from({ length: 13 }, (_, at) =>
    battery({ dpfId: `b${at + 1}`, name: `Akku ${at + 1}` }),
  );
  const { address } = await open([copter, ...packs]);
  const boxes = () =>
    within(screen.getByRole("group", { name: "Batterien" })).getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes()).toHaveLength(3);
  await user.type("Suche", "akku 13");
  await waitFor(() => expect(boxes()).toHaveLength(1));
  await choose("Akku 13");
  await waitFor(() => expect(boxes().filter(({ checked }) => checked)).toHaveLength(1));
  fireEvent.keyDown(await field("Suche"), { key: "Enter" });
  expect(address()).toBe("/flights/config");
  expect(sent("CreateFlight")).toEqual([]);
  await user.type("Suche", "");
  await button("Alle 13 zeigen");
});

test("While the flight is created Weiter can't be pressed again, and exactly one is made", async () => {
  const { address, router } = await open(oneOfEach);
  await choose("Nazgul F5");
  await waitFor(async () => expect(await isEnabled()).toBe(true));
  const answer = holdNext("CreateFlight");
  await user.press("Weiter");
  await waitFor(async () => expect(await isEnabled()).toBe(false));
  await user.press("Weiter");
  setServer({
    user: { openFlight: "f9" },
    items: oneOfEach,
    flights: [flight({ dpfId: "f9", open: true, copter: flightItem() })],
  });
  await answer("f9");
  await waitFor(() => expect(address()).toBe("/flights/f9/new"));
  expect(sent("CreateFlight")).toHaveLength(1);
  // Back from the new flight must not lead to a second one.
  expect(router.state.historyAction).toBe("REPLACE");
});

test("With a flight open the config leads to it instead of starting another", async () => {
  const running = flight({ dpfId: "f3", open: true });
  const { address } = await openScreen("/flights/config", {
    user: { openFlight: "f3" },
    items: oneOfEach,
    flights: [running],
  });
  await screen.findByText("Es läuft bereits ein Flug. Bitte beenden Sie zuerst den Fluglog.");
  expect(screen.queryByRole("button", { name: "Weiter" })).toBeNull();
  await user.press("Fluglog beenden");
  await waitFor(() => expect(address()).toBe("/flights/f3/finish"));
});

test("A copter that somebody has just shared is there at the first start", async () => {
  const { router } = await openScreen("/home", {
    items: [copter],
    flights: [flight({ copter: flightItem() })],
  });
  await screen.findByRole("heading", { level: 1 });
  await waitFor(() => expect(sent("GetAllEquipments")).toHaveLength(1));
  setServer({ items: [copter, item({ dpfId: "c2", name: "Gemeinsamer" })] });
  await router.navigate("/flights/config");
  await screen.findByRole("radio", { name: /Gemeinsamer/ });
});

test("Of two tabs that start a flight the later one says that one is open", async () => {
  await open(oneOfEach);
  await choose("Nazgul F5");
  const sentence = "Es läuft bereits ein Flug. Bitte beenden Sie zuerst den Fluglog.";
  setServer({ user: { openFlight: "f3" }, items: oneOfEach, flights: [flight({ dpfId: "f3", open: true })] });
  failNext("CreateFlight", refused(409, sentence));
  await user.press("Weiter");
  await screen.findByText(sentence);
  await screen.findByRole("link", { name: "Fluglog beenden" });
  expect(document.body.textContent).not.toContain("undefined");
});

test("A copter that was retired between choosing and creating is named, and the rest of the choice stays", async () => {
  const other = item({ dpfId: "c2", name: "Avata 2", weight: 377 });
  const { address } = await open([...oneOfEach, other]);
  await choose("Nazgul F5");
  await choose("Akku 1");
  setServer({ items: [...oneOfEach.slice(1), other] });
  failNext("CreateFlight", refused(400, "Bitte wählen Sie einen Copter in Betrieb.", "copter"));
  await user.press("Weiter");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Bitte wählen Sie einen Copter in Betrieb.");
  await waitFor(() => expect(screen.queryByRole("radio", { name: /Nazgul F5/ })).toBeNull());
  expect(await isEnabled()).toBe(false);
  await counts("Batterien1 ausgewählt");
  await choose("Avata 2");
  await waitFor(async () => expect(await isEnabled()).toBe(true));
  await goOn(address);
  expect(configs()[1]).toMatchObject({ copter: "c2", equipments: ["b1"] });
});

test("A choice survives a reload until it is used or dropped", async () => {
  const { reload } = await open(oneOfEach);
  await choose("Nazgul F5");
  await choose("Akku 1");
  await weighs("870,5g");
  const { reload: again } = await reload();
  await screen.findByText(/Entwurf von \d\d:\d\d wiederhergestellt/);
  await weighs("870,5g");
  await user.press("Verwerfen");
  await weighs("0g");
  await again();
  await weighs("0g");
  expect(screen.queryByText(/Entwurf von/)).toBeNull();
});

test("Without any copter the config says how to get one", async () => {
  const { address } = await open([]);
  expect(await isEnabled()).toBe(false);
  await user.press("Copter neu erfassen");
  await waitFor(() => expect(address()).toBe("/equipments/0/editor"));
});

const lost = () => "lost" as const;

test("With the server gone from the beginning the config says so and tries again", async () => {
  await openScreen("/flights/config", { known: { GetAllEquipments: lost } });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(
    "Konfigurationen konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  );
  await button("Zurück");
  setServer({ items: oneOfEach });
  await user.press("Nochmal");
  await screen.findByText("Nazgul F5");
});
