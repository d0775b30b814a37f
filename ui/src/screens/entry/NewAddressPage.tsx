// Confirms another e-mail address, behind the link in the mail to it. Only its pilot can: mail scanners open links.
import { ApiError } from "../../api/client";
import { useConfirmEmail } from "../../api/entry";
import { Button, ButtonLink } from "../../components/Button";
import { EntryPage } from "../../components/EntryPage";
import { Icon } from "../../components/Icon";
import { ErrorNote, errorText } from "../../components/states";
import { general, links } from "../../texts";
import { urls } from "../../urls";
import { DeadLink, isGone, LinkPage } from "./LinkPage";

export function NewAddressPage() {
  return <LinkPage url={urls.newAddress}>{(token) => <Confirmation token={token} />}</LinkPage>;
}

function Confirmation({ token }: { token: string }) {
  const confirm = useConfirmEmail(token);
  if (isGone(confirm.error)) return <DeadLink title={links.goneTitle} text={confirm.error.text} />;
  if (confirm.isSuccess) {
    return (
      <EntryPage title={links.addressDone}>
        <Icon name="success" size={40} />
        <ButtonLink to={urls.home}>{links.toHome}</ButtonLink>
      </EntryPage>
    );
  }
  async function submit() {
    // A failure is shown below.
    await confirm.mutateAsync().catch(() => undefined);
  }
  const isLoggedOut = confirm.error instanceof ApiError && confirm.error.status === 401;
  return (
    <EntryPage title={links.addressTitle}>
      <p>{links.addressQuestion}</p>
      <Button variant="primary" isLarge onPress={submit}>
        {links.addressSubmit}
      </Button>
      {isLoggedOut && <ErrorNote>{links.addressLogin}</ErrorNote>}
      {confirm.error && !isLoggedOut && <ErrorNote>{errorText(confirm.error, general.failed)}</ErrorNote>}
      <ButtonLink to={urls.login}>{links.toLogin}</ButtonLink>
    </EntryPage>
  );
}
