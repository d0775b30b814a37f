// A proof in a form: its values, and what is sent of them. Independent of how they are typed.
import type { Fields } from "../../api/client";
import type { Proof } from "../../api/generated/Proof";
import { ProofKind } from "../../api/generated/ProofKind";
import type { ProofRules } from "../../api/generated/ProofRules";
import { parseDate, utcOf } from "../../lib/dates";

/** Of a document's form; `kind` is empty for a document that is no proof. */
export type ProofValues = {
  description: string;
  kind: string;
  number: string;
  until: string;
  endless: boolean;
  remind: boolean;
};

/** Most pictures of a proof. */
export const pageLimit = 4;

/** The e-ID's kind, whose number has a secret end. */
export const eId = String(ProofKind.OperatorId);

export const noProof = { kind: "", number: "", until: "", endless: false, remind: true };

export function valuesOf(description: string, proof: Proof | undefined): ProofValues {
  if (proof === undefined) return { description, ...noProof };
  const { kind, number, until, endless, remind } = proof;
  return { description, kind: String(kind), number, until, endless, remind };
}

/** The values of the proof that replaces this one. The pilot types its end if none is proposed that is later. */
export function renewedValues(proof: Proof, kinds: readonly ProofRules[]): ProofValues {
  const proposal = kinds.find(({ kind }) => kind === proof.kind)?.proposedUntil ?? "";
  const until = timeOf(proposal) > timeOf(proof.until) ? proposal : "";
  return { ...valuesOf(proof.description, proof), until, remind: true };
}

/** 0 for no date. */
function timeOf(date: string): number {
  const day = parseDate(date);
  return day ? utcOf(day) : 0;
}

/** The call's body. */
export function sentProof(values: ProofValues): Omit<Fields<"SaveProof">["proof"], "dpfId"> {
  const { kind, number, until, endless, remind } = values;
  return { kind: Number(kind), number, until: endless ? "" : until, endless, remind };
}
