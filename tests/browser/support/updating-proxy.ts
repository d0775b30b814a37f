// A proxy to the server whose service worker changes on demand, like after an update, and that can drop requests. The
// app itself stays unchanged.

import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface UpdatingProxy {
  origin: string;
  /** The base of every page, through this proxy; with the slash at its end. */
  url: string;
  /** From now on serves a newer worker. */
  update(): void;
  /** From now on requests whose path begins like this get no answer. */
  drop(beginning: string): void;
  /** Stops dropping requests. */
  restore(): void;
  close(): void;
}

export async function startUpdatingProxy(port: string): Promise<UpdatingProxy> {
  let isNewer = false;
  let dropped: string | undefined;
  const proxy = createServer((asked, answer) => {
    const path = asked.url ?? "";
    if (dropped !== undefined && path.startsWith(dropped)) {
      asked.socket.destroy();
      return;
    }
    const isWorker = path === "/app/sw.js";
    const { "if-none-match": known, ...rest } = asked.headers;
    // Complete and uncompressed, so that it can be appended to.
    const headers = isWorker
      ? { ...rest, "accept-encoding": "identity" }
      : { ...rest, ...(known && { "if-none-match": known }) };
    const passed = request({ port, host: "127.0.0.1", method: asked.method, path, headers }, (got) => {
      const { "content-length": _, ...others } = got.headers;
      answer.writeHead(got.statusCode ?? 502, isWorker ? others : got.headers);
      got.on("data", (bytes) => answer.write(bytes));
      got.on("end", () => answer.end(isWorker && isNewer ? "\n// A newer one.\n" : undefined));
    });
    passed.on("error", () => asked.socket.destroy());
    asked.pipe(passed);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/app/`,
    update() {
      isNewer = true;
    },
    drop(beginning) {
      dropped = beginning;
    },
    restore() {
      dropped = undefined;
    },
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
