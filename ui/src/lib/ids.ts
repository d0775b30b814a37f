// Ids created by the browser. Not by crypto.randomUUID, which is missing on plain http.

/** A UUID of version 7 (RFC 9562), which sorts by time like the server's. */
export function newId(now: number = Date.now()): string {
  const bytes = new DataView(crypto.getRandomValues(new Uint8Array(16)).buffer);
  bytes.setUint32(0, Math.floor(now / 2 ** 16));
  bytes.setUint16(4, now % 2 ** 16);
  bytes.setUint8(6, 0x70 | (bytes.getUint8(6) & 0x0f));
  bytes.setUint8(8, 0x80 | (bytes.getUint8(8) & 0x3f));
  const digits = [0, 4, 8, 12].map((at) => bytes.getUint32(at).toString(16).padStart(8, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
