// Which proofs held on the day of a flight, in one line.
import { Fragment } from "react";
import type { FlightProof } from "../../api/generated/FlightProof";
import { proofs as texts } from "../../components/proofs/texts";

/** `isSomeDamaged`: of a damaged proof it isn't known whether it held. */
export function HeldProofs({
  day,
  proofs,
  isSomeDamaged,
}: {
  day: string;
  proofs: readonly FlightProof[];
  isSomeDamaged: boolean;
}) {
  return (
    <p className="quiet">
      {texts.heldOn(day)}{" "}
      {proofs.map(({ kind, kindName, dpfId }, at) => (
        <Fragment key={kind}>
          {at > 0 && " · "}
          {kindName} <span aria-hidden="true">{dpfId === "" ? "–" : "✓"}</span>
          <span className="visually-hidden">{dpfId === "" ? texts.notHeld : texts.held}</span>
        </Fragment>
      ))}
      {isSomeDamaged && proofs.length > 0 && " · "}
      {isSomeDamaged && texts.someDamaged}
    </p>
  );
}
