// The calls about a flight's pictures. Their list is part of the flight, which is updated from the answers. Knows no
// limits and no viewer.
import { useMutation } from "@tanstack/react-query";
import { write } from "./client";
import { knowImages, refreshFlight } from "./flights";
import { type Upload, upload } from "./transfer";
import { useTap } from "./useTap";

/** Null when the flight has been deleted since. */
function imagesOf(answer: string[] | undefined): string[] {
  return answer ?? [];
}

export function useUploadImages(flight: string) {
  return useMutation({
    mutationFn: async ({ fields: { files }, requestId, transfer }: Upload<{ files: File[] }>) =>
      imagesOf(await upload("UploadImageForFlight", { flight, files }, requestId, transfer)),
    onSuccess: (images) => knowImages(flight, images),
    // An upload that was cancelled or lost may still have arrived.
    onError: () => refreshFlight(flight),
  });
}

export function useDeleteImage(flight: string) {
  return useTap(
    async (uuid, requestId) => imagesOf(await write("DeleteImage", { uuid, flight }, requestId)),
    {
      onSuccess: (images) => knowImages(flight, images),
      onError: () => refreshFlight(flight),
    },
  );
}
