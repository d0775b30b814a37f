// The error page for a failure of the layout itself: uses nothing that could fail too.
import { isRouteErrorResponse, useRouteError } from "react-router";
import { buttonClass } from "../../components/Button";
import { PageFrame } from "../../components/Page";
import { general } from "../../texts";
import { basePath } from "../../urls";

export function ApplicationError() {
  const error = useRouteError();
  const details = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : error instanceof Error
      ? error.message
      : "";
  return (
    <main>
      <PageFrame isNarrow>
        <title>{general.applicationFailed}</title>
        <h1>{general.applicationFailed}</h1>
        {details !== "" && <p>{details}</p>}
        <p>{general.pageFailedHint}</p>
        <a className={buttonClass("primary")} href={basePath}>
          {general.toHome}
        </a>
      </PageFrame>
    </main>
  );
}
