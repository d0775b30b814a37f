// Which pictures of proofs are on the device.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pageUrl } from "../api/proofs";
import { proof } from "../test/objects";
import { keepPictures, keptPicture, picturesLimit } from "./proofPictures";
import { deleteSnapshot } from "./queueState";

const stores = new Map<string, Map<string, Response>>();

/** The part of the browser's caches that is used; addresses are whole there. */
const caches = {
  async open(name: string) {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return {
      keys: async () => [...store.keys()].map((path) => ({ url: `https://fluglog.example${path}` })),
      match: async (path: string) => store.get(path)?.clone(),
      put: async (path: string, answer: Response) => void store.set(path, answer),
      delete: async (url: string) => store.delete(url.replace("https://fluglog.example", "")),
    };
  },
  match: async (path: string, { cacheName }: { cacheName: string }) =>
    stores.get(cacheName)?.get(path)?.clone(),
  delete: async (name: string) => stores.delete(name),
};

const asked: string[] = [];
let answer = () => new Response("Bild", { headers: { "X-Fluglog": "1", "Content-Type": "image/jpeg" } });

beforeEach(() => {
  stores.clear();
  asked.length = 0;
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return answer();
  });
});
afterEach(() => void vi.unstubAllGlobals());

const a2 = proof({ pages: ["p1", "p2"] });
const old = proof({ dpfId: "d0", pages: ["p0"], replacedBy: "d1" });
const always = () => true;

test("The pages of proofs in force are kept, asked for once, and go when the proof has others", async () => {
  await keepPictures([a2, old], always);
  await keepPictures([a2, old], always);
  expect(asked).toEqual([pageUrl(a2, "p1"), pageUrl(a2, "p2")]);
  expect(await (await keptPicture(pageUrl(a2, "p1")))?.text()).toBe("Bild");
  await keepPictures([proof({ pages: ["p3"] })], always);
  expect(await keptPicture(pageUrl(a2, "p1"))).toBeNull();
  expect(await keptPicture(pageUrl(a2, "p3"))).not.toBeNull();
});

test("Nothing stays after a logout, also when a download was on its way", async () => {
  await keepPictures([a2], always);
  deleteSnapshot();
  expect(await keptPicture(pageUrl(a2, "p1"))).toBeNull();
  await keepPictures([a2], () => asked.length < 3);
  expect(stores.size).toBe(0);
});

test("At most 30 pictures of 20 MB are kept, and no answer of a portal", async () => {
  const many = Array.from({ length: 10 }, (_, at) => proof({ dpfId: `d${at}`, pages: ["1", "2", "3", "4"] }));
  await keepPictures(many, always);
  expect(asked).toHaveLength(picturesLimit.count);
  stores.clear();
  const usual = answer;
  answer = () => new Response("x".repeat(6 * 1024 * 1024), { headers: { "X-Fluglog": "1" } });
  await keepPictures(many, always);
  expect([...stores.values()].map((store) => store.size)).toEqual([3]);
  answer = () => new Response("<html>");
  stores.clear();
  await keepPictures([a2], always);
  expect(await keptPicture(pageUrl(a2, "p1"))).toBeNull();
  answer = usual;
});
