// Logs of an equipment item or a flight: a table where there is room, else cards. Each can be edited and deleted, its
// document downloaded.
import { useState } from "react";
import { useDownloadDocument } from "../../api/documents";
import type { Log } from "../../api/generated/Log";
import type { LogDocument } from "../../api/generated/LogDocument";
import { useWrite } from "../../api/useWrite";
import { isViewable } from "../../lib/fileKinds";
import { general, layout } from "../../texts";
import { documentUrl } from "../../urls";
import { Button, buttonClass } from "../Button";
import { CardAction } from "../CardAction";
import { ConfirmDialog } from "../Dialog";
import { FileIcon } from "../FileItem";
import { focusHeadingIfLost } from "../focusHeading";
import { Icon } from "../Icon";
import { RowButtons, RowTable } from "../RowTable";
import { scrollIntoViewRef } from "../scrollIntoViewRef";
import { ErrorNote, errorText } from "../states";
import { files } from "../texts/files";
import { logs as texts } from "../texts/logs";
import { useMedia } from "../useMedia";
import { WaitingMark } from "../WaitingMark";
import { EditLogDialog } from "./LogDialog";
import styles from "./LogList.module.css";

/**
 * `about`: the model, for titles of dialogs. `isBeside`: the list shares the width of the window. `isFixed`: the pilot
 * may only read others' logs.
 */
export function LogList({
  logs,
  about,
  isBeside = false,
  isFixed = false,
}: {
  logs: Log[];
  about: string;
  isBeside?: boolean;
  isFixed?: boolean;
}) {
  const isWide = useMedia("(width >= 48rem)") && !isBeside;
  const [edited, setEdited] = useState<Log | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [doomed, setDoomed] = useState<Log | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const remove = useWrite("DeleteLog");

  const actions: LogActions = {
    isFixed,
    onEdit: (log) => {
      setEdited(log);
      setEditing(true);
    },
    onDelete: (log) => {
      setError(null);
      setDoomed(log);
      setAsking(true);
    },
    onError: setError,
  };
  async function deleteLog() {
    if (doomed === null) return;
    try {
      await remove.mutateAsync({ dpfId: doomed.dpfId });
      focusHeadingIfLost();
    } catch (failure) {
      setError(errorText(failure, texts.deleteFailed));
    }
  }
  return (
    <div className="stack">
      {error !== null && (
        <div ref={scrollIntoViewRef}>
          <ErrorNote>{error}</ErrorNote>
        </div>
      )}
      {logs.length === 0 ? (
        <p className={`${styles.empty} quiet`}>
          <Icon name="notes" />
          {texts.empty}
        </p>
      ) : isWide ? (
        <LogTable logs={logs} actions={actions} />
      ) : (
        <LogCards logs={logs} actions={actions} />
      )}
      {edited !== null && (
        <EditLogDialog
          key={edited.dpfId}
          log={edited}
          about={about}
          isOpen={isEditing}
          onClose={() => setEditing(false)}
        />
      )}
      <ConfirmDialog
        question={texts.deleteQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={deleteLog}
        isDangerous
      >
        <p className={styles.doomed}>{doomed?.info}</p>
        {doomed?.documentObj && <p className="quiet">{texts.deleteWithDocument(doomed.documentObj.name)}</p>}
      </ConfirmDialog>
    </div>
  );
}

type LogActions = {
  isFixed: boolean;
  onEdit: (log: Log) => void;
  onDelete: (log: Log) => void;
  onError: (text: string | null) => void;
};

function LogTable({ logs, actions }: { logs: Log[]; actions: LogActions }) {
  const { columns } = texts;
  return (
    <RowTable
      title={texts.title}
      headings={[
        { text: columns.time },
        { text: columns.info },
        { text: columns.document, className: styles.documentColumn },
        { text: columns.actions, isHidden: true },
      ]}
    >
      {logs.map((log) => (
        <tr key={log.dpfId}>
          <td className={styles.time}>
            {log.time}
            <WaitingMark of={log.dpfId} />
          </td>
          <td className={styles.info}>{log.info}</td>
          <td>
            {log.documentObj ? (
              <DocumentButton document={log.documentObj} onError={actions.onError} />
            ) : (
              general.empty
            )}
          </td>
          <td>
            <RowActions log={log} actions={actions} />
          </td>
        </tr>
      ))}
    </RowTable>
  );
}

function LogCards({ logs, actions }: { logs: Log[]; actions: LogActions }) {
  return (
    <ul className="stack" aria-label={texts.title}>
      {logs.map((log) => (
        <li key={log.dpfId} className={styles.entry}>
          <div className={styles.entryHead}>
            <span className="quiet">
              {log.time}
              <WaitingMark of={log.dpfId} />
            </span>
            <RowActions log={log} actions={actions} />
          </div>
          <p className={styles.info}>{log.info}</p>
          {log.documentObj && <DocumentButton document={log.documentObj} onError={actions.onError} />}
        </li>
      ))}
    </ul>
  );
}

function RowActions({ log, actions }: { log: Log; actions: LogActions }) {
  if (actions.isFixed && !log.mine) return null;
  return (
    <RowButtons>
      <CardAction
        icon="edit"
        label={general.edit}
        name={texts.editOf(log.time)}
        way={() => actions.onEdit(log)}
      />
      <CardAction
        icon="delete"
        label={general.delete}
        name={texts.deleteOf(log.time)}
        way={() => actions.onDelete(log)}
      />
    </RowButtons>
  );
}

function DocumentButton({
  document,
  onError,
}: {
  document: LogDocument;
  onError: (text: string | null) => void;
}) {
  const download = useDownloadDocument();
  async function fetchDocument() {
    onError(null);
    try {
      await download.mutateAsync(document);
    } catch (error) {
      onError(errorText(error, files.downloadFailed));
    }
  }
  return (
    <div className={styles.document}>
      <Button onPress={fetchDocument}>
        <span className={styles.documentFace}>
          <FileIcon name={document.name} size={22} />
          <span className={styles.documentText}>
            <span className={styles.documentName}>{document.name}</span>
            <span className="quiet">{document.size}</span>
          </span>
          <Icon name="download" size={18} />
          <span className="visually-hidden">{files.download}</span>
        </span>
      </Button>
      {isViewable(document.name) && (
        <a className={buttonClass("quiet")} href={documentUrl(document.dpfId)} target="_blank" rel="noopener">
          {files.open}
          <span className="visually-hidden">
            {" "}
            {document.name} {layout.newTab}
          </span>
        </a>
      )}
    </div>
  );
}
