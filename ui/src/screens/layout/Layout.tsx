// The frame of every screen: skip link, header, banner for a lost connection, footer, navigation.
import { useEffect } from "react";
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { useServerProblems } from "../../api/account";
import { resumeOutbox } from "../../api/perform";
import { useCachedUser } from "../../api/session";
import { loadDeferred, whenLoaded } from "../../components/deferred";
import { Icon } from "../../components/Icon";
import { useMedia } from "../../components/useMedia";
import { formatDate, wallClock } from "../../lib/dates";
import { general, layout } from "../../texts";
import { ConnectionLine } from "./ConnectionLine";
import { Footer } from "./Footer";
import { Header } from "./Header";
import styles from "./Layout.module.css";
import { Navigation } from "./Navigation";

const OtherAccountsWrites = whenLoaded(
  async () => (await import("./OtherAccountsWrites")).OtherAccountsWrites,
);

export function Layout() {
  const { pathname } = useLocation();
  const user = useCachedUser();
  const isWide = useMedia("(width >= 56rem)");
  const isNavigating = useNavigation().state !== "idle";
  const account = user?.account;
  useEffect(() => {
    if (account === undefined) return;
    loadDeferred(async () => (await import("./openOutbox")).openOutbox());
    return resumeOutbox(account);
  }, [account]);
  return (
    <>
      <a className={styles.skipLink} href="#content">
        {general.skipToContent}
      </a>
      {isNavigating && <div className={styles.progress} />}
      <Header hasNavigation={isWide} />
      <ConnectionLine isLoggedIn={user !== null} />
      {user && <UrgentProblems />}
      <OtherAccountsWrites />
      <main id="content" tabIndex={-1}>
        {user && <p className={styles.printed}>{layout.printedBy(user.nickname, formatDate(wallClock()))}</p>}
        <Outlet />
      </main>
      <Footer isLogin={pathname.startsWith("/login")} />
      {user && !isWide && <Navigation place="bottom" />}
      <ScrollRestoration getKey={placeOf} />
    </>
  );
}

/** A typed or scanned address has no key of its own: it isn't scrolled to where the page before it was. */
function placeOf({ key, pathname }: Location): string {
  return key === "default" ? pathname : key;
}

/** Urgent problems for operators, on every screen; home shows the others. */
function UrgentProblems() {
  const problems = useServerProblems();
  const urgent = problems.data?.filter(({ isUrgent }) => isUrgent);
  return urgent?.map(({ sentence, command }) => (
    <div key={sentence} className={`${styles.banner} ${styles.resting}`} role="status">
      <Icon name="warning" />
      <p>
        {sentence}: <code>{command}</code>
      </p>
    </div>
  ));
}
