// The calls about a pilot's own documents: list, upload, description, deletion, sharing; and the download of any
// document, those of logs included. Knows no dialogs.
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
      // It was uploaded before and deleted since: upload it again.
      return uploaded ?? send(newId());
    },
    onSettled: () => void refreshDocuments(),
  });
}

export function useEditDocument(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<{ description: string }>) =>
      write("EditUserDocument", { dpfId, ...fields }, requestId),
    // In the list at once: the next edit begins with what is stored. Nothing when it was deleted since.
    onSuccess: (saved: Document | undefined) => {
      cache.setQueryData<Document[]>(documentsKey, (list) =>
        list?.map((document) => (document.dpfId === saved?.dpfId ? saved : document)),
      );
    },
    onSettled: () => void refreshDocuments(),
  });
}

export function useDeleteDocument() {
  return useTap((dpfId, requestId) => write("DeleteUserDocument", { dpfId }, requestId), {
    onSuccess: refreshDocuments,
    onError: () => void refreshDocuments(),
  });
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
