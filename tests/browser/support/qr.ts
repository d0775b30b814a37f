// Reads a QR code off the screen, like a phone does.

import type { Locator } from "@playwright/test";
import jsqr from "jsqr";

/** Returns the text of the code in this picture; throws when there is none. */
export async function readQrCode(picture: Locator): Promise<string> {
  const { pixels, width, height } = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    // At its size on the screen: the browser returns every pixel as a number.
    canvas.width = image.clientWidth;
    canvas.height = image.clientHeight;
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return { pixels: [...data], width: canvas.width, height: canvas.height };
  });
  const code = jsqr.default(new Uint8ClampedArray(pixels), width, height);
  if (code === null) throw new Error("There is no QR code to be read.");
  return code.data;
}
