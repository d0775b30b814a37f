// A machine with 512 MB: twenty pilots upload two progressive pictures of 12 megapixels each, all at once, and everything
// else goes on in the memory that is left. FLUGLOG_BIN names the program, FLUGLOG_RUNNER what limits its memory (small.sh).

import { equal } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addEquipment, addImages, createFlight, kind, logIn } from "../browser/support/client.ts";
import { fluglog, makeDataDir, removeDataDir, startServer } from "../browser/support/server.ts";
import { fly, pilot, seesTheFlight } from "./journey.mts";

const pilots = 20;
const picturesOfAFlight = 2;
// An OpenCamera or phone picture in its usual form.
const [width, height] = [4000, 3000];

const folder = await makeDataDir();
try {
  const server = await startServer({ dataDir: join(folder, "data") });
  const photograph = jpeg();
  await server.addUser(pilot);
  const flight = await fly(server.origin);
  const clients = [];
  for (let number = 1; number <= pilots; number++) {
    const user = { ...pilot, email: `pilot-${number}@example.org`, nickname: `Pilot ${number}` };
    await server.addUser(user);
    clients.push(await logIn(server.origin, user.email, user.password));
  }
  const flights = await Promise.all(
    clients.map(async (client) => {
      const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5");
      const dpfId = await createFlight(client, { copter });
      const files = Array<Uint8Array<ArrayBuffer>>(picturesOfAFlight).fill(photograph);
      return { client, dpfId, images: await addImages(client, dpfId, files) };
    }),
  );
  for (const { client, dpfId, images } of flights) {
    equal(images.length, picturesOfAFlight);
    equal(JSON.parse(await client.call("GetFlight", { dpfId })).images.length, picturesOfAFlight);
  }
  await seesTheFlight(server.origin, flight);
  await fluglog(["backup", "--data-dir", server.dataDir, "--output", join(folder, "backup.tar")]);
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
  // A killed server has another exit code than 0.
  await server.stop();
  const megabytes = (photograph.length / 1e6).toFixed(1);
  const pictures = `${pilots * picturesOfAFlight} pictures of 12 megapixels, ${megabytes} MB each`;
  console.log(`ok  ${pictures}, at once: ${peak} kB at most`);
} finally {
  await removeDataDir(folder);
}

/** A picture with the noise of a camera, by Debian's libjpeg-turbo. */
function jpeg(): Uint8Array<ArrayBuffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let random = 1;
  for (let at = 0; at < pixels.length; at += 3) {
    random = (random * 1103515245 + 12345) & 0x7fffffff;
    const light = ((at / 3) % width) / 20 + ((random >> 16) % 24);
    pixels.set([light, light * 0.9, 200 - light * 0.5], at);
  }
  const file = Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]);
  const program = execFileSync(join(import.meta.dirname, "../need.sh"), ["libjpeg-turbo-progs", "cjpeg"], {
    encoding: "utf8",
  });
  return new Uint8Array(
    execFileSync(program.trim(), ["-progressive", "-quality", "90"], { input: file, maxBuffer: 64 << 20 }),
  );
}
