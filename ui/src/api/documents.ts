// The calls about a pilot's own documents: the list, upload, description, deletion, sharing; and the download of any
// document, those of logs included. Knows nothing of dialogs.
import { useMutation, useQuery } from "@tanstack/react-query";
import { newId } from "../lib/ids";
import { callUrl } from "../urls";
import { cache, endSessionOn401 } from "./cache";
import { call, type Write, write } from "./client";
import type { Document } from "./generated/Document";
import type { Share } from "./generated/Share";
import { download, type Upload, upload } from "./transfer";
import { useTap } from "./useTap";

const documentsKey = ["documents"] as const;

export function useDocuments() {
  return useQuery({ queryKey: documentsKey, queryFn: () => call("GetUserDocuments") });
}

function refreshDocuments(): Promise<void> {
  return cache.invalidateQueries({ queryKey: documentsKey });
}

export type NewDocument = { file: File; description: string };

export function useUploadDocument() {
  return useMutation({
    mutationFn: async ({ fields, requestId, transfer }: Upload<NewDocument>) => {
      const send = (id: string) => upload("UploadUserDocument", fields, id, transfer);
      const uploaded: Document | undefined = await send(requestId);
      // Uploaded before and deleted since: it is wanted once more.
      return uploaded ?? send(newId());
    },
    onSettled: () => void refreshDocuments(),
  });
}

export function useEditDocument(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<{ description: string }>) =>
      write("EditUserDocument", { dpfId, ...fields }, requestId),
    onSettled: () => void refreshDocuments(),
  });
}

export function useDeleteDocument() {
  return useTap((dpfId, requestId) => write("DeleteUserDocument", { dpfId }, requestId), {
    onSuccess: refreshDocuments,
    onError: () => void refreshDocuments(),
  });
}

/** Fetches a document and hands it to the browser under its name. */
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
  // The browser reads the file after the click, some only once the user has said where to put it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** No mutation: a share that is started for somebody who has gone must still be ended. */
export async function shareDocument(dpfId: string): Promise<Share> {
  try {
    return await call("ShareDocument", { dpfId });
  } catch (error) {
    endSessionOn401(error);
    throw error;
  }
}

/** Nobody waits for it: a share that can't be ended now ends by itself. It also works while the page is being closed. */
export function stopShare(token: string): void {
  navigator.sendBeacon(callUrl("StopShareDocument"), new URLSearchParams({ token }));
}
