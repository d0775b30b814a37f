// The page of one item: without anything yet, with logs, retired and taken back, and of somebody else.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers } from "../../api/fakeServer";
import { battery, item, log } from "../../test/objects";
import { setServer, toast } from "../../test/openScreen";
import {
  choose,
  expectNoDialog,
  fieldsOf,
  follow,
  heading,
  ok,
  open,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

test("An item is retired and taken back from its page; a retired battery isn't charged", async () => {
  const used = battery();
  const retired = battery({ deactivateTime: "01.05.2026 10:00", deactivateText: "Zelle defekt" });
  setServer({ items: [used] });
  await open("equipments/1/b1");
  await screen.findByRole("button", { name: /^Ladevorgang starten/ });
  await press("Mehr");
  await choose("Deaktivieren");
  await type("Grund", "Zelle defekt");
  answers.DeactivateEquipment = [ok(retired)];
  setServer({ items: [retired] });
  await press("Deaktivieren");
  await expectNoDialog();
  await screen.findByText("Zelle defekt");
  expect(fieldsOf("DeactivateEquipment")).toEqual([{ dpfId: "b1", info: "Zelle defekt" }]);
  expect(screen.queryByRole("button", { name: /^Ladevorgang starten/ })).toBeNull();

  await press("Mehr");
  await choose("Aktivieren");
  answers.ActivateEquipment = [ok(used)];
  setServer({ items: [used] });
  await press("Ja");
  await toast("Erfolgreich aktiviert.");
  await screen.findByRole("button", { name: /^Ladevorgang starten/ });
  expect(fieldsOf("ActivateEquipment")).toEqual([{ dpfId: "b1" }]);
});

test("A new item's page says that there is nothing yet, and its own kind replaces the one in the address", async () => {
  setServer({ items: [item({ dpfId: "c1" })] });
  const page = await open("equipments/1/c1");
  await screen.findByText("Noch kein Flug.");
  await screen.findByText("Keine Logs vorhanden");
  await page.expectPath("equipments/0/c1");
  expect(screen.queryByRole("figure")).toBeNull();
});

test("The logs of an item are no table: beside its figures a column of text would be a few letters wide", async () => {
  setServer({ items: [item({ dpfId: "c1" })] });
  standing(
    "GetEquipmentLogs",
    ok({ name: "", equipmentName: "", logs: [log({ info: "Propeller getauscht" })] }),
  );
  await open("equipments/0/c1");
  const logs = within(await screen.findByRole("region", { name: "Logs" }));
  await logs.findByText("Propeller getauscht");
  expect(logs.queryByRole("table")).toBeNull();
});

test("The page of an item that isn't the pilot's says so and leads to the own ones", async () => {
  const page = await open("equipments/0/gibt-es-nicht");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Darauf haben Sie keinen Zugriff.");
  await follow("Zum Equipment");
  await page.expectPath("equipments/0");
  await heading("In Betrieb Copter");
});
