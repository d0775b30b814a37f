// The way in: the form, or while a login by mail isn't confirmed yet, the waiting. Whoever is logged in already, or
// becomes so here, goes on to where they wanted. Knows nothing of the session's cookies: the server sets them.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, Navigate, useLocation } from "react-router";
import { type LoginFields, useSession } from "../../api/session";
import { EntryPage } from "../../components/EntryPage";
import { renewConsent, storeConsent } from "../../lib/consent";
import {
  forgetWaitingLogin,
  keepWaitingLogin,
  readWaitingLogin,
  type WaitingLogin,
} from "../../lib/waitingLogin";
import { general, login } from "../../texts";
import { urls } from "../../urls";
import { ConsentDialog } from "./ConsentDialog";
import { LoginForm } from "./LoginForm";
import { WaitingScreen } from "./WaitingScreen";

export function LoginPage() {
  const session = useSession();
  const location = useLocation();
  const [waiting, setWaiting] = useState(() => readWaitingLogin());
  const [hasConsent, setConsent] = useState(renewConsent);
  const [isConsentPutOff, setConsentPutOff] = useState(false);
  // Here, so that what was typed is there again after the waiting.
  const form = useForm<LoginFields>({
    defaultValues: { email: waiting?.email ?? "", password: "", rememberMe: waiting?.rememberMe ?? false },
    reValidateMode: "onBlur",
  });
  const from = (location.state as { from?: string | null } | null)?.from ?? null;

  if (session.data?.user) return <Navigate to={from ?? urls.home} replace />;

  function startWaiting(login: WaitingLogin) {
    keepWaitingLogin(login);
    setWaiting(login);
  }
  function stopWaiting() {
    forgetWaitingLogin();
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
        <LoginForm
          form={form}
          continuesElsewhere={from !== null && from !== urls.start && from !== urls.home}
          hasConsent={hasConsent}
          onAskConsent={() => setConsentPutOff(false)}
          onMailSent={startWaiting}
        />
      </EntryPage>
      <ConsentDialog
        // Whoever is logged in already never sees it.
        isOpen={!hasConsent && !isConsentPutOff && !session.isPending}
        onAccept={accept}
        onClose={() => setConsentPutOff(true)}
      />
    </>
  );
}
