// Creates the first account, at the address that the server prints when it starts.
import { useCreateFirstAccount, useSetupLink, useSetupState } from "../../api/accountLinks";
import { EntryPage } from "../../components/EntryPage";
import { errorText, QueryView, Skeleton } from "../../components/states";
import { general } from "../../texts";
import { urls } from "../../urls";
import { AccountForm } from "./AccountForm";
import { DeadLink, isGone, LinkPage } from "./LinkPage";
import { links } from "./texts";

export function SetupPage() {
  return <LinkPage url={urls.setup}>{(token) => <FirstAccount token={token} />}</LinkPage>;
}

function FirstAccount({ token }: { token: string }) {
  const state = useSetupState();
  const create = useCreateFirstAccount(token);
  const query = useSetupLink(token, { isUsed: create.isPending || create.isSuccess });
  if (state.data?.open === false && !create.isSuccess) {
    return <DeadLink title={links.setupOverTitle} text={links.setupOver} />;
  }
  const gone = [query.error, create.error].find(isGone);
  if (gone) return <DeadLink title={links.goneTitle} text={gone.text} />;
  return (
    <EntryPage title={links.setupTitle} subtitle={links.setupSubtitle}>
      <QueryView
        query={query}
        failure={(error) => errorText(error, general.failed)}
        skeleton={<Skeleton count={3} height={5} />}
      >
        {() => <AccountForm nickname="" onCreate={create.mutateAsync} />}
      </QueryView>
    </EntryPage>
  );
}
