// The kinds of pictures that can be uploaded. One by one, because with "image/*" Safari on the Mac hands over HEIC as it
// is instead of a JPEG.

export const imageTypes: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif"];
