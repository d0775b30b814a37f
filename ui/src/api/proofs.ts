// Proofs: documents with a kind and an end, and the pictures of their pages. Independent of forms.
import { callUrl } from "../urls";
import { queryOf, useAnswer } from "./answers";
import { cache } from "./cache";
import { ApiError, InterceptedAnswer, NetworkFailure, sessionSignal } from "./client";
import type { Proof } from "./generated/Proof";
import { markHeader } from "./reachability";

/** All proofs: those in force first, the gravest light first. */
export function useProofs({ isWanted } = { isWanted: true }) {
  return useAnswer("GetProofs", {}, { enabled: isWanted });
}

/** The kinds of proofs with the end that the server proposes for each. */
export function useProofKinds(isWanted: boolean) {
  return useAnswer("GetProofKinds", {}, { enabled: isWanted });
}

/** Fetches the proofs for when there is no network; their pictures follow (offline/proofPictures.ts). */
export function prefetchProofs(): Promise<void> {
  return cache.prefetchQuery(queryOf("GetProofs", {}));
}

/** The picture of a page. An address never changes its picture. */
export function pageUrl({ dpfId }: Proof, page: string): string {
  return `${callUrl("GetProofPage")}?${new URLSearchParams({ dpfId, page })}`;
}

const pictureTimeoutMs = 30_000;

/** The picture at the address of a page, to be sent again. */
export async function pictureAt(url: string): Promise<File> {
  const session = sessionSignal();
  const signal = AbortSignal.any([session, AbortSignal.timeout(pictureTimeoutMs)]);
  try {
    const answer = await fetch(url, { redirect: "manual", signal });
    // Not reported as reachable: the answer may come from the browser's cache.
    if (!answer.headers.has(markHeader)) throw new InterceptedAnswer(answer.status);
    if (!answer.ok) throw new ApiError(answer.status, await answer.text(), null);
    const picture = await answer.blob();
    return new File([picture], "seite", { type: picture.type });
  } catch (cause) {
    if (session.aborted || cause instanceof ApiError || cause instanceof NetworkFailure) throw cause;
    throw new NetworkFailure(cause);
  }
}

/** Whether no other proof has replaced this one. */
export function isCurrent({ replacedBy }: Proof): boolean {
  return replacedBy === "";
}
