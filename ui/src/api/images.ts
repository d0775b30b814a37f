// The calls about a flight's pictures. Their list is a part of the flight, which takes over what the answers say.
// Knows nothing of limits or of how pictures are shown.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { call, NetworkFailure } from "./client";
import { getFlight, knowImages, refreshFlight } from "./flights";
import { type Transfer, upload } from "./transfer";

export function useUploadImages(flight: string) {
  /** The pictures that were there before the upload whose answer was lost. */
  const before = useRef<string[] | null>(null);
  return useMutation({
    mutationFn: async ({
      files,
      there,
      transfer,
    }: {
      files: File[];
      there: string[];
      transfer: Transfer;
    }) => {
      if (before.current !== null) {
        const { images } = await getFlight(flight);
        const isThere = images.length === before.current.length + files.length;
        before.current = null;
        if (isThere) return images;
      }
      try {
        return await upload<string[]>("UploadImageForFlight", { flight, files }, transfer);
      } catch (error) {
        if (error instanceof NetworkFailure) before.current = there;
        throw error;
      }
    },
    onSuccess: (images) => knowImages(flight, images),
    // What was cancelled or lost may have arrived all the same.
    onError: () => refreshFlight(flight),
  });
}

export function useDeleteImage(flight: string) {
  return useMutation({
    mutationFn: (uuid: string) => call<string[]>("DeleteImage", { uuid, flight }),
    onSuccess: (images) => knowImages(flight, images),
    onError: () => refreshFlight(flight),
  });
}
