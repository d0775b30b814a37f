// Chooses the equipment before a flight, preset from the last flight. "Weiter" creates the flight and opens the editor,
// which replaces this page in the history: Back must not lead to a second flight.
import { type ReactNode, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router";
import { ApiError, isNotLoggedIn } from "../../api/client";
import { useCreateFlight } from "../../api/createFlight";
import { useNewestFlyableEquipments } from "../../api/equipment";
import { useLatestFlights } from "../../api/flights";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import { useCachedUser } from "../../api/session";
import { Button, ButtonLink } from "../../components/Button";
import { DraftNote, useFormDraft } from "../../components/FormDraft";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { InUse } from "../../components/spaces/InUse";
import { batteryState } from "../../components/start/packText";
import {
  activeOnly,
  byKind,
  byLastUse,
  byReadiness,
  type Choice,
  chosenItems,
  emptyChoice,
  noPreset,
  notReadyReason,
  type Preset,
  packsLike,
  presetFromFlight,
  withCreatedItems,
} from "../../components/start/readyFlight";
import { usePosition } from "../../components/start/usePosition";
import { useStartDefaults } from "../../components/start/useStartDefaults";
import { fieldsOf } from "../../components/start/useStartFlight";
import { ErrorNote, errorText, InfoNote, QueryView, Skeleton } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { clearCreatedItems, readCreatedItems } from "../../lib/createdItems";
import { removeDraftIfDone } from "../../lib/drafts";
import { formatNumber } from "../../lib/numbers";
import { general } from "../../texts";
import { urls } from "../../urls";
import { EquipmentSections } from "./ChoiceSections";
import styles from "./FlightConfig.module.css";
import { noPayload, PayloadSection, type PayloadValues, withTyped } from "./PayloadSection";
import { RunningBar } from "./Running";
import { startWeight } from "./startWeight";
import { useOwnPacks } from "./useOwnPacks";

export function FlightConfig() {
  const goBack = useGoBack(urls.home);
  const openFlight = useCachedUser()?.openFlight ?? null;
  const create = useCreateFlight();
  const all = useNewestFlyableEquipments();
  const latest = useLatestFlights();
  // Keeps the choice visible while the flight is created and the editor opens.
  if (openFlight !== null && !create.isPending && !create.isSuccess) {
    return (
      <ConfigPage onBack={goBack}>
        <AlreadyOpen dpfId={openFlight} />
      </ConfigPage>
    );
  }
  // Works without the last flight too, only without a preset.
  if (all.data === undefined || latest.isPending) {
    return (
      <ConfigPage onBack={goBack}>
        <QueryView query={all} failure={flights.configFailed} skeleton={<Skeleton count={5} height={3.5} />}>
          {() => <Skeleton count={5} height={3.5} />}
        </QueryView>
      </ConfigPage>
    );
  }
  return <ConfigForm all={all.data} flown={latest.data ?? []} create={create} onBack={goBack} />;
}

function ConfigPage({ onBack, children }: { onBack: () => void; children: ReactNode }) {
  return (
    <Page title={flights.configTitle} onBack={onBack} isNarrow>
      {children}
    </Page>
  );
}

function AlreadyOpen({ dpfId }: { dpfId: string }) {
  return (
    <div className={styles.flying}>
      <div role="status">
        <RunningBar>{flights.alreadyOpen}</RunningBar>
      </div>
      <ButtonLink to={urls.finishFlight(dpfId)} variant="running" icon="finish" isLarge>
        {flights.finish}
      </ButtonLink>
      <ButtonLink to={urls.newFlight(dpfId)} icon="edit" isLarge>
        {flights.enterData}
      </ButtonLink>
    </div>
  );
}

/** Whether the choice is that of the last flight, and the button that clears or restores it. */
function PresetNote({
  preset,
  isChosen,
  batteries,
  onChange,
}: {
  preset: Preset;
  isChosen: boolean;
  batteries: Equipment[];
  onChange: (choice: Choice) => void;
}) {
  return (
    <div className={styles.preset}>
      <InfoNote
        icon="history"
        action={
          <Button variant="quiet" onPress={() => onChange(isChosen ? emptyChoice : preset.choice)}>
            {isChosen ? flights.clearChoice : flights.chooseLikeLast}
          </Button>
        }
      >
        {isChosen ? <PresetSummary preset={preset} batteries={batteries} /> : flights.ownChoice}
      </InfoNote>
    </div>
  );
}

/** The preset's batteries with their state, and the equipment that it had to leave out. */
function PresetSummary({ preset, batteries }: { preset: Preset; batteries: Equipment[] }) {
  const chosen = batteries.filter((battery) => preset.choice.equipments.includes(battery.dpfId));
  if (preset.choice.copter === "" && preset.choice.equipments.length === 0)
    return flights.nothingOfLastFlight;
  return (
    <>
      <strong>{flights.likeLastFlight}</strong>
      {chosen.length === 0 && "."}
      {chosen.length > 0 && ` ${flights.withBatteries(chosen.map(describeBattery).join(" und "))}`}
      {preset.notReady > 0 && ` ${flights.noneReady(preset.notReady)}`}
      {preset.dropped > 0 && ` ${flights.likeLastFlightDropped(preset.dropped)}`}
    </>
  );
}

function describeBattery(battery: Equipment): string {
  const state = batteryState(battery);
  return state === "" ? battery.name : `${battery.name} (${state})`;
}

/** Reasons not to fly the chosen packs. */
function NotReadyNotes({ packs }: { packs: Equipment[] }) {
  const sentences = packs.map((pack) => {
    const doubt = notReadyReason(pack);
    return doubt && flights.doubtful[doubt](pack.name);
  });
  return (
    <p className={styles.doubts} role="status">
      {sentences.filter((sentence) => sentence !== null).join(" ")}
    </p>
  );
}

function ChoiceInfo({ error, packs, weight }: { error: string | null; packs: Equipment[]; weight: number }) {
  return (
    <>
      {error !== null && <ErrorNote>{error}</ErrorNote>}
      <NotReadyNotes packs={packs} />
      <p className={styles.weight} aria-live="polite">
        {flights.startWeight(formatNumber(weight))}
      </p>
    </>
  );
}

const draftForm = "flightConfig";
const newRecord = "new";

/**
 * Drops the draft of a flight that has been flown, even if the answer to its start was lost. Runs before the draft is
 * read.
 */
function useDropFlownDraft(flown: FlightRow[]): void {
  const account = useCachedUser()?.account ?? "";
  useState(() => {
    const ids = flown.map(({ dpfId }) => dpfId);
    return removeDraftIfDone({ account, form: draftForm, record: newRecord }, ids);
  });
}

function ConfigForm({
  all,
  flown,
  create,
  onBack,
}: {
  all: AllEquipments;
  /** Latest flights, newest first; none is open. */
  flown: FlightRow[];
  create: ReturnType<typeof useCreateFlight>;
  onBack: () => void;
}) {
  const navigate = useNavigate();
  const last = flown.find((row) => !row.open) ?? null;
  const [preset] = useState(() =>
    withCreatedItems(last ? presetFromFlight(last, all) : noPreset, readCreatedItems(), all),
  );
  const form = useForm<Choice>({ defaultValues: preset.choice });
  useDropFlownDraft(flown);
  const draft = useFormDraft(form, draftForm, newRecord);
  const payloadForm = useForm<PayloadValues>({ defaultValues: noPayload });
  const [error, setError] = useState<string | null>(null);
  const [copter, equipments, payloads] = useWatch({
    control: form.control,
    name: ["copter", "equipments", "payloads"],
  });
  const known = useStartDefaults(last, usePosition().place);
  const choice = activeOnly({ copter, equipments, payloads }, all);
  const packs = chosenItems(choice, all).filter((item) => item.type === Kind.Battery);
  const weight = startWeight(chosenItems(choice, all), choice.payloads);
  const isLikeLast = last !== null && JSON.stringify(choice) === JSON.stringify(preset.choice);

  function change(next: Partial<Choice>) {
    setError(null);
    for (const [name, value] of Object.entries(next)) {
      form.setValue(name as keyof Choice, value, { shouldDirty: true });
    }
  }

  const { brought, chooseCopter } = useOwnPacks({
    atFirst: preset.choice.equipments,
    flown,
    packs: all.batteries,
    packsLike: (flight) => packsLike(flight, all.batteries),
    read: form.getValues,
    change,
  });

  async function start() {
    setError(null);
    try {
      const config = { ...choice, payloads: await withTyped(payloadForm, choice.payloads) };
      const dpfId = await create.mutateAsync({
        config,
        flight: fieldsOf(known(packs)),
        form: draftForm,
        record: newRecord,
        dpfId: draft.requestIdFor(config),
      });
      draft.clear();
      clearCreatedItems();
      navigate(urls.newFlight(dpfId), { replace: true });
    } catch (failure) {
      if (isNotLoggedIn(failure)) return;
      // An item that was retired in the meantime leaves the list once it is refetched.
      const hint = failure instanceof ApiError && failure.field !== null ? ` ${flights.checkChoice}` : "";
      setError(errorText(failure, flights.createUnanswered) + hint);
    }
  }

  function leave() {
    draft.clear();
    onBack();
  }

  const items = byKind(all);
  return (
    <ConfigPage onBack={leave}>
      <DraftNote draft={draft} />
      {last && draft.restoredAt === null && (
        <PresetNote preset={preset} isChosen={isLikeLast} batteries={all.batteries} onChange={change} />
      )}
      {chosenItems(choice, all).map((item) => (
        <InUse key={item.dpfId} item={item} />
      ))}
      <EquipmentSections
        itemsOf={(kind) =>
          (kind === Kind.Battery ? byReadiness : byLastUse)(items[kind], [
            preset.choice.copter,
            ...(kind === Kind.Battery ? brought : preset.choice.equipments),
          ])
        }
        copter={choice.copter}
        equipments={choice.equipments}
        proposed={brought}
        onChange={(next) => (next.copter === undefined ? change(next) : chooseCopter(next.copter))}
      >
        <PayloadSection
          form={payloadForm}
          payloads={choice.payloads}
          onChange={(next) => change({ payloads: next })}
        />
      </EquipmentSections>
      <ActionBar info={<ChoiceInfo error={error} packs={packs} weight={weight} />}>
        <Button
          variant="primary"
          icon="forward"
          isLarge
          isDisabled={choice.copter === "" || create.isPending}
          onPress={start}
        >
          {general.forward}
        </Button>
      </ActionBar>
    </ConfigPage>
  );
}
