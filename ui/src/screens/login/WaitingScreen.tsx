// An unconfirmed login by mail: the address, and the number to type on the page behind the mail's link. After the
// confirmation the login page redirects; after the time limit this screen says so.
import { useCallback } from "react";
import { useWaitForConfirmation } from "../../api/mailLogin";
import { login } from "../../components/account/texts";
import { Button } from "../../components/Button";
import { EntryAddress, EntryPage } from "../../components/EntryPage";
import { ErrorNote } from "../../components/states";
import type { PendingLogin } from "../../lib/pendingLogin";
import { mailLogin } from "./texts";
import styles from "./WaitingScreen.module.css";

export function WaitingScreen({ waiting, onBack }: { waiting: PendingLogin; onBack: () => void }) {
  const outcome = useWaitForConfirmation(waiting);
  const isOver = outcome.isError || (outcome.isSuccess && outcome.data !== "confirmed");
  const focus = useCallback((element: HTMLElement | null) => element?.focus({ preventScroll: true }), []);
  return (
    <EntryPage title={mailLogin.title}>
      {isOver ? (
        <ErrorNote>{outcome.data === "cookieNotKept" ? login.cookieNotKept : mailLogin.expired}</ErrorNote>
      ) : (
        <>
          <div tabIndex={-1} ref={focus} className={`stack ${styles.message}`}>
            <p>
              {mailLogin.sentTo} <EntryAddress>{waiting.email}</EntryAddress>
            </p>
            <p>{mailLogin.toConfirm}</p>
          </div>
          <p className={styles.number}>{waiting.number}</p>
          <p className={styles.state} role="status">
            <span className="spinner" aria-hidden="true" />
            {mailLogin.waiting}
          </p>
          <p className="quiet">{mailLogin.continues}</p>
          <p className="quiet">{mailLogin.noMail}</p>
        </>
      )}
      <Button icon="back" onPress={onBack}>
        {mailLogin.cancel}
      </Button>
    </EntryPage>
  );
}
