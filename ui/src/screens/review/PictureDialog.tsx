// Composes the picture to save or share. The preview is the picture itself, beside the options of what it shows.
import { useEffect, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Switch } from "../../components/Switch";
import { ErrorNote } from "../../components/states";
import { general } from "../../texts";
import styles from "./PictureDialog.module.css";
import { draw, pictureOf, pictureSize, type Subject, type Tick, tickedAtFirst, ticks } from "./picture";
import { everyYear } from "./review";
import { review } from "./texts";

const texts = review.picture;

export function PictureDialog({
  isOpen,
  onClose,
  subject,
}: {
  isOpen: boolean;
  onClose: () => void;
  subject: Subject;
}) {
  return (
    <Dialog title={texts.open} isOpen={isOpen} onClose={onClose} isWide>
      <PictureForm subject={subject} onClose={onClose} />
    </Dialog>
  );
}

function PictureForm({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ticked, setTicked] = useState<ReadonlySet<Tick>>(tickedAtFirst);
  const [isFailed, setFailed] = useState(false);
  const offered = ticks.filter((tick) => tick !== "calendar" || subject.year !== null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) draw(context, pictureOf(subject, ticked));
  }, [subject, ticked]);

  function choose(tick: Tick, isOn: boolean) {
    setTicked(new Set(ticks.filter((one) => (one === tick ? isOn : ticked.has(one)))));
  }
  async function use(how: (file: File) => Promise<void>) {
    setFailed(false);
    try {
      await how(await fileOf(canvas.current, subject.year));
    } catch (error) {
      // The pilot cancelled.
      if (!(error instanceof DOMException && error.name === "AbortError")) setFailed(true);
    }
  }
  return (
    <>
      <DialogBody>
        <div className={styles.parts}>
          <canvas
            ref={canvas}
            className={styles.picture}
            role="img"
            aria-label={texts.about}
            width={pictureSize.width}
            height={pictureSize.height}
          />
          <div className={styles.ticks}>
            <fieldset aria-label={texts.ticks}>
              {offered.map((tick) => (
                <Switch key={tick} isSelected={ticked.has(tick)} onChange={(isOn) => choose(tick, isOn)}>
                  {texts[tick]}
                </Switch>
              ))}
            </fieldset>
            <p className="quiet">{texts.hint}</p>
          </div>
        </div>
        {isFailed && <ErrorNote>{texts.failed}</ErrorNote>}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.close}</Button>
        <Button icon="download" variant={canShare() ? "secondary" : "primary"} onPress={() => use(save)}>
          {texts.save}
        </Button>
        {canShare() && (
          <Button icon="upload" variant="primary" onPress={() => use(share)}>
            {texts.share}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** Whether this browser can share pictures with other programs. */
function canShare(): boolean {
  return (
    "canShare" in navigator &&
    navigator.canShare({ files: [new File([], "bild.png", { type: "image/png" })] })
  );
}

function fileOf(canvas: HTMLCanvasElement | null, year: number | null): Promise<File> {
  const name = texts.file(year === null ? everyYear : String(year));
  return new Promise((done, failed) => {
    if (canvas === null) return failed(new Error("no canvas"));
    canvas.toBlob((blob) => {
      if (blob) done(new File([blob], name, { type: "image/png" }));
      else failed(new Error("no picture"));
    }, "image/png");
  });
}

async function share(file: File): Promise<void> {
  await navigator.share({ files: [file] });
}

async function save(file: File): Promise<void> {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = file.name;
  link.click();
  // Safari reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
