// What a pilot's day costs on a phone, in taps, swipes and typed characters.

import { addEquipment, createFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";
import { secondsFor, thumbOn } from "../support/thumb.ts";

test.describe("With one thumb", { tag: "@phone" }, () => {
  test("a flight is ended by its end voltage and what it took", async ({ page, app, api }) => {
    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    const flight = await createFlight(api, { copter });
    await openAs(page, api, app, "home");
    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("link", { name: "Fluglog beenden" }));
    await expect(page.getByRole("textbox", { name: "Endspannung (V)" })).toBeFocused();
    await thumb.type("14.2");
    await thumb.tap(page.getByRole("textbox", { name: "Verbrauchte Kapazität (mA)" }));
    await thumb.type("980");
    await thumb.tap(page.getByRole("button", { name: "Abschließen", exact: true }));
    await expect(page).toHaveURL(/\/home$/);
    expect(thumb.effort()).toEqual({ taps: 3, swipes: 0, characters: 7 });
    expect(secondsFor(thumb.effort())).toBeLessThanOrEqual(5);
    const saved = JSON.parse(await api.call("GetFlight", { dpfId: flight }));
    expect(saved).toMatchObject({ open: false, batteryEndVoltage: 14.2, consumedCapacity: 980 });
  });
});
