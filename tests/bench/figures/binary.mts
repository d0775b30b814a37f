// The size of the release binary, with the UI inside.

import { statSync } from "node:fs";
import { binary } from "../../browser/support/server.ts";
import type { Figure } from "../support/figure.mts";

export async function binarySize(): Promise<Figure[]> {
  const megabytes = statSync(binary).size / 1e6;
  return [{ name: "release binary", value: megabytes, limit: 15, unit: "MB", note: "" }];
}
