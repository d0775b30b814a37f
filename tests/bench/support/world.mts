// The data that the figures are measured with, and servers on it. Knows no figure.

import { addEquipment, addFlights, type Client, kind, logIn } from "../../browser/support/client.ts";
import { fluglog, makeDataDir, removeDataDir, type Server, startServer } from "../../browser/support/server.ts";
import type { Figure } from "./figure.mts";

export const pilot = { email: "pilotin@example.org", nickname: "Pilotin", password: "rotorblatt-17" };
export const flightCount = 5_000;

/** Data directories. */
export interface World {
  empty: string;
  /** One pilot with 5,000 finished flights, and no open one. */
  flights: string;
}

/** Measures some figures; a file in `figures/` each. */
export type Measure = (world: World) => Promise<Figure[]>;

export async function withWorld(work: (world: World) => Promise<void>): Promise<void> {
  const world = { empty: await makeDataDir(), flights: await makeDataDir() };
  try {
    await fluglog(["init", "--data-dir", world.empty]);
    console.log(`Entering ${flightCount} flights …`);
    await withServer(world.flights, (server) => fill(server, flightCount));
    await work(world);
  } finally {
    await removeDataDir(world.empty);
    await removeDataDir(world.flights);
  }
}

/** Adds the pilot with `flights` finished flights. */
export async function fill(server: Server, flights: number): Promise<void> {
  await server.addUser(pilot);
  const client = await logInPilot(server);
  const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5", { model: "F5D V2", weight: "680" });
  const battery = await addEquipment(client, kind.battery, "Akku 1", { batteryType: "LiPo 6S", weight: "208" });
  await addFlights(client, flights, { copter, equipments: [battery] });
}

export async function withServer<T>(dataDir: string, work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServer({ dataDir });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

export function logInPilot(server: Server): Promise<Client> {
  return logIn(server.origin, pilot.email, pilot.password);
}

export async function healthy(server: Server): Promise<void> {
  const answer = await fetch(`${server.url}health`);
  if (!answer.ok) throw new Error(`/app/health answered ${answer.status}`);
  await answer.text();
}
