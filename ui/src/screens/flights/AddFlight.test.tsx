// A past flight: the packs of its copter, what it carried, equipment that was retired since, and a start that lies
// ahead.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import { Kind } from "../../api/generated/Kind";
import { battery, flight, flightItem, item } from "../../test/objects";
import {
  answerNext,
  button,
  dateOf,
  failNext,
  field,
  openScreen,
  refused,
  sent,
  toast,
  user,
} from "../../test/openScreen";

withFakeServer();
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 2, 2, 14, 7), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
});

const brummer = item({ dpfId: "c1", name: "Brummer", weight: 338 });
const last = flight({
  startTime: "01.03.2026 09:00",
  flightTime: 6,
  location: "Elbdeich",
  copter: flightItem({ dpfId: "c1", name: "Brummer" }),
});
const added = flight({ dpfId: "f2", startTime: "02.03.2026 14:07" });
const section = (name: string) => user.press(screen.getByRole("button", { name: new RegExp(`^${name}\\b`) }));

async function open(copter = brummer) {
  const opened = await openScreen("/flights/add", { items: [copter], flights: [last] });
  await button("Speichern");
  return opened;
}

test("What a past flight carried is entered with it, by Enter too and without it", async () => {
  await open();
  await section("Nutzlast");
  await user.type("Name", "Kescher");
  const weight = await field("Gewicht (g)");
  await user.type(weight, "100");
  await act(async () => void fireEvent.keyDown(weight, { key: "Enter" }));
  await screen.findByText(/^100\sg$/);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  // An incomplete payload isn't sent, and stays in the form.
  await user.type("Name", "GPS-Finder");
  await user.press("Speichern");
  expect((await screen.findByRole("alert")).textContent).toContain(
    "Die eingegebene Nutzlast ist unvollständig.",
  );
  expect(sent("AddFlight")).toEqual([]);
  await user.type("Gewicht (g)", "9,5");
  answerNext("AddFlight", added);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("AddFlight")).toMatchObject([
    {
      config: {
        copter: "c1",
        payloads: [
          { name: "Kescher", weight: 100 },
          { name: "GPS-Finder", weight: 9.5 },
        ],
      },
      flight: { startTime: "02.03.2026 14:07", location: "Elbdeich" },
    },
  ]);
});

test("A copter that was retired since may have flown before", async () => {
  await open({ ...brummer, deactivateTime: "02.03.2026 14:05", deactivateText: "Rahmen gebrochen" });
  await section("Copter");
  // The retired item can't be chosen any more.
  expect(screen.queryByRole("radio", { name: /Brummer/ })).toBeNull();
  await user.press("Speichern");
  expect((await screen.findByRole("alert")).textContent).toBe("Bitte wählen Sie einen Copter.");
  expect(sent("AddFlight")).toEqual([]);
  await user.press("5 Minuten früher");
  expect(dateOf("Startzeit")).toEqual([2, 3, 2026, 14, 2]);
  await screen.findByText(/Ausgemustert am/);
  expect((await screen.findByRole<HTMLInputElement>("radio", { name: /Brummer/ })).checked).toBe(true);
  answerNext("AddFlight", added);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("AddFlight")).toMatchObject([
    { config: { copter: "c1" }, flight: { startTime: "02.03.2026 14:02" } },
  ]);
});

test("A copter that can't have flown opens its folded group and is focused", async () => {
  const retired = { ...brummer, deactivateTime: "01.03.2026 14:05" };
  const items = [retired, item({ dpfId: "c2", name: "Albatros" }), item({ dpfId: "c3", name: "Hummel" })];
  await openScreen("/flights/add", { items, flights: [last] });
  const copter = await button(/^Copter/);
  expect(copter.getAttribute("aria-expanded")).toBe("false");
  await user.press("Speichern");
  await waitFor(() => expect(copter.getAttribute("aria-expanded")).toBe("true"));
  expect(document.activeElement?.getAttribute("type")).toBe("radio");
  expect(sent("AddFlight")).toEqual([]);
});

test("An incomplete payload opens its folded group, and its empty field is focused", async () => {
  await open();
  await section("Nutzlast");
  await user.type("Name", "Kescher");
  await section("Nutzlast");
  const payload = await button(/^Nutzlast/);
  expect(payload.getAttribute("aria-expanded")).toBe("false");
  await user.press("Speichern");
  await waitFor(() => expect(payload.getAttribute("aria-expanded")).toBe("true"));
  expect(document.activeElement).toBe(await field("Gewicht (g)"));
});

test("A start that lies ahead by the server's clock is refused beside its field", async () => {
  await open();
  await user.press("5 Minuten später");
  await screen.findByText("Die Startzeit liegt in der Zukunft. Geht die Uhr dieses Geräts richtig?");
  failNext("AddFlight", refused(400, "Die Startzeit liegt in der Zukunft.", "startTime"));
  await user.press("Speichern");
  const start = screen.getByRole("group", { name: "Startzeit" });
  await waitFor(() => {
    const ids = start.getAttribute("aria-describedby")?.split(" ") ?? [];
    const texts = ids.map((id) => document.getElementById(id)?.textContent).join(" ");
    expect(texts).toMatch(/Die Startzeit liegt in der Zukunft\.$/);
  });
});

test("Another copter brings the packs of its last flight, and likely packs are in sight first", async () => {
  const pack = (dpfId: string, model: string) => battery({ dpfId, name: `Akku ${dpfId}`, model });
  const packs = [
    ...["a", "b", "c", "d"].map((id) => pack(id, "Klein")),
    pack("y", "Groß"),
    pack("z", "Groß"),
  ];
  const [whoop, baron] = ["Whoop", "Baron"].map((name) => flightItem({ dpfId: name, name }));
  const flown = (dpfId: string) => [flightItem({ dpfId, name: `Akku ${dpfId}`, type: Kind.Battery })];
  await openScreen("/flights/add", {
    items: [item({ dpfId: "Whoop", name: "Whoop" }), item({ dpfId: "Baron", name: "Baron" }), ...packs],
    flights: [
      // A flight in the air isn't like a past one.
      flight({ ...{ dpfId: "f3", startTime: "02.03.2026 14:00", open: true }, copter: baron }),
      flight({ ...{ dpfId: "f2", startTime: "02.03.2026 09:00" }, copter: whoop, equipments: flown("a") }),
      flight({ ...{ dpfId: "f1", startTime: "01.03.2026 09:00" }, copter: baron, equipments: flown("z") }),
    ],
  });
  await button("Speichern");
  await section("Batterien");
  const boxes = () =>
    within(screen.getByRole("group", { name: "Batterien" }))
      .getAllByRole<HTMLInputElement>("checkbox")
      .map((box) => [box.labels?.[0]?.querySelector("strong")?.textContent, box.checked]);
  expect(boxes()).toEqual([
    ["Akku a", true],
    ["Akku b", false],
    ["Akku c", false],
  ]);
  await section("Copter");
  await user.press(screen.getByRole("radio", { name: /^Baron/ }));
  await waitFor(() =>
    expect(boxes().slice(0, 2).toSorted()).toEqual([
      ["Akku y", false],
      ["Akku z", true],
    ]),
  );
  answerNext("AddFlight", added);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("AddFlight")).toMatchObject([{ config: { copter: "Baron", equipments: ["z"] } }]);
});

test("Before the first flight the only copter is chosen, and what one doesn't have isn't asked for", async () => {
  await openScreen("/flights/add", { items: [brummer, battery({ dpfId: "b1" })] });
  await button("Speichern");
  const groups = () => screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(groups().slice(0, 4)).toEqual([
    "Wann und wo",
    "CopterBrummer",
    "Batterien-",
    "Nutzlast0 ausgewählt",
  ]);
  answerNext("AddFlight", added);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("AddFlight")).toMatchObject([{ config: { copter: "c1", equipments: [] } }]);
});

test("Where the last flight's copter can't fly any more, the only copter is chosen", async () => {
  await openScreen("/flights/add", {
    items: [item({ dpfId: "c2", name: "Einziger" })],
    flights: [flight({ copter: flightItem({ dpfId: "gone", name: "Weg" }) })],
  });
  await waitFor(() =>
    expect(screen.getByRole("button", { name: /^Copter/ }).textContent).toContain("Einziger"),
  );
});

test("Before the first flight, of several copters one is to be chosen, in sight", async () => {
  await openScreen("/flights/add", { items: [brummer, item({ dpfId: "c2", name: "Hummel" })] });
  await button("Speichern");
  await user.press(screen.getByRole("radio", { name: /^Hummel/ }));
  answerNext("AddFlight", added);
  await user.press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(sent("AddFlight")).toMatchObject([{ config: { copter: "c2" } }]);
});

test("A copter that one may only see isn't chosen", async () => {
  const club = { space: { dpfId: "s1", name: "MFC" }, rights: "see" } as const;
  await openScreen("/flights/add", { items: [item({ dpfId: "c3", name: "Schulcopter", ...club })] });
  await user.press("Speichern");
  expect(sent("AddFlight")).toEqual([]);
});
