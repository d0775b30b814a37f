// Sort orders of a kind's items besides the one by name. Pure functions: no React, no server.
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { packs } from "../../components/packs/texts";
import { flownMinutes } from "../../components/prior/priorValues";
import type { Order } from "../../components/SearchedList";
import { equipment as texts } from "../../components/texts/equipment";
import { parseDateTime, utcOf } from "../../lib/dates";
import { byAttention } from "./packs";

function lastFlown({ lastFlight }: Equipment): number {
  const time = parseDateTime(lastFlight);
  return time === null ? 0 : utcOf(time);
}

const german = new Intl.Collator("de", { numeric: true });

/** Returns the orders of a kind. `hasName`: the list isn't sorted by name already. */
export function ordersOf(type: Kind, hasName: boolean): Order<Equipment>[] {
  const names: Order<Equipment> = {
    name: "name",
    text: texts.orders.name,
    compare: (one, other) => german.compare(one.name, other.name),
  };
  const attention: Order<Equipment> = {
    name: "aufmerksamkeit",
    text: packs.attentionFirst,
    compare: byAttention,
  };
  const charges: Order<Equipment> = {
    name: "ladezyklen",
    text: texts.orders.chargeCount,
    compare: (one, other) => other.chargeCount - one.chargeCount,
  };
  return [
    ...(hasName ? [names, attention] : []),
    {
      name: "letzter-flug",
      text: texts.orders.lastFlight,
      compare: (one, other) => lastFlown(other) - lastFlown(one),
    },
    {
      name: "nutzungszeit",
      text: texts.orders.usageTime,
      compare: (one, other) => flownMinutes(other) - flownMinutes(one),
    },
    ...(type === Kind.Battery ? [charges] : []),
  ];
}

export function wordsOf(item: Equipment): string[] {
  const { name, model, manufacturer, seller, batteryType: chemistry, firmwareNumber, deactivateText } = item;
  return [
    name,
    model,
    manufacturer,
    seller,
    chemistry,
    firmwareNumber,
    deactivateText,
    item.space?.name ?? "",
  ];
}
