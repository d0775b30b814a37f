// What the page of a shared item shows besides: whose it is, who flies it right now, and its uses by all members.
import { useState } from "react";
import { Link } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { type SharedUse, useSharedUses } from "../../api/spaces";
import { Button } from "../../components/Button";
import { InUse } from "../../components/spaces/InUse";
import { SpaceMark } from "../../components/spaces/SpaceMark";
import { spaces } from "../../components/spaces/texts";
import { QueryView, Skeleton } from "../../components/states";
import { formatMinutes, formatQuantity } from "../../lib/numbers";
import { urls } from "../../urls";
import styles from "./Sharing.module.css";
import { uses as texts } from "./texts";

const usesAtFirst = 8;

/** The link to the space, and the note about an open flight. Nothing for the pilot's own items. */
export function Owner({ item }: { item: Equipment }) {
  if (!item.space) return null;
  return (
    <>
      <p>
        <Link
          className={styles.owner}
          to={urls.space(item.space.dpfId)}
          aria-label={spaces.belongsTo(item.space.name)}
        >
          <SpaceMark item={item} />
        </Link>
      </p>
      <InUse item={item} />
    </>
  );
}

/** Every use of a shared item: when, how long, and by whom, as that member decided. */
export function SharedUses({ item }: { item: Equipment }) {
  const query = useSharedUses(item.dpfId);
  const [isWhole, setWhole] = useState(false);
  return (
    <section className={styles.section} aria-labelledby="uses-title">
      <h2 id="uses-title">{texts.title}</h2>
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton height={10} />}>
        {(uses) =>
          uses.length === 0 ? (
            <p className="quiet">{texts.none}</p>
          ) : (
            <>
              <ul className="card" aria-labelledby="uses-title">
                {(isWhole ? uses : uses.slice(0, usesAtFirst)).map((use, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a use of another's flight has no id
                  <Use key={position} use={use} item={item} />
                ))}
              </ul>
              {!isWhole && uses.length > usesAtFirst && (
                <Button onPress={() => setWhole(true)}>{texts.more}</Button>
              )}
            </>
          )
        }
      </QueryView>
    </section>
  );
}

function Use({ use, item }: { use: SharedUse; item: Equipment }) {
  const { start, minutes, name, own, flight, open } = use;
  return (
    <li>
      <span>
        {flight === null ? (
          <strong>{start}</strong>
        ) : (
          <Link className="row-link" to={urls.flightOfItem(flight, item.dpfId)}>
            <strong>{start}</strong>
          </Link>
        )}
        <span className={styles.about}>{own ? texts.you : name}</span>
      </span>
      <span className={styles.much}>
        <span>{open ? texts.open : formatMinutes(minutes ?? 0)}</span>
        <span className={styles.about}>{voltsOf(use)}</span>
      </span>
    </li>
  );
}

function voltsOf({ startVoltage, endVoltage, consumed }: SharedUse): string {
  const volts = startVoltage !== null && endVoltage !== null;
  return [
    volts ? `${formatQuantity(startVoltage, "V")} → ${formatQuantity(endVoltage, "V")}` : "",
    consumed === null ? "" : formatQuantity(consumed, "mAh"),
  ]
    .filter((text) => text !== "")
    .join(" · ");
}
