// Sections for choosing a flight's equipment: one copter, any number of items of the other kinds.
import { type ReactNode, useState } from "react";
import { Checkbox, CheckboxGroup, Radio, RadioGroup } from "react-aria-components";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { kinds } from "../../api/kinds";
import { useBatteryHints } from "../../api/packs";
import { Button, ButtonLink } from "../../components/Button";
import { CheckMark } from "../../components/CheckMark";
import { ConfirmDialog } from "../../components/Dialog";
import { Disclosure } from "../../components/Disclosure";
import { Fold } from "../../components/Fold";
import { kindIcons } from "../../components/kindIcons";
import { SearchField } from "../../components/listTools";
import { PackCell } from "../../components/PackState";
import { PackTrafficLight } from "../../components/packs/PackTrafficLight";
import { allPacksOf, describeSet, incompleteSets, setsOf } from "../../components/packs/sets";
import { packs as packTexts } from "../../components/packs/texts";
import { SpaceMark } from "../../components/spaces/SpaceMark";
import { spaces } from "../../components/spaces/texts";
import { stateOfPack } from "../../components/start/packText";
import { afterTap, type Choice, notReadyReason, shortlist } from "../../components/start/readyFlight";
import { ErrorNote } from "../../components/states";
import { equipment } from "../../components/texts/equipment";
import { flights } from "../../components/texts/flights";
import { listTools } from "../../components/texts/listTools";
import { forFlight } from "../../lib/createdItems";
import { formatDate, shortTime, wallClock } from "../../lib/dates";
import { formatQuantity } from "../../lib/numbers";
import { matchesWords } from "../../lib/search";
import { general } from "../../texts";
import { urls } from "../../urls";
import styles from "./ChoiceSections.module.css";
import { isCarried } from "./startWeight";

/** Number of likely items that are shown at first; they are sorted to the front. */
const likelyCount: Record<Kind, number> = {
  [Kind.Copter]: 2,
  [Kind.Battery]: 3,
  [Kind.Goggles]: 2,
  [Kind.Transmitter]: 2,
  [Kind.VideoCamera]: 2,
};

/** Longer lists get a search field. */
const searchFrom = 12;

/**
 * `isInForm`: the sections show the names of the chosen items, and are closed at first unless the copter is still to be
 * chosen; kinds that the pilot doesn't have are left out.
 */
type InForm = { isInForm: boolean };

/** The choice of a copter as a field of a form. `ref`: focuses the choice when the form is refused. */
type CopterField = { error: string | undefined; ref: (focused: { focus: () => void } | null) => void };

/** A section for each kind, and below them the children. */
export function EquipmentSections({
  itemsOf,
  copter,
  equipments,
  proposed = [],
  onChange,
  isInForm = false,
  copterField,
  children,
}: Partial<InForm> & {
  itemsOf: (kind: Kind) => Equipment[];
  copter: string;
  /** Ids of the chosen items of all other kinds. */
  equipments: string[];
  /** Ids of the packs that are replaced when another one is chosen. */
  proposed?: string[];
  onChange: (change: Partial<Choice>) => void;
  copterField?: CopterField;
  children?: ReactNode;
}) {
  const isShown = (kind: Kind) => !isInForm || kind === Kind.Battery || itemsOf(kind).length > 0;
  return (
    <div className={styles.sections}>
      <CopterSection
        items={itemsOf(Kind.Copter)}
        chosen={copter}
        onChange={(dpfId) => onChange({ copter: dpfId })}
        isInForm={isInForm}
        field={copterField}
      />
      {otherKinds.filter(isShown).map((kind) => (
        <KindSection
          key={kind}
          type={kind}
          items={itemsOf(kind)}
          chosen={equipments}
          proposed={kind === Kind.Battery ? proposed : []}
          onChange={(chosen) => onChange({ equipments: chosen })}
          isInForm={isInForm}
        />
      ))}
      {children}
    </div>
  );
}

/** Kinds of which a flight may have several items. */
const otherKinds = kinds.filter((kind) => kind !== Kind.Copter);

function CopterSection({
  items,
  chosen,
  onChange,
  isInForm,
  field,
}: InForm & {
  items: Equipment[];
  chosen: string;
  onChange: (dpfId: string) => void;
  field: CopterField | undefined;
}) {
  return (
    <Section
      type={Kind.Copter}
      items={items}
      chosen={[chosen]}
      isOpenAtFirst={!isInForm || chosen === ""}
      isInForm={isInForm}
      error={field?.error}
    >
      <Items type={Kind.Copter} items={items} chosen={[chosen]}>
        {(shown) => (
          <RadioGroup
            ref={(element) => field?.ref(element && { focus: () => element.querySelector("input")?.focus() })}
            className={styles.choices}
            aria-label={equipment.kinds[Kind.Copter]}
            isInvalid={field?.error !== undefined}
            value={chosen === "" ? null : chosen}
            onChange={onChange}
          >
            {shown.map((item) => (
              <Radio key={item.dpfId} value={item.dpfId} className={styles.choice}>
                <ItemLabel item={item} />
              </Radio>
            ))}
          </RadioGroup>
        )}
      </Items>
    </Section>
  );
}

function KindSection({
  type,
  items,
  chosen,
  proposed,
  onChange,
  isInForm,
}: InForm & {
  type: Kind;
  items: Equipment[];
  /** Ids of the chosen items of all kinds. */
  chosen: string[];
  proposed: string[];
  onChange: (chosen: string[]) => void;
}) {
  const own = items.map((item) => item.dpfId);
  const chosenHere = own.filter((dpfId) => chosen.includes(dpfId));
  const [pending, setPending] = useState<{ here: string[]; red: Equipment[] } | null>(null);
  const take = (here: string[]) => onChange([...chosen.filter((dpfId) => !own.includes(dpfId)), ...here]);
  const choose = (tappedTo: string[]) => confirmRed(afterTap(chosenHere, tappedTo, proposed));
  /** Asks before a pack is taken of which a hint advises against a flight, except for a past flight. */
  function confirmRed(here: string[]) {
    const isNew = ({ dpfId }: Equipment) => here.includes(dpfId) && !chosenHere.includes(dpfId);
    const red = isInForm ? [] : items.filter((item) => item.doubtful && isNew(item));
    if (red.length === 0) take(here);
    else setPending({ here, red });
  }
  return (
    <Section
      type={type}
      items={items}
      chosen={chosenHere}
      isOpenAtFirst={type === Kind.Battery && !isInForm}
      isInForm={isInForm}
    >
      {type === Kind.Battery && <Sets items={items} chosen={chosenHere} onChoose={choose} />}
      <Items type={type} items={items} chosen={chosenHere}>
        {(shown) => (
          <CheckboxGroup
            className={styles.choices}
            aria-label={equipment.kinds[type]}
            value={chosenHere}
            onChange={choose}
          >
            {shown.map((item) => (
              <Checkbox key={item.dpfId} value={item.dpfId} className={styles.choice}>
                <ItemLabel item={item} />
              </Checkbox>
            ))}
          </CheckboxGroup>
        )}
      </Items>
      {type === Kind.Battery && <RestOfSets items={items} chosen={chosenHere} onChoose={confirmRed} />}
      <RedPacksDialog
        packs={pending?.red ?? []}
        onClose={() => setPending(null)}
        onYes={() => pending && take(pending.here)}
      />
    </Section>
  );
}

/** Toggles all packs of a set with one tap. */
function Sets({
  items,
  chosen,
  onChoose,
}: {
  items: Equipment[];
  chosen: string[];
  onChoose: (chosen: string[]) => void;
}) {
  const sets = setsOf(items).filter(({ packs }) => packs.length > 1);
  if (sets.length === 0) return null;
  return (
    <ul className={styles.sets} aria-label={packTexts.sets}>
      {sets.map((set) => {
        const { ids, name } = allPacksOf(set);
        const isChosen = ids.every((dpfId) => chosen.includes(dpfId));
        const others = chosen.filter((dpfId) => !ids.includes(dpfId));
        return (
          <li key={set.dpfId}>
            <Button icon={isChosen ? "check" : "battery"} onPress={() => onChoose(isChosen ? others : ids)}>
              {name} · {describeSet(set)}
              {isChosen && <span className="visually-hidden"> {packTexts.isChosen}</span>}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

/** Offers the other packs of a set of which one was chosen. */
function RestOfSets({
  items,
  chosen,
  onChoose,
}: {
  items: Equipment[];
  chosen: string[];
  onChoose: (chosen: string[]) => void;
}) {
  const rests = incompleteSets(setsOf(items), chosen);
  if (rests.length === 0) return null;
  return (
    <div className={styles.rests}>
      {rests.map(({ dpfId, name, packs }) => (
        <Button
          key={dpfId}
          icon="battery"
          onPress={() => onChoose([...chosen, ...packs.map((pack) => pack.dpfId)])}
        >
          {packTexts.chooseRest(
            packs.map((pack) => pack.name),
            name,
          )}
        </Button>
      ))}
    </div>
  );
}

/** Asks before a pack is flown of which a hint advises against it. */
function RedPacksDialog({
  packs,
  onClose,
  onYes,
}: {
  packs: Equipment[];
  onClose: () => void;
  onYes: () => void;
}) {
  const hints = useBatteryHints(packs.length > 0).data ?? [];
  const [shown, setShown] = useState(packs);
  if (packs.length > 0 && packs !== shown) setShown(packs);
  const why = hints.filter(
    ({ dpfId, level }) => level === "red" && shown.some((pack) => pack.dpfId === dpfId),
  );
  return (
    <ConfirmDialog
      question={packTexts.chooseRed(shown.map(({ name }) => name).join(" und "))}
      isOpen={packs.length > 0}
      onClose={onClose}
      onYes={onYes}
      yes={packTexts.chooseAnyway}
      no={general.cancel}
    >
      {why.map(({ dpfId, rule, text }) => (
        <p key={dpfId + rule}>{text}</p>
      ))}
    </ConfirmDialog>
  );
}

/** The likely items, or all of them; with a search field if there are many. */
function Items({
  type,
  items,
  chosen,
  children,
}: {
  type: Kind;
  items: Equipment[];
  chosen: string[];
  children: (shown: Equipment[]) => ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const [search, setSearch] = useState("");
  const few = shortlist(items, chosen, likelyCount[type]);
  const found = ({ dpfId, name, model }: Equipment) =>
    chosen.includes(dpfId) || matchesWords(search, [name, model]);
  const isSearched = search !== "";
  return (
    <>
      {items.length > searchFrom && (
        <div className={styles.find}>
          <SearchField label={listTools.search} value={search} onChange={setSearch} />
        </div>
      )}
      {children(isSearched ? items.filter(found) : isWhole ? items : few)}
      {!isSearched && few.length < items.length && (
        <div className={styles.whole}>
          <Button variant="quiet" onPress={() => setWhole(!isWhole)}>
            {isWhole ? general.showFewer : general.showAll(items.length)}
          </Button>
        </div>
      )}
    </>
  );
}

function Section({
  type,
  items,
  chosen,
  isOpenAtFirst,
  isInForm,
  error,
  children,
}: {
  type: Kind;
  items: Equipment[];
  chosen: string[];
  isOpenAtFirst: boolean;
  isInForm: boolean;
  error?: string | undefined;
  children: ReactNode;
}) {
  const there = items.filter(({ dpfId }) => chosen.includes(dpfId));
  const names = there.map(({ name }) => name).join(", ");
  const group = { title: equipment.kinds[type], icon: kindIcons[type], isOpenAtFirst };
  const content =
    items.length > 0 ? (
      children
    ) : (
      <div className={styles.empty}>
        <p className="quiet">{equipment.noneActive[type]}</p>
        <ButtonLink to={urls.newEquipment(type)} state={forFlight} icon="plus">
          {equipment.newTitle(equipment.kind[type])}
        </ButtonLink>
      </div>
    );
  if (!isInForm) {
    return (
      <Disclosure {...group} note={general.selected(there.length)}>
        {content}
      </Disclosure>
    );
  }
  return (
    <Fold {...group} note={names || general.empty} isWrong={error !== undefined}>
      {error !== undefined && (
        <div ref={(note) => note?.scrollIntoView({ block: "nearest" })}>
          <ErrorNote>{error}</ErrorNote>
        </div>
      )}
      {content}
    </Fold>
  );
}

function ItemLabel({ item }: { item: Equipment }) {
  const model = item.model === item.name ? "" : item.model;
  const isPack = item.type === Kind.Battery;
  const weight = item.weight === null ? flights.noWeight : formatQuantity(item.weight, "g");
  const retired = item.deactivateTime === "" ? "" : equipment.retiredAt(item.deactivateTime);
  const flown = item.inUse
    ? spaces.inUseBeside(item.inUse.by, shortTime(item.inUse.since, formatDate(wallClock())))
    : "";
  const below = [model, isPack ? weight : "", retired, flown].filter((text) => text !== "").join(" · ");
  return (
    <>
      <CheckMark isRound={item.type === Kind.Copter} />
      <span className={styles.text}>
        <strong>{item.name}</strong>
        {(below !== "" || item.space) && (
          <span className="quiet">
            <SpaceMark item={item} /> {below}
          </span>
        )}
      </span>
      {isPack ? (
        <PackText pack={item} />
      ) : (
        isCarried[item.type] && <span className={styles.weight}>{weight}</span>
      )}
    </>
  );
}

/** Traffic light, voltage and state of a pack. */
function PackText({ pack }: { pack: Equipment }) {
  const reason = notReadyReason(pack);
  const state = stateOfPack(pack);
  return (
    <span className={reason === null ? styles.pack : `${styles.pack} ${styles.doubtful}`}>
      <PackTrafficLight pack={pack} />
      {pack.state !== null && <PackCell state={pack.state} />}
      {pack.stateVoltage !== null && <span>{formatQuantity(pack.stateVoltage, "V")}</span>}
      {state !== "" && <strong>{state}</strong>}
    </span>
  );
}
