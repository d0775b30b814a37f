// The gear of a space, by kind, and a dialog that moves the pilot's own gear into it.

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Link } from "react-router";
import { useAllEquipments } from "../../api/equipment";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import { kinds } from "../../api/kinds";
import { isInSpace, isKeeper, type Space, useSpaceRoom } from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { Checkbox, FieldLegend } from "../../components/fields";
import { Icon } from "../../components/Icon";
import { kindIcons } from "../../components/kindIcons";
import { ActionBar } from "../../components/Page";
import { flownMinutes } from "../../components/prior/priorValues";
import { spaces } from "../../components/spaces/texts";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { equipment } from "../../components/texts/equipment";
import { showToast } from "../../components/toasts";
import { formatDate, shortTime, wallClock } from "../../lib/dates";
import { formatMinutes } from "../../lib/numbers";
import { sizeText } from "../../lib/sizes";
import { urls } from "../../urls";
import styles from "./SpaceRows.module.css";
import { gear as texts } from "./texts";

export function Gear({
  space,
  query,
  items,
}: {
  space: Space;
  query: UseQueryResult<AllEquipments>;
  items: Equipment[];
}) {
  const [isMoving, setMoving] = useState(false);
  return (
    <>
      <QueryView query={query} failure={equipment.listFailed} skeleton={<Skeleton height={14} />}>
        {() =>
          items.length === 0 ? <EmptyState icon="users">{texts.none}</EmptyState> : <Items items={items} />
        }
      </QueryView>
      {isKeeper(space.role) && (
        <>
          <Room space={space.dpfId} />
          <ActionBar of="list">
            <Button variant="primary" icon="plus" isLarge onPress={() => setMoving(true)}>
              {texts.moveIn}
            </Button>
          </ActionBar>
          <Dialog title={texts.moveIn} isOpen={isMoving} onClose={() => setMoving(false)} isBlocking>
            <MoveIn space={space} onClose={() => setMoving(false)} />
          </Dialog>
        </>
      )}
    </>
  );
}

function Room({ space }: { space: string }) {
  const usage = useSpaceRoom(space).data;
  if (usage === undefined) return null;
  const { bytes, quota } = usage;
  return <p className="quiet">{texts.room(sizeText(bytes), quota === null ? null : sizeText(quota))}</p>;
}

function Items({ items }: { items: Equipment[] }) {
  return (
    <div className={`card ${styles.frame}`}>
      {kinds.map((kind) => {
        const own = items.filter(({ type }) => type === kind);
        return (
          own.length > 0 && (
            <section key={kind} aria-label={equipment.kinds[kind]}>
              <h2 className={styles.group}>
                <span>{equipment.kinds[kind]}</span>
                <span>{own.length}</span>
              </h2>
              <ul>
                {own.map((item) => (
                  <Item key={item.dpfId} item={item} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
}

function Item({ item }: { item: Equipment }) {
  const { type, dpfId, name, model, inUse } = item;
  return (
    <li className={styles.row}>
      <Icon name={kindIcons[type]} size={24} />
      <div className={styles.text}>
        <Link className="row-link" to={urls.item(type, dpfId)}>
          <strong>{name}</strong>
        </Link>
        {model !== "" && <p className={styles.about}>{model}</p>}
      </div>
      <p className={styles.hours}>
        <strong>{inUse ? spaces.inUseShort : formatMinutes(flownMinutes(item))}</strong>
        {inUse && (
          <span className={styles.about}>
            {spaces.inUseBy(inUse.by, shortTime(inUse.since, formatDate(wallClock())))}
          </span>
        )}
      </p>
      <Icon name="chevron-right" size={20} />
    </li>
  );
}

type Values = { chosen: Record<string, boolean> };

/** Moves one item after the other: what has moved stays there when the next one can't. */
function MoveIn({ space, onClose }: { space: Space; onClose: () => void }) {
  const all = useAllEquipments().data;
  const own = all ? Object.values(all).flatMap((items) => items.filter((item) => !item.space)) : [];
  const move = useWrite("MoveEquipment");
  const form = useForm<Values>({ defaultValues: { chosen: {} } });
  const chosen = useWatch({ control: form.control, name: "chosen" });
  const ids = own.map(({ dpfId }) => dpfId).filter((dpfId) => chosen[dpfId]);
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      onSave={async () => {
        for (const dpfId of ids) {
          if (!isInSpace(dpfId, space.dpfId)) await move.mutateAsync({ dpfId, space: space.dpfId });
        }
        if (ids.length > 0) showToast(texts.moved(ids.length));
      }}
      submit={
        <SubmitButton icon="check" isDisabled={ids.length === 0}>
          {texts.submitCount(ids.length)}
        </SubmitButton>
      }
    >
      {own.length === 0 && <p>{texts.noneOwn}</p>}
      {kinds.map((kind) => {
        const items = own.filter(({ type }) => type === kind);
        return (
          items.length > 0 && (
            <fieldset key={kind} className={styles.choices}>
              <FieldLegend>{equipment.kinds[kind]}</FieldLegend>
              {items.map(({ dpfId, name, model }) => (
                <Checkbox
                  key={dpfId}
                  control={form.control}
                  name={`chosen.${dpfId}`}
                  label={[name, model].filter((text) => text !== "").join(" · ")}
                />
              ))}
            </fieldset>
          )
        );
      })}
      {own.length > 0 && <p className="quiet">{texts.stays}</p>}
    </DialogForm>
  );
}
