// Replaces a screen that failed, inside the layout. Redirects to the login if the session is missing.
import { isRouteErrorResponse, Navigate, useRouteError } from "react-router";
import { isNotLoggedIn } from "../../api/client";
import { Button, ButtonLink } from "../../components/Button";
import { Page } from "../../components/Page";
import { errorText } from "../../components/states";
import { general } from "../../texts";
import { urls } from "../../urls";

export function PageError() {
  const error = useRouteError();
  if (isNotLoggedIn(error) || (isRouteErrorResponse(error) && error.status === 401)) {
    return <Navigate to={urls.login} replace />;
  }
  return (
    <Page title={general.pageFailed} isNarrow>
      <p>{errorText(error, general.pageFailedHint)}</p>
      {/* Code that didn't load isn't asked for again by the page that wanted it. */}
      <Button variant="primary" onPress={() => window.location.reload()}>
        {general.retry}
      </Button>
      <ButtonLink to={urls.home} icon="home">
        {general.toHome}
      </ButtonLink>
    </Page>
  );
}
