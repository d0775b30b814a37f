// Drafts: typed values come back to the same account, form and record, and to no other.
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import {
  clearDrafts,
  contentOf,
  type Draft,
  differing,
  readDraft,
  removeDraft,
  removeOwnDraft,
  removeStaleDrafts,
  requestOf,
  unsavedOf,
  writeDraft,
  writeOwnDraft,
} from "./drafts";

const name = { account: "00000000000000aa", form: "flight", record: "new" };
const request = requestOf("", []);
const day = 24 * 3_600_000;

beforeEach(() => localStorage.clear());

test("values come back as they were", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (values) => {
      writeDraft(name, { values, request }, 1000);
      expect(readDraft(name, 2000)).toMatchObject({ savedAt: 1000, values: { ...values } });
    }),
  );
});

test("another account, form or record has its own draft, whatever the names hold", () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.string(), fc.string(), fc.string()),
      fc.tuple(fc.string(), fc.string(), fc.string()),
      (a, b) => {
        fc.pre(a.join("\0") !== b.join("\0"));
        localStorage.clear();
        writeDraft({ account: a[0], form: a[1], record: a[2] }, { values: { text: "a" }, request });
        expect(readDraft({ account: b[0], form: b[1], record: b[2] })).toBeNull();
      },
    ),
  );
});

test("a draft is gone after saving", () => {
  writeDraft(name, { values: { notes: "Wind" }, request });
  removeDraft(name);
  expect(readDraft(name)).toBeNull();
});

test("a draft that another tab typed last isn't removed by this one", () => {
  writeDraft(name, { values: { notes: "hier" }, request });
  const key = localStorage.key(0) ?? "";
  const own = localStorage.getItem(key) ?? "";
  localStorage.setItem(key, JSON.stringify({ ...JSON.parse(own), tab: "another" }));
  removeOwnDraft(name);
  expect(readDraft(name)).not.toBeNull();
  writeOwnDraft(name, { values: { notes: "gesendet" }, request });
  expect(readDraft(name)?.values).toEqual({ notes: "hier" });
  localStorage.setItem(key, own);
  removeOwnDraft(name);
  expect(readDraft(name)).toBeNull();
});

test("a saved draft is no draft of another tab either", () => {
  writeDraft(name, { values: { notes: "hier" }, request });
  const key = localStorage.key(0) ?? "";
  const own = localStorage.getItem(key) ?? "";
  localStorage.setItem(key, JSON.stringify({ ...JSON.parse(own), tab: "another" }));
  removeOwnDraft(name, [requestOf("anderes", [])]);
  expect(readDraft(name)).not.toBeNull();
  removeOwnDraft(name, [request]);
  expect(readDraft(name)).toBeNull();
});

test("the same content is the same request, with or without empty fields", () => {
  const file = (name: string, text: string) => new File([text], name);
  const one = requestOf(contentOf({ info: "a", time: "b", file: file("x", "12") }), []);
  const same = contentOf({ time: "b", info: "a", file: file("x", "12"), removeDocument: false, photo: null });
  expect(requestOf(same, [request, one])).toBe(one);
  for (const other of [
    { info: "a", time: "c", file: file("x", "12") },
    { info: "a", time: "b", file: file("y", "12") },
    { info: "a", time: "b", file: file("x", "123") },
    { info: "a", time: "b" },
  ]) {
    expect(requestOf(contentOf(other), [one]).id).not.toBe(one.id);
  }
  expect(contentOf({ files: [file("x", "1"), file("y", "2")] })).not.toBe(
    contentOf({ files: [file("x", "1")] }),
  );
});

test("a draft has the values that aren't stored yet, and is outdated when others were stored since", () => {
  const draft: Draft = {
    savedAt: 0,
    tab: "",
    request,
    values: { notes: "Böig", place: "Elbe", lights: ["a"] },
    over: { notes: "", place: "Heide" },
  };
  const asTyped = { notes: "", place: "Heide", lights: [], purpose: "" };
  const judge = (stored: Record<string, unknown>) => unsavedOf(draft, stored, stored);
  expect(judge(asTyped)).toEqual({ values: draft.values, isOutdated: false });
  // Another field was saved.
  expect(judge({ ...asTyped, purpose: "Training" }).isOutdated).toBe(false);
  // Saved as it was typed.
  expect(judge({ ...asTyped, notes: "Böig" })).toEqual({
    values: { place: "Elbe", lights: ["a"] },
    isOutdated: false,
  });
  expect(judge({ notes: "Böig", place: "Elbe", lights: ["a"] }).values).toEqual({});
  // A default of the form is no stored value.
  expect(unsavedOf(draft, { ...asTyped, notes: "Vorschlag" }, asTyped).isOutdated).toBe(false);
  // Saved differently.
  expect(judge({ ...asTyped, notes: "Windstill" })).toEqual({ values: draft.values, isOutdated: true });
});

test("a number that is only written in another way is stored already, and a text is not", () => {
  const draft: Draft = {
    savedAt: 0,
    tab: "",
    request,
    values: { voltage: "14.2", speed: "9", firmware: "14.2" },
    over: { voltage: "", speed: "", firmware: "14,2" },
  };
  const stored = { voltage: "14,2", speed: "8", firmware: "14,2" };
  expect(unsavedOf(draft, stored, stored, ["voltage", "speed"]).values).toEqual({
    speed: "9",
    firmware: "14.2",
  });
  // Texts that are no numbers are compared as texts, and an empty one isn't 0.
  expect(differing({ a: "x", b: "" }, { a: "y", b: "0" }, ["a", "b"])).toEqual({ a: "x", b: "" });
});

test("a logout takes the account's drafts and leaves those of others", () => {
  const other = { ...name, account: `${name.account}2` };
  writeDraft(name, { values: { notes: "Anna" }, request });
  writeDraft({ ...name, record: "f1" }, { values: { notes: "Anna" }, request });
  writeDraft(other, { values: { notes: "Berta" }, request });
  localStorage.setItem("other", "kept");
  clearDrafts(name.account);
  expect(readDraft(name)).toBeNull();
  expect(readDraft({ ...name, record: "f1" })).toBeNull();
  expect(readDraft(other)?.values).toEqual({ notes: "Berta" });
  expect(localStorage.getItem("other")).toBe("kept");
});

test("an old draft isn't restored", () => {
  writeDraft(name, { values: { notes: "alt" }, request }, 0);
  expect(readDraft(name, 6 * day)).not.toBeNull();
  expect(readDraft(name, 8 * day)).toBeNull();
});

test("a draft that is too old, or of an earlier version under a nickname, is thrown away", () => {
  writeDraft(name, { values: { notes: "neu" }, request }, 8 * day);
  writeDraft({ ...name, record: "f1" }, { values: { notes: "alt" }, request }, 0);
  const earlier = { savedAt: 8 * day, tab: "1-2", values: { notes: "alt" }, over: {} };
  localStorage.setItem("fluglog.draft.Anna/flight/new", JSON.stringify(earlier));
  localStorage.setItem("other", "kept");
  removeStaleDrafts(9 * day);
  expect(Object.keys(localStorage)).toHaveLength(2);
  expect(readDraft(name, 9 * day)?.values).toEqual({ notes: "neu" });
  expect(localStorage.getItem("other")).toBe("kept");
});

test("a draft of 1.4.0 comes back, with the id of its request", () => {
  const stored = {
    savedAt: 1000,
    tab: "01a20ad1-2552-715a-a483-623cd025ddb2",
    values: { name: "Adler" },
    over: {},
    request: { id: "01a20ad1-25a3-75c3-a890-0e79bd304d57", content: '{"name":"Adler"}' },
  };
  localStorage.setItem("fluglog.draft.00000000000000aa/flight/new", JSON.stringify(stored));
  expect(readDraft(name, 2000)).toEqual(stored);
  expect(requestOf(contentOf({ name: "Adler" }), [stored.request]).id).toBe(stored.request.id);
});

test("storage with something else in it is no error", () => {
  writeDraft(name, { values: {}, request });
  const key = localStorage.key(0) ?? "";
  const halves = ['{"savedAt":1}', '{"savedAt":1,"values":{}}', '{"savedAt":1,"values":{},"over":{}}'];
  for (const damaged of ["", "{", "null", "1", '"text"', ...halves]) {
    localStorage.setItem(key, damaged);
    expect(readDraft(name, 2)).toBeNull();
  }
});
