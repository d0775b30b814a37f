// The way to the proofs in the header, with a dot when one needs attention. Asks nothing: the proofs come from the
// device, and in the background after the first page (main.tsx).
import { __iconNode as lines } from "@tabler/icons-react/dist/esm/icons/IconId.mjs";
import { Link } from "react-router";
import { isCurrent, useProofs } from "../../api/proofs";
import buttons from "../../components/Button.module.css";
import icons from "../../components/Icon.module.css";
import { colorOf, isDue } from "../../components/proofs/ProofEnd";
import { urls } from "../../urls";
import { proofsLink as texts } from "./proofsTexts";

export function ProofsLink() {
  const proofs = useProofs({ isWanted: false });
  // The gravest light comes first.
  const light = proofs.data?.find(isCurrent)?.light ?? "grey";
  const label = isDue(light) ? texts.due : texts.all;
  return (
    <Link
      className={`${buttons.iconButton} ${buttons.hinted}`}
      aria-label={label}
      data-hint={label}
      to={urls.proofs}
    >
      <svg
        className={icons.icon}
        width={20}
        height={20}
        viewBox="0 0 24 24"
        aria-hidden="true"
        focusable="false"
      >
        <path d={lines.map(([, line]) => line.d).join("")} />
        {isDue(light) && (
          <circle cx={20} cy={5} r={4} style={{ ...colorOf(light), fill: "currentcolor", stroke: "none" }} />
        )}
      </svg>
    </Link>
  );
}
