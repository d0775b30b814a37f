// Renders its screens for a logged-in user; redirects others to the login and remembers their destination.
import { Navigate, Outlet, useLocation } from "react-router";
import { NetworkFailure } from "../../api/client";
import { useSession } from "../../api/session";
import { PageFrame } from "../../components/Page";
import { ErrorNote, PageSkeleton } from "../../components/states";
import { general } from "../../texts";
import { urls } from "../../urls";

export function SessionGuard() {
  const location = useLocation();
  const session = useSession();
  if (session.data?.user) {
    return (
      <>
        <SessionRecheck key={location.pathname} />
        <Outlet />
      </>
    );
  }
  if (session.isPending) return <PageSkeleton />;
  if (session.error instanceof NetworkFailure) {
    return (
      <PageFrame>
        <ErrorNote onRetry={() => session.refetch()}>
          {isFromDevice() ? general.nothingKnown : general.notConnectedHint}
        </ErrorNote>
      </PageFrame>
    );
  }
  if (session.data?.leftOnPurpose) return <Navigate to={urls.login} replace state={{ from: null }} />;
  const { pathname, search, state } = location;
  return <Navigate to={urls.login} replace state={{ from: pathname + search, fromState: state }} />;
}

/** Whether the page was loaded without the server. */
function isFromDevice(): boolean {
  return Boolean(navigator.serviceWorker?.controller);
}

/** Mounted anew on each path, because mounting refetches a stale query. */
function SessionRecheck() {
  useSession();
  return null;
}
