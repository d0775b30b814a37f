// The login: the form, or the waiting screen while a login by mail isn't confirmed yet. Redirects a logged-in user to
// their destination. The server sets the cookies.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, Navigate, useLocation } from "react-router";
import { useSetupState } from "../../api/accountLinks";
import { type LoginFields, useSession } from "../../api/session";
import { login } from "../../components/account/texts";
import { whenLoaded } from "../../components/deferred";
import { EntryPage } from "../../components/EntryPage";
import { InfoNote } from "../../components/states";
import { renewConsent, storeConsent } from "../../lib/consent";
import {
  clearPendingLogin,
  type PendingLogin,
  readPendingLogin,
  storePendingLogin,
} from "../../lib/pendingLogin";
import { general } from "../../texts";
import { urls } from "../../urls";
import { ConsentDialog } from "./ConsentDialog";
import { LoginForm } from "./LoginForm";
import { WaitingScreen } from "./WaitingScreen";

const WaitingWrites = whenLoaded(async () => (await import("./WaitingWrites")).WaitingWrites);

/** Where the login leads to, with its history state: a series goes on after one. */
type LoginState = { from?: string | null; fromState?: unknown };

export function LoginPage() {
  const session = useSession();
  const setup = useSetupState();
  const location = useLocation();
  const [waiting, setWaiting] = useState(() => readPendingLogin());
  const [hasConsent, setConsent] = useState(renewConsent);
  const [isConsentPutOff, setConsentPutOff] = useState(false);
  // Kept here, so that the typed values survive the waiting screen.
  const form = useForm<LoginFields>({
    defaultValues: { email: waiting?.email ?? "", password: "", rememberMe: waiting?.rememberMe ?? false },
    reValidateMode: "onBlur",
  });
  const { from = null, fromState } = (location.state ?? {}) as LoginState;

  if (session.data?.user) return <Navigate to={from ?? urls.home} replace state={fromState} />;

  function startWaiting(login: PendingLogin) {
    storePendingLogin(login);
    setWaiting(login);
  }
  function stopWaiting() {
    clearPendingLogin();
    setWaiting(null);
  }
  function accept() {
    storeConsent();
    setConsent(true);
    form.clearErrors("root");
  }

  if (waiting) return <WaitingScreen waiting={waiting} onBack={stopWaiting} />;
  return (
    <>
      <EntryPage
        title={login.title}
        heading={general.product}
        subtitle={login.subtitle}
        below={
          <>
            {login.noAccount} <Link to={urls.register}>{login.register}</Link>
          </>
        }
      >
        {setup.data?.open && <InfoNote>{login.noAccountYet}</InfoNote>}
        <WaitingWrites />
        <LoginForm
          form={form}
          continuesElsewhere={from !== null && from !== urls.start && from !== urls.home}
          hasConsent={hasConsent}
          onAskConsent={() => setConsentPutOff(false)}
          onMailSent={startWaiting}
        />
      </EntryPage>
      <ConsentDialog
        // Logged-in users never see it.
        isOpen={!hasConsent && !isConsentPutOff && !session.isPending}
        onAccept={accept}
        onClose={() => setConsentPutOff(true)}
      />
    </>
  );
}
