// A pilot's first actions on a newly installed server, and a check that their data survives a restore or an upgrade.
// Knows the calls, not how the server was started.

import { deepEqual, equal, ok } from "node:assert/strict";
import {
  addEquipment,
  addImages,
  type Client,
  createFlight,
  finishFlight,
  kind,
  logIn,
} from "../browser/support/client.ts";
import { green, picture } from "../browser/support/pictures.ts";
import type { User } from "../browser/support/server.ts";

export const pilot: User = { email: "pilotin@example.org", nickname: "Pilotin", password: "rotorblatt-17" };

/** A pilot's data, as the server shows it. */
export interface Flight {
  of: User;
  dpfId: string;
  shown: string;
  image: Buffer;
}

/** Logs in, enters a copter, flies, and uploads an image. */
export async function fly(origin: string, user: User = pilot): Promise<Flight> {
  const client = await logIn(origin, user.email, user.password);
  const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5", { weight: "680" });
  const dpfId = await createFlight(client, { copter });
  await finishFlight(client, dpfId, { location: "Modellflugplatz Harsefeld", flightTime: 7 });
  const [uuid = ""] = await addImages(client, dpfId, [picture(green)]);
  return {
    of: user,
    dpfId,
    shown: await client.call("GetFlight", { dpfId }),
    image: await imageOf(origin, client, uuid),
  };
}

/** Fails unless the flight and its image are unchanged. */
export async function seesTheFlight(origin: string, flight: Flight): Promise<void> {
  const client = await logIn(origin, flight.of.email, flight.of.password);
  const shown = await client.call("GetFlight", { dpfId: flight.dpfId });
  equal(shown, flight.shown);
  const [uuid = ""] = JSON.parse(shown).images;
  deepEqual(await imageOf(origin, client, uuid), flight.image);
}

async function imageOf(origin: string, client: Client, uuid: string): Promise<Buffer> {
  const answer = await fetch(`${origin}/app/api/GetImage?uuid=${uuid}`, { headers: { Cookie: client.cookie() } });
  equal(answer.status, 200);
  const image = Buffer.from(await answer.arrayBuffer());
  ok(image.length > 0);
  return image;
}
