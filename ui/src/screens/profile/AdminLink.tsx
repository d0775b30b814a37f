// The link to the admin page, for operators.
import { useIsAdmin } from "../../api/admin";
import { ButtonLink } from "../../components/Button";
import { layout } from "../../texts";
import { urls } from "../../urls";
import { Deed, Deeds } from "./Deeds";
import { adminLink as texts } from "./texts";

export function AdminLink() {
  if (!useIsAdmin()) return null;
  return (
    <Deeds title={layout.admin}>
      <Deed hint={texts.hint}>
        <ButtonLink icon="gauge" to={urls.admin}>
          {texts.open}
        </ButtonLink>
      </Deed>
    </Deeds>
  );
}
