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
  const doubts = useSuspectVoltages();
  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      <QueryView query={doubts} failure={texts.failed}>
        {(all) => <Doubts all={all} />}
      </QueryView>
    </Page>
  );
}

const mendableOf = (doubts: readonly VoltageDoubt[]) => doubts.filter(({ isMendable }) => isMendable);

function Doubts({ all }: { all: VoltageDoubt[] }) {
  const [failure, setFailure] = useState<string | null>(null);
  const { mutateAsync, isPending } = useWrite("MendVoltages");
  async function send(fields: Parameters<typeof mutateAsync>[0]): Promise<VoltageDoubt[]> {
    const left = (await mutateAsync(fields)) ?? [];
    setCachedSuspectVoltages(left);
    return left;
  }
  const mendable = mendableOf(all);
  const odd = all.filter(({ isMendable }) => !isMendable);

  async function takeBack() {
    try {
      // Each call handles a limited number.
      for (let count = -1, now = 0; now > count; ) {
        count = now;
        now = mendableOf(await send({ takeBack: true })).length;
      }
      showToast(texts.undone);
    } catch (error) {
      showToast(error instanceof ApiError ? error.text : texts.undoFailed);
    }
  }

  async function mend() {
    setFailure(null);
    try {
      for (let left = mendable.length; left > 0; ) {
        const now = mendableOf(await send({})).length;
        left = now < left ? now : 0;
      }
      showToast(texts.mended(mendable.length), undoMs, { text: texts.undo, onPress: () => void takeBack() });
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
      {mendable.length > 0 && (
        <section className={`card ${styles.frame}`} aria-labelledby="mendable-title">
          <h2 id="mendable-title">{texts.mendable}</h2>
          <ul>
            {mendable.map((doubt) => (
              <li key={doubt.dpfId} className={styles.row}>
                <Flight doubt={doubt} />
                <Pairs doubt={doubt} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {odd.length > 0 && (
        <section className={`card ${styles.frame}`} aria-labelledby="odd-title">
          <h2 id="odd-title">{texts.odd}</h2>
          <p className="quiet">{texts.oddHint}</p>
          <ul>
            {odd.map((doubt) => (
              <li key={doubt.dpfId} className={styles.row}>
                <Flight doubt={doubt} />
                <Pairs doubt={doubt} />
                <div className={styles.ways}>
                  <Button variant="quiet" onPress={() => keep(doubt.dpfId)}>
                    {texts.keep}
                    <span className="visually-hidden"> {doubt.startTime}</span>
                  </Button>
                  <ButtonLink to={urls.editFlight(doubt.dpfId)} icon="edit">
                    {texts.edit}
                    <span className="visually-hidden"> {doubt.startTime}</span>
                  </ButtonLink>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {mendable.length > 0 && (
        <ActionBar>
          <Button variant="primary" icon="check" isLarge isBusy={isPending} onPress={mend}>
            {texts.mendAll(mendable.length)}
          </Button>
        </ActionBar>
      )}
    </>
  );
}

function Flight({ doubt }: { doubt: VoltageDoubt }) {
  return (
    <Link className={styles.flight} to={urls.flight(doubt.dpfId)}>
      <strong>{doubt.copter}</strong>
      <span className="quiet">{doubt.startTime}</span>
    </Link>
  );
}

function Pairs({ doubt }: { doubt: VoltageDoubt }) {
  return (
    <dl className={styles.pairs}>
      <dt>{texts.before}</dt>
      <dd className={doubt.isMendable ? styles.wrong : undefined}>
        {pair(doubt.batteryStartVoltage, doubt.batteryEndVoltage)}
      </dd>
      {doubt.isMendable && (
        <>
          <dt>{texts.right}</dt>
          <dd>{pair(doubt.rightStartVoltage, doubt.rightEndVoltage)}</dd>
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
