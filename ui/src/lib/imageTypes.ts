// Media types of pictures that can be uploaded. Listed one by one: with "image/*" Safari on the Mac passes HEIC on
// instead of converting it to JPEG.

export const imageTypes: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif"];
