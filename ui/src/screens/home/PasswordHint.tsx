// Hints at setting a password if the pilot has none, until the hint is closed in this browser.
import { useState } from "react";
import { useLoginWays } from "../../api/account";
import { Button, ButtonLink } from "../../components/Button";
import { InfoNote } from "../../components/states";
import { general, home, profile } from "../../texts";
import { urls } from "../../urls";

const closedKey = (account: string) => `fluglog.passwordHintClosed.${account}`;

export function PasswordHint({ account }: { account: string }) {
  const [isClosed, setClosed] = useState(() => localStorage.getItem(closedKey(account)) !== null);
  const ways = useLoginWays({ isAsked: !isClosed });
  if (isClosed || ways.data?.hasPassword !== false) return null;
  function close() {
    localStorage.setItem(closedKey(account), "true");
    setClosed(true);
  }
  return (
    <InfoNote
      icon="key"
      action={
        <>
          <ButtonLink to={urls.password} variant="quiet">
            {profile.setPassword}
          </ButtonLink>
          <Button variant="quiet" onPress={close}>
            {general.close}
          </Button>
        </>
      }
    >
      {home.noPassword}
    </InfoNote>
  );
}
