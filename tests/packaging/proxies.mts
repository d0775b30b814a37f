// Fluglog as a browser sees it through a proxy, at https://fluglog.example.org. proxies.sh starts both, or admin.mts, which
// adds the pilot.

import { equal, match, ok } from "node:assert/strict";
import { addDocument, logIn } from "../browser/support/client.ts";
import { fluglog } from "../browser/support/server.ts";
import { fly, pilot } from "./journey.mts";

const proxy = process.argv[2] ?? "";
const dataDir = process.env["FLUGLOG_DATA_DIR"];
const origin = "https://fluglog.example.org";
const largestUpload = 50 * 1024 * 1024;

const user = { ...pilot, email: `${proxy.toLowerCase()}@example.org` };
const who = ["--email", user.email, "--nickname", user.nickname];
if (dataDir) await fluglog(["user", "add", "--data-dir", dataDir, ...who, "--password-stdin"], `${user.password}\n`);

const client = await logIn(origin, user.email, user.password);
match(client.cookie(), /^__Host-session=/);
await fly(origin, user);
await addDocument(client, { name: "Handbuch.bin", content: new Uint8Array(largestUpload) });

const page = await fetch(`${origin}/app/`);
equal(page.status, 200);
ok(page.headers.get("strict-transport-security"), "https for good");
const plain = await fetch("http://fluglog.example.org/app/", { redirect: "manual" });
ok([301, 308].includes(plain.status), `http leads to https: ${plain.status}`);
match(plain.headers.get("location") ?? "", /^https:\/\/fluglog\.example\.org\/app\//);

if (proxy.endsWith("shared")) {
  equal(await (await fetch(`${origin}/`)).text(), "Die andere Seite");
  equal(new URL((await fetch(`${origin}/app`)).url).pathname, "/app/");
}

console.log(`ok  ${proxy}: log in, image, 50 MB, cookies and redirects`);
