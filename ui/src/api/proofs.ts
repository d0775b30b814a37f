// Proofs: documents with a kind and an end, and the pictures of their pages. Independent of forms.
import { callUrl } from "../urls";
import { keyOf, useAnswer } from "./answers";
import { cache } from "./cache";
import { ApiError, call, sessionSignal } from "./client";
import type { Proof } from "./generated/Proof";

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
  return cache.prefetchQuery({ queryKey: keyOf("GetProofs", {}), queryFn: () => call("GetProofs") });
}

/** The picture of a page. An address never changes its picture. */
export function pageUrl({ dpfId }: Proof, page: string): string {
  return `${callUrl("GetProofPage")}?${new URLSearchParams({ dpfId, page })}`;
}

/** The picture at the address of a page, to be sent again. */
export async function pictureAt(url: string): Promise<File> {
  const answer = await fetch(url, { signal: sessionSignal() });
  if (!answer.ok) throw new ApiError(answer.status, await answer.text(), null);
  const picture = await answer.blob();
  return new File([picture], "seite", { type: picture.type });
}

/** Whether no other proof has replaced this one. */
export function isCurrent({ replacedBy }: Proof): boolean {
  return replacedBy === "";
}
