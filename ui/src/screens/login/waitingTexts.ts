// German texts of what waits on this device for a login.
import { formatCount } from "../../texts";

export const waitingWrites = {
  of: (nickname: string, count: number) =>
    count === 1
      ? `1 Eintrag von ${nickname} wartet auf diesem Gerät.`
      : `${formatCount(count)} Einträge von ${nickname} warten auf diesem Gerät.`,
  discard: "Verwerfen",
};
