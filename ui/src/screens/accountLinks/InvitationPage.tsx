// Creates an account from an admin's invitation.
import { useAcceptInvitation, useInvitation } from "../../api/accountLinks";
import { EntryPage } from "../../components/EntryPage";
import { errorText, QueryView, Skeleton } from "../../components/states";
import { general } from "../../texts";
import { urls } from "../../urls";
import { AccountForm } from "./AccountForm";
import { DeadLink, isGone, LinkPage } from "./LinkPage";
import { links } from "./texts";

export function InvitationPage() {
  return <LinkPage url={urls.invitation}>{(token) => <Invited token={token} />}</LinkPage>;
}

function Invited({ token }: { token: string }) {
  const accept = useAcceptInvitation(token);
  const query = useInvitation(token, { isUsed: accept.isPending || accept.isSuccess });
  const gone = [query.error, accept.error].find(isGone);
  if (gone) return <DeadLink title={links.goneTitle} text={gone.text} />;
  return (
    <EntryPage title={links.invitationTitle} subtitle={links.invitationSubtitle}>
      <QueryView
        query={query}
        failure={(error) => errorText(error, general.failed)}
        skeleton={<Skeleton count={3} height={5} />}
      >
        {({ nickname }) => <AccountForm nickname={nickname} onCreate={accept.mutateAsync} />}
      </QueryView>
    </EntryPage>
  );
}
