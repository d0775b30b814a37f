// Generated pictures: PNG files of one colour, so that a test can tell them apart.

import { crc32, deflateSync } from "node:zlib";

export type Colour = [red: number, green: number, blue: number];

export const red: Colour = [200, 30, 40];
export const green: Colour = [30, 150, 60];
export const blue: Colour = [30, 80, 200];

/** Returns a PNG of one colour. */
export function picture([r, g, b]: Colour, width = 640, height = 480): Uint8Array<ArrayBuffer> {
  const line = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x++) line.set([r, g, b], 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of three colours.
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(line)));
  const parts = [chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]));
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** Returns a picture for a file input. */
export function pictureFile(name: string, colour: Colour) {
  return { name, mimeType: "image/png", buffer: Buffer.from(picture(colour)) };
}
