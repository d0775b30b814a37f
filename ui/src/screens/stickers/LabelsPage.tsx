// Prints stickers: first the choice of items, then the sheets in their printed size.
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useSearchParams } from "react-router";
import { refreshEquipment, useAllEquipments } from "../../api/equipment";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { Kind } from "../../api/generated/Kind";
import type { Label } from "../../api/generated/Label";
import { kinds } from "../../api/kinds";
import { perform } from "../../api/perform";
import { mayPrint } from "../../api/spaces";
import { fetchLabels, itemsOf } from "../../api/stickers";
import { CheckMark } from "../../components/CheckMark";
import { Form, SubmitButton } from "../../components/Form";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { SpaceMark } from "../../components/spaces/SpaceMark";
import { byKind } from "../../components/start/readyFlight";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { equipment } from "../../components/texts/equipment";
import { newId } from "../../lib/ids";
import { itemParameter, urls } from "../../urls";
import styles from "./LabelsPage.module.css";
import { Sheets } from "./Sheets";
import { stickers } from "./texts";

const texts = stickers.labels;

export function LabelsPage() {
  const all = useAllEquipments();
  const goBack = useGoBack(urls.home);
  const [labels, setLabels] = useState<Label[] | null>(null);
  function show(created: Label[] | null) {
    setLabels(created);
    window.scrollTo({ top: 0 });
  }
  return (
    <Page title={texts.title} onBack={labels === null ? goBack : () => show(null)} isNarrow>
      {labels === null ? (
        <QueryView query={all} failure={texts.itemsFailed} skeleton={<Skeleton count={3} height={8} />}>
          {(items) => <Choice all={items} onCreated={show} />}
        </QueryView>
      ) : (
        <Sheets labels={labels} />
      )}
    </Page>
  );
}

/** Returns the item, or the items of the kind, in the address. */
function usePreset(all: AllEquipments): string[] {
  const [parameters] = useSearchParams();
  const wanted = parameters.get(itemParameter);
  const preset = itemsOf(all).filter(({ dpfId, type }) => [dpfId, String(type)].includes(wanted ?? ""));
  return preset.map(({ dpfId }) => dpfId);
}

function Choice({ all, onCreated }: { all: AllEquipments; onCreated: (labels: Label[]) => void }) {
  const preset = usePreset(all);
  const form = useForm<{ chosen: string[] }>({ defaultValues: { chosen: preset } });
  const chosen = useWatch({ control: form.control, name: "chosen" });
  const groups = byKind(all);
  const items = kinds.flatMap((kind) => groups[kind].filter(mayPrint));
  const setChosen = (ids: string[]) => form.setValue("chosen", ids, { shouldDirty: true });

  /** Assigns stickers to the chosen items, in the order of the list. */
  async function make({ chosen: ids }: { chosen: string[] }) {
    const wanted = items.filter(({ dpfId }) => ids.includes(dpfId));
    for (const { dpfId, sticker } of wanted) {
      if (!sticker) await perform("SaveSticker", { dpfId }, newId());
    }
    refreshEquipment();
    onCreated(await fetchLabels(wanted.map(({ dpfId }) => dpfId)));
  }
  if (items.length === 0) {
    const hasNone = itemsOf(all).length === 0;
    return <EmptyState icon="qr">{hasNone ? texts.noItems : texts.nonePrintable}</EmptyState>;
  }
  return (
    <Form form={form} onSubmit={make} failure={texts.failed}>
      <p className="quiet">{texts.about}</p>
      {kinds.map((kind) => (
        <Group
          key={kind}
          kind={kind}
          items={groups[kind].filter(mayPrint)}
          chosen={chosen}
          onChange={setChosen}
        />
      ))}
      <ActionBar info={chosen.length === 0 ? texts.noneChosen : undefined}>
        <SubmitButton icon="qr" isDisabled={chosen.length === 0}>
          {texts.make(chosen.length)}
        </SubmitButton>
      </ActionBar>
    </Form>
  );
}

function Group({
  kind,
  items,
  chosen,
  onChange,
}: {
  kind: Kind;
  items: Equipment[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}) {
  if (items.length === 0) return null;
  const ids = items.map(({ dpfId }) => dpfId);
  const areAll = ids.every((id) => chosen.includes(id));
  const without = chosen.filter((id) => !ids.includes(id));
  return (
    <fieldset className={`card ${styles.group}`}>
      <legend className="visually-hidden">{equipment.kinds[kind]}</legend>
      <label className={styles.all} data-selected={areAll || undefined}>
        <input
          type="checkbox"
          className="visually-hidden"
          checked={areAll}
          onChange={() => onChange(areAll ? without : [...without, ...ids])}
        />
        <CheckMark />
        {texts.kindAll(equipment.kinds[kind])}
      </label>
      {items.map((item) => (
        <label
          key={item.dpfId}
          className={styles.item}
          data-selected={chosen.includes(item.dpfId) || undefined}
        >
          <input
            type="checkbox"
            className="visually-hidden"
            checked={chosen.includes(item.dpfId)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked ? [...chosen, item.dpfId] : chosen.filter((id) => id !== item.dpfId),
              )
            }
          />
          <CheckMark />
          <span className={styles.name}>
            {item.name}
            <span className="quiet">
              <SpaceMark item={item} />{" "}
              {[item.model, item.number === null ? "" : stickers.number(item.number)]
                .filter((text) => text !== "")
                .join(" · ")}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
