// Flights from files: the choice of files, the look at the flights in them, and what became of it.
import { useLocation, useParams } from "react-router";
import { AcceptedPage, type Outcome } from "./AcceptedPage";
import { PickPage } from "./PickPage";
import { ReviewPage } from "./ReviewPage";

export function ImportPage() {
  const { dpfId } = useParams();
  const { accepted, at = 0 } = (useLocation().state ?? {}) as Outcome;
  if (dpfId === undefined) return <PickPage />;
  if (accepted) return <AcceptedPage key={dpfId} accepted={accepted} at={at} />;
  return <ReviewPage key={dpfId} dpfId={dpfId} />;
}
