// Chooses files or takes dropped ones, and uploads them at once; lists the pending imports below. "Abbrechen" stops the
// server's work, too. Shared files are sent only after a question: any web page can post files to the address to which
// other apps share.
import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { isNotLoggedIn } from "../../../api/client";
import type { Import } from "../../../api/generated/Import";
import type { ImportRow } from "../../../api/generated/ImportRow";
import { useImports } from "../../../api/imports";
import { TransferCancelled } from "../../../api/transfer";
import { useWrite } from "../../../api/useWrite";
import { Button, IconButton } from "../../../components/Button";
import { ConfirmDialog } from "../../../components/Dialog";
import { Disclosure } from "../../../components/Disclosure";
import { FileButton } from "../../../components/FileButton";
import { FileDrop } from "../../../components/FileDrop";
import { Icon } from "../../../components/Icon";
import { Page, useGoBack } from "../../../components/Page";
import { ErrorNote, errorText, QueryView, Skeleton } from "../../../components/states";
import { flights } from "../../../components/texts/flights";
import { UploadProgress } from "../../../components/UploadProgress";
import { useIntent } from "../../../components/useIntent";
import { useTransfer } from "../../../components/useTransfer";
import { rememberSent, setDroppedFiles, takeDroppedFiles, takeSharedFiles } from "../../../lib/sharedFiles";
import { isTouchScreen } from "../../../lib/touch";
import { general } from "../../../texts";
import { urls } from "../../../urls";
import { mayBeLogbook, problemOf } from "./fileChoice";
import styles from "./PickPage.module.css";
import { FileNotes, Omitted } from "./Report";
import { shared as sharedTexts, imports as texts } from "./texts";

export function PickPage() {
  const goBack = useGoBack(urls.flights);
  const upload = useUpload();
  const { share, count, error, nothing, shared, send, sendShared, dropShared, cancel } = upload;
  const isSending = share !== null;
  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      {!isSending && <FileDrop label={flights.dropHere} onDrop={send} />}
      {isSending ? (
        <div className={`card stack ${styles.sending}`}>
          <p>
            <strong>{texts.uploading(count)}</strong>
          </p>
          <UploadProgress share={share} working={texts.evaluating} />
          <Button onPress={cancel}>{general.cancel}</Button>
        </div>
      ) : (
        <div className={`card stack ${styles.pick} ${isTouchScreen() ? "" : styles.zone}`}>
          <Icon name="upload" size={40} />
          {!isTouchScreen() && <p>{texts.drop}</p>}
          <FileButton variant="primary" icon="attachment" isLarge isMultiple onPick={send}>
            {texts.choose}
          </FileButton>
          <p className="quiet">{texts.chooseHint}</p>
        </div>
      )}
      {error !== null && <ErrorNote>{error}</ErrorNote>}
      {nothing && <NoFlights found={nothing} />}
      <ConfirmDialog
        question={sharedTexts.question}
        isOpen={shared.length > 0}
        onClose={dropShared}
        onYes={sendShared}
      >
        <p>{namesOf(shared.map((file) => file.name))}</p>
        <p className="quiet">{sharedTexts.hint}</p>
      </ConfirmDialog>
      <Disclosure title={texts.about.title} icon="info">
        <dl className={styles.about}>
          {texts.about.rows.map(([app, where]) => (
            <div key={app}>
              <dt>{app}</dt>
              <dd>{where}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
      <OpenImports />
    </Page>
  );
}

/** Uploads files; holds their progress and the error. */
function useUpload() {
  const navigate = useNavigate();
  const intent = useIntent("imports", "new");
  const { share, run, cancel } = useTransfer();
  const [count, setCount] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const [nothing, setNothing] = useState<Import | null>(null);
  const [shared, setShared] = useState<File[]>([]);

  async function send(files: File[]): Promise<void> {
    if (files.length === 0) return;
    if (mayBeLogbook(files)) {
      setDroppedFiles(files);
      navigate(urls.logbook);
      return;
    }
    const problem = problemOf(files);
    setError(problem);
    setNothing(null);
    if (problem !== null) return;
    setCount(files.length);
    try {
      const fields = { files };
      const found = await run((transfer) => intent.send("UploadImport", fields, () => fields, transfer));
      if (found.dpfId === null) setNothing(found);
      else {
        rememberSent(found.dpfId, files);
        navigate(urls.import(found.dpfId));
      }
    } catch (failure) {
      if (failure instanceof TransferCancelled) intent.forget();
      else if (!isNotLoggedIn(failure)) setError(errorText(failure, texts.unanswered));
    }
  }
  useEffect(() => {
    const handed = takeDroppedFiles();
    if (handed.length > 0) send(handed);
  });
  useEffect(() => {
    takeSharedFiles()
      .then((files) => files.length > 0 && setShared(files))
      .catch(() => {});
  }, []);
  const dropShared = () => setShared([]);
  function sendShared() {
    send(shared);
  }
  return { share, count, error, nothing, shared, send, sendShared, dropShared, cancel };
}

/** Files without any flight, of which nothing was kept. */
function NoFlights({ found }: { found: Import }) {
  return (
    <>
      <FileNotes found={found} />
      <Omitted found={found} />
    </>
  );
}

function OpenImports() {
  const query = useImports();
  return (
    <QueryView query={query} failure={texts.listFailed} skeleton={<Skeleton height={4} />}>
      {(rows) =>
        rows.length > 0 && (
          <section className={styles.open} aria-labelledby="open-imports">
            <h2 id="open-imports">{texts.open}</h2>
            <p className="quiet">{texts.openHint}</p>
            <ul>
              {rows.map((row) => (
                <OpenImport key={row.dpfId} row={row} />
              ))}
            </ul>
          </section>
        )
      }
    </QueryView>
  );
}

/** More names would fill the screen. */
const maxNames = 3;

function namesOf(files: string[]): string {
  if (files.length <= maxNames) return files.join(", ");
  const first = files.slice(0, maxNames - 1);
  return texts.andMore(first.join(", "), files.length - first.length);
}

function OpenImport({ row }: { row: ImportRow }) {
  const discard = useWrite("DiscardImport");
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const name = namesOf(row.files);
  async function remove() {
    setError(null);
    try {
      await discard.mutateAsync({ dpfId: row.dpfId });
    } catch (failure) {
      if (!isNotLoggedIn(failure)) setError(errorText(failure, texts.unanswered));
    }
  }
  return (
    <li>
      <div className={styles.row}>
        <Link className={`row-link row-text ${styles.link}`} to={urls.import(row.dpfId)}>
          <strong>{name}</strong>
          <span className="quiet">{texts.openRow(row.time, row.flights)}</span>
        </Link>
        <IconButton icon="delete" label={texts.discardOf(name)} onPress={() => setAsking(true)} />
      </div>
      {error !== null && <ErrorNote>{error}</ErrorNote>}
      <ConfirmDialog
        question={texts.discardQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={remove}
        isDangerous
      >
        <p className="quiet">{texts.discardHint}</p>
      </ConfirmDialog>
    </li>
  );
}
