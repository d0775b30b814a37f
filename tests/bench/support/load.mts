// Asks a server over many connections and measures what that costs it. Without fetch or node:http, whose own work would
// take the server's processors. Knows no call.

import { connect } from "node:net";
import { cpuSeconds, residentMegabytes } from "./process.mts";

export interface Target {
  port: number;
  /** The process whose time counts. */
  pid: number;
  /** The next request, as bytes on the wire. */
  request: () => string;
}

export interface Cost {
  /** Requests a second. */
  rate: number;
  /** Milliseconds until half of the answers were there, and 99 of 100. */
  p50: number;
  p99: number;
  /** Microseconds of the server's processors for one request. */
  cpuMicroseconds: number;
  /** The server's memory at the end, in MB. */
  megabytes: number;
  /** Of the last answer's body. */
  bytes: number;
}

/** A request as a browser's, on a connection that is kept. */
export function request(
  method: "GET" | "POST",
  path: string,
  cookie: string,
  fields: Record<string, string> = {},
): string {
  const body = new URLSearchParams(fields).toString();
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Cookie: ${cookie}`,
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** Each connection asks again as soon as it has its answer, for `seconds` seconds. */
export async function load(target: Target, connections: number, seconds: number): Promise<Cost> {
  const cpuBefore = cpuSeconds(target.pid);
  const begun = performance.now();
  const ends = begun + seconds * 1000;
  const times: number[] = [];
  const bytes = await Promise.all(Array.from({ length: connections }, () => converse(target, ends, times)));
  const took = (performance.now() - begun) / 1000;
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  return {
    rate: times.length / took,
    p50: at(0.5),
    p99: at(0.99),
    cpuMicroseconds: ((cpuSeconds(target.pid) - cpuBefore) / times.length) * 1e6,
    megabytes: residentMegabytes(target.pid),
    bytes: bytes[0] ?? Number.NaN,
  };
}

/** Empty. */
const lastChunk = "0\r\n\r\n";

/** Resolves with the length of the last answer's body, which is unknown of one in chunks. */
function converse({ port, request }: Target, ends: number, times: number[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    let asked = performance.now();
    let left = 0;
    let length = 0;
    let end = "";
    socket.on("connect", () => socket.write(request()));
    socket.on("error", reject);
    socket.on("close", () => resolve(length));
    socket.on("data", (part) => {
      if (left === 0) {
        const headEnd = part.indexOf("\r\n\r\n");
        const head = part.toString("latin1", 0, headEnd);
        if (headEnd < 0 || !head.startsWith("HTTP/1.1 200")) return socket.destroy(new Error(`It answered ${head}`));
        const isChunked = /transfer-encoding: chunked/i.test(head);
        length = isChunked ? Number.POSITIVE_INFINITY : Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (!(length > 0)) return socket.destroy(new Error(`The answer doesn't say its length: ${head}`));
        left = length + headEnd + 4;
      }
      left -= part.length;
      if (left === Number.POSITIVE_INFINITY) {
        end = (end + part.toString("latin1", Math.max(0, part.length - lastChunk.length))).slice(-lastChunk.length);
        if (end === lastChunk) left = 0;
      }
      if (left > 0) return;
      const now = performance.now();
      times.push(now - asked);
      asked = now;
      if (now > ends) socket.end();
      else socket.write(request());
    });
  });
}
