// Nickname, e-mail address and password, and ending all logins of the account.
import { useState } from "react";
import { useLogOutEverywhere } from "../../api/account";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general, profile } from "../../texts";
import { Deed, Deeds } from "./Deeds";
import { EmailDialog } from "./EmailDialog";
import { NicknameDialog } from "./NicknameDialog";
import { PasswordDialog } from "./PasswordDialog";

export function Security({ email, nickname }: { email: string; nickname: string }) {
  const logOut = useLogOutEverywhere();
  const [isChangingPassword, setChangingPassword] = useState(false);
  const [isChangingNickname, setChangingNickname] = useState(false);
  const [isChangingEmail, setChangingEmail] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function logOutEverywhere() {
    try {
      // The session's guard then redirects to the login.
      await logOut.mutateAsync();
      showToast(profile.loggedOutEverywhere);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }

  return (
    <Deeds title={profile.security}>
      <Deed hint={profile.changeNicknameHint}>
        <Button icon="user" onPress={() => setChangingNickname(true)}>
          {profile.changeNickname}
        </Button>
      </Deed>
      <Deed hint={profile.changeEmailHint}>
        <Button icon="edit" onPress={() => setChangingEmail(true)}>
          {profile.changeEmail}
        </Button>
      </Deed>
      <Deed hint={profile.changePasswordHint}>
        <Button icon="key" onPress={() => setChangingPassword(true)}>
          {profile.changePassword}
        </Button>
      </Deed>
      <Deed hint={profile.logOutEverywhereHint}>
        <Button
          icon="devices"
          onPress={() => {
            setFailure(null);
            setAsking(true);
          }}
        >
          {profile.logOutEverywhere}
        </Button>
      </Deed>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <NicknameDialog
        nickname={nickname}
        isOpen={isChangingNickname}
        onClose={() => setChangingNickname(false)}
      />
      <EmailDialog isOpen={isChangingEmail} onClose={() => setChangingEmail(false)} />
      <PasswordDialog email={email} isOpen={isChangingPassword} onClose={() => setChangingPassword(false)} />
      <ConfirmDialog
        question={profile.logOutEverywhereQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={logOutEverywhere}
        isDangerous
      >
        <p>{profile.logOutEverywhereWarning}</p>
      </ConfirmDialog>
    </Deeds>
  );
}
