// A proxy between the browser and the server that drops answers, like a bad mobile network: the server does the work,
// but its answer is lost. Of HTTP it reads only the first line of a request.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface LossyProxy {
  origin: string;
  /** The base of every page, through this proxy; with the slash at its end. */
  url: string;
  /** From now on drops the answers to requests whose path begins like this: `/app/api/SaveFlight`. */
  loseAnswers(beginning: string): void;
  /** Stops dropping answers. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy to the server on this port of this machine. */
export async function startLossyProxy(port: string): Promise<LossyProxy> {
  let lost: string | undefined;
  const ends = new Set<Socket>();
  const proxy = createServer((browser) => {
    const server = connect(Number(port), "127.0.0.1");
    let isLost = false;
    browser.on("data", (bytes) => {
      // The connection is destroyed: one whose answer was lost is closed.
      if (lost !== undefined && bytes.includes(` ${lost}`)) isLost = true;
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (isLost) browser.destroy();
      else browser.write(bytes);
    });
    for (const [end, other] of [
      [browser, server],
      [server, browser],
    ] as const) {
      ends.add(end);
      end.on("error", () => {});
      end.on("close", () => {
        ends.delete(end);
        other.destroy();
      });
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/app/`,
    loseAnswers(beginning) {
      lost = beginning;
    },
    restore() {
      lost = undefined;
    },
    async close() {
      for (const end of ends) end.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
