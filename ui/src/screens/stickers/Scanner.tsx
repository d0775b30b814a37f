// Scans stickers within the app, where the browser has a barcode detector (Chrome on Android). Staying in the app
// speeds up a whole bag of packs.
import { useEffect, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { ErrorNote } from "../../components/states";
import { general } from "../../texts";
import styles from "./Scanner.module.css";
import { stickerCodeIn } from "./stickerCode";
import { stickers } from "./texts";

const texts = stickers.scanner;

const pauseMs = 200;

type Detector = { detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = new (options: { formats: string[] }) => Detector;

function detectorClass(): DetectorClass | null {
  return (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector ?? null;
}

/** The button and the camera; renders nothing if the browser has no barcode detector or camera. */
export function Scanner({ onFound }: { onFound: (code: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  if (detectorClass() === null || !navigator.mediaDevices) return null;
  return (
    <>
      <Button icon="qr" onPress={() => setOpen(true)}>
        {texts.open}
      </Button>
      <Dialog title={texts.title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Camera onFound={onFound} />
        <DialogActions>
          <Button onPress={() => setOpen(false)}>{general.cancel}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function Camera({ onFound }: { onFound: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isRefused, setRefused] = useState(false);
  const found = useRef(onFound);
  found.current = onFound;
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isOver = false;
    async function look() {
      const Reader = detectorClass();
      const element = video.current;
      if (Reader === null || element === null) return;
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (isOver) return end();
      element.srcObject = stream;
      await element.play();
      const reader = new Reader({ formats: ["qr_code"] });
      while (!isOver) {
        // A picture that can't be read yet is followed by others.
        const seen = await reader.detect(element).catch(() => []);
        const code = seen.map(({ rawValue }) => stickerCodeIn(rawValue)).find((one) => one !== null);
        if (code && !isOver) return found.current(code);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
    function end() {
      for (const track of stream?.getTracks() ?? []) track.stop();
    }
    look().catch(() => !isOver && setRefused(true));
    return () => {
      isOver = true;
      end();
    };
  }, []);
  return (
    <DialogBody>
      {isRefused ? (
        <ErrorNote>{texts.refused}</ErrorNote>
      ) : (
        <video ref={video} className={styles.picture} muted playsInline aria-label={texts.picture} />
      )}
    </DialogBody>
  );
}
