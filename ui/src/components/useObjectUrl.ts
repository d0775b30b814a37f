// An object URL for a file that isn't uploaded yet.
import { useEffect, useState } from "react";

export function useObjectUrl(file: File | null): string | null {
  const [shown, setShown] = useState<{ file: File; url: string } | null>(null);

  useEffect(() => {
    if (file === null) return;
    const url = URL.createObjectURL(file);
    setShown({ file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);

  return shown?.file === file ? (shown?.url ?? null) : null;
}
