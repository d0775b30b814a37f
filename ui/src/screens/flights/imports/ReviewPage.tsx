// The review of an import before anything is stored: each flight with its tick, copter and pack, its doubtful values,
// and the files. Changes stay in this browser until the import is over.
import { useMemo, useState } from "react";
import { Checkbox } from "react-aria-components";
import { useNavigate } from "react-router";
import { ApiError, isNotLoggedIn, NetworkFailure } from "../../../api/client";
import { useAllEquipments } from "../../../api/equipment";
import { useLatestFlights } from "../../../api/flights";
import type { Belongings } from "../../../api/generated/Belongings";
import type { Equipment } from "../../../api/generated/Equipment";
import type { Import } from "../../../api/generated/Import";
import type { ImportFile } from "../../../api/generated/ImportFile";
import { useImport } from "../../../api/imports";
import { mayUse } from "../../../api/spaces";
import { useWrite } from "../../../api/useWrite";
import { Button, ButtonLink } from "../../../components/Button";
import { CheckMark } from "../../../components/CheckMark";
import { ConfirmDialog } from "../../../components/Dialog";
import { ActionBar, Page, useGoBack } from "../../../components/Page";
import { byKind } from "../../../components/start/readyFlight";
import { ErrorNote, errorText, InfoNote, QueryView, Skeleton } from "../../../components/states";
import { flights } from "../../../components/texts/flights";
import { showToast } from "../../../components/toasts";
import { general } from "../../../texts";
import { urls } from "../../../urls";
import { useRetired } from "../useRetired";
import { showOutcome } from "./AcceptedPage";
import { ColumnsDialog } from "./ColumnsDialog";
import { DetailsDialog } from "./DetailsDialog";
import { DropToImport } from "./DropToImport";
import { Files } from "./Files";
import { FlightRows, type FocusRequest } from "./FlightRows";
import { NewPacks, UnreadColumns, WithoutClock } from "./ListNotes";
import { NewCopterDialog } from "./NewCopterDialog";
import { Questions } from "./Questions";
import { FileNotes, Omitted } from "./Report";
import styles from "./ReviewPage.module.css";
import {
  assetsText,
  type Changes,
  choicesOf,
  firstLacking,
  hasMore,
  importsAssets,
  isImported,
  packsToCreate,
  type Row,
  rowsOf,
  summaryOf,
  withChange,
  withCopter,
  withNewPacks,
  withNoon,
  withoutClock,
  withoutFile,
  withoutPack,
  withPacksAssigned,
  withShift,
} from "./review";
import { ShiftDialog } from "./ShiftDialog";
import { imports as texts } from "./texts";
import { useReviewChanges } from "./useReviewChanges";

export function ReviewPage({ dpfId }: { dpfId: string }) {
  const goBack = useGoBack(urls.importFlights);
  const changing = useReviewChanges(dpfId);
  // The import may have been accepted: it isn't refetched until that is known.
  const [isSent, setSent] = useState(false);
  const query = useImport(dpfId, changing.changes.shifts, { isWanted: !isSent });
  const active = useAllEquipments();
  const retired = useRetired();
  const items = useMemo(
    () => active.data && retired && [...Object.values(byKind(active.data)).flat(), ...retired],
    [active.data, retired],
  );
  // Accepted or discarded on another device.
  const gone = query.error instanceof ApiError && query.error.status !== 401 ? query.error : null;
  return (
    <Page title={texts.title} onBack={goBack}>
      <DropToImport />
      {gone !== null ? (
        <Gone error={gone} />
      ) : (
        <QueryView query={query} failure={texts.loadFailed} skeleton={<Skeleton count={4} height={7} />}>
          {(found) => (
            <QueryView
              query={active}
              failure={flights.configFailed}
              skeleton={<Skeleton count={4} height={7} />}
            >
              {() =>
                items ? (
                  <Review dpfId={dpfId} found={found} own={items} changing={changing} onSent={setSent} />
                ) : (
                  <Skeleton count={4} height={7} />
                )
              }
            </QueryView>
          )}
        </QueryView>
      )}
    </Page>
  );
}

/** The page for an import that expired, was accepted or discarded, or belongs to somebody else. */
function Gone({ error }: { error: ApiError }) {
  return (
    <>
      <InfoNote icon="info">{error.status === 403 ? texts.gone : error.text}</InfoNote>
      <div className={styles.ways}>
        <ButtonLink to={urls.flights}>{texts.toFlights}</ButtonLink>
        <ButtonLink to={urls.importFlights} variant="primary">
          {texts.choose}
        </ButtonLink>
      </div>
    </>
  );
}

/** A button shows the names beyond this number. */
const namesAtFirst = 6;

/** Items that are created together with the flights. */
function NewItems({ items }: { items: Equipment[] }) {
  const [isWhole, setWhole] = useState(items.length <= namesAtFirst + 1);
  const names = items.map(({ name }) => name);
  return (
    <InfoNote
      icon="info"
      action={!isWhole && <Button onPress={() => setWhole(true)}>{general.showAll(names.length)}</Button>}
    >
      {isWhole
        ? texts.newItems(names.join(", "))
        : texts.newItems(texts.andMore(names.slice(0, namesAtFirst).join(", "), names.length - namesAtFirst))}
    </InfoNote>
  );
}

/** Returns the index of a table with a question, else of one whose columns have no meaning yet; -1 if there is none. */
function unreadTableOf({ files, proposals }: Import): number {
  const isUnread = ({ columns }: ImportFile, place: number) =>
    columns !== null && !proposals.some(({ file }) => file === place);
  const asked = files.findIndex((file, place) => file.questions.length > 0 && isUnread(file, place));
  return asked === -1 ? files.findIndex(isUnread) : asked;
}

function UnreadTable({
  dpfId,
  place,
  file,
  onColumns,
  onAnswered,
}: {
  dpfId: string;
  place: number;
  file: ImportFile | undefined;
  onColumns: () => void;
  onAnswered: () => void;
}) {
  if (file && file.questions.length > 0) {
    return <Questions dpfId={dpfId} place={place} file={file} onDone={onAnswered} onColumns={onColumns} />;
  }
  return (
    <InfoNote
      icon="file-xls"
      action={
        <Button variant="primary" onPress={onColumns}>
          {texts.columns}
        </Button>
      }
    >
      {texts.ofFile(file?.name ?? "", file?.message || texts.noFlights)}
    </InfoNote>
  );
}

/** Notes above the flights. */
function Notes({
  dpfId,
  found,
  imported,
  onShowImported,
  withoutPack,
  onAssignPacks,
  changes,
  rows,
  items,
  revise,
  onColumns,
}: {
  dpfId: string;
  found: Import;
  /** Number of hidden flights that were imported before. */
  imported: number;
  onShowImported: () => void;
  /** Number of flights that lack a pack although one fits. */
  withoutPack: number;
  onAssignPacks: () => void;
  changes: Changes;
  rows: Row[];
  items: Equipment[];
  revise: ReturnType<typeof useReviewChanges>["change"];
  onColumns: (file: number) => void;
}) {
  const unread = unreadTableOf(found);
  return (
    <>
      {unread !== -1 && (
        <UnreadTable
          // The next table has other questions.
          key={`${unread}-${found.files[unread]?.questions.length ?? 0}`}
          dpfId={dpfId}
          place={unread}
          file={found.files[unread]}
          onColumns={() => onColumns(unread)}
          onAnswered={() => revise((now) => withoutFile(now, unread))}
        />
      )}
      <UnreadColumns found={found} onColumns={onColumns} />
      <WithoutClock
        count={withoutClock(rows).length}
        onNoon={() => revise((now) => withNoon(now, rowsOf(found, now, items)))}
      />
      <NewPacks
        names={packsToCreate(rows, items)}
        onCreated={(packs) => revise((now) => withNewPacks(now, packs, rowsOf(found, now, items)))}
      />
      {found.newItems.length > 0 && <NewItems items={found.newItems} />}
      {imported > 0 && (
        <InfoNote icon="info" action={<Button onPress={onShowImported}>{texts.showThere}</Button>}>
          {texts.copied(imported)}
        </InfoNote>
      )}
      {found.belongings.map((one) => (
        <Assets
          key={one.key}
          belongings={one}
          isTaken={importsAssets(one, changes)}
          onChange={(isTicked) => revise((now) => withChange(now, one.key, { isTicked }))}
        />
      ))}
      <FileNotes found={found} except={[unread]} />
      {withoutPack > 1 && (
        <InfoNote icon="battery" action={<Button onPress={onAssignPacks}>{texts.dealPacks}</Button>}>
          {texts.withoutPack(withoutPack)} <span className="quiet">{texts.dealHint}</span>
        </InfoNote>
      )}
    </>
  );
}

/** Everything an export has besides flights, imported as a whole or not at all. */
function Assets({
  belongings,
  isTaken,
  onChange,
}: {
  belongings: Belongings;
  isTaken: boolean;
  onChange: (isTaken: boolean) => void;
}) {
  return (
    <div className={`card ${styles.assets}`}>
      <Checkbox className={styles.tick} isSelected={isTaken} onChange={onChange}>
        <CheckMark />
        {texts.comesAlong(assetsText(belongings))}
      </Checkbox>
      {belongings.left > 0 && <p className="quiet">{texts.comesLater(belongings.left)}</p>}
    </div>
  );
}

/** The open dialog. */
type Opened =
  | { kind: "details" | "newCopter"; row: Row }
  | { kind: "shift" | "columns"; file: number }
  | { kind: "discard" }
  | null;

function Review({
  dpfId,
  found,
  own,
  changing: { changes, change, accept, forget },
  onSent,
}: {
  dpfId: string;
  found: Import;
  /** All items of the pilot, retired ones included. */
  own: Equipment[];
  changing: ReturnType<typeof useReviewChanges>;
  onSent: (isSent: boolean) => void;
}) {
  const navigate = useNavigate();
  const flown = useLatestFlights().data ?? [];
  const [opened, setOpened] = useState<Opened>(null);
  const [error, setError] = useState<string | null>(null);
  const [focusRequest, setFocusRequest] = useState<FocusRequest>(null);
  const items = useMemo(() => [...own.filter(mayUse), ...found.newItems], [own, found.newItems]);
  const rows = rowsOf(found, changes, items);
  const ticked = rows.filter(({ isTicked }) => isTicked);
  const [showsImported, setShowsImported] = useState(false);
  const shown = rows.filter((row) => showsImported || !isImported(row));

  function revise(make: Parameters<typeof change>[0]) {
    setError(null);
    change(make);
  }
  function setCopter(keys: string[], copter: string) {
    const chosen = (now: Changes, key: string) =>
      withCopter(now, key, copter, rowsOf(found, now, items), items, flown);
    revise((now) => keys.reduce(chosen, now));
  }

  async function acceptImport() {
    const lacking = firstLacking(rows);
    setError(lacking?.sentence ?? null);
    if (lacking) {
      setFocusRequest({ key: lacking.key });
      return;
    }
    onSent(true);
    try {
      const choices = JSON.stringify(choicesOf(found, rows, changes));
      const accepted = await accept(choices);
      forget();
      showOutcome(navigate, dpfId, { accepted, hasMore: hasMore(found) });
    } catch (failure) {
      if (!(failure instanceof NetworkFailure)) onSent(false);
      if (!isNotLoggedIn(failure)) setError(errorText(failure, texts.unanswered));
    }
  }

  return (
    <>
      <p className={styles.summary} role="status">
        {summaryOf(found, rows)}
      </p>
      <Notes
        dpfId={dpfId}
        found={found}
        imported={rows.length - shown.length}
        onShowImported={() => setShowsImported(true)}
        withoutPack={withoutPack(rows, items).length}
        onAssignPacks={() => revise((now) => withPacksAssigned(now, rowsOf(found, now, items), items))}
        changes={changes}
        rows={rows}
        items={items}
        revise={revise}
        onColumns={(file) => setOpened({ kind: "columns", file })}
      />
      <FlightRows
        found={found}
        rows={shown}
        items={items}
        focusRequest={focusRequest}
        onChange={(key, next) => revise((now) => withChange(now, key, next))}
        onCopter={setCopter}
        onNewCopter={(row) => setOpened({ kind: "newCopter", row })}
        onDetails={(row) => setOpened({ kind: "details", row })}
        onShift={(file) => setOpened({ kind: "shift", file })}
      />
      <Omitted found={found} />
      <Files
        found={found}
        changes={changes}
        onShift={(file) => setOpened({ kind: "shift", file })}
        onColumns={(file) => setOpened({ kind: "columns", file })}
        onKeep={(keepsFiles) => revise((now) => ({ ...now, keepsFiles }))}
      />
      <Footer
        error={error}
        count={ticked.length}
        hasAssets={found.belongings.some((one) => importsAssets(one, changes))}
        onDiscard={() => setOpened({ kind: "discard" })}
        onAccept={acceptImport}
      />
      <OpenedDialog
        opened={opened}
        dpfId={dpfId}
        found={found}
        items={items}
        onCopter={setCopter}
        revise={revise}
        onClose={() => setOpened(null)}
      />
      <DiscardDialog
        dpfId={dpfId}
        isOpen={opened?.kind === "discard"}
        onClose={() => setOpened(null)}
        onFailed={setError}
        onDiscarded={() => {
          onSent(true);
          forget();
        }}
      />
    </>
  );
}

function Footer({
  error,
  count,
  hasAssets,
  onDiscard,
  onAccept,
}: {
  error: string | null;
  /** Number of ticked flights. */
  count: number;
  /** Whether anything besides flights is imported. */
  hasAssets: boolean;
  onDiscard: () => void;
  onAccept: () => Promise<void>;
}) {
  return (
    <ActionBar info={error !== null && <ErrorNote>{error}</ErrorNote>}>
      <div className={styles.foot}>
        <Button variant="quiet" isLarge onPress={onDiscard}>
          {texts.discard}
        </Button>
        <Button variant="primary" isLarge isDisabled={count === 0 && !hasAssets} onPress={onAccept}>
          {count === 0 && hasAssets ? texts.acceptAlong : texts.accept(count)}
        </Button>
      </div>
    </ActionBar>
  );
}

function DiscardDialog({
  dpfId,
  isOpen,
  onClose,
  onFailed,
  onDiscarded,
}: {
  dpfId: string;
  isOpen: boolean;
  onClose: () => void;
  onFailed: (message: string) => void;
  onDiscarded: () => void;
}) {
  const navigate = useNavigate();
  const discard = useWrite("DiscardImport");
  async function discardImport() {
    try {
      await discard.mutateAsync({ dpfId });
      onDiscarded();
      showToast(texts.discarded);
      navigate(urls.importFlights, { replace: true });
    } catch (failure) {
      if (!isNotLoggedIn(failure)) onFailed(errorText(failure, texts.unanswered));
    }
  }
  return (
    <ConfirmDialog
      question={texts.discardQuestion}
      isOpen={isOpen}
      onClose={onClose}
      onYes={discardImport}
      isDangerous
    >
      <p className="quiet">{texts.discardHint}</p>
    </ConfirmDialog>
  );
}

function OpenedDialog({
  opened,
  dpfId,
  found,
  items,
  onCopter,
  revise,
  onClose,
}: {
  opened: Opened;
  dpfId: string;
  found: Import;
  items: Equipment[];
  onCopter: (keys: string[], copter: string) => void;
  revise: ReturnType<typeof useReviewChanges>["change"];
  onClose: () => void;
}) {
  switch (opened?.kind) {
    case "newCopter": {
      const { proposal } = opened.row;
      return (
        <NewCopterDialog
          proposal={proposal}
          onCreated={(copter) => onCopter([proposal.key], copter)}
          onClose={onClose}
        />
      );
    }
    case "details": {
      const { key } = opened.row.proposal;
      return (
        <DetailsDialog
          row={opened.row}
          items={items}
          onDone={(next) => revise((now) => withChange(now, key, next))}
          onClose={onClose}
        />
      );
    }
    case "shift":
      return (
        <ShiftDialog
          found={found}
          file={opened.file}
          onDone={(minutes) => revise((now) => withShift(now, opened.file, minutes))}
          onClose={onClose}
        />
      );
    case "columns":
      return (
        <ColumnsDialog
          dpfId={dpfId}
          found={found}
          file={opened.file}
          onDone={() => revise((now) => withoutFile(now, opened.file))}
          onClose={onClose}
        />
      );
    default:
      return null;
  }
}
