// The orders of a kind's items, besides that by name. Rules only: no React, no server.
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import type { Order } from "../../components/SearchedList";
import { parseDateTime } from "../../lib/dates";
import { equipment as texts } from "../../texts";

function lastFlown({ lastFlight }: Equipment): number {
  return parseDateTime(lastFlight)?.toDate("UTC").getTime() ?? 0;
}

export function ordersOf(type: Kind): Order<Equipment>[] {
  const charges: Order<Equipment> = {
    name: "ladezyklen",
    text: texts.orders.chargeCount,
    compare: (one, other) => other.chargeCount - one.chargeCount,
  };
  return [
    {
      name: "letzter-flug",
      text: texts.orders.lastFlight,
      compare: (one, other) => lastFlown(other) - lastFlown(one),
    },
    {
      name: "nutzungszeit",
      text: texts.orders.usageTime,
      compare: (one, other) => other.usageTime - one.usageTime,
    },
    ...(type === Kind.Battery ? [charges] : []),
  ];
}

export function wordsOf(item: Equipment): string[] {
  const { name, model, manufacturer, seller, batteryType: chemistry, firmwareNumber, deactivateText } = item;
  return [name, model, manufacturer, seller, chemistry, firmwareNumber, deactivateText];
}
