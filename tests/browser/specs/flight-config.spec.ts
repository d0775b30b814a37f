// The choice of equipment before a flight: what moves on the screen, and a start whose answer was lost. Its sections,
// weights, presets and errors are tested in ui/src/screens/flights/FlightConfig.test.tsx.

import { addEquipment, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

test("What flew last is in sight, and emptying the choice and taking it again moves nothing", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  for (const name of ["Akku 1", "Akku 2"]) await addEquipment(api, kind.battery, name);
  await finishFlight(api, await createFlight(api, { copter }), { flightTime: 5 });
  await openAs(page, api, app, "flights/config");
  await expect(page.getByRole("radio", { name: /Nazgul F5/ })).toBeChecked();
  await expect(page.getByText("Wie beim letzten Flug")).toBeInViewport({ ratio: 1 });
  const copters = page.getByRole("heading", { level: 2, name: "Copter" });
  const before = await copters.boundingBox();
  await page.getByRole("button", { name: "Leeren" }).click();
  await expect(page.getByText("Eigene Auswahl")).toBeVisible();
  expect(await copters.boundingBox()).toEqual(before);
});

test("A choice whose start was lost isn't brought back once its flight is over", { tag: "@phone" }, async ({
  page,
  lossyProxy,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const first = await createFlight(api, { copter });
  await finishFlight(api, first, { flightTime: 5 });
  await addEquipment(api, kind.copter, "Tinyhawk");
  await openAs(page, api, lossyProxy, "flights/config");
  await page.getByText("Tinyhawk", { exact: true }).click();
  lossyProxy.loseAnswers("/app/api/CreateFlight");
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page).toHaveURL(/\/new$/);
  expect(JSON.parse(await api.call("GetFlights"))[0]).toMatchObject({ open: true, copter: { name: "Tinyhawk" } });
  lossyProxy.restore();
  const [{ dpfId }] = JSON.parse(await api.call("GetFlights"));
  await finishFlight(api, dpfId, { flightTime: 5 });
  await page.goto(`${lossyProxy.url}flights/config`);
  await expect(page.getByText("Wie beim letzten Flug").first()).toBeVisible();
  await expect(page.getByText(/^Entwurf von/)).toHaveCount(0);
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page).toHaveURL(/\/new$/);
  expect(JSON.parse(await api.call("GetFlights"))).toHaveLength(3);
});
