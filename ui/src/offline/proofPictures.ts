// The pictures of proofs for when there is no network: a part of the snapshot, in a cache of the browser, by their
// address. Only those of proofs in force.
import type { Proof } from "../api/generated/Proof";
import { isCurrent, pageUrl } from "../api/proofs";
import { markHeader } from "../api/reachability";
import { picturesName } from "./queueState";

export const picturesLimit = { count: 30, bytes: 20 * 1024 * 1024 };

let last: Promise<void> = Promise.resolve();

/** Downloads missing pictures and deletes others, one run after the other. `isWanted`: nobody has logged out since. */
export function keepPictures(proofs: readonly Proof[], isWanted: () => boolean): Promise<void> {
  // Best effort: with full or forbidden storage less is available offline.
  last = last.then(() => keepAll(proofs, isWanted)).catch(() => {});
  return last;
}

async function keepAll(proofs: readonly Proof[], isWanted: () => boolean): Promise<void> {
  const addresses = proofs
    .filter(isCurrent)
    .flatMap((proof) => proof.pages.map((page) => pageUrl(proof, page)))
    .slice(0, picturesLimit.count);
  const kept = await caches.open(picturesName);
  for (const { url } of await kept.keys()) {
    if (!addresses.some((address) => url.endsWith(address))) await kept.delete(url);
  }
  let bytes = 0;
  for (const address of addresses) {
    const picture = (await kept.match(address)) ?? (await asked(address));
    if (!isWanted()) break;
    const content = await picture?.blob();
    bytes += content?.size ?? 0;
    if (bytes > picturesLimit.bytes) break;
    if (content)
      await kept.put(address, new Response(content, { headers: { "Content-Type": content.type } }));
  }
  if (!isWanted()) await caches.delete(picturesName);
}

/** The server's answer; null for any other, which a call of the pilot's will meet. */
async function asked(address: string): Promise<Response | null> {
  const answer = await fetch(address, { redirect: "manual" });
  return answer.ok && answer.headers.has(markHeader) ? answer : null;
}

/** The picture of this address; null if it isn't kept. */
export async function keptPicture(address: string): Promise<Blob | null> {
  const answer = await globalThis.caches?.match(address, { cacheName: picturesName }).catch(() => undefined);
  return (await answer?.blob()) ?? null;
}
