// Shows the QR code with which another device gets the document while this dialog is open. The code is on white in dark
// mode too, because cameras can't read it otherwise.
import { useState } from "react";
import type { Document } from "../../api/generated/Document";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { ErrorNote, errorText } from "../../components/states";
import { documents as texts } from "../../components/texts/documents";
import { general } from "../../texts";
import "../../styles/stage.css";
import styles from "./ShareDialog.module.css";
import { useShare } from "./useShare";

type Opening = { document: Document; onClose: () => void };

export function ShareDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={texts.shareTitle} isOpen={isOpen} onClose={opening.onClose}>
      <Share {...opening} />
    </Dialog>
  );
}

function Share({ document, onClose }: Opening) {
  const [attempt, setAttempt] = useState(0);
  const share = useShare(document.dpfId, attempt);
  const again = () => setAttempt(attempt + 1);
  return (
    <>
      <DialogBody>
        <div className={styles.share}>
          <p className={styles.name}>{document.name}</p>
          {share.kind === "running" ? (
            <img
              className={styles.code}
              src={`data:image/png;base64,${share.img}`}
              alt={texts.qrOf(document.name)}
            />
          ) : share.kind === "starting" ? (
            <div className={styles.code} role="status">
              <span className="spinner" aria-hidden="true" />
              <span className="visually-hidden">{texts.preparing}</span>
            </div>
          ) : (
            <ErrorNote onRetry={again}>
              {share.kind === "failed" ? errorText(share.error, texts.shareFailed) : texts.shareEnded}
            </ErrorNote>
          )}
          {share.kind === "running" && <p className="quiet">{texts.shareUntil(share.until)}</p>}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{share.kind === "running" ? texts.endShare : general.close}</Button>
      </DialogActions>
    </>
  );
}
