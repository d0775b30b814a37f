// Nickname, e-mail address and password, and ending all sessions of the account.
import { useState } from "react";
import { useLoginWays, useLogOutEverywhere, useSessions } from "../../api/account";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { ErrorNote, errorText } from "../../components/states";
import { profile } from "../../components/texts/profile";
import { showToast } from "../../components/toasts";
import { useQueueState } from "../../offline/queueState";
import { general, waitingLine } from "../../texts";
import { urls } from "../../urls";
import { AccessTokens } from "./AccessTokens";
import { Devices } from "./Devices";
import { EmailDialog } from "./EmailDialog";
import { NicknameDialog } from "./NicknameDialog";
import { PasswordDialog } from "./PasswordDialog";
import { Action, ProfileFold } from "./ProfileFold";
import { security as texts } from "./texts";
import { useAddressDialog } from "./useAddressDialog";

export function Security({ email, nickname }: { email: string; nickname: string }) {
  const [isChangingNickname, setChangingNickname] = useState(false);
  const [isChangingEmail, setChangingEmail] = useState(false);
  const devices = useSessions().data;
  return (
    <ProfileFold title={profile.security} note={devices && texts.devices(devices.length)}>
      <Action hint={profile.changeNicknameHint}>
        <Button icon="user" onPress={() => setChangingNickname(true)}>
          {profile.changeNickname}
        </Button>
      </Action>
      <Action hint={profile.changeEmailHint}>
        <Button icon="edit" onPress={() => setChangingEmail(true)}>
          {profile.changeEmail}
        </Button>
      </Action>
      <Password email={email} />
      <LogOutEverywhere />
      <AccessTokens />
      <Devices />
      <NicknameDialog
        nickname={nickname}
        isOpen={isChangingNickname}
        onClose={() => setChangingNickname(false)}
      />
      <EmailDialog isOpen={isChangingEmail} onClose={() => setChangingEmail(false)} />
    </ProfileFold>
  );
}

/** The button and its dialog, which has an address for the link on home. */
function Password({ email }: { email: string }) {
  const { isOpen, open, close } = useAddressDialog(urls.password);
  const ways = useLoginWays({ isAsked: true });
  const title = ways.data?.hasPassword === false ? profile.setPassword : profile.changePassword;
  return (
    <Action hint={profile.changePasswordHint}>
      <Button icon="key" onPress={open}>
        {title}
      </Button>
      <PasswordDialog title={title} email={email} isOpen={isOpen} onClose={close} />
    </Action>
  );
}

function LogOutEverywhere() {
  const logOut = useLogOutEverywhere();
  const waiting = useQueueState().entries.length;
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  function ask() {
    setFailure(null);
    setAsking(true);
  }
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
    <>
      <Action hint={profile.logOutEverywhereHint}>
        <Button icon="devices" onPress={ask}>
          {profile.logOutEverywhere}
        </Button>
      </Action>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <ConfirmDialog
        question={profile.logOutEverywhereQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={logOutEverywhere}
        isDangerous
      >
        <p>{profile.logOutEverywhereWarning}</p>
        {waiting > 0 && <p>{waitingLine.logoutQuestion(waiting)}</p>}
      </ConfirmDialog>
    </>
  );
}
