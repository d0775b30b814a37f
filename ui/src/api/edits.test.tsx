// The lists right after an edit: whoever opens the same form again at once begins with what was saved.
import { expect, test } from "vitest";
import { keyOf } from "./answers";
import { cache } from "./cache";
import { answers, withFakeServer } from "./fakeServer";
import { perform } from "./perform";

withFakeServer();

const logsKey = keyOf("GetEquipmentLogs", { dpfId: "b1" });
const documentsKey = keyOf("GetUserDocuments", {});
const log = (dpfId: string, info: string) => ({ dpfId, info, time: "02.01.2026 10:00", documentObj: null });

test("an edited log is in the list before the list is asked for again", async () => {
  cache.setQueryData(logsKey, { name: "Akku", logs: [log("l1", "Stecker gelötet"), log("l2", "Gereinigt")] });
  answers.EditLog = [{ status: 200, body: log("l1", "Stecker neu gelötet") }];
  const fields = { dpfId: "l1", info: "Stecker neu gelötet", time: "02.01.2026 10:00", file: null };
  await perform("EditLog", fields, "r1");
  expect(cache.getQueryData(logsKey)).toMatchObject({
    logs: [{ info: "Stecker neu gelötet" }, { info: "Gereinigt" }],
  });
});

test("an edited document is in the list before the list is asked for again", async () => {
  cache.setQueryData(documentsKey, [{ dpfId: "d1", description: "Alt" }]);
  answers.EditUserDocument = [{ status: 200, body: { dpfId: "d1", description: "Neu" } }];
  await perform("EditUserDocument", { dpfId: "d1", description: "Neu" }, "r1");
  expect(cache.getQueryData(documentsKey)).toEqual([{ dpfId: "d1", description: "Neu" }]);
});
