// The one file that a dialog takes, and why another one was not taken. Knows nothing of where it goes.
import { useState } from "react";
import { largestUploadBytes } from "../lib/fileKinds";
import { files as texts } from "../texts";

export function useOneFile() {
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);

  /** A refused one leaves the file that was chosen before. */
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
