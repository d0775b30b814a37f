// Flights with voltages of another pack: what is corrected at once, taken back, or kept by the pilot.
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers } from "../../../api/fakeServer";
import type { VoltageDoubt } from "../../../api/generated/VoltageDoubt";
import { setServer, toast } from "../../../test/openScreen";
import { fieldsOf, ok, open, press, withScreens } from "../../../test/pages";

withScreens();

function doubt(fields: Partial<VoltageDoubt>): VoltageDoubt {
  return {
    ...{ dpfId: "f1", startTime: "03.04.2026 14:05", copter: "Falke", isMendable: true },
    ...{ batteryStartVoltage: 5.1, batteryEndVoltage: 5, rightStartVoltage: 16.7, rightEndVoltage: 14.8 },
    ...fields,
  };
}
const known = [doubt({}), doubt({ dpfId: "f2", startTime: "02.04.2026 10:00" })];
const unknown = doubt({
  ...{ dpfId: "f3", startTime: "01.04.2026 09:00", isMendable: false },
  ...{ rightStartVoltage: null, rightEndVoltage: null },
});

test("All flights whose files have the right voltages are corrected at once, and back again", async () => {
  setServer({ known: { GetVoltageDoubts: known } });
  await open("flights/voltages");
  expect((await screen.findAllByText("16,7 V → 14,8 V")).length).toBe(2);
  answers.MendVoltages = [ok([]), ok(known), ok(known)];
  await press("2 Flüge berichtigen");
  await toast("2 Flüge berichtigt.");
  await screen.findByText("Hier ist nichts mehr zu berichtigen.");
  await press("Rückgängig");
  await toast("Die früheren Spannungen sind wieder da.");
  await screen.findByRole("button", { name: "2 Flüge berichtigen" });
  expect(fieldsOf("MendVoltages")).toEqual([{}, { takeBack: "true" }, { takeBack: "true" }]);
});

test("A flight without a file is kept as it is, or edited", async () => {
  setServer({ known: { GetVoltageDoubts: [known[0] as VoltageDoubt, unknown] } });
  await open("flights/voltages");
  await screen.findByRole("button", { name: "1 Flug berichtigen" });
  const edit = screen.getByRole("link", { name: "Bearbeiten 01.04.2026 09:00" });
  expect(edit.getAttribute("href")).toMatch(/f3/);
  answers.MendVoltages = [ok([known[0]])];
  await press("So lassen 01.04.2026 09:00");
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Ohne Datei" })).toBeNull());
  expect(fieldsOf("MendVoltages")).toEqual([{ keep: "f3" }]);
});
