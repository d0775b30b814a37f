// The bar at the top: logo with a link to home, navigation on desktops, feedback, and the user menu with name, e-mail,
// profile, logout and looks.
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import type { SessionUser } from "../../api/generated/SessionUser";
import { useCachedUser, useDetailedUser, useLogout } from "../../api/session";
import { Button, IconButton } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { deferred } from "../../components/deferred";
import { Icon } from "../../components/Icon";
import { Logo } from "../../components/Logo";
import { Menu } from "../../components/Menu";
import { useLogoutQuestion } from "../../components/useLogoutQuestion";
import { general, layout } from "../../texts";
import { urls } from "../../urls";
import { FeedbackDialog } from "./FeedbackDialog";
import styles from "./Header.module.css";
import { useThemeChoice } from "./more";
import { Navigation } from "./Navigation";

const ProofsLink = deferred(async () => (await import("./ProofsLink")).ProofsLink);

export function Header({ hasNavigation }: { hasNavigation: boolean }) {
  const user = useCachedUser();
  return (
    <header className="app-header">
      <div className="app-bar">
        <Link className="app-name" to={urls.home} aria-label={layout.toHome}>
          <Logo />
          {general.product}
        </Link>
        {user && hasNavigation && <Navigation place="header" />}
        {user && (
          <div className={styles.actions}>
            {user.hasProofs && <ProofsLink />}
            <FeedbackButton />
            <AccountMenu user={user} />
          </div>
        )}
      </div>
    </header>
  );
}

function FeedbackButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="feedback" label={layout.feedback} onPress={() => setOpen(true)} />
      <FeedbackDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function AccountMenu({ user }: { user: SessionUser }) {
  const logout = useLogout();
  const navigate = useNavigate();
  const themeChoice = useThemeChoice();
  const [isFailureShown, setFailureShown] = useState(false);
  const { ask, question } = useLogoutQuestion(() =>
    logout.mutate(undefined, { onError: () => setFailureShown(true) }),
  );
  return (
    <>
      {question}
      <Menu
        label={layout.account}
        triggerClass={styles.avatar}
        trigger={user.photo === "" ? <Initial nickname={user.nickname} /> : <img src={user.photo} alt="" />}
        header={<AccountDetails user={user} />}
        entries={[
          {
            id: "profile",
            text: layout.profile,
            icon: "user",
            onAction: () => navigate(urls.profile),
          },
          {
            id: "logout",
            text: layout.logout,
            icon: "logout",
            onAction: ask,
          },
        ]}
        choice={themeChoice}
      />
      <Dialog
        title={general.failed}
        role="alertdialog"
        isOpen={isFailureShown}
        onClose={() => setFailureShown(false)}
      >
        <DialogBody>
          <p>{layout.logoutFailed}</p>
        </DialogBody>
        <DialogActions>
          <Button variant="primary" onPress={() => setFailureShown(false)}>
            {general.close}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function Initial({ nickname }: { nickname: string }) {
  return nickname === "" ? (
    <Icon name="user" />
  ) : (
    <span aria-hidden="true">{[...nickname][0]?.toUpperCase()}</span>
  );
}

/** Mounted while the menu is open, so that the e-mail is loaded on demand. */
function AccountDetails({ user }: { user: SessionUser }) {
  const details = useDetailedUser();
  return (
    <div className={styles.account}>
      <strong>{user.nickname}</strong>
      <span>{details.data?.email ?? " "}</span>
    </div>
  );
}
