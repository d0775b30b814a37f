// The lists right after an edit: whoever opens the same form again at once begins with what was saved.
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { cache } from "./cache";
import { useEditDocument } from "./documents";
import { answers, withFakeServer, wrapper } from "./fakeServer";
import { useEditLog } from "./logs";

withFakeServer();

const logsKey = ["logs", "equipment", "b1"];
const log = (dpfId: string, info: string) => ({ dpfId, info, time: "02.01.2026 10:00", documentObj: null });

test("an edited log is in the list before the list is asked for again", async () => {
  cache.setQueryData(logsKey, { name: "Akku", logs: [log("l1", "Stecker gelötet"), log("l2", "Gereinigt")] });
  answers.EditLog = [{ status: 200, body: log("l1", "Stecker neu gelötet") }];
  const { result } = renderHook(() => useEditLog("l1"), { wrapper });
  const fields = { info: "Stecker neu gelötet", time: "02.01.2026 10:00", file: null, removeDocument: false };
  await act(() => result.current.mutateAsync({ fields, requestId: "r1", transfer: {} }));
  expect(cache.getQueryData(logsKey)).toMatchObject({
    logs: [{ info: "Stecker neu gelötet" }, { info: "Gereinigt" }],
  });
});

test("so is an edited document", async () => {
  cache.setQueryData(["documents"], [{ dpfId: "d1", description: "Alt" }]);
  answers.EditUserDocument = [{ status: 200, body: { dpfId: "d1", description: "Neu" } }];
  const { result } = renderHook(() => useEditDocument("d1"), { wrapper });
  await act(() => result.current.mutateAsync({ fields: { description: "Neu" }, requestId: "r1" }));
  expect(cache.getQueryData(["documents"])).toEqual([{ dpfId: "d1", description: "Neu" }]);
});
