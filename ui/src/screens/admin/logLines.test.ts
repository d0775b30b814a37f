// The search in the log finds a line by any text that is shown of it.
import { expect, test } from "vitest";
import type { AdminLogLine } from "../../api/generated/AdminLogLine";
import { matchesWords } from "../../lib/search";
import { wordsOf } from "./logLines";
import { overview, quotaText } from "./texts";

const refusal: AdminLogLine = {
  time: "24.11.2026 21:15",
  kind: "refusal",
  text: "wrong password",
  by: "anna@example.org",
  account: "",
  client: "203.0.113.7",
};
const deed: AdminLogLine = {
  ...refusal,
  kind: "deed",
  text: "locked an account",
  account: "ben@example.org",
};
const failure: AdminLogLine = { ...refusal, kind: "error", text: "disk full", by: "", client: "" };

test.each([
  ["passwort anna", [refusal]],
  ["203.0.113.7", [refusal, deed]],
  ["abgelehnt 24.11.", [refusal]],
  ["Betreiber gesperrt ben@", [deed]],
  ["disk", [failure]],
  ["fehler", [failure]],
  ["wrong", []],
  ["otto", []],
])("%s", (search, found) => {
  const lines = [refusal, deed, failure];
  expect(lines.filter((line) => matchesWords(search, wordsOf(line)))).toEqual(found);
});

test("a release says its age, another version doesn't", () => {
  expect(overview.versionOf("1.5.0", "24.11.2026", 1)).toBe("1.5.0 vom 24.11.2026, 1 Tag alt");
  expect(overview.versionOf("1.5.0", "", 0)).toBe("1.5.0");
});

test.each([
  [2 * 1024 ** 3, "2 GB"],
  [1.5 * 1024 ** 3, "1,5 GB"],
  [100 * 1024, "0,09765625 MB"],
  [0, "0"],
  [null, "0"],
])("a limit of %s bytes is typed as it is", (bytes, typed) => {
  expect(quotaText(bytes)).toBe(typed);
});
