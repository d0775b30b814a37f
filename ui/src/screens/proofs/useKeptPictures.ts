// The kept pictures of what the cards lead to, decoded before the second tap.
import { useEffect, useRef } from "react";
import type { Proof } from "../../api/generated/Proof";
import { isCurrent, pageUrl } from "../../api/proofs";
import { keptPicture } from "../../offline/proofPictures";

/** A decoded picture takes some 10 MB. */
const mostDecoded = 3;

/** Returns where the picture of an address is, if it is ready. */
export function useKeptPictures(proofs: readonly Proof[]): (address: string) => string | undefined {
  const ready = useRef(new Map<string, HTMLImageElement>());
  const addresses = proofs
    .filter(isCurrent)
    .flatMap((proof) => (proof.pages[0] === undefined ? [] : pageUrl(proof, proof.pages[0])))
    .slice(0, mostDecoded)
    .join("\n");
  useEffect(() => {
    const pictures = ready.current;
    let isOver = false;
    const prepare = async (address: string) => {
      const kept = await keptPicture(address);
      if (kept === null || isOver) return;
      const picture = new Image();
      picture.src = URL.createObjectURL(kept);
      pictures.set(address, picture);
      // A picture that can't be decoded says so when it is shown.
      await picture.decode().catch(() => {});
    };
    for (const address of addresses.split("\n")) if (address !== "") void prepare(address);
    return () => {
      isOver = true;
      for (const { src } of pictures.values()) URL.revokeObjectURL(src);
      pictures.clear();
    };
  }, [addresses]);
  return (address) => ready.current.get(address)?.src;
}
