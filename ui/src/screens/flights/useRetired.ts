// The retired items of all kinds: a flight may have begun before their retirement.
import { useMemo } from "react";
import { useEquipments } from "../../api/equipment";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";

/** Returns the items; null until they are loaded. Callers work without them. */
export function useRetired(): Equipment[] | null {
  const copters = useEquipments(Kind.Copter, true);
  const batteries = useEquipments(Kind.Battery, true);
  const goggles = useEquipments(Kind.Goggles, true);
  const transmitters = useEquipments(Kind.Transmitter, true);
  const cameras = useEquipments(Kind.VideoCamera, true);
  const lists = [copters, batteries, goggles, transmitters, cameras];
  const retired = useMemo(
    () =>
      [copters.data, batteries.data, goggles.data, transmitters.data, cameras.data].flatMap(
        (data) => data ?? [],
      ),
    [copters.data, batteries.data, goggles.data, transmitters.data, cameras.data],
  );
  return lists.some(({ isPending }) => isPending) ? null : retired;
}
