// Many logs: their search and their order.
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import { item, log } from "../../test/objects";
import { openInWindow, setServer, user } from "../../test/openScreen";

withFakeServer();

const logs = [8, 7, 6, 5, 4, 3, 2, 1].map((day) =>
  log({
    dpfId: `l${day}`,
    info: day === 5 ? "Propeller gewechselt" : `Sichtprüfung ${day}`,
    time: `0${day}.03.2026 10:00`,
  }),
);
const times = () => screen.queryAllByText(/^\d\d\.03\.2026 10:00$/).map(({ textContent }) => textContent);

test("Many logs are searched and turned round", async () => {
  const known = { GetEquipmentLogs: { name: "", equipmentName: "Nazgul F5", logs } };
  setServer({ items: [item({ name: "Nazgul F5" })], known });
  await openInWindow("/equipments/0/logs/i1");
  await waitFor(() => expect(times()[0]).toBe("08.03.2026 10:00"));
  await user.choose("Sortierung", "Älteste zuerst");
  await waitFor(() => expect(times()[0]).toBe("01.03.2026 10:00"));
  await user.type("Suche", "propeller");
  await waitFor(() => expect(times()).toEqual(["05.03.2026 10:00"]));
});
