// The pictures of a proof's pages in a form: made of a PDF as soon as it is known to be a proof, or chosen by the
// pilot.
import { useEffect, useState } from "react";
import { fileKind } from "../../lib/fileKinds";
import { imageTypes } from "../../lib/imageTypes";
import { pageLimit } from "./proofForm";
import { withoutSecretName } from "./secretEnd";

/** A document: its name, and its content when it is needed. */
export type Source = { name: string; type: string; content: () => Promise<File> };

export type ProofPages = {
  /** `none`: nothing is to be made. */
  state: "none" | "making" | "made" | "failed";
  files: readonly File[];
  /** Number of pages that can still be added. */
  room: number;
  hasTooMany: boolean;
  add: (files: File[]) => void;
  remove: (file: File) => void;
  /** Forgets the chosen pictures. */
  clear: () => void;
};

const isPdf = ({ name, type }: Source) => fileKind(name) === "pdf" || type === "application/pdf";

/** Whether the server shows this document as its own page. */
export function isOwnPage({ name, type }: Pick<Source, "name" | "type">): boolean {
  return type === "" ? fileKind(name) === "image" : imageTypes.includes(type);
}

/**
 * `source` has a stable identity; `isWanted`: it is a proof that has no picture yet; `others`: how many pages it has
 * besides those chosen here.
 */
export function useProofPages(source: Source | null, isWanted: boolean, others = 0): ProofPages {
  const [made, setMade] = useState<{ of: Source; files: readonly File[] | null } | null>(null);
  const [chosen, setChosen] = useState<readonly File[]>([]);
  const [hasTooMany, setTooMany] = useState(false);
  const pdf = isWanted && source !== null && isPdf(source) ? source : null;

  useEffect(() => {
    if (pdf === null) return;
    let isOver = false;
    const done = (files: readonly File[] | null) => !isOver && setMade({ of: pdf, files });
    picturesOf(pdf).then(done, () => done(null));
    return () => {
      isOver = true;
    };
  }, [pdf]);

  const ofPdf = made?.of === pdf ? made : null;
  const limit = pageLimit - others;
  // The limit falls when the document becomes a picture, which is a page too.
  const files = (chosen.length > 0 ? chosen : (ofPdf?.files ?? [])).slice(0, limit);
  return {
    state:
      pdf === null || chosen.length > 0
        ? "none"
        : ofPdf === null
          ? "making"
          : ofPdf.files
            ? "made"
            : "failed",
    files,
    room: limit - files.length,
    hasTooMany: hasTooMany || chosen.length > limit,
    add(added) {
      const all = [...chosen, ...added.map(withoutSecretName)];
      setTooMany(all.length > limit);
      setChosen(all.slice(0, limit));
    },
    remove(file) {
      const rest = files.filter((one) => one !== file);
      setTooMany(false);
      if (chosen.length > 0) setChosen(rest);
      else if (ofPdf) setMade({ ...ofPdf, files: rest });
    },
    clear() {
      setTooMany(false);
      setChosen([]);
    },
  };
}

async function picturesOf({ content }: Source): Promise<File[]> {
  const [{ picturesOfPdf }, file] = await Promise.all([import("./pdfPages"), content()]);
  return picturesOfPdf(file);
}
