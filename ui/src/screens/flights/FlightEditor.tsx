// The form of a flight in three modes: "new" has the fields known before the flight, "finish" starts with the values
// read off after the landing, "edit" has everything and stays on the page. It sends only changed fields.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Control, type UseFormReturn, useForm, useFormContext, useWatch } from "react-hook-form";
import { Navigate, useLocation, useNavigate, useParams } from "react-router";
import { isNotLoggedIn } from "../../api/client";
import { useAllEquipments } from "../../api/equipment";
import { loadFlight, useFlight, useLatestFlights } from "../../api/flights";
import type { Equipment } from "../../api/generated/Equipment";
import type { Flight } from "../../api/generated/Flight";
import type { FlightItem } from "../../api/generated/FlightItem";
import { Kind } from "../../api/generated/Kind";
import { useKnownUser } from "../../api/session";
import { useWrite } from "../../api/useWrite";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { DateTimeField } from "../../components/dateFields";
import { Form, SubmitButton, settleForm } from "../../components/Form";
import { DraftNote, type FormDraft, LeaveGuard, useFormDraft } from "../../components/FormDraft";
import {
  FieldColumns,
  longTextLimit,
  NumberField,
  RadioChoice,
  TextArea,
  TextField,
} from "../../components/fields";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { nextPacks, placeNamed, sameAgain, withPacks } from "../../components/start/readyFlight";
import { type PreparedStart, useBrokenOff, useStartFlight } from "../../components/start/useStartFlight";
import { ErrorNote, errorText, InfoNote } from "../../components/states";
import { showToast } from "../../components/toasts";
import type { Coordinates } from "../../lib/gps";
import { flights, general } from "../../texts";
import { urls } from "../../urls";
import { rememberFlight } from "./currentFlight";
import styles from "./FlightEditor.module.css";
import { FlightQueryView } from "./FlightQueryView";
import {
  changedFields,
  type FlightMode,
  type FlightValues,
  isInFuture,
  minutesTooLong,
  namedAsInForm,
  numberFields,
  proposedFlightTime,
  toValues,
} from "./flightForm";
import { GpsField } from "./GpsField";
import { RunningBadge } from "./Running";

const modeChoices = flights.modes.map((text, code) => ({ value: String(code), text }));

/** The most urgent fields come first: before the flight its place, after the landing the battery. */
const order: Record<FlightMode, readonly ("place" | "flight" | "battery" | "notes")[]> = {
  new: ["place", "battery", "flight", "notes"],
  finish: ["battery", "flight", "place", "notes"],
  edit: ["place", "flight", "battery", "notes"],
};

/** Of a flight that is open for longer than it can have taken. */
const orderTooLong = ["flight", "battery", "place", "notes"] as const;

export function FlightEditor({ mode }: { mode: FlightMode }) {
  const { dpfId = "" } = useParams();
  const query = useFlight(dpfId);
  const goBack = useGoBack(mode === "new" ? urls.home : urls.flight(dpfId));
  return (
    <Page
      title={flights.editorTitle}
      {...((mode === "finish" || (query.data === undefined && query.isError)) && { onBack: goBack })}
      isNarrow
    >
      <FlightQueryView query={query}>
        {(flight) => <FlightView key={`${mode} ${dpfId}`} flight={flight} mode={mode} onDone={goBack} />}
      </FlightQueryView>
    </Page>
  );
}

type ViewProps = { flight: Flight; mode: FlightMode; onDone: () => void };

/** A series that broke off after this flight was finished goes on at home. */
function FlightView(props: ViewProps) {
  const { flight, mode } = props;
  const openFlight = useKnownUser()?.openFlight ?? null;
  const isBrokenOff = useBrokenOff(flight.dpfId);
  const [isOver] = useState(mode === "finish" && !flight.open && isBrokenOff);
  if (!isOver) return <FlightForm {...props} />;
  return <Navigate to={openFlight === null ? urls.home : urls.finishFlight(openFlight)} replace />;
}

/** The value of the button that starts the next flight. */
const andNext = "next";

function FlightForm({ flight, mode, onDone }: ViewProps) {
  // The flight as the form was filled; a newer answer doesn't change which fields count as changed.
  const [loaded, setLoaded] = useState(flight);
  const { dpfId } = flight;
  const navigate = useNavigate();
  const isOpenFlight = useKnownUser()?.openFlight === dpfId;
  const starting = useStartFlight(dpfId);
  // While the next flight is started, this one has ended already.
  const endFlight = mode === "finish" && (isOpenFlight || starting.isStarting);
  const series = useSeries(flight, endFlight);
  const form = useForm<FlightValues>({ defaultValues: toValues(flight) });
  const { isDirty } = form.formState;
  const draft = useFormDraft(form, "flight", dpfId, toValues(loaded), numberFields);
  const { control } = form;
  const isTooLong = endFlight && minutesTooLong(loaded.startTime) !== null;

  async function submit(entered: FlightValues, pressed: string) {
    const values = { ...entered, flightTime: proposal.settled(entered.flightTime) };
    const packs = pressed === andNext ? series.packs : null;
    const next = packs && starting.prepare(withPacks(loaded, packs));
    let saved: Flight;
    try {
      const fields = { flight: { ...changedFields(values, loaded, mode), dpfId }, endFlight };
      saved = await draft.send("SaveFlight", { ...values, endFlight }, () => fields);
    } catch (error) {
      throw namedAsInForm(error);
    }
    draft.clear();
    rememberFlight(dpfId);
    if (packs && next) return startNext(next, saved, packs);
    starting.forget();
    showToast(general.saved);
    if (mode === "edit") {
      setLoaded(saved);
      settleForm(form, values, toValues(saved));
    } else {
      onDone();
    }
  }

  async function startNext(next: PreparedStart, ended: Flight, packs: Equipment[]) {
    try {
      const started = await starting.start(next, sameAgain(ended, packs));
      await loadFlight(started);
      showToast(flights.nextFlies(namesOf(packs)));
      navigate(urls.finishFlight(started), { replace: true, state: { isOfSeries: true } });
    } catch (error) {
      if (isNotLoggedIn(error)) return;
      const notStarted = flights.nextNotStarted(errorText(error, flights.unanswered));
      navigate(urls.home, { replace: true, state: { notStarted } });
    }
  }

  useEffect(() => {
    // Saved elsewhere in the meantime, and nothing typed here: take it over.
    if (flight === loaded || isDirty) return;
    setLoaded(flight);
    form.reset(toValues(flight));
  }, [flight, loaded, isDirty, form]);
  const proposal = useProposedTime(form, flight, mode);

  const groups = {
    place: <PlaceGroup key="place" control={control} mode={mode} dpfId={dpfId} />,
    flight: (
      <FlightGroup
        key="flight"
        control={control}
        mode={mode}
        proposal={proposal.text}
        autoFocus={isTooLong}
      />
    ),
    battery: <BatteryGroup key="battery" control={control} mode={mode} autoFocus={!isTooLong} />,
    notes: <NotesGroup key="notes" control={control} />,
  };
  return (
    <>
      <DraftNote draft={draft} />
      <LeaveGuard draft={draft} />
      <Form form={form} onSubmit={submit}>
        <p className={styles.subject}>
          <Icon name="drone" />
          <strong>{[flight.copter, ...packsOf(flight)].map(({ name }) => name).join(" · ")}</strong>
          {mode !== "new" && <span className="quiet">{loaded.startTime}</span>}
          {isOpenFlight && <RunningBadge />}
        </p>
        {isTooLong && <TooLong startTime={loaded.startTime} />}
        {(isTooLong ? orderTooLong : order[mode]).map((group) => groups[group])}
        {isOpenFlight && <Discard flight={loaded} draft={draft} />}
        <ActionBar>
          {endFlight ? (
            <EndButtons series={isTooLong ? null : series} />
          ) : (
            <>
              {mode !== "finish" && (
                <Button isLarge={mode !== "edit"} onPress={onDone}>
                  {general.back}
                </Button>
              )}
              <SubmitButton icon="save" isLarge={mode !== "edit"}>
                {general.save}
              </SubmitButton>
            </>
          )}
        </ActionBar>
      </Form>
    </>
  );
}

/** Deletes a flight that was started by mistake. */
function Discard({ flight, draft }: { flight: Flight; draft: FormDraft }) {
  const navigate = useNavigate();
  const remove = useWrite("DeleteFlight");
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function discard() {
    try {
      await remove.mutateAsync({ dpfId: flight.dpfId });
      draft.clear();
      navigate(urls.home, { replace: true });
    } catch (failure) {
      setError(errorText(namedAsInForm(failure), flights.deleteFailed));
    }
  }

  return (
    <div className={styles.discard}>
      {error !== null && <ErrorNote>{error}</ErrorNote>}
      <Button
        variant="quiet"
        icon="delete"
        onPress={() => {
          setError(null);
          setAsking(true);
        }}
      >
        {flights.discard}
      </Button>
      <ConfirmDialog
        question={flights.discardQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={discard}
        isDangerous
      >
        <p className="quiet">{flights.deleteWhich(flight.copter.name, flight.startTime, flight.location)}</p>
        <p className="quiet">{flights.deleteAlong}</p>
      </ConfirmDialog>
    </div>
  );
}

/** A second tap of the same thumb isn't one for the flight that has just begun. */
const calmMs = 1_000;

function EndButtons({ series }: { series: Series | null }) {
  const { isOfSeries = false } = (useLocation().state ?? {}) as { isOfSeries?: boolean };
  const [isCalm, setCalm] = useState(!isOfSeries);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), calmMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.end}>
      <SubmitButton icon="finish" variant="running" isLarge isDisabled={!isCalm}>
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
            isDisabled={!isCalm || series.packs === null}
          >
            {flights.endAndNext}
            <span className={styles.nextPack}>{namesOf(series.packs ?? []) || "\u00a0"}</span>
          </SubmitButton>
        ))}
    </div>
  );
}

/** `packs`: those of the next flight; null when not enough are charged, or as long as nobody knows. */
type Series = { isWanted: boolean; isPending: boolean; packs: Equipment[] | null };

function useSeries(flight: Flight, isEnding: boolean): Series {
  const isWanted = isEnding && packsOf(flight).length > 0;
  const all = useAllEquipments(isWanted);
  return {
    isWanted: isWanted && !all.isError,
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

/** A flight that somebody forgot to finish. */
function TooLong({ startTime }: { startTime: string }) {
  return <InfoNote icon="warning">{flights.openTooLong(minutesTooLong(startTime) ?? 0)}</InfoNote>;
}

const followMs = 5_000;

/** The flight time that is proposed, which follows the clock until another one is typed or this one is sent. */
function useProposedTime(form: UseFormReturn<FlightValues>, flight: Flight, mode: FlightMode) {
  const [text, setText] = useState("");
  const shown = useRef("");
  const isSettled = useRef(false);
  const { getValues, resetField } = form;
  useEffect(() => {
    const { startTime, open, flightTime } = flight;
    function follow() {
      if (isSettled.current || getValues("flightTime") !== shown.current) return;
      shown.current = proposedFlightTime(startTime);
      resetField("flightTime", { defaultValue: shown.current });
      setText(shown.current);
    }
    if (mode !== "finish" || !open || flightTime !== null) return;
    // The form was filled anew.
    if (getValues("flightTime") === "") shown.current = "";
    follow();
    const timer = setInterval(follow, followMs);
    return () => clearInterval(timer);
  }, [flight, mode, getValues, resetField]);
  return {
    text,
    /** The flight time to send; sent again it is the same. */
    settled(typed: string): string {
      if (isSettled.current || typed === "" || typed !== text) return typed;
      isSettled.current = true;
      return proposedFlightTime(flight.startTime);
    },
  };
}

type GroupProps = { control: Control<FlightValues>; mode: FlightMode };

function Group({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <div className="card stack">
      <h2 className={styles.groupTitle}>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </div>
  );
}

/** `beside`: a field after the start time. `dpfId`: of the flight, where the one before it may tell the place. */
export function PlaceGroup({
  control,
  mode,
  dpfId,
  beside,
}: GroupProps & { dpfId?: string; beside?: ReactNode }) {
  const startTime = useWatch({ control, name: "startTime" });
  return (
    <Group icon="map-pin" title={flights.groups.place}>
      <DateTimeField
        control={control}
        name="startTime"
        label={flights.columns.startTime}
        rules={{ required: general.required }}
        {...(isInFuture(startTime) && { hint: flights.startInFuture })}
      />
      {beside}
      <TextField
        control={control}
        name="location"
        label={flights.columns.location}
        maxLength={longTextLimit}
      />
      {mode === "new" && dpfId !== undefined && <LastLocation control={control} dpfId={dpfId} />}
      <StartGps control={control} />
      {mode !== "new" && <GpsField control={control} name="endGps" label={flights.endGps} />}
    </Group>
  );
}

/** "Mein Standort" also fills in the name of a place where the pilot has flown before. */
function StartGps({ control }: Pick<GroupProps, "control">) {
  const { getValues, setValue } = useFormContext<FlightValues>();
  const flown = useLatestFlights().data ?? [];
  function name(position: Coordinates) {
    const place = placeNamed(flown, position);
    if (place !== "" && getValues("location") === "") setValue("location", place, { shouldDirty: true });
  }
  return <GpsField control={control} name="startGps" label={flights.startGps} onFound={name} />;
}

/** Fills in the place of the flight before with one tap. */
function LastLocation({ control, dpfId }: { control: Control<FlightValues>; dpfId: string }) {
  const { setValue } = useFormContext<FlightValues>();
  const location = useWatch({ control, name: "location" });
  const before = useLatestFlights().data?.find((row) => row.dpfId !== dpfId)?.location ?? "";
  if (location !== "" || before === "") return null;
  return (
    <div className={styles.suggestion}>
      <Button
        variant="quiet"
        icon="history"
        onPress={() => setValue("location", before, { shouldDirty: true })}
      >
        {flights.fillLocation(before)}
      </Button>
    </div>
  );
}

export function FlightGroup({
  control,
  mode,
  proposal = "",
  autoFocus = false,
  hasTime = mode !== "new",
}: GroupProps & { proposal?: string; autoFocus?: boolean; hasTime?: boolean }) {
  const { columns } = flights;
  const flightTime = useWatch({ control, name: "flightTime" });
  const isProposal = mode === "finish" && flightTime !== "" && flightTime === proposal;
  return (
    <Group icon="gauge" title={flights.groups.flight}>
      {mode !== "new" && (
        <div className={styles.numbers}>
          {hasTime && (
            <NumberField
              control={control}
              name="flightTime"
              label={columns.flightTime}
              autoFocus={autoFocus}
              {...(isProposal && { hint: flights.proposedTime })}
            />
          )}
          <NumberField control={control} name="maximumAltitude" label={columns.maximumAltitude} />
          <NumberField control={control} name="distance" label={columns.distance} />
          <NumberField control={control} name="maximumDistance" label={columns.maximumDistance} />
          <NumberField control={control} name="speed" label={columns.speed} />
        </div>
      )}
      <RadioChoice control={control} name="flightMode" label={flights.flightMode} choices={modeChoices} />
    </Group>
  );
}

export function BatteryGroup({ control, mode, autoFocus = false }: GroupProps & { autoFocus?: boolean }) {
  const start = (
    <NumberField control={control} name="batteryStartVoltage" label={flights.batteryStartVoltage} />
  );
  const end = (
    <>
      <NumberField
        control={control}
        name="batteryEndVoltage"
        label={flights.batteryEndVoltage}
        autoFocus={mode === "finish" && autoFocus}
      />
      <NumberField control={control} name="consumedCapacity" label={flights.consumedCapacity} />
    </>
  );
  return (
    <Group icon="battery" title={flights.groups.battery}>
      {mode === "finish" && <div className={`${styles.numbers} ${styles.landed}`}>{end}</div>}
      <div className={styles.numbers}>
        {start}
        {mode === "edit" && end}
      </div>
    </Group>
  );
}

export function NotesGroup({ control }: Pick<GroupProps, "control">) {
  return (
    <Group icon="notes" title={flights.groups.notes}>
      <FieldColumns>
        <TextArea control={control} name="weatherConditions" label={flights.weatherConditions} rows={2} />
        <TextArea control={control} name="purpose" label={flights.purpose} rows={2} />
      </FieldColumns>
      <TextArea control={control} name="notes" label={flights.notes} rows={4} />
    </Group>
  );
}
