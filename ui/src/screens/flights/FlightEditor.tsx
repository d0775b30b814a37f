// The form of a flight in three modes: "new" has the fields known before the flight, "finish" starts with the values
// read off after the landing, "edit" has every field and stays on the page. Sends only changed fields.

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Navigate, useLocation, useNavigate, useParams } from "react-router";
import { isNotLoggedIn } from "../../api/client";
import { useFlyableEquipments } from "../../api/equipment";
import { numberFields } from "../../api/flightFields";
import { prefetchFlight, useFlight } from "../../api/flights";
import type { Equipment } from "../../api/generated/Equipment";
import type { Flight } from "../../api/generated/Flight";
import type { FlightItem } from "../../api/generated/FlightItem";
import { Kind } from "../../api/generated/Kind";
import { useCachedUser } from "../../api/session";
import { Form, SubmitButton, settleForm } from "../../components/Form";
import { DraftNote, LeaveGuard, useFormDraft } from "../../components/FormDraft";
import { Icon } from "../../components/Icon";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { RunningClock } from "../../components/start/RunningClock";
import {
  defaultsFromFlight,
  hasOthersOfType,
  nextPacks,
  withPacks,
} from "../../components/start/readyFlight";
import { useIsStartPressed, useStartFlight } from "../../components/start/useStartFlight";
import { errorText, InfoNote } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { savedText, showToast } from "../../components/toasts";
import { type Moment, moment } from "../../lib/clock";
import { wasQueued } from "../../offline/queueState";
import { general } from "../../texts";
import { urls } from "../../urls";
import { rememberFlight } from "./currentFlight";
import styles from "./FlightEditor.module.css";
import { BatteryGroup, FlightGroup, GpsGroup, NotesGroup, PlaceGroup } from "./FlightGroups";
import { FlightQueryView } from "./FlightQueryView";
import {
  changedFields,
  type FlightMode,
  type FlightValues,
  minutesTooLong,
  toValues,
  withFormFieldNames,
} from "./flightForm";
import { type LandingState, useLanding } from "./useLanding";

/** Order of the groups, most urgent first: before the flight the place, after the landing the battery. */
const order: Record<FlightMode, readonly ("place" | "flight" | "battery" | "notes")[]> = {
  new: ["place", "battery", "flight", "notes"],
  finish: ["battery", "flight", "place", "notes"],
  edit: ["place", "flight", "battery", "notes"],
};

/** Order for a flight that has been open for longer than it can have taken. */
const orderTooLong = ["flight", "battery", "place", "notes"] as const;

export function FlightEditor({ mode }: { mode: FlightMode }) {
  const { dpfId = "" } = useParams();
  const query = useFlight(dpfId);
  const goBack = useGoBack(mode === "new" ? urls.home : urls.flight(dpfId));
  return (
    <Page title={flights.editorTitle} onBack={goBack} isNarrow={mode !== "edit"}>
      <FlightQueryView query={query}>
        {(flight) => <FlightView key={`${mode} ${dpfId}`} flight={flight} mode={mode} onDone={goBack} />}
      </FlightQueryView>
    </Page>
  );
}

type ViewProps = { flight: Flight; mode: FlightMode; onDone: () => void };

/** The routes of an existing flight. A series that was left after this flight had been finished continues on home. */
function FlightView(props: ViewProps) {
  const { flight, mode } = props;
  const [isOver] = useState(mode === "finish" && !flight.open);
  const isBrokenOff = useIsStartPressed(flight.dpfId, isOver);
  return isBrokenOff ? <FinishOpenFlight /> : <FlightForm {...props} />;
}

/** The form of the open flight; redirects to home if there is none. */
export function FinishOpenFlight() {
  const openFlight = useCachedUser()?.openFlight ?? null;
  return <Navigate to={openFlight === null ? urls.home : urls.finishFlight(openFlight)} replace />;
}

/** Values of the submit buttons that start the next flight, and that lead to the end of this one. */
const andNext = "next";
const andEnd = "end";

function FlightForm({ flight, mode, onDone }: ViewProps) {
  // The flight that the form was filled from. Answers that arrive later don't change which fields count as changed.
  const [loaded, setLoaded] = useState(flight);
  const { dpfId } = flight;
  const navigate = useNavigate();
  const isOpenFlight = useCachedUser()?.openFlight === dpfId;
  const starting = useStartFlight(dpfId);
  // The flight has ended already while the next one is being started.
  const endFlight = mode === "finish" && (isOpenFlight || starting.isStarting);
  const series = useSeries(flight, endFlight);
  const form = useForm<FlightValues>({ defaultValues: toValues(flight) });
  const { isDirty } = form.formState;
  const draft = useFormDraft(form, "flight", dpfId, toValues(loaded), numberFields);
  const { control } = form;
  const isTooLong = endFlight && minutesTooLong(loaded) !== null;

  async function submit(entered: FlightValues, pressed: string) {
    const pressedAt = moment();
    const landed = endFlight ? landing.land(entered.flightTime) : null;
    const values = landed === null ? entered : { ...entered, flightTime: landed.flightTime };
    const packs = pressed === andNext ? series.packs : null;
    let saved: Flight;
    try {
      const end = landed && { endInstant: new Date(landed.at.server).toISOString() };
      const fields = { flight: { ...changedFields(values, loaded, mode), dpfId }, endFlight, ...end };
      saved = await draft.send("SaveFlight", { ...values, endFlight }, () => fields);
    } catch (error) {
      throw withFormFieldNames(error);
    }
    draft.clear();
    rememberFlight(dpfId);
    if (packs) return startNext(saved, packs);
    if (pressed === andEnd) {
      const state: LandingState = { landedAt: pressedAt };
      return navigate(urls.finishFlight(dpfId), { replace: true, state });
    }
    showToast(savedText(saved));
    if (mode === "edit") {
      setLoaded(saved);
      settleForm(form, values, toValues(saved));
    } else {
      onDone();
    }
  }

  async function startNext(ended: Flight, packs: Equipment[]) {
    try {
      const started = await starting.start(withPacks(loaded, packs), defaultsFromFlight(ended, packs));
      await prefetchFlight(started);
      showToast(flights.nextFlies(namesOf(packs), wasQueued(ended)));
      navigate(urls.finishFlight(started), { replace: true, state: { isOfSeries: true } });
    } catch (error) {
      if (isNotLoggedIn(error)) return;
      const notStarted = flights.nextNotStarted(errorText(error, flights.unanswered));
      navigate(urls.home, { replace: true, state: { notStarted } });
    }
  }

  useEffect(() => {
    // Saved elsewhere in the meantime, and nothing typed here: takes over the stored values.
    if (flight === loaded || isDirty) return;
    setLoaded(flight);
    form.reset(toValues(flight));
  }, [flight, loaded, isDirty, form]);
  const landing = useLanding(form, flight, mode, draft.restoredAt);

  const equipments = loaded.equipments.map(({ dpfId: flown }) => flown);
  const groups = {
    place: (
      <div key="place" className="stack">
        <PlaceGroup control={control} mode={mode} dpfId={dpfId} />
        <GpsGroup control={control} mode={mode} />
      </div>
    ),
    flight: (
      <FlightGroup
        key="flight"
        control={control}
        mode={mode}
        flight={loaded}
        proposal={landing.proposal}
        autoFocus={isTooLong}
      />
    ),
    battery: <BatteryGroup key="battery" {...{ control, mode, equipments }} autoFocus={!isTooLong} />,
    notes: <NotesGroup key="notes" control={control} isFolded={mode !== "edit"} />,
  };
  return (
    <>
      <DraftNote draft={draft} />
      <LeaveGuard draft={draft} />
      <Form form={form} onSubmit={submit}>
        <Subject
          flight={loaded}
          isOpen={isOpenFlight}
          landed={landing.at}
          onDiscarded={() => {
            draft.clear();
            navigate(urls.home, { replace: true });
          }}
        />
        {isTooLong && <TooLong flight={loaded} />}
        <div className={mode === "edit" ? `${styles.groups} ${styles.whole}` : styles.groups}>
          {(isTooLong ? orderTooLong : order[mode]).map((group) => groups[group])}
        </div>
        <ActionBar>
          {endFlight ? (
            <EndButtons series={isTooLong ? null : series} />
          ) : (
            <SaveButtons isFlying={mode === "new" && isOpenFlight} />
          )}
        </ActionBar>
      </Form>
    </>
  );
}

/** The flight's copter, and the clock of an open flight. */
function Subject({
  flight,
  isOpen,
  landed,
  onDiscarded,
}: {
  flight: Flight;
  isOpen: boolean;
  landed: Moment | null;
  onDiscarded: () => void;
}) {
  const what = <strong>{[flight.copter, ...packsOf(flight)].map(({ name }) => name).join(" · ")}</strong>;
  if (!isOpen) {
    return (
      <p className={styles.subject}>
        <Icon name="drone" />
        {what}
        <span className="quiet">{flight.startTime}</span>
      </p>
    );
  }
  return (
    <div className={`card ${styles.flying}`}>
      <RunningClock
        flight={flight}
        stoppedAt={landed}
        what={<p className={styles.subject}>{what}</p>}
        onDiscarded={onDiscarded}
      />
    </div>
  );
}

/** Time after the start of a series' next flight in which taps are ignored: they were meant for the flight before. */
const ignoreTapsMs = 1_000;

function EndButtons({ series }: { series: Series | null }) {
  const { isOfSeries = false } = (useLocation().state ?? {}) as LandingState;
  const [isEnabled, setEnabled] = useState(!isOfSeries);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), ignoreTapsMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.end}>
      <SubmitButton icon="finish" variant="running" isLarge isDisabled={!isEnabled}>
        {flights.end}
      </SubmitButton>
      {series?.isWanted &&
        (series.packs === null && !series.isPending ? (
          <p className={styles.noPack}>{flights.noChargedPack}</p>
        ) : (
          <SubmitButton
            variant="secondary"
            isLarge
            value={andNext}
            isDisabled={!isEnabled || series.packs === null}
          >
            {flights.endAndNext}
            <span className={styles.nextPack}>{namesOf(series.packs ?? []) || "\u00a0"}</span>
          </SubmitButton>
        ))}
    </div>
  );
}

/** `isFlying`: who has landed without leaving the form ends the flight here. */
function SaveButtons({ isFlying }: { isFlying: boolean }) {
  const save = (
    <SubmitButton icon="save" isLarge>
      {general.save}
    </SubmitButton>
  );
  if (!isFlying) return save;
  return (
    <div className={styles.end}>
      {save}
      <SubmitButton icon="finish" variant="running" isLarge value={andEnd}>
        {flights.finish}
      </SubmitButton>
    </div>
  );
}

/** The next flight of a series. `packs`: its packs; null while unknown, or if too few are charged. */
type Series = { isWanted: boolean; isPending: boolean; packs: Equipment[] | null };

function useSeries(flight: Flight, isEnding: boolean): Series {
  const isWanted = isEnding && packsOf(flight).length > 0;
  const all = useFlyableEquipments(isWanted);
  const hasOthers = all.data === undefined || hasOthersOfType(flight, all.data.batteries);
  return {
    isWanted: isWanted && hasOthers && !all.isLoadingError,
    isPending: all.isPending,
    packs: all.data ? nextPacks(flight, all.data.batteries) : null,
  };
}

function packsOf(flight: Flight): FlightItem[] {
  return flight.equipments.filter((item) => item.type === Kind.Battery);
}

function namesOf(packs: readonly { name: string }[]): string {
  return packs.map(({ name }) => name).join(", ");
}

/** The note on a flight that was probably left open by mistake. */
function TooLong({ flight }: { flight: Flight }) {
  return <InfoNote icon="warning">{flights.openTooLong(minutesTooLong(flight) ?? 0)}</InfoNote>;
}
