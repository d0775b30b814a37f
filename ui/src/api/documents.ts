// The calls about a pilot's own documents: the list, upload, description, deletion, sharing; and the download of any
// document, those of logs included. Knows nothing of dialogs.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { callUrl } from "../urls";
import { cache, endSessionOn401 } from "./cache";
import { call, NetworkFailure } from "./client";
import type { Document } from "./generated/Document";
import type { Share } from "./generated/Share";
import { download, type Transfer, upload } from "./transfer";

const documentsKey = ["documents"] as const;

function getDocuments(): Promise<Document[]> {
  return call<Document[]>("GetUserDocuments");
}

export function useDocuments() {
  return useQuery({ queryKey: documentsKey, queryFn: getDocuments });
}

function refreshDocuments(): Promise<void> {
  return cache.invalidateQueries({ queryKey: documentsKey });
}

function knownIds(): string[] {
  return (cache.getQueryData<Document[]>(documentsKey) ?? []).map(({ dpfId }) => dpfId);
}

export type NewDocument = { file: File; description: string };

/** After an answer was lost, another try first looks whether the document is there already. */
export function useUploadDocument() {
  const before = useRef<string[] | null>(null);
  return useMutation({
    mutationFn: async ({ fields, transfer }: { fields: NewDocument; transfer: Transfer }) => {
      if (before.current !== null) {
        const old = before.current;
        const saved = (await getDocuments()).find(
          ({ dpfId, name, description }) =>
            !old.includes(dpfId) && name === fields.file.name && description === fields.description.trim(),
        );
        before.current = null;
        if (saved) return saved;
      }
      const there = knownIds();
      try {
        return await upload<Document>("UploadUserDocument", fields, transfer);
      } catch (error) {
        if (error instanceof NetworkFailure) before.current = there;
        throw error;
      }
    },
    onSettled: () => void refreshDocuments(),
  });
}

export function useEditDocument(dpfId: string) {
  return useMutation({
    mutationFn: (description: string) => call<Document>("EditUserDocument", { dpfId, description }),
    onSettled: () => void refreshDocuments(),
  });
}

export function useDeleteDocument() {
  return useMutation({
    mutationFn: (dpfId: string) => call("DeleteUserDocument", { dpfId }),
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
    return await call<Share>("ShareDocument", { dpfId });
  } catch (error) {
    endSessionOn401(error);
    throw error;
  }
}

/** Nobody waits for it: a share that can't be ended now ends by itself. It also works while the page is being closed. */
export function stopShare(token: string): void {
  navigator.sendBeacon(callUrl("StopShareDocument"), new URLSearchParams({ token }));
}
