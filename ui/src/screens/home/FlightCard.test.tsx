// The card of the flight that is ready: what it proposes, and what a start does.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers } from "../../api/fakeServer";
import type { Equipment } from "../../api/generated/Equipment";
import type { Flight } from "../../api/generated/Flight";
import { Kind } from "../../api/generated/Kind";
import { formatDateTime, wallClock } from "../../lib/dates";
import { battery, flight, flightItem, item, noStatistics } from "../../test/objects";
import { refused, sent, setServer, user } from "../../test/openScreen";
import { ok, open, pilot, press, standing, withScreens } from "../../test/pages";

withScreens();

const copter = item({ dpfId: "c1", name: "Albatros" });
const full = { state: "full", model: "6S 4000", currentCharge: 25.2, chargeCount: 1 } as const;
const first = battery({ ...full, dpfId: "b1", name: "Langstrecke 1" });
const second = battery({ ...full, dpfId: "b2", name: "Langstrecke 2" });
const third = battery({ ...full, dpfId: "b3", name: "Langstrecke 3" });
const empty = { ...first, state: "empty", currentCharge: null } as const;

/** A flight of another day with the first pack. */
const before = flight({
  copter: flightItem({ dpfId: "c1", name: "Albatros" }),
  equipments: [flightItem({ dpfId: "b1", type: Kind.Battery, name: "Langstrecke 1", model: "6S 4000" })],
  startTime: "01.03.2026 10:00",
  location: "Elbdeich",
  weatherConditions: "Bedeckt",
});

function knows(packs: Equipment[], flights: Flight[] = [before]) {
  setServer({
    items: [copter, ...packs],
    flights,
    known: { GetStatistics: { ...noStatistics, totalFlightCount: "1" } },
  });
}

const card = () => screen.findByRole("region", { name: "Bereit zum Start" });

/** The flight that `CreateFlight` started runs. */
function runs(dpfId = "f7") {
  const startTime = formatDateTime(wallClock());
  const running = flight({ dpfId, open: true, startTime, copter: before.copter });
  knows([first], [running, before]);
  standing("GetFlight", ok(running));
  standing("CheckSession", ok({ remembered: false, ...pilot, openFlight: dpfId }));
}

async function startNow() {
  await press("Jetzt starten");
  await waitFor(() => expect(sent("CreateFlight")).toHaveLength(1));
}

test("Nothing of another day's flight is taken over but the equipment", async () => {
  knows([first]);
  await open("home");
  expect((await card()).textContent).toContain("Albatros");
  expect((await card()).textContent).toContain("Langstrecke 1");
  expect((await card()).textContent).not.toContain("Elbdeich");
  answers.CreateFlight = [ok("f7")];
  runs();
  await startNow();
  expect(sent("CreateFlight")[0]).toMatchObject({
    config: { copter: "c1", equipments: ["b1"] },
    flight: { batteryStartVoltage: 25.2 },
  });
  expect(Object.keys(sent("CreateFlight")[0]?.flight as object)).toEqual(["batteryStartVoltage"]);
  await screen.findByRole("timer");
});

test("A copter that somebody else flies right now says so, and isn't offered to start", async () => {
  const space = { dpfId: "s1", name: "Verein" };
  const flown = {
    ...copter,
    space,
    rights: "use" as const,
    inUse: { by: "Luftikus", since: "21.11.2026 14:05" },
  };
  setServer({
    items: [flown, first],
    flights: [before],
    known: { GetStatistics: { ...noStatistics, totalFlightCount: "1" } },
  });
  const page = await open("home");
  const shown = await card();
  await within(shown).findByText(/Albatros ist gerade in einem offenen Flug \(Luftikus, seit/);
  expect(within(shown).queryByRole("button", { name: "Jetzt starten" })).toBeNull();
  expect(within(shown).queryByRole("button", { name: /Freigeben/ })).toBeNull();
  await user.press(within(shown).getByRole("link", { name: "Fluglog starten" }));
  await page.expectPath("flights/config");
  expect((await screen.findByRole("radio", { name: /Albatros/ })).closest("label")?.textContent).toContain(
    "im Flug (Luftikus, seit",
  );
});

test("With no charged pack of the sort home says so, and leads to the choice", async () => {
  knows([empty]);
  const page = await open("home");
  const shown = await card();
  expect(shown.textContent).toContain("Kein geladener Akku dieser Art");
  expect(within(shown).queryByRole("button", { name: "Jetzt starten" })).toBeNull();
  await user.press(within(shown).getByRole("link", { name: "Fluglog starten" }));
  await page.expectPath("flights/config");
});

test("The first press on another pack replaces the proposed one, a second on another one adds", async () => {
  knows([empty, second, third]);
  await open("flights/config");
  const chosen = () =>
    screen
      .getAllByRole<HTMLInputElement>("checkbox")
      .filter(({ checked }) => checked)
      .map(({ labels }) => labels?.[0]?.textContent?.match(/Langstrecke \d/)?.[0]);
  const tap = (name: RegExp) => fireEvent.click(screen.getByRole("checkbox", { name }));
  await screen.findByRole("checkbox", { name: /Langstrecke 3/ });
  expect(chosen()).toEqual(["Langstrecke 2"]);
  tap(/Langstrecke 3/);
  await waitFor(() => expect(chosen()).toEqual(["Langstrecke 3"]));
  tap(/Langstrecke 2/);
  await waitFor(() => expect(chosen().toSorted()).toEqual(["Langstrecke 2", "Langstrecke 3"]));
  tap(/Langstrecke 3/);
  await waitFor(() => expect(chosen()).toEqual(["Langstrecke 2"]));
});

test("A flight that another device has started meanwhile is the one that runs", async () => {
  knows([first]);
  await open("home");
  await card();
  answers.CreateFlight = [refused(409, "Es läuft bereits ein Flug.")];
  runs("f9");
  await startNow();
  const end = await screen.findByRole("link", { name: "Fluglog beenden" });
  expect(end.getAttribute("href")).toBe("/app/flights/f9/finish");
});
