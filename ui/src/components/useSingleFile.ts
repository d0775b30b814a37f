// The single file of a dialog, and why the last choice was refused.
import { useState } from "react";
import { largestUploadBytes } from "../lib/fileKinds";
import { files as texts } from "./texts/files";

export function useSingleFile() {
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);

  /** A refused file doesn't replace the one that was chosen before. */
  function pick(picked: File[]) {
    const [first] = picked;
    if (!first) return;
    const problem =
      picked.length > 1 ? texts.onlyOne : first.size > largestUploadBytes ? texts.tooLarge : null;
    setError(problem);
    if (problem === null) setFile(first);
  }

  return { file, error, pick, remove: () => setFile(null) };
}
