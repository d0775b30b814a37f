// The first account, behind the address that the server prints at its start.
import { useCreateFirstAccount, useSetupState } from "../../api/entry";
import { EntryPage } from "../../components/EntryPage";
import { links } from "../../texts";
import { urls } from "../../urls";
import { AccountForm } from "./AccountForm";
import { DeadLink, isGone, LinkPage } from "./LinkPage";

export function SetupPage() {
  return <LinkPage url={urls.setup}>{(token) => <FirstAccount token={token} />}</LinkPage>;
}

function FirstAccount({ token }: { token: string }) {
  const state = useSetupState();
  const create = useCreateFirstAccount(token);
  if (isGone(create.error)) return <DeadLink title={links.goneTitle} text={create.error.text} />;
  if (state.data?.open === false && !create.isSuccess) {
    return <DeadLink title={links.setupOverTitle} text={links.setupOver} />;
  }
  return (
    <EntryPage title={links.setupTitle} subtitle={links.setupSubtitle}>
      <AccountForm nickname="" onCreate={create.mutateAsync} />
    </EntryPage>
  );
}
