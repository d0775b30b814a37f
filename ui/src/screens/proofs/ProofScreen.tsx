// A proof in full screen, to be held out to somebody: white, its end in large letters, the picture of the paper.
import { useEffect, useState } from "react";
import { Heading } from "react-aria-components";
import type { Proof } from "../../api/generated/Proof";
import { isCurrent, pageUrl } from "../../api/proofs";
import { IconButton } from "../../components/Button";
import { FullWindow } from "../../components/FullWindow";
import { endOf } from "../../components/proofs/ProofEnd";
import { formatDateTime, wallClock } from "../../lib/dates";
import { keptPicture } from "../../offline/proofPictures";
import { general } from "../../texts";
import styles from "./Proofs.module.css";
import { proofs as texts } from "./texts";
import { usePinch } from "./usePinch";
import { useWakeLock } from "./useWakeLock";

/** One screen of a swipe: a page, or a proof without any. */
type Sheet = { proof: Proof; page: string | null; at: number };

function sheetsOf(proof: Proof): Sheet[] {
  return proof.pages.length === 0
    ? [{ proof, page: null, at: 1 }]
    : proof.pages.map((page, at) => ({ proof, page, at: at + 1 }));
}

/**
 * `readyPicture`: where a picture is that is decoded already. `onTurn`: another proof is shown. A replaced one is shown
 * alone.
 */
export function ProofScreen({
  proofs,
  shown,
  answeredAt,
  readyPicture,
  onTurn,
  onClose,
}: {
  proofs: readonly Proof[];
  shown: Proof;
  answeredAt: Date;
  readyPicture: (address: string) => string | undefined;
  onTurn: (proof: Proof) => void;
  onClose: () => void;
}) {
  useWakeLock();
  const sheets = (isCurrent(shown) ? proofs.filter(isCurrent) : [shown]).flatMap(sheetsOf);
  const [page, setPage] = useState(shown.pages[0] ?? null);
  const found = sheets.findIndex((sheet) => sheet.proof.dpfId === shown.dpfId && sheet.page === page);
  const first = sheets.findIndex(({ proof }) => proof.dpfId === shown.dpfId);
  const at = found === -1 ? first : found;
  const sheet = sheets[at];
  // The sheets form a circle. A disabled button would lose the focus, and Escape would no longer work.
  function turn(step: 1 | -1) {
    const next = sheets.at((at + step) % sheets.length);
    if (next === undefined) return;
    setPage(next.page);
    if (next.proof.dpfId !== shown.dpfId) onTurn(next.proof);
  }
  if (sheet === undefined) return null;
  return (
    <FullWindow className={styles.screen} onClose={onClose}>
      <div className={styles.sheet}>
        <div className={styles.top}>
          <div>
            <Heading slot="title" level={2}>
              {sheet.proof.kindLongName}
            </Heading>
            {sheet.proof.number !== "" && <p>{sheet.proof.number}</p>}
            <p className={styles.end}>{endOf(sheet.proof)}</p>
            <p className="quiet">{texts.standOf(formatDateTime(wallClock(answeredAt)))}</p>
          </div>
          <IconButton icon="close" label={general.close} onPress={onClose} />
        </div>
        <Paper
          key={`${sheet.proof.dpfId} ${sheet.page}`}
          sheet={sheet}
          readyPicture={readyPicture}
          onSwipe={turn}
        />
        {sheets.length > 1 && (
          <div className={styles.turn}>
            <IconButton icon="chevron-left" label={texts.previous} onPress={() => turn(-1)} />
            <span aria-live="polite">{texts.place(at + 1, sheets.length)}</span>
            <IconButton icon="chevron-right" label={texts.next} onPress={() => turn(1)} />
          </div>
        )}
      </div>
    </FullWindow>
  );
}

function Paper({
  sheet: { proof, page, at },
  readyPicture,
  onSwipe,
}: {
  sheet: Sheet;
  readyPicture: (address: string) => string | undefined;
  onSwipe: (step: 1 | -1) => void;
}) {
  const { view, handlers } = usePinch(onSwipe);
  const source = usePicture(page === null ? null : pageUrl(proof, page), readyPicture);
  const [isMissing, setMissing] = useState(false);
  const style = { transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` };
  return (
    <div className={styles.paper} {...handlers}>
      {page === null ? (
        <p>{texts.noPicture}</p>
      ) : isMissing ? (
        <p>{texts.pictureMissing}</p>
      ) : (
        source !== null && (
          <img
            src={source}
            alt={texts.picture(proof.kindName, at)}
            style={style}
            draggable={false}
            onError={() => setMissing(true)}
          />
        )
      )}
    </div>
  );
}

/** The address of the picture: of the kept one, or else the server's. Null until that is known. */
function usePicture(
  address: string | null,
  readyPicture: (address: string) => string | undefined,
): string | null {
  const [ready] = useState(() => (address === null ? undefined : readyPicture(address)));
  const [source, setSource] = useState<string | null>(ready ?? null);
  useEffect(() => {
    if (address === null || ready !== undefined) return;
    let own: string | null = null;
    let isOver = false;
    keptPicture(address).then((kept) => {
      if (isOver) return;
      own = kept && URL.createObjectURL(kept);
      setSource(own ?? address);
    });
    return () => {
      isOver = true;
      if (own !== null) URL.revokeObjectURL(own);
    };
  }, [address, ready]);
  return source;
}
