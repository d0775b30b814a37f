// A proof in one line: its kind, its end, and the light as a colour and an icon.
import type { Light } from "../../api/generated/Light";
import type { Proof } from "../../api/generated/Proof";
import { isCurrent } from "../../api/proofs";
import { Icon } from "../Icon";
import "../../styles/stage.css";
import { proofs as texts } from "./texts";

/** Amber is rust: the yellow of a flight is for a running flight alone. */
export function colorOf(light: Light): { color?: string } {
  return light === "red" ? { color: "var(--error)" } : light === "amber" ? { color: "var(--chart-4)" } : {};
}

export function isDue(light: Light): boolean {
  return light === "red" || light === "amber";
}

/** Returns the end of a proof as text: "gültig bis 14.03.2027". */
export function endOf(proof: Pick<Proof, "until" | "endless" | "replacedBy">): string {
  if (proof.replacedBy !== "") return texts.replaced;
  if (proof.endless) return texts.validForever;
  return proof.until === "" ? texts.noEnd : texts.validUntil(proof.until);
}

/** `hasKind` is false where the kind is the title. */
export function ProofEnd({ proof, hasKind = true }: { proof: Proof; hasKind?: boolean }) {
  const light = isCurrent(proof) ? proof.light : "grey";
  return (
    <span style={colorOf(light)}>
      {isDue(light) && <Icon name="warning" size={16} />} {hasKind && `${proof.kindName} · `}
      {endOf(proof)}
    </span>
  );
}
