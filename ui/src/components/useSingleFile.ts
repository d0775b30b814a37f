// The single file of a dialog, and why the last choice was refused.
import { useState } from "react";
import { largestUploadBytes } from "../lib/fileKinds";
import { files as texts } from "./texts/files";

export function useSingleFile() {
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);

  /** A refused file doesn't replace the one that was chosen before. Returns whether the file was accepted. */
  function pick(picked: File[]): boolean {
    const [first] = picked;
    if (!first) return false;
    const problem =
      picked.length > 1 ? texts.onlyOne : first.size > largestUploadBytes ? texts.tooLarge : null;
    setError(problem);
    if (problem === null) setFile(first);
    return problem === null;
  }

  return { file, error, pick, remove: () => setFile(null) };
}
