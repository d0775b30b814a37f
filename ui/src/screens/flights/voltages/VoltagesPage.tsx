// Imported flights with suspect voltages: one tap corrects those whose files have the right ones, the pilot reviews the
// others.
import { useState } from "react";
import { Link } from "react-router";
import { ApiError } from "../../../api/client";
import type { VoltageDoubt } from "../../../api/generated/VoltageDoubt";
import { useWrite } from "../../../api/useWrite";
import { setCachedSuspectVoltages, useSuspectVoltages } from "../../../api/voltages";
import { Button, ButtonLink } from "../../../components/Button";
import { ActionBar, Page, useGoBack } from "../../../components/Page";
import { EmptyState, ErrorNote, errorText, QueryView } from "../../../components/states";
import { showToast } from "../../../components/toasts";
import { formatQuantity } from "../../../lib/numbers";
import { urls } from "../../../urls";
import { voltages as texts } from "./texts";
import styles from "./VoltagesPage.module.css";

const undoMs = 10_000;

export function VoltagesPage() {
  const goBack = useGoBack(urls.home);
  const suspects = useSuspectVoltages();
  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      <QueryView query={suspects} failure={texts.failed}>
        {(all) => <SuspectVoltages all={all} />}
      </QueryView>
    </Page>
  );
}

const correctableOf = (suspects: readonly VoltageDoubt[]) => suspects.filter(({ isMendable }) => isMendable);

function SuspectVoltages({ all }: { all: VoltageDoubt[] }) {
  const [failure, setFailure] = useState<string | null>(null);
  const { mutateAsync, isPending } = useWrite("MendVoltages");
  async function send(fields: Parameters<typeof mutateAsync>[0]): Promise<VoltageDoubt[]> {
    const left = (await mutateAsync(fields)) ?? [];
    setCachedSuspectVoltages(left);
    return left;
  }
  const correctable = correctableOf(all);
  const unclear = all.filter(({ isMendable }) => !isMendable);

  async function undo() {
    try {
      // Each call handles a limited number.
      for (let count = -1, now = 0; now > count; ) {
        count = now;
        now = correctableOf(await send({ takeBack: true })).length;
      }
      showToast(texts.undone);
    } catch (error) {
      showToast(error instanceof ApiError ? error.text : texts.undoFailed);
    }
  }

  async function correct() {
    setFailure(null);
    try {
      for (let left = correctable.length; left > 0; ) {
        const now = correctableOf(await send({})).length;
        left = now < left ? now : 0;
      }
      showToast(texts.mended(correctable.length), undoMs, { text: texts.undo, onPress: () => void undo() });
    } catch (error) {
      setFailure(errorText(error, texts.mendFailed));
    }
  }

  async function keep(dpfId: string) {
    setFailure(null);
    await send({ keep: dpfId }).catch((error) => setFailure(errorText(error, texts.mendFailed)));
  }

  if (all.length === 0) {
    return (
      <EmptyState icon="success" action={<ButtonLink to={urls.flights}>{texts.toFlights}</ButtonLink>}>
        {texts.nothing}
      </EmptyState>
    );
  }
  return (
    <>
      <p className="quiet">{texts.why}</p>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      {correctable.length > 0 && (
        <section className={`card ${styles.frame}`} aria-labelledby="mendable-title">
          <h2 id="mendable-title">{texts.mendable}</h2>
          <ul>
            {correctable.map((suspect) => (
              <li key={suspect.dpfId} className={styles.row}>
                <Flight suspect={suspect} />
                <Pairs suspect={suspect} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {unclear.length > 0 && (
        <section className={`card ${styles.frame}`} aria-labelledby="odd-title">
          <h2 id="odd-title">{texts.odd}</h2>
          <p className="quiet">{texts.oddHint}</p>
          <ul>
            {unclear.map((suspect) => (
              <li key={suspect.dpfId} className={styles.row}>
                <Flight suspect={suspect} />
                <Pairs suspect={suspect} />
                <div className={styles.ways}>
                  <Button variant="quiet" onPress={() => keep(suspect.dpfId)}>
                    {texts.keep}
                    <span className="visually-hidden"> {suspect.startTime}</span>
                  </Button>
                  <ButtonLink to={urls.editFlight(suspect.dpfId)} icon="edit">
                    {texts.edit}
                    <span className="visually-hidden"> {suspect.startTime}</span>
                  </ButtonLink>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {correctable.length > 0 && (
        <ActionBar>
          <Button variant="primary" icon="check" isLarge isBusy={isPending} onPress={correct}>
            {texts.mendAll(correctable.length)}
          </Button>
        </ActionBar>
      )}
    </>
  );
}

function Flight({ suspect }: { suspect: VoltageDoubt }) {
  return (
    <Link className={styles.flight} to={urls.flight(suspect.dpfId)}>
      <strong>{suspect.copter}</strong>
      <span className="quiet">{suspect.startTime}</span>
    </Link>
  );
}

function Pairs({ suspect }: { suspect: VoltageDoubt }) {
  return (
    <dl className={styles.pairs}>
      <dt>{texts.before}</dt>
      <dd className={suspect.isMendable ? styles.wrong : undefined}>
        {pair(suspect.batteryStartVoltage, suspect.batteryEndVoltage)}
      </dd>
      {suspect.isMendable && (
        <>
          <dt>{texts.right}</dt>
          <dd>{pair(suspect.rightStartVoltage, suspect.rightEndVoltage)}</dd>
        </>
      )}
    </dl>
  );
}

function pair(start: number | null, end: number | null): string {
  if (start === null && end === null) return texts.none;
  const [from, to] = [start, end].map((volts) =>
    volts === null ? texts.unknown : formatQuantity(volts, "V"),
  );
  return texts.startAndEnd(from ?? "", to ?? "");
}
