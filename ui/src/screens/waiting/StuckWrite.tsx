// A queued write that needs the pilot's decision: the server's reason, and the options.
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { fetchFlight, useFlight } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { currentOutbox, perform } from "../../api/perform";
import { refetchOpenFlight, useServersOpenFlight } from "../../api/session";
import { Button } from "../../components/Button";
import { DateTimeField } from "../../components/dateFields";
import { Form, SubmitButton } from "../../components/Form";
import { Icon } from "../../components/Icon";
import { ErrorNote } from "../../components/states";
import { fieldNames } from "../../components/texts/flights";
import { formatDateTime, wallClock } from "../../lib/dates";
import { minutesSinceStart, startOf } from "../../lib/flightClock";
import { newId } from "../../lib/ids";
import { atTime, timeOf } from "../../offline/instants";
import { flightWithQueued } from "../../offline/overlay";
import { asFinishedFlight, asNewRequest, isInUse, replaced, withChoices } from "../../offline/queue";
import type { Conflict, QueueableWrite, QueuedWrite } from "../../offline/queuedWrites";
import { useQueueState } from "../../offline/queueState";
import { general, waitingLine } from "../../texts";
import { EditLink } from "./EditLink";
import { otherFieldNames, waiting as texts } from "./texts";
import { detailOf, titleOf } from "./titles";
import styles from "./WaitingPage.module.css";

export function StuckWrite({ entry, onDiscard }: { entry: QueuedWrite; onDiscard: () => void }) {
  const { problem } = entry;
  return (
    <section className={`card stack ${styles.stuck}`} aria-label={titleOf(entry)}>
      <h2>
        <Icon name="warning" size={24} />
        {waitingLine.stuck(1)}
      </h2>
      <div className={styles.what}>
        <strong>{titleOf(entry)}</strong>
        <span className="quiet">{detailOf(entry)}</span>
      </div>
      {problem?.kind === "open" && <OtherOpen entry={entry} onDiscard={onDiscard} />}
      {problem?.kind === "clash" && <Conflicts entry={entry} clashes={problem.clashes} />}
      {problem?.kind === "gone" && (
        <>
          <p>{texts.gone}</p>
          <Actions onDiscard={onDiscard}>
            <AddAgain entry={entry} />
          </Actions>
        </>
      )}
      {problem?.kind === "refused" && (
        <>
          <p>{problem.text}</p>
          {isAboutTime(problem) && <TimeQuestion entry={entry} />}
          <Actions onDiscard={onDiscard}>
            {isInUse(problem.text) && <SaveFinished entry={entry} />}
            <Button onPress={() => replaceAndSend(entry, asNewRequest(entry, confirmed(entry, problem)))}>
              {texts.tryAgain}
            </Button>
            <EditLink entry={entry} />
          </Actions>
        </>
      )}
    </section>
  );
}

/** Replaces a queued write as the pilot decided, and sends it at once. */
async function replaceAndSend(entry: QueuedWrite, ...by: QueuedWrite[]): Promise<void> {
  const queue = await currentOutbox();
  await queue?.change((entries) => replaced(entries, entry, ...by));
  await queue?.retryNow();
}

function Actions({ onDiscard, children }: { onDiscard: () => void; children: ReactNode }) {
  return (
    <div className={styles.ways}>
      <Button variant="danger" onPress={onDiscard}>
        {texts.discard}
      </Button>
      {children}
    </div>
  );
}

/** The write as it is sent again: with yes, if the server asked whether a job was done once more. */
function confirmed(entry: QueuedWrite, { field }: { field?: string | null }): QueueableWrite {
  if (entry.call !== "CompleteJob" || field !== "again") return entry;
  return { call: entry.call, fields: { ...entry.fields, again: true } };
}

function isAboutTime({ field }: { field?: string | null }): boolean {
  return field === "startTime" || field === "time";
}

/** Asks when it was that the device's clock put into the future. */
function TimeQuestion({ entry }: { entry: QueuedWrite }) {
  const form = useForm({ defaultValues: { time: formatDateTime(wallClock()) } });
  if (timeOf(entry) === null) return null;
  return (
    <Form
      form={form}
      onSubmit={({ time }) => replaceAndSend(entry, asNewRequest(entry, atTime(entry, time)))}
    >
      <DateTimeField
        control={form.control}
        name="time"
        label={texts.when}
        rules={{ required: general.required }}
      />
      <SubmitButton icon="check">{texts.sendAtTime}</SubmitButton>
    </Form>
  );
}

/** Adds a flight that was deleted elsewhere again, with the values known on this device. */
function AddAgain({ entry }: { entry: QueuedWrite }) {
  const { entries } = useQueueState();
  if (entry.flight === null || entry.call === "DeleteFlight") return null;
  const { copter, equipments, payloads, startTime, ...known } = flightWithQueued(entry.flight, entries);
  const config = { copter: copter.dpfId, equipments: equipments.map(({ dpfId }) => dpfId), payloads };
  async function add() {
    const fields = Object.fromEntries(
      Object.keys(fieldNames).map((name) => [name, known[name as keyof typeof known]]),
    );
    const dpfId = newId();
    const added = asNewRequest(entry, {
      call: "AddFlight",
      fields: { config, dpfId, flight: { ...fields, startTime } },
    });
    await replaceAndSend(entry, { ...added, subject: dpfId, object: dpfId, isMaybeThere: false });
  }
  return <Button onPress={add}>{texts.addAnew}</Button>;
}

/** Saves a flight that can't be started as one that has ended: such a flight is never refused. */
function SaveFinished({ entry }: { entry: QueuedWrite }) {
  const { entries } = useQueueState();
  if (entry.call !== "CreateFlight" || entry.flight === null) return null;
  const mine = flightWithQueued(entry.flight, entries);
  const typed = mine.flightTime === null ? { flightTime: atLeastOne(minutesSinceStart(mine)) } : {};
  const save = () => replaceAndSend(entry, asNewRequest(entry, asFinishedFlight(entry, typed)));
  return (
    <Button icon="save" onPress={save}>
      {texts.open.saveThis}
    </Button>
  );
}

function OtherOpen({ entry, onDiscard }: { entry: QueuedWrite; onDiscard: () => void }) {
  const { entries } = useQueueState();
  const [error, setError] = useState(false);
  const other = useOtherOpen();
  if (entry.call !== "CreateFlight" || entry.flight === null) return null;
  const create = entry;
  const mine = flightWithQueued(entry.flight, entries);
  async function decide(how: () => Promise<void>) {
    setError(false);
    await how().catch(() => setError(true));
  }
  async function endOther() {
    const dpfId = await refetchOpenFlight();
    if (dpfId !== null) {
      const other = await fetchFlight(dpfId);
      const flight = {
        dpfId,
        ...(other.flightTime === null && { flightTime: minutesUntil(other, mine) }),
      };
      await perform("SaveFlight", { flight, endFlight: true }, newId());
    }
    await replaceAndSend(create, asNewRequest(create));
  }
  return (
    <>
      <p>{other ? texts.open.which(other.copter.name, other.startTime) : texts.open.title}</p>
      <p>{texts.open.question}</p>
      {error && <ErrorNote>{texts.open.failed}</ErrorNote>}
      <div className={styles.ways}>
        <Button variant="primary" icon="finish" onPress={() => decide(endOther)}>
          {texts.open.endThat}
        </Button>
        <SaveFinished entry={create} />
        <Button variant="quiet" onPress={onDiscard}>
          {texts.discard}
        </Button>
      </div>
    </>
  );
}

/** Returns the flight that is open on the server. */
function useOtherOpen() {
  const { entries } = useQueueState();
  const dpfId = useServersOpenFlight();
  const isMine = entries.some(({ object }) => object === dpfId);
  return useFlight(dpfId ?? "", { isWanted: dpfId !== null && !isMine }).data;
}

/** The whole minutes from the start of a flight to that of the next. */
function minutesUntil(flight: Flight, next: Flight): number {
  const [start, end] = [startOf(flight), startOf(next)];
  return atLeastOne(start !== null && end !== null ? Math.round((end - start) / 60_000) : null);
}

function atLeastOne(minutes: number | null): number {
  return Math.max(1, minutes ?? 1);
}

function Conflicts({ entry, clashes }: { entry: QueuedWrite; clashes: Conflict[] }) {
  /** Records a choice; the write is sent once every field has one. */
  function decide(one: Conflict, choice: Conflict["choice"]) {
    const all = clashes.map((conflict) => (conflict === one ? { ...conflict, choice } : conflict));
    if (all.some(({ choice }) => choice === undefined)) {
      return replaceAndSend(entry, { ...entry, problem: { kind: "clash", clashes: all } });
    }
    const decided = withChoices(entry, all);
    return decided === null ? replaceAndSend(entry) : replaceAndSend(entry, decided);
  }
  return (
    <>
      <p>{texts.clash.title}</p>
      {clashes.map((conflict) => (
        <div key={conflict.field} className="stack">
          <p>{texts.clash.field(nameOf(conflict.field), typed(conflict.here), typed(conflict.there))}</p>
          <div className={styles.ways}>
            <ConflictChoice conflict={conflict} choice="here" onPress={() => decide(conflict, "here")}>
              {texts.clash.takeHere}
            </ConflictChoice>
            <ConflictChoice conflict={conflict} choice="there" onPress={() => decide(conflict, "there")}>
              {texts.clash.takeThere}
            </ConflictChoice>
          </div>
        </div>
      ))}
    </>
  );
}

/** Formats a value as a pilot types it: with a decimal comma. */
function typed(value: string): string {
  return /^-?\d+\.\d+$/.test(value) ? value.replace(".", ",") : value;
}

function nameOf(field: string): string {
  return { ...otherFieldNames, ...fieldNames }[field] ?? field;
}

function ConflictChoice({
  conflict,
  choice,
  onPress,
  children,
}: {
  conflict: Conflict;
  choice: NonNullable<Conflict["choice"]>;
  onPress: () => unknown;
  children: ReactNode;
}) {
  const isChosen = conflict.choice === choice;
  return (
    <Button
      variant={isChosen ? "primary" : "secondary"}
      onPress={onPress}
      {...(isChosen && { icon: "check" })}
    >
      {children}
    </Button>
  );
}
