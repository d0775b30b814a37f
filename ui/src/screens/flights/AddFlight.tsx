// A past flight in one form: time, equipment and values. Prefilled from the last flight; equipment that was retired
// later can be chosen for a flight before its retirement.

import { useEffect, useRef } from "react";
import { type Control, type UseFormReturn, useController, useForm, useWatch } from "react-hook-form";
import { ApiError } from "../../api/client";
import { useFlyableEquipments } from "../../api/equipment";
import { numberFields } from "../../api/flightFields";
import { useLatestFlights } from "../../api/flights";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import { kinds } from "../../api/kinds";
import { mayUse } from "../../api/spaces";
import { Form, SubmitButton } from "../../components/Form";
import { DraftNote, LeaveGuard, useFormDraft } from "../../components/FormDraft";
import { NumberField } from "../../components/fields";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import {
  byKind,
  byLastUse,
  type Choice,
  followingPacks,
  isSameType,
  usableAt,
} from "../../components/start/readyFlight";
import { QueryView, Skeleton } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { savedText, showToast } from "../../components/toasts";
import type { DayTime } from "../../lib/dates";
import { general } from "../../texts";
import { urls } from "../../urls";
import { EquipmentSections } from "./ChoiceSections";
import styles from "./FlightEditor.module.css";
import { BatteryGroup, FlightGroup, GpsGroup, NotesGroup, PlaceGroup } from "./FlightGroups";
import {
  emptyFlight,
  endOf,
  enteredFields,
  type FlightValues,
  nextInSeries,
  pastStart,
  withFormFieldNames,
} from "./flightForm";
import { noPayload, PayloadSection, type PayloadValues, withTyped } from "./PayloadSection";
import { useOwnPacks } from "./useOwnPacks";
import { useRetired } from "./useRetired";

type Values = FlightValues & Choice;

export function AddFlight() {
  const goBack = useGoBack(urls.flights);
  const all = useFlyableEquipments();
  const latest = useLatestFlights();
  const retired = useRetired();
  return (
    <Page title={flights.add} onBack={goBack} isNarrow>
      <QueryView query={all} failure={flights.configFailed} skeleton={<Skeleton count={4} height={6} />}>
        {(active) =>
          latest.isPending || retired === null ? (
            <Skeleton count={4} height={6} />
          ) : (
            <AddForm active={active} retired={retired} flown={latest.data} onDone={goBack} />
          )
        }
      </QueryView>
    </Page>
  );
}

/** Value of the submit button that saves and continues with the next flight. */
const addAnother = "another";

function AddForm({
  active,
  retired,
  flown,
  onDone,
}: {
  active: AllEquipments;
  retired: Equipment[];
  /** Latest flights, newest first; undefined if they are unknown. */
  flown: FlightRow[] | undefined;
  onDone: () => void;
}) {
  const last = flown?.find((row) => !row.open);
  const form = useForm<Values>({ defaultValues: valuesLikeLast(last, usualCopter(last, active.copters)) });
  const draft = useFormDraft(form, "addFlight", "new", undefined, numberFields);
  const continueAfter = usePastStart(form);
  const payloadForm = useForm<PayloadValues>({ defaultValues: noPayload });
  const [startTime, copter, equipments, payloads] = useWatch({
    control: form.control,
    name: ["startTime", "copter", "equipments", "payloads"],
  });
  const all = byKind(active);
  const usable = (kind: Kind) =>
    usableAt(
      startTime,
      all[kind],
      retired.filter(({ type }) => type === kind),
    );
  const isUsable = (dpfId: string) => kinds.some((kind) => usable(kind).some((item) => item.dpfId === dpfId));
  const copterField = useCopterField(form, isUsable);
  // The editor's fields don't know the equipment.
  const control = form.control as unknown as Control<FlightValues>;

  async function submit(values: Values, pressed: string) {
    const config = {
      copter: values.copter,
      equipments: values.equipments.filter(isUsable),
      payloads: await withTyped(payloadForm, values.payloads),
    };
    const flight = enteredFields(values);
    let saved: unknown;
    try {
      saved = await draft.send("AddFlight", { ...values, ...config }, (dpfId) => ({ config, flight, dpfId }));
    } catch (error) {
      throw asFormError(withFormFieldNames(error));
    }
    draft.clear();
    showToast(savedText(saved));
    if (pressed !== addAnother) return onDone();
    const batteries = usable(Kind.Battery);
    const packs = batteries.filter(({ dpfId }) => config.equipments.includes(dpfId));
    const others = config.equipments.filter((dpfId) => !packs.some((pack) => pack.dpfId === dpfId));
    const followingIds = followingPacks(packs, batteries).map(({ dpfId }) => dpfId);
    window.scrollTo({ top: 0 });
    // Set before the reset, which unregisters the fields until the next render.
    form.setFocus("flightTime");
    payloadForm.reset();
    const next = nextInSeries(values);
    continueAfter(endOf(values), next.startTime);
    form.reset({ ...next, ...config, equipments: [...followingIds, ...others] });
    own.propose(followingIds);
  }
  function choose(change: Partial<Choice>) {
    for (const [name, value] of Object.entries(change)) {
      form.setValue(name as keyof Choice, value, { shouldDirty: true });
    }
  }
  const own = useOwnPacks({
    atFirst: packsOf(last),
    flown: flown ?? [],
    packs: usable(Kind.Battery),
    packsLike: packsOf,
    read: form.getValues,
    change: choose,
  });
  const { setFocus } = form;
  useEffect(() => setFocus("flightTime"), [setFocus]);
  return (
    <>
      <DraftNote draft={draft} />
      <LeaveGuard draft={draft} />
      <Form form={form} onSubmit={submit}>
        <PlaceGroup
          control={control}
          mode="edit"
          beside={<NumberField control={control} name="flightTime" label={flights.columns.flightTime} />}
        />
        <EquipmentSections
          itemsOf={(kind) => likelyFirst(usable(kind), [copter, ...own.brought])}
          copter={copter}
          equipments={equipments}
          onChange={(next) => (next.copter === undefined ? choose(next) : own.chooseCopter(next.copter))}
          copterField={copterField}
          isInForm
        >
          <PayloadSection
            form={payloadForm}
            payloads={payloads}
            onChange={(next) => choose({ payloads: next })}
            isInForm
          />
        </EquipmentSections>
        <BatteryGroup control={control} mode="edit" equipments={equipments} isFolded />
        <FlightGroup control={control} mode="edit" hasTime={false} />
        <GpsGroup control={control} mode="edit" />
        <NotesGroup control={control} isFolded />
        <ActionBar>
          <div className={styles.end}>
            <SubmitButton icon="save" isLarge>
              {general.save}
            </SubmitButton>
            <SubmitButton variant="secondary" isLarge value={addAnother}>
              {flights.addAnother}
            </SubmitButton>
          </div>
        </ActionBar>
      </Form>
    </>
  );
}

/** The choice of the copter as a field: a copter is required that could fly at that time. */
function useCopterField(form: UseFormReturn<Values>, isUsable: (dpfId: string) => boolean) {
  const { field, fieldState } = useController({
    control: form.control,
    name: "copter",
    rules: { validate: (dpfId) => isUsable(dpfId) || flights.copterMissing },
  });
  return { error: isUsable(field.value) ? undefined : fieldState.error?.message, ref: field.ref };
}

/**
 * Moves the start while minutes are typed, until the pilot sets it. Returns a function that sets the start of the next
 * flight in a series, and the end of the flight before it.
 */
function usePastStart(form: UseFormReturn<Values>): (before: DayTime | null, start: string) => void {
  const flightTime = useWatch({ control: form.control, name: "flightTime" });
  const proposed = useRef({ before: null as DayTime | null, start: form.getValues("startTime") });
  useEffect(() => {
    const { before, start } = proposed.current;
    if (form.getValues("startTime") !== start) return;
    const next = pastStart(flightTime, before);
    proposed.current = { before, start: next };
    if (next !== start) form.setValue("startTime", next, { shouldDirty: true });
  }, [form, flightTime]);
  return (before, start) => {
    proposed.current = { before, start };
  };
}

function packsOf(flight: FlightRow | undefined): string[] {
  return (flight?.equipments ?? []).filter(({ type }) => type === Kind.Battery).map(({ dpfId }) => dpfId);
}

/** Sorts items: proposed ones and those of their type first, then by last flight. */
function likelyFirst(items: Equipment[], proposed: readonly string[]): Equipment[] {
  const chosen = items.filter(({ dpfId }) => proposed.includes(dpfId));
  const likely = items.filter((item) => chosen.some((one) => isSameType(one, item)));
  return byLastUse(
    items,
    likely.map(({ dpfId }) => dpfId),
  );
}

/** The copter of the last flight, or the only one that can fly now. */
function usualCopter(last: FlightRow | undefined, copters: Equipment[]): string {
  if (copters.some(({ dpfId }) => dpfId === last?.copter.dpfId)) return last?.copter.dpfId ?? "";
  const [only, another] = copters.filter(mayUse);
  return only !== undefined && another === undefined ? only.dpfId : (last?.copter.dpfId ?? "");
}

function valuesLikeLast(last: FlightRow | undefined, copter: string): Values {
  return {
    ...emptyFlight,
    startTime: pastStart("", null),
    location: last?.location ?? "",
    copter,
    equipments: last?.equipments.map(({ dpfId }) => dpfId) ?? [],
    payloads: last?.payloads ?? [],
  };
}

/** Turns an error of the choice of equipment into one of the whole form, because the choice can't show it. */
function asFormError(error: unknown): unknown {
  const isOfChoice = error instanceof ApiError && ["copter", "equipments"].includes(error.field ?? "");
  return isOfChoice ? new ApiError(error.status, error.text, null) : error;
}
