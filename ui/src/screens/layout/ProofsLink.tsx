// The way to the proofs in the header, with a dot when one needs attention. Asks nothing: the session tells the light.
import { __iconNode as lines } from "@tabler/icons-react/dist/esm/icons/IconId.mjs";
import { Link } from "react-router";
import type { Light } from "../../api/generated/Light";
import buttons from "../../components/Button.module.css";
import icons from "../../components/Icon.module.css";
import { colorOf, isDue } from "../../components/proofs/ProofEnd";
import { urls } from "../../urls";
import { proofsLink as texts } from "./proofsTexts";

export function ProofsLink({ light }: { light: Light }) {
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
