// The frame of every screen: skip link, header, the banner of a lost connection, footer, navigation.
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { useReachable } from "../../api/reachability";
import { useKnownUser } from "../../api/session";
import { Icon } from "../../components/Icon";
import { useMedia } from "../../components/useMedia";
import { formatDate, wallClock } from "../../lib/dates";
import { general, layout } from "../../texts";
import { Footer } from "./Footer";
import { Header } from "./Header";
import styles from "./Layout.module.css";
import { Navigation } from "./Navigation";

export function Layout() {
  const { pathname } = useLocation();
  const user = useKnownUser();
  const isWide = useMedia("(width >= 56rem)");
  const isNavigating = useNavigation().state !== "idle";
  return (
    <>
      <a className={styles.skipLink} href="#content">
        {general.skipToContent}
      </a>
      {isNavigating && <div className={styles.progress} />}
      <Header hasNavigation={isWide} />
      <ConnectionBanner />
      <main id="content" tabIndex={-1}>
        {user && <p className={styles.printed}>{layout.printedBy(user.nickname, formatDate(wallClock()))}</p>}
        <Outlet />
      </main>
      <Footer isLogin={pathname.startsWith("/login")} />
      {user && !isWide && <Navigation place="bottom" />}
      <ScrollRestoration />
    </>
  );
}

function ConnectionBanner() {
  if (useReachable()) return null;
  return (
    <div className={styles.banner} role="status">
      <Icon name="offline" />
      <p>
        <strong>{general.notConnected}</strong> {general.notConnectedHint}
      </p>
    </div>
  );
}
