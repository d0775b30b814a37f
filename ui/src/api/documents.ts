// A pilot's own documents: list, upload, description, deletion, sharing; and the download of any document, including
// those of logs. Independent of dialogs.
import { useMutation } from "@tanstack/react-query";
import { callUrl } from "../urls";
import { refresh, updateCached, useAnswer } from "./answers";
import { endSessionOn401 } from "./cache";
import { call } from "./client";
import type { Document } from "./generated/Document";
import type { Share } from "./generated/Share";
import { currentUser, refreshSession } from "./session";
import { download } from "./transfer";

export function useDocuments() {
  return useAnswer("GetUserDocuments", {});
}

export function refreshDocuments(): Promise<void> {
  return currentUser()?.hasProofs ? refreshProofs() : refresh("GetUserDocuments");
}

/** Refetches what shows proofs: the documents, the header, what is to be done, and flights with those of their day. */
export async function refreshProofs(): Promise<void> {
  refreshSession();
  await refresh("GetProofs", "GetUserDocuments", "GetReminders", "GetFlight");
}

/**
 * Updates the cached list, so that the next edit begins with the stored values. Undefined: it was deleted meanwhile.
 */
export function setCachedDocument(saved: Document | undefined): void {
  updateCached("GetUserDocuments", {}, (list) =>
    list.map((document) => (document.dpfId === saved?.dpfId ? saved : document)),
  );
}

/** Downloads a document under its name. */
export function useDownloadDocument() {
  return useMutation({
    mutationFn: async ({ dpfId, name }: { dpfId: string; name: string }) => {
      saveAs(await download("DownloadDocument", { dpfId }), name);
    },
  });
}

function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after the click, some only once the user has chosen a folder.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Not a mutation: the share must be ended even if its component is unmounted before the answer. */
export async function shareDocument(dpfId: string): Promise<Share> {
  try {
    return await call("ShareDocument", { dpfId });
  } catch (error) {
    endSessionOn401(error);
    throw error;
  }
}

/** Ends a share without waiting for the answer, also while the page is closing. A share that isn't ended expires. */
export function stopShare(token: string): void {
  navigator.sendBeacon(callUrl("StopShareDocument"), new URLSearchParams({ token }));
}
