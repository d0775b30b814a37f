// The calls about a pilot's own documents: list, upload, description, deletion, sharing; and the download of any
// document, those of logs included. Knows no dialogs.
import { useMutation } from "@tanstack/react-query";
import { callUrl } from "../urls";
import { refresh, updateCached, useAnswer } from "./answers";
import { endSessionOn401 } from "./cache";
import { call } from "./client";
import type { Document } from "./generated/Document";
import type { Share } from "./generated/Share";
import { download } from "./transfer";

export function useDocuments() {
  return useAnswer("GetUserDocuments", {});
}

export function refreshDocuments(): Promise<void> {
  return refresh("GetUserDocuments");
}

/** In the list at once: the next edit begins with what is stored. Nothing when it was deleted since. */
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
  // The browser reads the file after the click, some only after the user has chosen a folder.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Not a mutation: a share has to be ended even when its component is unmounted before the answer. */
export async function shareDocument(dpfId: string): Promise<Share> {
  try {
    return await call("ShareDocument", { dpfId });
  } catch (error) {
    endSessionOn401(error);
    throw error;
  }
}

/**
 * Doesn't wait for the answer: a share that can't be ended now ends by itself. Also works while the page is being
 * closed.
 */
export function stopShare(token: string): void {
  navigator.sendBeacon(callUrl("StopShareDocument"), new URLSearchParams({ token }));
}
