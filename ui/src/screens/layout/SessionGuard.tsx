// Lets a logged-in user through to the screens below it, everybody else to the login, and remembers where they were
// going. Knows nothing of passwords.
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
        <ErrorNote onRetry={() => session.refetch()}>{general.notConnectedHint}</ErrorNote>
      </PageFrame>
    );
  }
  const from = session.data?.leftOnPurpose ? null : location.pathname + location.search;
  return <Navigate to={urls.login} replace state={{ from }} />;
}

/** Mounted anew on each path, and a query that is mounted asks again when its answer is old. */
function SessionRecheck() {
  useSession();
  return null;
}
