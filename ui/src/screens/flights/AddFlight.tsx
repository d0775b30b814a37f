// A past flight in one form: when, with what, and what was read off. It begins like the last flight; equipment that was
// retired since may be chosen for a flight before that.
import { useEffect } from "react";
import { type Control, useForm, useWatch } from "react-hook-form";
import { ApiError } from "../../api/client";
import { useAllEquipments } from "../../api/equipment";
import { useAddFlight, useLatestFlights } from "../../api/flights";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import type { Payload } from "../../api/generated/Payload";
import { kinds } from "../../api/kinds";
import { DraftNote, Form, LeaveGuard, SubmitButton, useFormDraft } from "../../components/Form";
import { NumberField } from "../../components/fields";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { byKind, byUse, followingPacks, usableAt } from "../../components/start/readyFlight";
import { QueryView, Skeleton } from "../../components/states";
import { showToast } from "../../components/toasts";
import { formatDateTime, wallClock } from "../../lib/dates";
import { flights, general } from "../../texts";
import { urls } from "../../urls";
import { CopterSection, KindSection } from "./ChoiceSections";
import styles from "./FlightConfig.module.css";
import { BatteryGroup, FlightGroup, NotesGroup, PlaceGroup } from "./FlightEditor";
import buttons from "./FlightEditor.module.css";
import {
  emptyFlight,
  enteredFields,
  type FlightValues,
  laterAgain,
  namedAsInForm,
  numberFields,
} from "./flightForm";
import { noPayload, PayloadSection, type PayloadValues, withTyped } from "./PayloadSection";
import { useRetired } from "./useRetired";

type Values = FlightValues & { copter: string; equipments: string[]; payloads: Payload[] };

export function AddFlight() {
  const goBack = useGoBack(urls.flights);
  const all = useAllEquipments();
  const latest = useLatestFlights();
  const retired = useRetired();
  return (
    <Page title={flights.add} onBack={goBack} isNarrow>
      <QueryView query={all} failure={flights.configFailed} skeleton={<Skeleton count={4} height={6} />}>
        {(active) =>
          latest.isPending || retired === null ? (
            <Skeleton count={4} height={6} />
          ) : (
            <AddForm active={active} retired={retired} last={latest.data?.[0] ?? null} onDone={goBack} />
          )
        }
      </QueryView>
    </Page>
  );
}

/** The value of the button that begins with the next flight. */
const another = "another";

function AddForm({
  active,
  retired,
  last,
  onDone,
}: {
  active: AllEquipments;
  retired: Equipment[];
  last: FlightRow | null;
  onDone: () => void;
}) {
  const add = useAddFlight();
  const form = useForm<Values>({ defaultValues: likeLast(last) });
  const draft = useFormDraft(form, "addFlight", "new", undefined, numberFields);
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
  // The fields of the editor know nothing of the equipment.
  const control = form.control as unknown as Control<FlightValues>;

  async function submit(values: Values, pressed: string) {
    const config = {
      copter: values.copter,
      equipments: values.equipments.filter(isUsable),
      payloads: await withTyped(payloadForm, values.payloads),
    };
    if (!isUsable(config.copter)) throw new ApiError(400, flights.copterMissing, null);
    const flight = enteredFields(values);
    try {
      await add.mutateAsync({ config, flight, dpfId: draft.requestIdFor({ ...values, ...config }) });
    } catch (error) {
      throw shownInForm(namedAsInForm(error));
    }
    draft.clear();
    showToast(general.saved);
    if (pressed !== another) return onDone();
    const batteries = usable(Kind.Battery);
    const packs = batteries.filter(({ dpfId }) => config.equipments.includes(dpfId));
    const others = config.equipments.filter((dpfId) => !packs.some((pack) => pack.dpfId === dpfId));
    const next = followingPacks(packs, batteries).map(({ dpfId }) => dpfId);
    window.scrollTo({ top: 0 });
    // Before the reset, which unregisters the fields until they are rendered again.
    form.setFocus("flightTime");
    payloadForm.reset();
    const { copter: same, payloads: carried } = config;
    form.reset({ ...laterAgain(values), copter: same, equipments: [...next, ...others], payloads: carried });
  }
  function choose(change: Partial<Pick<Values, "copter" | "equipments" | "payloads">>) {
    for (const [name, value] of Object.entries(change)) {
      form.setValue(name as "copter" | "equipments" | "payloads", value, { shouldDirty: true });
    }
  }
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
        <div className={styles.sections}>
          <CopterSection
            items={byUse(usable(Kind.Copter), [copter])}
            chosen={copter}
            onChange={(dpfId) => choose({ copter: dpfId })}
            isInForm
          />
          {kinds
            .filter((kind) => kind !== Kind.Copter)
            .map((kind) => (
              <KindSection
                key={kind}
                type={kind}
                items={usable(kind)}
                chosen={equipments}
                onChange={(chosen) => choose({ equipments: chosen })}
                isInForm
              />
            ))}
          <PayloadSection
            form={payloadForm}
            payloads={payloads}
            onChange={(next) => choose({ payloads: next })}
            isInForm
          />
        </div>
        <BatteryGroup control={control} mode="edit" />
        <FlightGroup control={control} mode="edit" hasTime={false} />
        <NotesGroup control={control} />
        <ActionBar>
          <div className={buttons.end}>
            <SubmitButton icon="save" isLarge>
              {general.save}
            </SubmitButton>
            <SubmitButton variant="secondary" isLarge value={another}>
              {flights.addAnother}
            </SubmitButton>
          </div>
        </ActionBar>
      </Form>
    </>
  );
}

function likeLast(last: FlightRow | null): Values {
  return {
    ...emptyFlight,
    startTime: formatDateTime(wallClock()),
    location: last?.location ?? "",
    copter: last?.copter.dpfId ?? "",
    equipments: last?.equipments.map(({ dpfId }) => dpfId) ?? [],
    payloads: last?.payloads ?? [],
  };
}

/** The choice of equipment has no place for an error of its own. */
function shownInForm(error: unknown): unknown {
  const isOfChoice = error instanceof ApiError && ["copter", "equipments"].includes(error.field ?? "");
  return isOfChoice ? new ApiError(error.status, error.text, null) : error;
}
