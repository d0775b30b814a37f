// Servers that backups go to: WebDAV (WsgiDAV) and S3 (moto), which admin.sh installs. Know nothing of Fluglog.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./wait.mts";

const programs = join(import.meta.dirname, "../../target/machine/stores/bin");

export interface Stores {
  webdav: string;
  s3: string;
  /** Of the user "ada" of the WebDAV server. */
  password: string;
  /** Of the store, which takes any. */
  secret: string;
  /** The folders below those of the WebDAV server's users. */
  folders(): string[];
  stop(): Promise<void>;
}

/** Starts both at this address: a folder of "ada", and the bucket "fluglog". */
export async function startStores(address: string): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), "fluglog-stores-"));
  const password = "rote-Wolke-9";
  mkdirSync(join(folder, "files/ada"), { recursive: true });
  const settings = {
    host: address,
    port: 9001,
    provider_mapping: { "/": join(folder, "files") },
    http_authenticator: { accept_basic: true, accept_digest: false, default_to_digest: false },
    simple_dc: { user_mapping: { "*": { ada: { password } } } },
  };
  writeFileSync(join(folder, "webdav.json"), JSON.stringify(settings));
  const commands = [
    ["wsgidav", "--quiet", "--config", join(folder, "webdav.json")],
    ["moto_server", "--host", address, "--port", "9000"],
  ];
  const servers = commands.map(([name = "", ...options]) => spawn(join(programs, name), options, { stdio: "ignore" }));
  const webdav = `http://${address}:9001`;
  const s3 = `http://${address}:9000`;
  const answers = (url: string, options?: RequestInit) => fetch(url, options).catch(() => undefined);
  await until("the WebDAV server answers", () => answers(webdav));
  await until("there is a bucket", async () => (await answers(`${s3}/fluglog`, { method: "PUT" }))?.ok);
  return {
    webdav,
    s3,
    password,
    secret: "geheim",
    folders: () => globSync("*/*", { cwd: join(folder, "files") }),
    async stop() {
      for (const server of servers) {
        server.kill();
        await once(server, "exit");
      }
      rmSync(folder, { recursive: true });
    },
  };
}
