// The link to the admin page, for operators.
import { useIsAdmin } from "../../api/admin";
import { ButtonLink } from "../../components/Button";
import { layout } from "../../texts";
import { urls } from "../../urls";
import { Action, ActionCard } from "./ActionCard";
import { adminLink as texts } from "./texts";

export function AdminLink() {
  if (!useIsAdmin()) return null;
  return (
    <ActionCard title={layout.admin}>
      <Action hint={texts.hint}>
        <ButtonLink icon="gauge" to={urls.admin}>
          {texts.open}
        </ButtonLink>
      </Action>
    </ActionCard>
  );
}
