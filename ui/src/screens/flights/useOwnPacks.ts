// Packs follow the copter: another one brings those that it flies with, unless the pilot has chosen other ones.
import { useRef, useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { fetchLastFlightOf } from "../../api/stickers";
import type { Choice } from "../../components/start/readyFlight";

export function useOwnPacks({
  atFirst,
  flown,
  packs,
  packsLike,
  read,
  change,
}: {
  /** Ids of the packs that are proposed at first; other items among them count for nothing. */
  atFirst: string[];
  /** Latest flights, newest first. */
  flown: FlightRow[];
  packs: Equipment[];
  /** The packs to propose after this flight. */
  packsLike: (flight: FlightRow) => string[];
  /** The choice as it is, for answers that come later. */
  read: () => Choice;
  change: (next: Partial<Choice>) => void;
}) {
  const [brought, setBrought] = useState(atFirst);
  const proposed = useRef(brought);
  const isPack = (dpfId: string) => packs.some((pack) => pack.dpfId === dpfId);
  function isProposal() {
    const chosen = read().equipments.filter(isPack);
    const known = proposed.current.filter(isPack);
    return chosen.length === 0 || String(chosen.toSorted()) === String(known.toSorted());
  }
  function propose(own: string[]) {
    proposed.current = own;
    setBrought(own);
  }
  function bring(flight: FlightRow | undefined) {
    const own = flight ? packsLike(flight) : [];
    propose(own);
    change({ equipments: [...own, ...read().equipments.filter((dpfId) => !isPack(dpfId))] });
  }
  async function chooseCopter(dpfId: string) {
    change({ copter: dpfId });
    if (!isProposal()) return;
    const known = flown.find((row) => !row.open && row.copter.dpfId === dpfId);
    bring(known);
    if (known) return;
    // Without an answer no pack is chosen.
    const fetched = await fetchLastFlightOf(dpfId).catch(() => null);
    if (fetched && read().copter === dpfId && isProposal()) bring(fetched);
  }
  return { brought: brought.filter(isPack), propose, chooseCopter };
}
