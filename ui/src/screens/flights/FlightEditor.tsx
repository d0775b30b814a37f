// The form of a flight in three modes: "new" has the fields known before the flight, "finish" starts with the values
// read off after the landing, "edit" has everything and stays on the page. It sends only changed fields.
import { type ReactNode, useEffect, useState } from "react";
import { type Control, useForm, useFormContext, useWatch } from "react-hook-form";
import { useNavigate, useParams } from "react-router";
import { useDeleteFlight, useFlight, useLatestFlights, useSaveFlight } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { useKnownUser } from "../../api/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { DateTimeField } from "../../components/dateFields";
import {
  DraftNote,
  Form,
  type FormDraft,
  LeaveGuard,
  SubmitButton,
  settleForm,
  useFormDraft,
} from "../../components/Form";
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
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
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

export function FlightEditor({ mode }: { mode: FlightMode }) {
  const { dpfId = "" } = useParams();
  const query = useFlight(dpfId);
  const goBack = useGoBack(mode === "new" ? urls.home : urls.flight(dpfId));
  return (
    <Page
      title={flights.editorTitle}
      {...(query.data === undefined && query.isError && { onBack: goBack })}
      isNarrow
    >
      <FlightQueryView query={query}>
        {(flight) => <FlightForm key={`${mode} ${dpfId}`} flight={flight} mode={mode} onDone={goBack} />}
      </FlightQueryView>
    </Page>
  );
}

function FlightForm({ flight, mode, onDone }: { flight: Flight; mode: FlightMode; onDone: () => void }) {
  // The flight as the form was filled; a newer answer doesn't change which fields count as changed.
  const [loaded, setLoaded] = useState(flight);
  const { dpfId } = flight;
  const isOpenFlight = useKnownUser()?.openFlight === dpfId;
  const endFlight = mode === "finish" && isOpenFlight;
  const save = useSaveFlight(dpfId);
  const [proposal] = useState(() => proposedTime(flight, mode));
  const form = useForm<FlightValues>({ defaultValues: proposing(flight, proposal) });
  const { isDirty } = form.formState;
  const draft = useFormDraft(form, "flight", dpfId, toValues(loaded), numberFields);
  const { control } = form;

  async function submit(values: FlightValues) {
    let saved: Flight;
    try {
      saved = await save.mutateAsync({
        fields: changedFields(values, loaded, mode),
        endFlight,
        requestId: draft.requestIdFor({ ...values, endFlight }),
      });
    } catch (error) {
      throw namedAsInForm(error);
    }
    draft.clear();
    rememberFlight(dpfId);
    showToast(general.saved);
    if (mode === "edit") {
      setLoaded(saved);
      settleForm(form, values, toValues(saved));
    } else {
      onDone();
    }
  }

  useEffect(() => {
    // Saved elsewhere in the meantime, and nothing typed here: take it over.
    if (flight === loaded || isDirty) return;
    setLoaded(flight);
    form.reset(proposing(flight, proposal));
  }, [flight, loaded, isDirty, form, proposal]);

  const groups = {
    place: <PlaceGroup key="place" control={control} mode={mode} loaded={loaded} />,
    flight: <FlightGroup key="flight" control={control} mode={mode} proposal={proposal} />,
    battery: <BatteryGroup key="battery" control={control} mode={mode} />,
    notes: <NotesGroup key="notes" control={control} />,
  };
  return (
    <>
      <DraftNote draft={draft} />
      <LeaveGuard draft={draft} />
      <Form form={form} onSubmit={submit}>
        <p className={styles.subject}>
          <Icon name="drone" />
          <strong>{flight.copter.name}</strong>
          {mode !== "new" && <span className="quiet">{loaded.startTime}</span>}
          {isOpenFlight && <RunningBadge />}
        </p>
        {order[mode].map((group) => groups[group])}
        {isOpenFlight && <Discard flight={loaded} draft={draft} />}
        <ActionBar>
          <Button isLarge={mode !== "edit"} onPress={onDone}>
            {general.back}
          </Button>
          {endFlight ? (
            <SubmitButton icon="finish" variant="running" isLarge>
              {flights.end}
            </SubmitButton>
          ) : (
            <SubmitButton icon="save" isLarge={mode !== "edit"}>
              {general.save}
            </SubmitButton>
          )}
        </ActionBar>
      </Form>
    </>
  );
}

/** Deletes a flight that was started by mistake. */
function Discard({ flight, draft }: { flight: Flight; draft: FormDraft }) {
  const navigate = useNavigate();
  const remove = useDeleteFlight();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function discard() {
    try {
      await remove.mutateAsync(flight.dpfId);
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

function proposedTime(flight: Flight, mode: FlightMode): string {
  return mode === "finish" && flight.open ? proposedFlightTime(flight.startTime) : "";
}

function proposing(flight: Flight, flightTime: string): FlightValues {
  const values = toValues(flight);
  return values.flightTime === "" ? { ...values, flightTime } : values;
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

function PlaceGroup({ control, mode, loaded }: GroupProps & { loaded: Flight }) {
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
      <TextField
        control={control}
        name="location"
        label={flights.columns.location}
        maxLength={longTextLimit}
      />
      {mode === "new" && <LastLocation control={control} dpfId={loaded.dpfId} />}
      <GpsField control={control} name="startGps" label={flights.startGps} />
      {mode !== "new" && <GpsField control={control} name="endGps" label={flights.endGps} />}
    </Group>
  );
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

function FlightGroup({ control, mode, proposal }: GroupProps & { proposal: string }) {
  const { columns } = flights;
  const flightTime = useWatch({ control, name: "flightTime" });
  const isProposal = mode === "finish" && flightTime !== "" && flightTime === proposal;
  return (
    <Group icon="gauge" title={flights.groups.flight}>
      {mode !== "new" && (
        <div className={styles.numbers}>
          <NumberField
            control={control}
            name="flightTime"
            label={columns.flightTime}
            {...(isProposal && { hint: flights.proposedTime })}
          />
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

function BatteryGroup({ control, mode }: GroupProps) {
  return (
    <Group icon="battery" title={flights.groups.battery}>
      <div className={styles.numbers}>
        <NumberField control={control} name="batteryStartVoltage" label={flights.batteryStartVoltage} />
        {mode !== "new" && (
          <>
            <NumberField
              control={control}
              name="batteryEndVoltage"
              label={flights.batteryEndVoltage}
              autoFocus={mode === "finish"}
            />
            <NumberField control={control} name="consumedCapacity" label={flights.consumedCapacity} />
          </>
        )}
      </div>
    </Group>
  );
}

function NotesGroup({ control }: { control: Control<FlightValues> }) {
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
