// The item behind a sticker, by its code or its number. Knows no forms.
import { useQuery } from "@tanstack/react-query";
import { keyOf, useAnswer } from "./answers";
import { call } from "./client";
import { useAllEquipments } from "./equipment";
import { useLatestFlights } from "./flights";
import type { AllEquipments } from "./generated/AllEquipments";
import type { Equipment } from "./generated/Equipment";
import type { FlightRow } from "./generated/FlightRow";
import type { Label } from "./generated/Label";

export function itemsOf(all: AllEquipments | undefined): Equipment[] {
  return Object.values(all ?? {}).flat();
}

/** A code as the server says it: people mistake some letters for digits. */
export function codeOf(typed: string): string {
  return typed.toUpperCase().replace(/[ -]/g, "").replace(/[IL]/g, "1").replaceAll("O", "0");
}

/** The item that a code is on: of those in use without a request, also when nobody answers. */
export function useItemOfCode(code: string) {
  const all = useAllEquipments();
  const known = itemsOf(all.data).find(({ sticker }) => sticker === code);
  const asked = useAnswer("GetSticker", { code }, { enabled: !all.isPending && known === undefined });
  return known ? { data: known, error: null, refetch: all.refetch } : asked;
}

/** The last flight that an item was on, of those that are over; null when there is none. */
export function useLastFlightOf(item: string): FlightRow | null {
  const latest = useLatestFlights();
  const known = latest.data?.find(
    ({ open, copter, equipments }) => !open && [copter, ...equipments].some(({ dpfId }) => dpfId === item),
  );
  const fields = { equipment: item, limit: 1 };
  const asked = useQuery({
    queryKey: keyOf("GetFlights", fields),
    queryFn: async () => (await call("GetFlights", fields)) ?? [],
    enabled: latest.isSuccess && known === undefined,
  });
  return known ?? asked.data?.find(({ open }) => !open) ?? null;
}

/** As many at a time. */
const maxLabels = 200;

/** The stickers of these items, as they are printed. */
export async function fetchLabels(items: readonly string[]): Promise<Label[]> {
  const labels: Label[] = [];
  for (let first = 0; first < items.length; first += maxLabels) {
    const equipment = items.slice(first, first + maxLabels).join(";");
    labels.push(...(await call("GetLabels", { equipment })));
  }
  return labels;
}
