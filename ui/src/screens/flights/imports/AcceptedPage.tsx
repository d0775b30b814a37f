// The outcome of an import, with a link to each flight. The import can be undone on this page.
import { useState } from "react";
import { Link, type NavigateFunction, useLocation, useNavigate } from "react-router";
import { isNotLoggedIn } from "../../../api/client";
import { useFlight } from "../../../api/flights";
import type { Accepted } from "../../../api/generated/Accepted";
import { undoImport, useUndoImport } from "../../../api/undoImport";
import { Bouquet, Stage } from "../../../components/Bouquet";
import { Button, ButtonLink } from "../../../components/Button";
import { ConfirmDialog } from "../../../components/Dialog";
import { focusHeadingIfLost } from "../../../components/focusHeading";
import { Icon } from "../../../components/Icon";
import { ActionBar, Page, useGoBack } from "../../../components/Page";
import { ErrorNote, InfoNote } from "../../../components/states";
import { showToast } from "../../../components/toasts";
import type { Arrival } from "../../../lib/arrivals";
import { parseDateTime, weekday } from "../../../lib/dates";
import { formatMinutes, formatQuantity } from "../../../lib/numbers";
import { setDroppedFiles } from "../../../lib/sharedFiles";
import { urls } from "../../../urls";
import styles from "./AcceptedPage.module.css";
import { DropToImport } from "./DropToImport";
import { isArchive } from "./fileChoice";
import { assetsText } from "./review";
import { ended, imports } from "./texts";

const texts = imports.accepted;

/** History state once the import is accepted. `undone`: its flights are deleted again. */
export type Outcome = { accepted?: Accepted; hasMore?: boolean; undone?: boolean };

/** Maximum number of flights listed here. */
const maxShown = 12;

/** The page. `rest`: files with more than the server accepts in one import. */
export function AcceptedPage({ accepted, rest }: { accepted: Accepted; rest: File[] }) {
  const navigate = useNavigate();
  const goBack = useGoBack(urls.flights);
  const { state } = useLocation();
  const undo = useUndoImport();
  const [isAsking, setAsking] = useState(false);
  const { created, completed, skipped, moved } = accepted;
  const all = [...created, ...completed];
  const along = assetsText(moved);
  function goOn(to: string) {
    setDroppedFiles(rest);
    navigate(to);
  }
  function deleteCreated() {
    undo.mutate(accepted, {
      onSuccess() {
        const undone: Outcome = { ...state, undone: true };
        navigate(".", { replace: true, state: undone });
        focusHeadingIfLost();
      },
    });
  }
  return (
    <Page title={imports.title} onBack={goBack} isNarrow>
      <DropToImport />
      {undo.isSuccess || (state as Outcome | null)?.undone ? (
        <InfoNote icon="success">
          {texts.undone(created.length)}
          {completed.length > 0 && ` ${texts.completedStay}`}
          {along !== "" && ` ${texts.movedStays}`}
        </InfoNote>
      ) : (
        <>
          {accepted.paths.length > 0 && <ImportStage accepted={accepted} />}
          <InfoNote
            icon="success"
            action={
              created.length > 0 && (
                <Button
                  variant="quiet"
                  icon="history"
                  isBusy={undo.isPending}
                  onPress={() => setAsking(true)}
                >
                  {texts.undo}
                </Button>
              )
            }
          >
            {outcomeText(accepted)}
          </InfoNote>
          {undo.isError && !isNotLoggedIn(undo.error) && <ErrorNote>{texts.undoFailed}</ErrorNote>}
          {skipped === 0 && rest.length === 1 && rest.every(isArchive) && (
            <Button icon="download" onPress={() => goOn(urls.logbook)}>
              {texts.allAtOnce}
            </Button>
          )}
          {!undo.isPending && (
            <ul className={styles.flights}>
              {all.slice(0, maxShown).map((dpfId) => (
                <FlightLink key={dpfId} dpfId={dpfId} />
              ))}
            </ul>
          )}
          {all.length > maxShown && <p className="quiet">{texts.others(all.length - maxShown)}</p>}
        </>
      )}
      <ConfirmDialog
        question={texts.undoQuestion(created.length)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={deleteCreated}
        isDangerous
      >
        <p>{texts.undoTakes}</p>
      </ConfirmDialog>
      <ActionBar>
        {rest.length > 0 ? (
          <>
            <ButtonLink to={urls.flights} isLarge>
              {imports.toFlights}
            </ButtonLink>
            <Button variant="primary" isLarge onPress={() => goOn(urls.importFlights)}>
              {texts.goOn}
            </Button>
          </>
        ) : (
          <>
            <ButtonLink to={urls.importFlights} isLarge>
              {imports.moreFiles}
            </ButtonLink>
            <ButtonLink to={urls.flights} variant="primary" isLarge>
              {imports.toFlights}
            </ButtonLink>
          </>
        )}
      </ActionBar>
    </Page>
  );
}

/** All new flights over their paths. */
function ImportStage({ accepted }: { accepted: Accepted }) {
  const { created, completed, minutes, distance, paths } = accepted;
  const figures = [
    ended.flights(created.length + completed.length),
    ...(minutes > 0 ? [formatMinutes(minutes)] : []),
    ...(distance > 0 ? [formatQuantity(distance < 10 ? distance : Math.round(distance), "km")] : []),
  ];
  return (
    <Stage label={texts.title} title={figures.join(" · ")}>
      <Bouquet paths={paths} />
    </Stage>
  );
}

/** What an import brought, in sentences. */
function outcomeText({ created, completed, skipped, moved }: Accepted): string {
  const count = created.length + completed.length;
  const along = assetsText(moved);
  const sentences = [
    count === 0 && along === "" ? texts.nothing : "",
    created.length > 0 ? texts.created(created.length) : "",
    completed.length > 0 ? texts.completed(completed.length) : "",
    count > 0 && skipped > 0 ? texts.skipped(skipped) : "",
    along === "" ? "" : texts.cameAlong(along),
    moved.missing > 0 ? texts.unreadable(moved.missing) : "",
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** Opens the page that shows an import's outcome: the flight's own, if nothing else came. */
export function showOutcome(
  navigate: NavigateFunction,
  dpfId: string,
  outcome: Required<Omit<Outcome, "undone">>,
): void {
  const { accepted, hasMore } = outcome;
  const [only, ...others] = [...accepted.created, ...accepted.completed];
  if (only === undefined || others.length > 0 || hasMore || assetsText(accepted.moved) !== "") {
    navigate(urls.import(dpfId), { replace: true, state: outcome });
    return;
  }
  const undo = () =>
    undoImport(accepted).then(
      () => navigate(urls.flights),
      () => showToast(texts.undoFailed),
    );
  const state: Arrival = { isNew: true };
  navigate(urls.flight(only), { replace: true, state });
  const way = accepted.created.length > 0 ? { text: texts.undo, onPress: undo } : undefined;
  showToast(outcomeText(accepted), undoMs, way);
}

const undoMs = 10_000;

function FlightLink({ dpfId }: { dpfId: string }) {
  const { data } = useFlight(dpfId);
  const start = data && parseDateTime(data.startTime);
  return (
    <li>
      <Link className={styles.flight} to={urls.flight(dpfId)}>
        <span className="row-text">
          <strong>{data ? data.copter.name : imports.showTwin}</strong>
          <span className="quiet">
            {data &&
              [
                start ? `${weekday(start)}, ${data.startTime}` : data.startTime,
                data.flightTime === null ? "" : formatQuantity(data.flightTime, "min"),
                data.location,
              ]
                .filter((text) => text !== "")
                .join(" · ")}
          </span>
        </span>
        <Icon name="chevron-right" />
      </Link>
    </li>
  );
}
