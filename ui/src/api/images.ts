// The calls about a flight's pictures. Their list is a part of the flight, which takes over what the answers say.
// Knows nothing of limits or of how pictures are shown.
import { useMutation } from "@tanstack/react-query";
import { write } from "./client";
import { knowImages, refreshFlight } from "./flights";
import { type Upload, upload } from "./transfer";
import { useTap } from "./useTap";

/** None when the flight has been deleted since. */
function imagesOf(answer: string[] | undefined): string[] {
  return answer ?? [];
}

export function useUploadImages(flight: string) {
  return useMutation({
    mutationFn: async ({ fields: { files }, requestId, transfer }: Upload<{ files: File[] }>) =>
      imagesOf(await upload("UploadImageForFlight", { flight, files }, requestId, transfer)),
    onSuccess: (images) => knowImages(flight, images),
    // What was cancelled or lost may have arrived all the same.
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
