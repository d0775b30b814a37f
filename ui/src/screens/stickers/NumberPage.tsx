// A pad for typing the number on a sticker in place of scanning it, and the sheet of the item.
import { useEffect, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useAllEquipments } from "../../api/equipment";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { itemsOf } from "../../api/stickers";
import { Icon } from "../../components/Icon";
import { kindIcons } from "../../components/kindIcons";
import { PackCell, PackWord } from "../../components/PackState";
import { Page, useGoBack } from "../../components/Page";
import { SpaceMark } from "../../components/spaces/SpaceMark";
import { QueryView, Skeleton } from "../../components/states";
import { itemParameter, urls } from "../../urls";
import { withDigit } from "./actions";
import { ItemSheet } from "./ItemSheet";
import styles from "./NumberPage.module.css";
import { Scanner } from "./Scanner";
import { stickers } from "./texts";

/** The shape of Tabler's "backspace". Not in the set of icons, which every first page loads. */
const erasePath =
  "M20 6a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-11l-5 -5a1.5 1.5 0 0 1 0 -2l5 -5l11 0M12 10l4 4m0 -4l-4 4";

const texts = stickers.pad;

/** The page. `number`: from the address, if it has one. */
export function NumberPage({ number }: { number: string | undefined }) {
  const all = useAllEquipments();
  const items = itemsOf(all.data);
  const goBack = useGoBack(urls.home);
  const [parameters] = useSearchParams();
  const wanted = parameters.get(itemParameter);
  const found = items.filter((item) => String(item.number) === number);
  const chosen = wanted === null ? theOnly(found) : found.find(({ dpfId }) => dpfId === wanted);
  if (chosen) return <ItemSheet key={chosen.dpfId} item={chosen} />;
  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      <QueryView query={all} failure={texts.failed} skeleton={<Skeleton height={24} />}>
        {() => <Pad items={items} typed={number} />}
      </QueryView>
    </Page>
  );
}

/** Gear of a space may have the number of the pilot's own: then the pilot chooses. */
function theOnly(found: Equipment[]): Equipment | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** `typed`: a number that no item has, or several. */
function Pad({ items, typed = "" }: { items: Equipment[]; typed: string | undefined }) {
  const navigate = useNavigate();
  const [number, setNumber] = useState(typed);
  const found = items.filter((one) => String(one.number) === number);
  const item = theOnly(found);
  const erase = () => setNumber((before) => before.slice(0, -1));
  const enter = () => {
    if (item) navigate(urls.number(number));
  };
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey) return;
      if (/^\d$/.test(key)) setNumber((before) => withDigit(before, key));
      else if (key === "Backspace") setNumber((before) => before.slice(0, -1));
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <form
      className={styles.page}
      onSubmit={(event) => {
        event.preventDefault();
        enter();
      }}
    >
      <p className="quiet">{texts.hint}</p>
      <output className={styles.number}>{number === "" ? "–" : number}</output>
      <div className={styles.found} role="status">
        {found.length > 1 && <p className="quiet">{texts.several}</p>}
        {found.map((one) => (
          <Found key={one.dpfId} item={one} to={urls.number(number, found.length > 1 ? one.dpfId : "")} />
        ))}
        {found.length === 0 && <p className="quiet">{number === "" ? texts.empty : texts.none}</p>}
      </div>
      {number === "" && <Scanner onFound={(code) => navigate(urls.sticker(code))} />}
      <div className={styles.keys}>
        {[..."123456789"].map((digit) => (
          <Key key={digit} onPress={() => setNumber((before) => withDigit(before, digit))}>
            {digit}
          </Key>
        ))}
        <button type="button" className={styles.key} aria-label={texts.clear} onClick={erase}>
          <svg className={styles.erase} viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
            <path d={erasePath} />
          </svg>
        </button>
        <Key onPress={() => setNumber((before) => withDigit(before, "0"))}>0</Key>
        <button
          type="submit"
          className={`${styles.key} ${styles.enter}`}
          aria-label={texts.open}
          disabled={!item}
        >
          <Icon name="forward" size={28} />
        </button>
      </div>
    </form>
  );
}

function Key({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <button type="button" className={styles.key} onClick={onPress}>
      {children}
    </button>
  );
}

function Found({ item, to }: { item: Equipment; to: string }) {
  return (
    <Link className={`card ${styles.item}`} to={to}>
      {item.type === Kind.Battery ? (
        <PackCell state={item.state} />
      ) : (
        <Icon name={kindIcons[item.type]} size={28} />
      )}
      <span className={styles.name}>
        <strong>{item.name}</strong>
        <span className="quiet">
          <SpaceMark item={item} /> {item.model}
        </span>
      </span>
      {item.type === Kind.Battery && <PackWord state={item.state} />}
      <Icon name="chevron-right" />
    </Link>
  );
}
