// The secret end of an e-ID, cut wherever one is typed.
import { expect, test } from "vitest";
import { hasSecretEnd, publicPart, withoutSecretEnd, withoutSecretName } from "./secretEnd";

test.each([
  ["FIN87astrdge12k8-xyz", "FIN87astrdge12k8"],
  ["FIN87astrdge12k8-x", "FIN87astrdge12k8-"],
  ["FIN87astrdge12k8-xya", "FIN87astrdge12k8"],
  ["fin87astrdge12k8xyz", "fin87astrdge12k8"],
  ["eID_FIN87astrdge12k8_xyz.pdf", "eID_FIN87astrdge12k8.pdf"],
  ["e-ID FIN87astrdge12k8–xyz, seit 2021", "e-ID FIN87astrdge12k8, seit 2021"],
  ["FIN87astrdge12k8-xyz und DEU12astrdge12k8-abc", "FIN87astrdge12k8 und DEU12astrdge12k8"],
])("Of %s %s stays", (typed, kept) => {
  expect(withoutSecretEnd(typed)).toBe(kept);
});

test.each([
  "FIN87astrdge12k8",
  "FIN87astrdge12k8-",
  "FIN87astrdge12k8 – gilt",
  "Betriebserlaubnis 2026",
  "Haftpflicht-Police 4711-0815-99",
  "IMG20261128143015",
  "DMFV2024000012345",
  "LBA2026012345678-12",
  "HUK12345678901234",
  "FIN87astrdge12k8xya",
  "FIN87astrdge12k8-xyzz",
  "Deutschlandkarte-Ost",
])("%s stays as it is", (typed) => {
  expect(withoutSecretEnd(typed)).toBe(typed);
});

test("Typed letter by letter, no character of the end behind a dash stays", () => {
  const typed = [..."FIN87astrdge12k8-xyz"].reduce((text, letter) => withoutSecretEnd(text + letter), "");
  expect(typed).toBe("FIN87astrdge12k8-");
});

test("A file's name loses the end, and a file without one stays the same", async () => {
  const secret = new File(["1"], "FIN87astrdge12k8-xyz.pdf", { type: "application/pdf", lastModified: 5 });
  const file = withoutSecretName(secret);
  expect([file.name, file.type, file.lastModified, await file.text()]).toEqual([
    "FIN87astrdge12k8.pdf",
    "application/pdf",
    5,
    "1",
  ]);
  expect(withoutSecretName(file)).toBe(file);
});

test("What is typed as an e-ID becomes its public part, letter by letter", () => {
  const whole = "deu 87ASTRDGE12K8-xyz";
  const states = [...whole].map((_, at) => publicPart(whole.slice(0, at + 1)));
  expect(states.at(-1)).toBe("DEU87astrdge12k8");
  expect(states.some((state) => state.length > 16)).toBe(false);
  expect([hasSecretEnd("DEU87astrdge12k8"), hasSecretEnd("DEU87astrdge12k8-"), hasSecretEnd(whole)]).toEqual([
    false,
    false,
    true,
  ]);
});
