// A document of 50 MB: its download beside nginx, its upload beside a plain write of as many bytes that is synced.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Client } from "../../browser/support/client.ts";
import { freePort } from "../../browser/support/port.ts";
import { makeDataDir, removeDataDir, type Server } from "../../browser/support/server.ts";
import { until } from "../../packaging/wait.mts";
import { type Figure, median } from "../support/figure.mts";
import { load, request } from "../support/load.mts";
import { residentMegabytes } from "../support/process.mts";
import { logInPilot, pilot, withServer } from "../support/world.mts";

const bytes = 50_000_000;
const rounds = 7;
const seconds = 1.5;

export async function documents(): Promise<Figure[]> {
  const dataDir = await makeDataDir();
  const folder = await makeDataDir();
  try {
    const content = randomBytes(bytes);
    writeFileSync(join(folder, "document"), content);
    return await withServer(dataDir, async (server) => {
      await server.addUser(pilot);
      const client = await logInPilot(server);
      const idle = residentMegabytes(server.pid);
      const up: number[] = [];
      const written: number[] = [];
      let document = "";
      for (let round = 0; round < rounds; round++) {
        document = await timed(up, () => upload(server, client, content));
        await timed(written, async () => write(join(folder, "written"), content));
      }
      const { down, nginx } = await downloads(server, client, JSON.parse(document).dpfId, folder);
      const memory = residentMegabytes(server.pid, "VmHWM") - idle;
      const figure = (name: string, value: number, least: number, floor: string) => ({
        name,
        value: value / least,
        limit: 1.5,
        unit: "× floor",
        note: `${value.toFixed(0)} ms, ${floor} ${least.toFixed(0)} ms`,
      });
      return [
        figure("a document of 50 MB, up", median(up), median(written), "a synced write"),
        figure("a document of 50 MB, down", down, nginx, "nginx"),
        { name: "a document of 50 MB", value: memory, limit: 16, unit: "MB", note: "over idle, up and down" },
      ];
    });
  } finally {
    await removeDataDir(dataDir);
    await removeDataDir(folder);
  }
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  times.push(performance.now() - begun);
  return result;
}

function write(path: string, content: Buffer): void {
  const file = openSync(path, "w");
  writeSync(file, content);
  fsyncSync(file);
  closeSync(file);
}

/** As a browser's form, without fetch, whose own work would count. Resolves with the body of the answer. */
function upload(server: Server, client: Client, content: Buffer): Promise<string> {
  const part = (name: string, rest: string) =>
    `--part\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  const start = `${part("description", "")}\r\n${part("file", '; filename="a.bin"')}`;
  const end = "\r\n--part--\r\n";
  const head = [
    "POST /app/api/UploadUserDocument HTTP/1.1",
    `Host: 127.0.0.1:${server.port}`,
    `Origin: ${server.origin}`,
    `Cookie: ${client.cookie()}`,
    "Content-Type: multipart/form-data; boundary=part",
    `Content-Length: ${start.length + content.length + end.length}`,
    "Connection: close",
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(server.port), "127.0.0.1");
    let answer = "";
    socket.on("error", reject);
    socket.on("data", (piece) => {
      answer += piece;
    });
    socket.on("close", () => {
      const [status = "", body = ""] = answer.split("\r\n\r\n");
      if (status.startsWith("HTTP/1.1 201")) resolve(body);
      else reject(new Error(answer));
    });
    socket.write(`${head.join("\r\n")}\r\n\r\n${start}`);
    socket.write(content);
    socket.write(end);
  });
}

/** Milliseconds of a download over one kept connection, from both in turn. */
async function downloads(server: Server, client: Client, dpfId: string, folder: string) {
  const product = {
    port: Number(server.port),
    pid: server.pid,
    request: () => request("POST", "/app/api/DownloadDocument", client.cookie(), { dpfId }),
  };
  const nginx = await startNginx(folder);
  try {
    const floor = { ...nginx, request: () => request("GET", "/document", "") };
    const times: number[] = [];
    const leasts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push((await load(product, 1, seconds)).p50);
      leasts.push((await load(floor, 1, seconds)).p50);
    }
    return { down: median(times), nginx: median(leasts) };
  } finally {
    process.kill(nginx.pid, "SIGTERM");
  }
}

/** nginx with the files of a folder, sent as Debian sets it. */
async function startNginx(folder: string): Promise<{ port: number; pid: number }> {
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}
    http { access_log off; sendfile on; tcp_nopush on; server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const { pid = 0 } = spawn("/usr/sbin/nginx", ["-c", config, "-p", folder], { stdio: "inherit" });
  await until("nginx answers", () =>
    fetch(`http://127.0.0.1:${port}/nginx.conf`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { port, pid };
}
