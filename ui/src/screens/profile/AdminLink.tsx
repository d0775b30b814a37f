// The link to the admin page, for operators.
import { useIsAdmin } from "../../api/admin";
import { ButtonLink } from "../../components/Button";
import { urls } from "../../urls";
import { adminLink as texts } from "./texts";

export function AdminLink() {
  if (!useIsAdmin()) return null;
  return (
    <ButtonLink icon="gauge" to={urls.admin}>
      {texts.open}
    </ButtonLink>
  );
}
