// "Angemeldete Geräte": each logged-in browser, and a button that ends its session.
import { useSessions } from "../../api/account";
import type { DeviceSession } from "../../api/generated/DeviceSession";
import { useLogout } from "../../api/session";
import { useWrite } from "../../api/useWrite";
import { Button } from "../../components/Button";
import { ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { profile } from "../../components/texts/profile";
import { showToast } from "../../components/toasts";
import { useLogoutQuestion } from "../../components/useLogoutQuestion";
import { general } from "../../texts";
import styles from "./Devices.module.css";

export function Devices() {
  const query = useSessions();
  return (
    <section aria-label={profile.devices}>
      <h3>{profile.devices}</h3>
      <p className="quiet">{profile.devicesHint}</p>
      <QueryView query={query} failure={profile.devicesFailed} skeleton={<Skeleton count={2} height={3} />}>
        {(sessions) => (
          <ul className={styles.list}>
            {sessions.map((session) => (
              <Device key={session.dpfId} session={session} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

function Device({ session }: { session: DeviceSession }) {
  const end = useWrite("EndSession");
  const logOut = useLogout();

  // The session's guard then redirects to the login; the error is shown below.
  const { ask, question } = useLogoutQuestion(() => logOut.mutateAsync().catch(() => {}));

  async function endIt() {
    if (session.current) return ask();
    try {
      await end.mutateAsync({ dpfId: session.dpfId });
      showToast(profile.deviceEnded);
    } catch {
      // The error is shown below.
    }
  }

  const failure = end.error ?? logOut.error;
  return (
    <li className={styles.device}>
      {question}
      <div className={styles.about}>
        <strong>{session.browser}</strong>
        {session.current && <span className={styles.current}>{profile.thisDevice}</span>}
        <p className="quiet">{profile.deviceTimes(session.since, session.lastSeen)}</p>
        {session.remembered && <p className="quiet">{profile.deviceStays}</p>}
      </div>
      <Button icon="logout" onPress={endIt}>
        {profile.endDevice}
        <span className="visually-hidden"> {session.browser}</span>
      </Button>
      {failure && <ErrorNote>{errorText(failure, general.saveFailed)}</ErrorNote>}
    </li>
  );
}
