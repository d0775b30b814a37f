// Chooses pictures for a flight and uploads them. Once pictures are chosen, closes by its buttons only. "Abbrechen"
// cancels a running upload.
import { useState } from "react";
import { TransferCancelled } from "../../api/transfer";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { ChosenFile } from "../../components/FileItem";
import { ImagePicker } from "../../components/FilePicker";
import { ErrorNote, errorText } from "../../components/states";
import { files as fileTexts } from "../../components/texts/files";
import { showToast } from "../../components/toasts";
import { UploadProgress } from "../../components/UploadProgress";
import { useIntent } from "../../components/useIntent";
import { useTransfer } from "../../components/useTransfer";
import { wasQueued } from "../../offline/queueState";
import { general } from "../../texts";
import styles from "./ImageUploadDialog.module.css";
import { addImages } from "./imageChoice";
import { images as texts } from "./texts";

type Opening = {
  flight: string;
  /** Number of pictures that the flight has or that wait to be sent for it. */
  countThere: number;
  onClose: () => void;
};

export function ImageUploadDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  const [isHolding, setHolding] = useState(false);
  function close() {
    setHolding(false);
    opening.onClose();
  }
  return (
    <Dialog title={texts.upload} isOpen={isOpen} onClose={close} isBlocking={isHolding}>
      <UploadForm {...opening} onHold={setHolding} />
    </Dialog>
  );
}

function UploadForm({
  flight,
  countThere,
  onClose,
  onHold,
}: Opening & { onHold: (isHolding: boolean) => void }) {
  const transfer = useTransfer();
  const intent = useIntent("images", flight);
  const [chosen, setChosen] = useState<File[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { share } = transfer;

  function choose(next: File[], nextProblem: string | null = null) {
    setChosen(next);
    setProblem(nextProblem);
    setFailure(null);
    onHold(next.length > 0);
  }
  function close() {
    transfer.cancel();
    intent.forget();
    onHold(false);
    onClose();
  }
  async function send() {
    setProblem(null);
    setFailure(null);
    try {
      const fields = { files: chosen };
      const fieldsFor = () => ({ flight, ...fields });
      const sent = await transfer.run((progress) =>
        intent.send("UploadImageForFlight", fields, fieldsFor, progress),
      );
      if (wasQueued(sent)) showToast(general.kept);
      close();
    } catch (error) {
      if (!(error instanceof TransferCancelled)) setFailure(error);
    }
  }
  return (
    <>
      <DialogBody>
        <div className="stack">
          {share === null ? (
            <ImagePicker
              label={fileTexts.dropImages}
              camera="environment"
              isMultiple
              isOpenAtOnce={chosen.length === 0}
              onPick={(picked) => {
                const choice = addImages(chosen, picked, countThere);
                choose(choice.chosen, choice.problem);
              }}
            />
          ) : (
            <UploadProgress share={share} />
          )}
          {problem !== null && <ErrorNote>{problem}</ErrorNote>}
          {failure !== null && (
            <ErrorNote>
              <strong>{texts.failed}</strong> {errorText(failure, fileTexts.unanswered)}
            </ErrorNote>
          )}
          {chosen.length > 0 && (
            <ul className={styles.list} aria-label={texts.chosen}>
              {chosen.map((file, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two pictures may have one name
                <li key={`${position} ${file.name}`}>
                  <ChosenFile
                    file={file}
                    isPicture
                    onRemove={
                      share === null ? () => choose(chosen.filter((other) => other !== file)) : undefined
                    }
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={close}>{general.cancel}</Button>
        <Button
          variant="primary"
          icon="upload"
          isDisabled={chosen.length === 0 || share !== null}
          onPress={send}
        >
          {fileTexts.upload}
        </Button>
      </DialogActions>
    </>
  );
}
