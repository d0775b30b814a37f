// Confirms a new e-mail address from the link mailed to it. Needs a press of the button, because mail scanners open
// links.
import { useConfirmEmail, useNewAddress } from "../../api/accountLinks";
import { ApiError } from "../../api/client";
import { Button, ButtonLink } from "../../components/Button";
import { EntryAddress, EntryPage } from "../../components/EntryPage";
import { Icon } from "../../components/Icon";
import { ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { general } from "../../texts";
import { urls } from "../../urls";
import { DeadLink, isGone, LinkPage } from "./LinkPage";
import { links } from "./texts";

export function NewAddressPage() {
  return <LinkPage url={urls.newAddress}>{(token) => <Confirmation token={token} />}</LinkPage>;
}

function Confirmation({ token }: { token: string }) {
  const confirm = useConfirmEmail(token);
  const query = useNewAddress(token, { isUsed: confirm.isPending || confirm.isSuccess });
  const gone = [query.error, confirm.error].find(isGone);
  if (gone) return <DeadLink title={links.goneTitle} text={gone.text} />;
  if (confirm.isSuccess) {
    return (
      <EntryPage title={links.addressDone}>
        <Icon name="success" size={40} />
        <ButtonLink to={urls.home}>{links.toHome}</ButtonLink>
      </EntryPage>
    );
  }
  async function submit() {
    // The error is shown below.
    await confirm.mutateAsync().catch(() => undefined);
  }
  const isLoggedOut = confirm.error instanceof ApiError && confirm.error.status === 401;
  return (
    <EntryPage title={links.addressTitle}>
      <QueryView
        query={query}
        failure={(error) => errorText(error, general.failed)}
        skeleton={<Skeleton count={2} height={5} />}
      >
        {({ email }) => (
          <>
            <p>
              {links.addressQuestion} <EntryAddress>{email}</EntryAddress>
            </p>
            <p>{links.addressWarning}</p>
            <Button variant="primary" isLarge onPress={submit}>
              {links.addressSubmit}
            </Button>
          </>
        )}
      </QueryView>
      {isLoggedOut && <ErrorNote>{links.addressLogin}</ErrorNote>}
      {confirm.error && !isLoggedOut && <ErrorNote>{errorText(confirm.error, general.failed)}</ErrorNote>}
      <ButtonLink to={urls.login}>{links.toLogin}</ButtonLink>
    </EntryPage>
  );
}
