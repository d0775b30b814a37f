// The item of a sticker, by its code or its number. Independent of forms.
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

/** Normalizes a typed code: I and L are read as 1, O as 0. */
export function codeOf(typed: string): string {
  return typed.toUpperCase().replace(/[ -]/g, "").replace(/[IL]/g, "1").replaceAll("O", "0");
}

/** The item with this code: without a request if it is in use, so also without network. */
export function useItemOfCode(code: string) {
  const all = useAllEquipments();
  const cached = itemsOf(all.data).find(({ sticker }) => sticker === code);
  const fetched = useAnswer("GetSticker", { code }, { enabled: !all.isPending && cached === undefined });
  return cached ? { data: cached, error: null, refetch: all.refetch } : fetched;
}

/** The last finished flight of an item; null when there is none. */
export function useLastFlightOf(item: string): FlightRow | null {
  const latest = useLatestFlights();
  const cached = latest.data?.find(
    ({ open, copter, equipments }) => !open && [copter, ...equipments].some(({ dpfId }) => dpfId === item),
  );
  const fields = { equipment: item, limit: 1 };
  const fetched = useQuery({
    queryKey: keyOf("GetFlights", fields),
    queryFn: async () => (await call("GetFlights", fields)) ?? [],
    enabled: latest.isSuccess && cached === undefined,
  });
  return cached ?? fetched.data?.find(({ open }) => !open) ?? null;
}

/** Fetches the last finished flight of an item; null when there is none. */
export async function fetchLastFlightOf(item: string): Promise<FlightRow | null> {
  // Two, because the newest may be open.
  const rows = (await call("GetFlights", { equipment: item, limit: 2 })) ?? [];
  return rows.find(({ open }) => !open) ?? null;
}

/** Labels per request. */
const maxLabels = 200;

/** The labels of these items. */
export async function fetchLabels(items: readonly string[]): Promise<Label[]> {
  const labels: Label[] = [];
  for (let first = 0; first < items.length; first += maxLabels) {
    const equipment = items.slice(first, first + maxLabels).join(";");
    labels.push(...(await call("GetLabels", { equipment })));
  }
  return labels;
}
