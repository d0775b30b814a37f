// A proxy between the browser and the server that answers in the server's place: a captive portal, a proxy with a login
// or a fault, or a line that cuts answers or keeps them.

import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The text of every foreign page. */
export const foreignText = "Willkommen im Gastnetz";

const page = `<!doctype html><html lang="de"><title>Gast</title><h1>${foreignText}</h1></html>`;
const loginPath = "/gast/anmelden";

/** What happens to a request. The server does the work of one whose answer is cut or kept. */
export type Interception = "a portal's page" | "a redirect to a login" | "a bad gateway" | "cut answers" | "silence";

export interface InterceptingProxy {
  origin: string;
  /** The base of every page, through this proxy; with the slash at its end. */
  url: string;
  /** From now on, happens to every request. */
  intercept(how: Interception): void;
  /** From now on requests and answers pass, on other connections: as when a phone changes its network. */
  restore(): void;
  close(): void;
}

export async function startInterceptingProxy(port: string): Promise<InterceptingProxy> {
  let how: Interception | undefined;
  const proxy = createServer((asked, answer) => {
    if (asked.url === loginPath || how === "a portal's page") answerWithPage(answer, 200);
    else if (how === "a bad gateway") answerWithPage(answer, 502);
    else if (how === "a redirect to a login") answer.writeHead(302, { Location: loginPath }).end();
    else passOn(port, asked, answer, how);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/app/`,
    intercept(next) {
      how = next;
    },
    restore() {
      how = undefined;
      proxy.closeAllConnections();
    },
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

function answerWithPage(answer: ServerResponse, status: number): void {
  answer.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(page);
}

function passOn(port: string, asked: IncomingMessage, answer: ServerResponse, how: Interception | undefined): void {
  const { method, url: path, headers } = asked;
  const passed = request({ port, host: "127.0.0.1", method, path, headers }, (got) => {
    if (how === "silence") {
      got.resume();
      return;
    }
    answer.writeHead(got.statusCode ?? 502, got.headers);
    if (how === undefined) {
      got.pipe(answer);
      return;
    }
    const length = Number(got.headers["content-length"] ?? 0);
    got.once("data", (bytes: Buffer) => answer.write(bytes.subarray(0, length / 2), () => asked.socket.destroy()));
    got.once("end", () => asked.socket.destroy());
  });
  passed.on("error", () => asked.socket.destroy());
  asked.pipe(passed);
}
