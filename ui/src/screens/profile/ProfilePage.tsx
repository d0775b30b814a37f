// The own account: who one is, the password, and the end of every login. Names and photo are ProfileForm's.
import { type ReactNode, useState } from "react";
import type { DetailedUser } from "../../api/generated/DetailedUser";
import { useLogOutEverywhere } from "../../api/profile";
import { useDetailedUser } from "../../api/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { Page, useGoBack } from "../../components/Page";
import { ErrorNote, errorText, QueryView } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general, profile } from "../../texts";
import { urls } from "../../urls";
import { PasswordDialog } from "./PasswordDialog";
import "./profile.css";

export function ProfilePage() {
  const query = useDetailedUser();
  const goBack = useGoBack(urls.home);
  return (
    <Page title={profile.title} onBack={goBack} isNarrow>
      <QueryView query={query} failure={profile.loadFailed}>
        {(user) => (
          <>
            <Account user={user} />
            <Security email={user.email} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Account({ user }: { user: DetailedUser }) {
  return (
    <section className="card profile-card" aria-label={profile.account}>
      <h2>{profile.account}</h2>
      <dl className="facts">
        <div>
          <dt>{profile.email}</dt>
          <dd>{user.email}</dd>
        </div>
        <div>
          <dt>{profile.nickname}</dt>
          <dd>{user.nickname}</dd>
        </div>
      </dl>
    </section>
  );
}

function Security({ email }: { email: string }) {
  const logOut = useLogOutEverywhere();
  const [isChangingPassword, setChangingPassword] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function logOutEverywhere() {
    try {
      // The session's guard leads to the login from here.
      await logOut.mutateAsync();
      showToast(profile.loggedOutEverywhere);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }

  return (
    <section className="card profile-card" aria-label={profile.security}>
      <h2>{profile.security}</h2>
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
    </section>
  );
}

/** A button, and what comes of pressing it. */
function Deed({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className="profile-deed">
      <p className="quiet">{hint}</p>
      {children}
    </div>
  );
}
