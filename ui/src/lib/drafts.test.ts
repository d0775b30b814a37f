// Drafts: what was typed comes back to the same user, form and record, and to nobody else.
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import {
  clearDrafts,
  type Draft,
  differing,
  readDraft,
  removeDraft,
  removeOwnDraft,
  unsavedOf,
  writeDraft,
} from "./drafts";

const name = { user: "Anna", form: "flight", record: "new" };
const day = 24 * 3_600_000;

beforeEach(() => localStorage.clear());

test("values come back as they were", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (values) => {
      writeDraft(name, values, {}, 1000);
      expect(readDraft(name, 2000)).toMatchObject({ savedAt: 1000, values: { ...values } });
    }),
  );
});

test("another user, form or record has its own draft, whatever the names hold", () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.string(), fc.string(), fc.string()),
      fc.tuple(fc.string(), fc.string(), fc.string()),
      (a, b) => {
        fc.pre(a.join("\0") !== b.join("\0"));
        localStorage.clear();
        writeDraft({ user: a[0], form: a[1], record: a[2] }, { text: "a" });
        expect(readDraft({ user: b[0], form: b[1], record: b[2] })).toBeNull();
      },
    ),
  );
});

test("a draft is gone after saving", () => {
  writeDraft(name, { notes: "Wind" });
  removeDraft(name);
  expect(readDraft(name)).toBeNull();
});

test("what another tab typed last isn't removed by this one", () => {
  writeDraft(name, { notes: "hier" });
  const key = localStorage.key(0) ?? "";
  const own = localStorage.getItem(key) ?? "";
  localStorage.setItem(key, JSON.stringify({ ...JSON.parse(own), tab: "another" }));
  removeOwnDraft(name);
  expect(readDraft(name)).not.toBeNull();
  localStorage.setItem(key, own);
  removeOwnDraft(name);
  expect(readDraft(name)).toBeNull();
});

test("a draft is worth what isn't stored yet, and the user's to judge when something else was stored since", () => {
  const draft: Draft = {
    savedAt: 0,
    tab: "",
    values: { notes: "Böig", place: "Elbe", lights: ["a"] },
    over: { notes: "", place: "Heide" },
  };
  const asTyped = { notes: "", place: "Heide", lights: [], purpose: "" };
  const judge = (stored: Record<string, unknown>) => unsavedOf(draft, stored, stored);
  expect(judge(asTyped)).toEqual({ values: draft.values, isOutdated: false });
  // Another field was saved: nothing of this one's.
  expect(judge({ ...asTyped, purpose: "Training" }).isOutdated).toBe(false);
  // Saved as it was typed.
  expect(judge({ ...asTyped, notes: "Böig" })).toEqual({
    values: { place: "Elbe", lights: ["a"] },
    isOutdated: false,
  });
  expect(judge({ notes: "Böig", place: "Elbe", lights: ["a"] }).values).toEqual({});
  // What a form proposes isn't stored.
  expect(unsavedOf(draft, { ...asTyped, notes: "Vorschlag" }, asTyped).isOutdated).toBe(false);
  // Saved differently.
  expect(judge({ ...asTyped, notes: "Windstill" })).toEqual({ values: draft.values, isOutdated: true });
});

test("a number that is only written in another way is stored already, and a text is not", () => {
  const draft: Draft = {
    savedAt: 0,
    tab: "",
    values: { voltage: "14.2", speed: "9", firmware: "14.2" },
    over: { voltage: "", speed: "", firmware: "14,2" },
  };
  const stored = { voltage: "14,2", speed: "8", firmware: "14,2" };
  expect(unsavedOf(draft, stored, stored, ["voltage", "speed"]).values).toEqual({
    speed: "9",
    firmware: "14.2",
  });
  // What is no number, or none, is none of the same.
  expect(differing({ a: "x", b: "" }, { a: "y", b: "0" }, ["a", "b"])).toEqual({ a: "x", b: "" });
});

test("a logout takes the user's drafts and leaves those of others", () => {
  writeDraft(name, { notes: "Anna" });
  writeDraft({ ...name, record: "f1" }, { notes: "Anna" });
  writeDraft({ ...name, user: "Anna2" }, { notes: "Anna2" });
  localStorage.setItem("other", "kept");
  clearDrafts("Anna");
  expect(readDraft(name)).toBeNull();
  expect(readDraft({ ...name, record: "f1" })).toBeNull();
  expect(readDraft({ ...name, user: "Anna2" })?.values).toEqual({ notes: "Anna2" });
  expect(localStorage.getItem("other")).toBe("kept");
});

test("an old draft is nobody's wish any more", () => {
  writeDraft(name, { notes: "alt" }, {}, 0);
  expect(readDraft(name, 6 * day)).not.toBeNull();
  expect(readDraft(name, 8 * day)).toBeNull();
});

test("storage with something else in it is no error", () => {
  writeDraft(name, {});
  const key = localStorage.key(0) ?? "";
  for (const damaged of ["", "{", "null", "1", '"text"', '{"savedAt":1}', '{"savedAt":1,"values":{}}']) {
    localStorage.setItem(key, damaged);
    expect(readDraft(name, 2)).toBeNull();
  }
});
