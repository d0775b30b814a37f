// The pilot's documents: a table on wide windows, rows on phones. Each document can be shared, downloaded, described
// and deleted; one that a browser can show opens in a new tab. The address may name a proof that is renewed.
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useDocuments, useDownloadDocument } from "../../api/documents";
import type { Document } from "../../api/generated/Document";
import type { Proof } from "../../api/generated/Proof";
import { useProofs } from "../../api/proofs";
import { useCachedUser } from "../../api/session";
import { useWrite } from "../../api/useWrite";
import { Button, IconButton } from "../../components/Button";
import { CardAction } from "../../components/CardAction";
import { ConfirmDialog } from "../../components/Dialog";
import { FileIcon } from "../../components/FileItem";
import { focusHeadingIfLost } from "../../components/focusHeading";
import { Menu } from "../../components/Menu";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { ProofEnd } from "../../components/proofs/ProofEnd";
import { RowButtons, RowTable } from "../../components/RowTable";
import { SearchedList } from "../../components/SearchedList";
import { scrollIntoViewRef } from "../../components/scrollIntoViewRef";
import { EmptyState, ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { documents as texts } from "../../components/texts/documents";
import { files } from "../../components/texts/files";
import { showToast } from "../../components/toasts";
import { useMedia } from "../../components/useMedia";
import { isViewable } from "../../lib/fileKinds";
import { general, layout } from "../../texts";
import { documentUrl, renewedParameter, urls } from "../../urls";
import { DescriptionDialog } from "./DescriptionDialog";
import styles from "./DocumentsPage.module.css";
import { ShareDialog } from "./ShareDialog";
import { UploadDialog } from "./UploadDialog";

/** The open dialog and its document, which stays set while the dialog closes. */
type Task = { kind: "share" | "describe" | "delete"; document: Document };

function byName(one: Document, other: Document): number {
  return one.name.localeCompare(other.name, "de", { numeric: true });
}

export function DocumentsPage() {
  const query = useDocuments();
  const goBack = useGoBack(urls.home);
  const isWide = useMedia("(width >= 56rem)");
  const isPhone = useMedia("(width < 40rem)");
  const remove = useWrite("DeleteUserDocument");
  const download = useDownloadDocument();
  const [isUploading, setUploading] = useState(false);
  const [task, setTask] = useState<Task | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<string | null>(null);

  function begin(kind: Task["kind"], document: Document) {
    setError(null);
    setTask({ kind, document });
    setOpen(true);
  }
  const close = () => setOpen(false);
  async function deleteDocument() {
    if (task === null) return;
    try {
      await remove.mutateAsync({ dpfId: task.document.dpfId });
      showToast(texts.deleted);
      focusHeadingIfLost();
    } catch (failure) {
      setError(errorText(failure, texts.deleteFailed));
    }
  }
  const actions: DocumentActions = {
    onShare: (document) => begin("share", document),
    onDescribe: (document) => begin("describe", document),
    onDelete: (document) => begin("delete", document),
    onDownload: async (document) => {
      setError(null);
      try {
        await download.mutateAsync(document);
      } catch (failure) {
        setError(errorText(failure, files.downloadFailed));
      }
    },
  };
  const isDialog = (kind: Task["kind"]) => isOpen && task?.kind === kind;

  const upload = query.data && (
    <Button variant="primary" icon="upload" onPress={() => setUploading(true)}>
      {files.upload}
    </Button>
  );
  const isEmpty = query.data?.length === 0;
  return (
    <Page title={texts.title} onBack={goBack} actions={!isPhone && !isEmpty && upload}>
      {error !== null && (
        <div ref={scrollIntoViewRef}>
          <ErrorNote>{error}</ErrorNote>
        </div>
      )}
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton height={30} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="documents" action={upload}>
              {texts.empty}
            </EmptyState>
          ) : (
            <SearchedList
              rows={list}
              wordsOf={({ name, description, uploadTime }) => [name, description, uploadTime]}
              ownOrder={texts.orders.newest}
              orders={[{ name: "name", text: texts.orders.name, compare: byName }]}
            >
              {(found) =>
                isWide ? (
                  <DocumentTable list={found} actions={actions} />
                ) : (
                  <DocumentRows list={found} actions={actions} />
                )
              }
            </SearchedList>
          )
        }
      </QueryView>
      {isPhone && !isEmpty && upload && <ActionBar of="list">{upload}</ActionBar>}
      <UploadDialog isOpen={isUploading} onClose={() => setUploading(false)} />
      <Renewal />
      {task !== null && (
        <>
          <ShareDialog document={task.document} isOpen={isDialog("share")} onClose={close} />
          <DescriptionDialog document={task.document} isOpen={isDialog("describe")} onClose={close} />
          <ConfirmDialog
            question={texts.deleteQuestion}
            isOpen={isDialog("delete")}
            onClose={close}
            onYes={deleteDocument}
            isDangerous
          >
            <p className="quiet">{task.document.name}</p>
          </ConfirmDialog>
        </>
      )}
    </Page>
  );
}

/** The upload of what replaces the proof that the address names. */
function Renewal() {
  const [parameters, setParameters] = useSearchParams();
  const renewed = parameters.get(renewedParameter);
  const proofs = useProofs({ isWanted: renewed !== null });
  const [shown, setShown] = useState<Proof | null>(null);
  const proof = proofs.data?.find(({ dpfId }) => dpfId === renewed);
  // Stays set while the dialog closes.
  if (proof !== undefined && proof.dpfId !== shown?.dpfId) setShown(proof);
  if (shown === null) return null;
  const end = () => setParameters({}, { replace: true });
  return <UploadDialog renewed={shown} isOpen={renewed === shown.dpfId} onClose={end} />;
}

/** The proof that a document is. Only for a pilot who has some. */
function useProofOf({ dpfId }: Document): Proof | undefined {
  const hasProofs = useCachedUser()?.hasProofs === true;
  const proofs = useProofs({ isWanted: hasProofs });
  return proofs.data?.find((proof) => proof.dpfId === dpfId);
}

function ProofOf({ document }: { document: Document }) {
  const proof = useProofOf(document);
  return (
    proof && (
      // The end of the line matters most.
      <p className="quiet" style={{ whiteSpace: "normal" }}>
        <ProofEnd proof={proof} />
      </p>
    )
  );
}

type DocumentActions = {
  onShare: (document: Document) => void;
  onDownload: (document: Document) => Promise<void>;
  onDescribe: (document: Document) => void;
  onDelete: (document: Document) => void;
};

type ListProps = { list: Document[]; actions: DocumentActions };

function DocumentTable({ list, actions }: ListProps) {
  const { columns } = texts;
  return (
    <div className={`card ${styles.frame}`}>
      <RowTable
        title={texts.title}
        headings={[
          { text: columns.kind, className: styles.kind, isHidden: true },
          { text: columns.uploadTime },
          { text: columns.name },
          { text: columns.description },
          { text: columns.size, className: styles.size },
          { text: columns.actions, isHidden: true },
        ]}
      >
        {list.map((document) => (
          <tr key={document.dpfId}>
            <td>
              <FileIcon name={document.name} />
            </td>
            <td className={styles.time}>{document.uploadTime}</td>
            <td className={styles.name}>
              <DocumentName document={document} />
            </td>
            <td className={styles.description}>
              {document.description || general.empty}
              <ProofOf document={document} />
            </td>
            <td className={styles.size}>{document.size}</td>
            <td>
              <RowActions document={document} actions={actions} />
            </td>
          </tr>
        ))}
      </RowTable>
    </div>
  );
}

function DocumentRows({ list, actions }: ListProps) {
  return (
    <div className={`card ${styles.rows}`}>
      <ul aria-label={texts.title}>
        {list.map((document) => (
          <DocumentRow key={document.dpfId} document={document} actions={actions} />
        ))}
      </ul>
    </div>
  );
}

/** A proof has its kind as the title: the name of a photo says nothing. */
function DocumentRow({ document, actions }: { document: Document; actions: DocumentActions }) {
  const proof = useProofOf(document);
  return (
    <li className={styles.row}>
      <FileIcon name={document.name} size={28} />
      <div className={styles.text}>
        <h2 className={styles.name}>
          <DocumentName document={document} title={proof?.kindName} />
        </h2>
        {document.description !== "" && document.description !== proof?.kindName && (
          <p>{document.description}</p>
        )}
        {proof && (
          <>
            <p className="quiet" style={{ whiteSpace: "normal" }}>
              <ProofEnd proof={proof} hasKind={false} />
            </p>
            <p className="quiet">{document.name}</p>
          </>
        )}
        <p className="quiet">
          <span className={proof ? undefined : "visually-hidden"}>{texts.columns.uploadTime} </span>
          {document.uploadTime} · {document.size}
        </p>
      </div>
      <IconButton
        icon="qr"
        label={`${texts.share} ${document.name}`}
        onPress={() => actions.onShare(document)}
      />
      <More document={document} actions={actions} hasDownload />
    </li>
  );
}

/** The document's name or title: a link to a new tab if the browser can show the file. */
function DocumentName({
  document: { dpfId, name },
  title = name,
}: {
  document: Document;
  title?: string | undefined;
}) {
  if (!isViewable(name)) return title;
  return (
    <a className={styles.link} href={documentUrl(dpfId)} target="_blank" rel="noopener">
      {title}
      <span className="visually-hidden"> {layout.newTab}</span>
    </a>
  );
}

function RowActions({ document, actions }: { document: Document; actions: DocumentActions }) {
  const [isDownloading, setDownloading] = useState(false);
  async function download() {
    setDownloading(true);
    await actions.onDownload(document);
    setDownloading(false);
  }
  return (
    <RowButtons>
      <CardAction icon="qr" label={texts.share} about={document.name} way={() => actions.onShare(document)} />
      <CardAction
        icon="download"
        label={files.download}
        about={document.name}
        isDisabled={isDownloading}
        way={download}
      />
      <More document={document} actions={actions} />
    </RowButtons>
  );
}

function More({
  document,
  actions,
  hasDownload = false,
}: {
  document: Document;
  actions: DocumentActions;
  hasDownload?: boolean;
}) {
  const download = {
    id: "download",
    text: files.download,
    icon: "download" as const,
    onAction: () => void actions.onDownload(document),
  };
  return (
    <Menu
      label={general.moreOf(document.name)}
      entries={[
        ...(hasDownload ? [download] : []),
        {
          id: "describe",
          text: texts.editDescription,
          icon: "edit",
          onAction: () => actions.onDescribe(document),
        },
        {
          id: "delete",
          text: general.delete,
          icon: "delete",
          isDangerous: true,
          onAction: () => actions.onDelete(document),
        },
      ]}
    />
  );
}
