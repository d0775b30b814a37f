// Which proofs held on the day of a flight, in one line.
import { Fragment } from "react";
import type { FlightProof } from "../../api/generated/FlightProof";
import { proofs as texts } from "../../components/proofs/texts";

export function HeldProofs({ day, proofs }: { day: string; proofs: readonly FlightProof[] }) {
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
    </p>
  );
}
