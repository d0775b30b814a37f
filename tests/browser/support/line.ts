// A line between the browser and the server on which answers get lost, as at the edge of a radio cell: the server does its
// work, and nobody hears of it. Knows of HTTP no more than the first line of a request.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Line {
  origin: string;
  /** The base of every page, through this line; with the slash at its end. */
  url: string;
  /** From now on nothing comes back of requests to paths that begin like this: `/app/api/SaveFlight`. */
  loseAnswers(beginning: string): void;
  /** Everything comes through again. */
  mend(): void;
  close(): Promise<void>;
}

/** Lays a line to the server on this port of this machine. */
export async function layLine(port: string): Promise<Line> {
  let lost: string | undefined;
  const ends = new Set<Socket>();
  const line = createServer((browser) => {
    const server = connect(Number(port), "127.0.0.1");
    let isLost = false;
    browser.on("data", (bytes) => {
      // For good: a connection whose answer was lost is closed.
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
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  const origin = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/app/`,
    loseAnswers(beginning) {
      lost = beginning;
    },
    mend() {
      lost = undefined;
    },
    async close() {
      for (const end of ends) end.destroy();
      line.close();
      await once(line, "close");
    },
  };
}
