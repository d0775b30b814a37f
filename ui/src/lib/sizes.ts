// Sizes in megabytes or gigabytes as text.
import { formatMegabytes } from "./fileKinds";

export const gigabyte = 1024 ** 3;

const decimal = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 1 });

/** `12,5 MB`, `8,3 GB` */
export function sizeText(bytes: number): string {
  return bytes < gigabyte ? formatMegabytes(bytes) : `${decimal.format(bytes / gigabyte)}\u00a0GB`;
}
