// Imports the whole logbook of another Fluglog, however large: in parts, with pause and resume.
import { useEffect, useState } from "react";
import { isNotLoggedIn } from "../../../../api/client";
import { Button, ButtonLink } from "../../../../components/Button";
import { Disclosure } from "../../../../components/Disclosure";
import { FileButton } from "../../../../components/FileButton";
import { Icon } from "../../../../components/Icon";
import { ActionBar, Page, useGoBack } from "../../../../components/Page";
import { ErrorNote, errorText, InfoNote, Skeleton } from "../../../../components/states";
import { UploadProgress } from "../../../../components/UploadProgress";
import { takeDroppedFiles } from "../../../../lib/sharedFiles";
import { sizeText } from "../../../../lib/sizes";
import { general } from "../../../../texts";
import { urls } from "../../../../urls";
import styles from "../PickPage.module.css";
import { assetsText } from "../review";
import { imports } from "../texts";
import { type Logbook, openLogbook } from "./archive";
import type { Totals } from "./moveLogbook";
import { logbook as texts } from "./texts";
import { useLogbookMove } from "./useLogbookMove";

type Opened = { kind: "none" | "opening" | "unknown" } | { kind: "open"; logbook: Logbook };

export function LogbookPage() {
  const goBack = useGoBack(urls.importFlights);
  const [opened, setOpened] = useState<Opened>({ kind: "none" });

  async function open([file]: File[]): Promise<void> {
    if (!file) return;
    setOpened({ kind: "opening" });
    const logbook = await openLogbook(file).catch(() => null);
    setOpened(logbook ? { kind: "open", logbook } : { kind: "unknown" });
  }
  useEffect(() => {
    open(takeDroppedFiles());
  });

  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      {opened.kind === "opening" && (
        <div role="status" aria-label={texts.opening}>
          <Skeleton height={7} />
        </div>
      )}
      {opened.kind === "open" ? (
        <Move key={opened.logbook.file.name} logbook={opened.logbook} />
      ) : (
        opened.kind !== "opening" && (
          <div className={`card stack ${styles.pick}`}>
            <Icon name="upload" size={40} />
            <FileButton variant="primary" icon="attachment" isLarge onPick={open}>
              {texts.choose}
            </FileButton>
            <p className="quiet">{texts.chooseHint}</p>
          </div>
        )
      )}
      {opened.kind === "unknown" && <ErrorNote>{texts.notLogbook}</ErrorNote>}
    </Page>
  );
}

function Move({ logbook }: { logbook: Logbook }) {
  const {
    moving,
    progress: { came: totals, place },
    start,
    pause,
  } = useLogbookMove(logbook);
  const { file, flights, parts } = logbook;
  const soFar = totalsText(totals);
  return (
    <>
      <div className={`card stack ${styles.sending}`}>
        <p>
          <strong>{file.name}</strong>
          <br />
          <span className="quiet">{texts.about(sizeText(file.size), flights, parts)}</span>
        </p>
        {moving.state === "moving" ? (
          <>
            <p>
              <strong>{texts.part(place + 1, parts)}</strong>
            </p>
            <UploadProgress share={moving.share} working={texts.working} />
            {moving.waits && (
              <InfoNote icon="info">{moving.waits === "cut" ? texts.waiting : texts.busy}</InfoNote>
            )}
            <p className="quiet">{texts.keepOpen}</p>
          </>
        ) : (
          moving.state !== "done" && <p>{texts.how}</p>
        )}
        {soFar !== "" && moving.state !== "done" && <p role="status">{texts.soFar(soFar)}</p>}
        {moving.state === "moving" && <Button onPress={pause}>{texts.pause}</Button>}
      </div>
      {moving.state === "done" && (
        <InfoNote icon="success">
          {soFar === "" ? texts.nothingNew : texts.done(soFar)}
          {totals.moved.missing > 0 && ` ${imports.accepted.unreadable(totals.moved.missing)}`}
        </InfoNote>
      )}
      {totals.lacking.length > 0 && (
        <Disclosure title={texts.lacking} icon="info">
          <ul>
            {totals.lacking.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Disclosure>
      )}
      {moving.state === "failed" && !isNotLoggedIn(moving.error) && (
        <ErrorNote>{errorText(moving.error, texts.failed)}</ErrorNote>
      )}
      <Footer
        isDone={moving.state === "done"}
        isMoving={moving.state === "moving"}
        from={place}
        onStart={start}
      />
    </>
  );
}

function Footer({
  isDone,
  isMoving,
  from,
  onStart,
}: {
  isDone: boolean;
  isMoving: boolean;
  /** Index of the next part, from 0. */
  from: number;
  onStart: () => void;
}) {
  if (isMoving) return null;
  return (
    <ActionBar>
      {isDone ? (
        <ButtonLink to={urls.flights} variant="primary" isLarge>
          {imports.toFlights}
        </ButtonLink>
      ) : (
        <>
          <ButtonLink to={urls.importFlights} isLarge>
            {general.cancel}
          </ButtonLink>
          <Button variant="primary" isLarge onPress={onStart}>
            {from > 0 ? texts.goOn(from + 1) : texts.start}
          </Button>
        </>
      )}
    </ActionBar>
  );
}

/** Formats "412 Flüge, 3 Logs und 90 Bilder"; "" for nothing. */
function totalsText({ flights, moved }: Totals): string {
  const parts = [flights > 0 ? texts.flights(flights) : "", assetsText(moved)];
  return parts.filter((part) => part !== "").join(", ");
}
