// The device's position: read at once if the pilot has allowed it before, else when asked for.
import { useEffect, useState } from "react";
import type { Coordinates } from "../../lib/gps";
import { type NoPosition, positionPermission, requestPosition } from "../../lib/position";

export type Position = {
  place: Coordinates | null;
  problem: NoPosition | null;
  /** Whether asking can help. */
  canAsk: boolean;
  ask: () => Promise<void>;
};

export function usePosition(): Position {
  const [found, setFound] = useState<Coordinates | NoPosition | null>(null);
  const [permission, setPermission] = useState<PermissionState | null>(null);
  async function ask() {
    setFound(await requestPosition());
  }
  useEffect(() => {
    let isGone = false;
    positionPermission().then(async (state) => {
      if (isGone) return;
      setPermission(state);
      if (state !== "granted") return;
      const position = await requestPosition();
      if (!isGone) setFound(position);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return {
    place: typeof found === "string" ? null : found,
    problem: typeof found === "string" ? found : null,
    canAsk: permission === "prompt" && found === null,
    ask,
  };
}
