// "Übersicht": problems with their cures, then the state of the server.
import { Link } from "react-router";
import { useOverview } from "../../api/admin";
import type { AdminOverview } from "../../api/generated/AdminOverview";
import type { AdminProblem } from "../../api/generated/AdminProblem";
import { buttonClass } from "../../components/Button";
import { ErrorNote, InfoNote, QueryView, Skeleton } from "../../components/states";
import { sizeText } from "../../lib/sizes";
import { urls } from "../../urls";
import { Facts } from "./Facts";
import { page, parts, overview as texts } from "./texts";

export function Overview() {
  return (
    <section className="card stack" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <QueryView
        query={useOverview()}
        failure={page.loadFailed}
        skeleton={<Skeleton count={1} height={28} />}
      >
        {(server) => (
          <>
            {server.problems.length === 0 ? (
              <InfoNote icon="success">{texts.good}</InfoNote>
            ) : (
              server.problems.map((problem) => <Problem key={problem.sentence} problem={problem} />)
            )}
            {server.newerVersion !== "" && (
              <InfoNote>
                {texts.newer(server.newerVersion)} <code>{texts.upgradeCommand}</code>
              </InfoNote>
            )}
            <Changed names={server.changedSettings} />
            <Facts facts={factsOf(server)} />
          </>
        )}
      </QueryView>
    </section>
  );
}

function Problem({ problem: { sentence, command, helps } }: { problem: AdminProblem }) {
  return (
    <InfoNote
      icon="warning"
      action={
        helps && (
          <Link className={buttonClass("secondary")} to={urls.adminPart(helps)} replace preventScrollReset>
            {texts.open(parts[helps])}
          </Link>
        )
      }
    >
      {sentence}: <code>{command}</code>
    </InfoNote>
  );
}

/** Settings changed in the file that the running server hasn't read yet. */
function Changed({ names }: { names: string[] | null }) {
  if (names === null) {
    return (
      <ErrorNote>
        {texts.unreadable} <code>{texts.checkCommand}</code>
      </ErrorNote>
    );
  }
  return names.length > 0 && <InfoNote>{texts.changed(names.join(", "))}</InfoNote>;
}

function factsOf(server: AdminOverview): [string, string][] {
  const { lastBackup, lastBackupFailure, mailServer, mailsWaiting } = server;
  const mail = mailServer === "" ? texts.outbox : texts.mailServer(mailServer);
  const https = server.certificateEnds === "" ? texts.httpsOn : texts.httpsUntil(server.certificateEnds);
  return [
    [texts.version, texts.versionOf(server.version, server.released, server.ageDays)],
    [texts.uptime, texts.uptimeOf(server.uptimeSeconds)],
    [texts.address, server.url],
    [texts.listens, server.addresses.join(", ")],
    [texts.https, server.https ? https : texts.httpsOff],
    [texts.users, String(server.users ?? "?")],
    [
      texts.disk,
      texts.diskOf(sizeText(server.databaseBytes), sizeText(server.fileBytes), sizeText(server.freeBytes)),
    ],
    [
      texts.backup,
      lastBackup === "" ? texts.never : lastBackupFailure === "" ? lastBackup : texts.failedAt(lastBackup),
    ],
    [texts.mail, mailsWaiting > 0 ? `${mail}, ${texts.waiting(mailsWaiting)}` : mail],
  ];
}
