// "Sicherung": makes and downloads backups, lists those in the folder, and shows the outcome of the last ones.
import { useAdminAction, useBackups, useDownloadBackup } from "../../api/admin";
import type { AdminBackups } from "../../api/generated/AdminBackups";
import type { AdminTarget } from "../../api/generated/AdminTarget";
import { Button } from "../../components/Button";
import { ErrorNote, errorText, InfoNote, QueryView } from "../../components/states";
import { showToast } from "../../components/toasts";
import { sizeText } from "../../lib/sizes";
import { Buttons, Facts, Row, Rows } from "./Facts";
import { page, backups as texts } from "./texts";

export function Backups() {
  return (
    <QueryView query={useBackups()} failure={page.loadFailed}>
      {(backups) => (
        <div className="stack">
          <Outcome backups={backups} />
          <Actions backups={backups} />
          <Facts facts={factsOf(backups)} />
          {backups.onSameDisk && <InfoNote icon="warning">{texts.sameDisk}</InfoNote>}
          <Targets targets={backups.targets} />
          <Archives backups={backups} />
          <p className="quiet">
            {texts.restoreHint} <code>{texts.restoreCommand}</code>
          </p>
        </div>
      )}
    </QueryView>
  );
}

function Outcome({ backups: { busy, outcome } }: { backups: AdminBackups }) {
  if (busy) return <InfoNote icon="clock">{texts.busy}</InfoNote>;
  if (outcome === null) return null;
  if (!outcome.isGood) return <ErrorNote>{outcome.sentence}</ErrorNote>;
  return <InfoNote icon="success">{outcome.sentence}</InfoNote>;
}

function Actions({ backups: { folder, busy } }: { backups: AdminBackups }) {
  const make = useAdminAction("MakeBackup");
  const download = useDownloadBackup();
  const failure = make.error ?? download.error;

  async function begin() {
    await download.mutateAsync().then(
      () => showToast(texts.downloadBegun),
      () => {},
    );
  }
  return (
    <>
      <Buttons>
        {folder !== "" && (
          <Button
            variant="primary"
            icon="save"
            isDisabled={busy}
            onPress={() => make.mutateAsync({}).catch(() => {})}
          >
            {texts.make}
          </Button>
        )}
        <Button icon="download" onPress={begin}>
          {texts.download}
        </Button>
      </Buttons>
      {folder === "" && (
        <p>
          {texts.folderUnknown} <code>{texts.folderCommand}</code>
        </p>
      )}
      <p className="quiet">{texts.downloadHint}</p>
      {failure && <ErrorNote>{errorText(failure, page.failed)}</ErrorNote>}
    </>
  );
}

/** Formats a time, followed by the reason of a failure. */
function timeAndFailure(time: string, failure: string): string {
  if (time === "") return texts.never;
  return `${time}: ${failure === "" ? texts.good : failure}`;
}

function factsOf(backups: AdminBackups): [string, string][] {
  const facts: [string, string][] = [
    [texts.last, timeAndFailure(backups.lastBackup, backups.lastBackupFailure)],
    [texts.lastCheck, timeAndFailure(backups.lastCheck, backups.lastCheckFailure)],
    [texts.lastDownload, backups.lastDownload === "" ? texts.never : backups.lastDownload],
  ];
  return backups.folder === "" ? facts : [[texts.folder, backups.folder], ...facts];
}

function Targets({ targets }: { targets: AdminTarget[] }) {
  if (targets.length === 0) return null;
  return (
    <section aria-label={texts.targets}>
      <h3>{texts.targets}</h3>
      <Rows>
        {targets.map((target) => (
          <Row key={target.name}>
            <div className="stack">
              <div>
                <strong>{target.name}</strong>
                <p className="quiet">
                  {target.place} · {texts.kept(target.keep)} ·{" "}
                  {target.encrypted ? texts.encrypted : texts.plain}
                </p>
                {target.lastFailure === "" && <p>{lastUploadTo(target)}</p>}
              </div>
              {target.lastFailure !== "" && (
                <ErrorNote>
                  {timeAndFailure(target.last, target.lastFailure)} {texts.lastGood(target.lastGood)}
                </ErrorNote>
              )}
            </div>
          </Row>
        ))}
      </Rows>
    </section>
  );
}

/** Formats the time and size of the last archive that reached a target. */
function lastUploadTo({ last, lastGoodBytes }: AdminTarget): string {
  if (last === "") return texts.neverSent;
  return lastGoodBytes === null ? last : `${last} · ${sizeText(lastGoodBytes)}`;
}

function Archives({ backups: { folder, folderFailure, archives, busy } }: { backups: AdminBackups }) {
  const check = useAdminAction("CheckBackup");
  if (folder === "") return null;
  if (folderFailure !== "") return <ErrorNote>{folderFailure}</ErrorNote>;
  return (
    <section aria-label={texts.archives}>
      <h3>{texts.archives}</h3>
      {archives.length === 0 && <p>{texts.none}</p>}
      <Rows>
        {archives.map(({ name, written, bytes }) => (
          <Row
            key={name}
            action={
              <Button
                icon="check"
                isDisabled={busy}
                onPress={() => check.mutateAsync({ name }).catch(() => {})}
              >
                {texts.check}
                <span className="visually-hidden"> {name}</span>
              </Button>
            }
          >
            <p>{name}</p>
            <p className="quiet">
              {written} · {sizeText(bytes)}
            </p>
          </Row>
        ))}
      </Rows>
      {check.error && <ErrorNote>{errorText(check.error, page.failed)}</ErrorNote>}
    </section>
  );
}
