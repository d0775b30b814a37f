// File uploads and downloads by XMLHttpRequest, because fetch doesn't report the progress of an upload. A transfer may
// take any time; it fails when nothing has moved for a while. Independent of single calls.
import { callUrl } from "../urls";
import {
  type Answer,
  ApiError,
  contentOf,
  type Fields,
  foreignAnswer,
  NetworkFailure,
  type SentAs,
  sessionSignal,
} from "./client";
import { markHeader, reportReachability } from "./reachability";

/** The server processes a file after its last byte has arrived, for example scales pictures. */
const usualStandstillMs = 90_000;

/** The rejection of a transfer that the user cancelled or whose session ended. */
export class TransferCancelled extends Error {
  constructor() {
    super("cancelled");
    this.name = "TransferCancelled";
  }
}

export type Transfer = {
  /** Called with the progress from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** Time without progress after which the transfer fails; default 90 s. */
  standstillMs?: number;
};

/**
 * Sends a change in multipart form. Several files share their field's name; null and undefined are left out.
 */
export async function upload<Name extends SentAs<"files">>(
  name: Name,
  fields: Fields<Name>,
  requestId: string,
  transfer: Transfer,
): Promise<Answer<Name>> {
  const form = new FormData();
  form.append("requestId", requestId);
  for (const [key, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part instanceof File) form.append(key, part, part.name);
      else form.append(key, typeof part === "object" ? JSON.stringify(part) : String(part));
    }
  }
  const answer = await send(name, form, transfer);
  return contentOf(await answer.text(), answer.type) as Answer<Name>;
}

/** Sends a POST whose answer is a file. */
export function download(name: "DownloadDocument", fields: Fields<"DownloadDocument">): Promise<Blob> {
  return send(name, new URLSearchParams(fields), {});
}

function send(
  name: string,
  body: FormData | URLSearchParams,
  { onProgress, signal: cancelled, standstillMs = usualStandstillMs }: Transfer,
): Promise<Blob> {
  const signal = AbortSignal.any([sessionSignal(), ...(cancelled ? [cancelled] : [])]);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let limit: ReturnType<typeof setTimeout>;
    function restartLimit(): void {
      clearTimeout(limit);
      limit = setTimeout(() => request.abort(), standstillMs);
    }
    function cancel(): void {
      request.abort();
    }
    function lose(): void {
      if (signal.aborted) {
        reject(new TransferCancelled());
        return;
      }
      reportReachability("unreachable");
      reject(new NetworkFailure(name));
    }
    async function judge(): Promise<void> {
      const answer = request.response as Blob;
      const { status } = request;
      const foreign = foreignAnswer(status, request.getResponseHeader(markHeader));
      if (foreign !== null) reject(foreign);
      else if (status >= 200 && status < 300) resolve(answer);
      else reject(new ApiError(status, await answer.text(), request.getResponseHeader("X-Field")));
    }

    request.open("POST", callUrl(name));
    request.responseType = "blob";
    request.upload.onprogress = ({ loaded, total }) => {
      restartLimit();
      if (total > 0) onProgress?.(loaded / total);
    };
    request.onprogress = restartLimit;
    request.onload = judge;
    request.onerror = lose;
    request.onabort = lose;
    request.onloadend = () => {
      clearTimeout(limit);
      signal.removeEventListener("abort", cancel);
    };
    signal.addEventListener("abort", cancel);
    restartLimit();
    request.send(body);
    if (signal.aborted) cancel();
  });
}
