// Flights from files: the choice of files, the review of their flights, and the outcome.
import { useLocation, useParams } from "react-router";
import { deferred } from "../../../components/deferred";
import { sentFiles } from "../../../lib/sharedFiles";
import { AcceptedPage, type Outcome } from "./AcceptedPage";
import { PickPage } from "./PickPage";
import { ReviewPage } from "./ReviewPage";

const LogbookPage = deferred(async () => (await import("./logbook/LogbookPage")).LogbookPage);

export function ImportPage() {
  const { dpfId } = useParams();
  const { accepted, hasMore = false } = (useLocation().state ?? {}) as Outcome;
  if (dpfId === undefined) return <PickPage />;
  if (dpfId === "logbook") return <LogbookPage />;
  if (accepted) {
    const rest = hasMore ? sentFiles(dpfId) : [];
    return <AcceptedPage key={dpfId} accepted={accepted} rest={rest} />;
  }
  return <ReviewPage key={dpfId} dpfId={dpfId} />;
}
