// The search and the order of a long list on a phone. Lists of equipment and of logs are tested in
// ui/src/screens/equipment/EquipmentList.test.tsx and ui/src/components/logs/LogList.test.tsx.

import { expectAccessible } from "../support/accessible.ts";
import { addDocument } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

test("Many documents are searched and sorted by name", { tag: "@phone" }, async ({ page, app, api }) => {
  for (const number of [2, 10, 1, 3, 4, 5, 6, 7]) {
    await addDocument(api, { name: `Rechnung ${number}.pdf`, content: "1" }, number === 4 ? "Akku" : "Copter");
  }
  await openAs(page, api, app, "myDocuments");
  const documents = page.getByRole("link", { name: /^Rechnung/ });
  await expect(documents.first()).toHaveText(/^Rechnung 7\.pdf/);
  await page.getByLabel("Sortierung").selectOption("Name, A bis Z");
  await expect(documents.first()).toHaveText(/^Rechnung 1\.pdf/);
  await expect(documents.last()).toHaveText(/^Rechnung 10\.pdf/);
  await page.getByLabel("Suche").fill("akku");
  await expect(documents).toHaveText([/^Rechnung 4\.pdf/]);
  await expectAccessible(page);
});
