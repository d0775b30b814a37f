// The sections that choose a flight's equipment: one of the copters, any number of the other kinds.
import type { ReactNode } from "react";
import { Checkbox, CheckboxGroup, Radio, RadioGroup } from "react-aria-components";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { ButtonLink } from "../../components/Button";
import { CheckMark } from "../../components/CheckMark";
import { Disclosure } from "../../components/Disclosure";
import { kindIcons } from "../../components/kindIcons";
import { batteryState } from "../../components/start/packText";
import { formatQuantity } from "../../lib/numbers";
import { equipment, flights, general } from "../../texts";
import { urls } from "../../urls";
import styles from "./ChoiceSections.module.css";
import { isCarried } from "./startWeight";

export function CopterSection({
  items,
  chosen,
  onChange,
}: {
  items: Equipment[];
  chosen: string;
  onChange: (dpfId: string) => void;
}) {
  return (
    <Section type={Kind.Copter} items={items} count={chosen === "" ? 0 : 1} isOpenAtFirst>
      <RadioGroup
        className={styles.choices}
        aria-label={equipment.kinds[Kind.Copter]}
        value={chosen === "" ? null : chosen}
        onChange={onChange}
      >
        {items.map((item) => (
          <Radio key={item.dpfId} value={item.dpfId} className={styles.choice}>
            <Face item={item} />
          </Radio>
        ))}
      </RadioGroup>
    </Section>
  );
}

export function KindSection({
  type,
  items,
  chosen,
  onChange,
}: {
  type: Kind;
  items: Equipment[];
  /** Of all kinds. */
  chosen: string[];
  onChange: (chosen: string[]) => void;
}) {
  const own = items.map((item) => item.dpfId);
  const chosenHere = own.filter((dpfId) => chosen.includes(dpfId));
  return (
    <Section type={type} items={items} count={chosenHere.length} isOpenAtFirst={type === Kind.Battery}>
      <CheckboxGroup
        className={styles.choices}
        aria-label={equipment.kinds[type]}
        value={chosenHere}
        onChange={(here) => onChange([...chosen.filter((dpfId) => !own.includes(dpfId)), ...here])}
      >
        {items.map((item) => (
          <Checkbox key={item.dpfId} value={item.dpfId} className={styles.choice}>
            <Face item={item} />
          </Checkbox>
        ))}
      </CheckboxGroup>
    </Section>
  );
}

function Section({
  type,
  items,
  count,
  isOpenAtFirst,
  children,
}: {
  type: Kind;
  items: Equipment[];
  count: number;
  isOpenAtFirst: boolean;
  children: ReactNode;
}) {
  const title = equipment.kinds[type];
  return (
    <Disclosure
      title={title}
      icon={kindIcons[type]}
      note={general.selected(count)}
      isOpenAtFirst={isOpenAtFirst}
    >
      {items.length > 0 ? (
        children
      ) : (
        <div className={styles.empty}>
          <p className="quiet">{equipment.noneActive[type]}</p>
          <ButtonLink to={urls.newEquipment(type)} icon="plus">
            {equipment.newTitle(equipment.kind[type])}
          </ButtonLink>
        </div>
      )}
    </Disclosure>
  );
}

function Face({ item }: { item: Equipment }) {
  const model = item.model === item.name ? "" : item.model;
  const state = item.type === Kind.Battery ? batteryState(item) : "";
  return (
    <>
      <CheckMark isRound={item.type === Kind.Copter} />
      <span className={styles.text}>
        <strong>{item.name}</strong>
        {model !== "" && <span className="quiet">{model}</span>}
        {state !== "" && <span className="quiet">{state}</span>}
      </span>
      {isCarried[item.type] && (
        <span className={styles.weight}>
          {item.weight === null ? flights.noWeight : formatQuantity(item.weight, "g")}
        </span>
      )}
    </>
  );
}
