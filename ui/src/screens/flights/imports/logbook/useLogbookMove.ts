// The move of a logbook as a page shows it. Its progress is kept in this browser, so that choosing the file again
// resumes there.
import { useEffect, useRef, useState } from "react";
import { evaluationMs } from "../../../../api/imports";
import { perform } from "../../../../api/perform";
import { untilReachable } from "../../../../api/reachability";
import { useCachedUser } from "../../../../api/session";
import { type DraftName, readDraft, removeDraft, writeDraft } from "../../../../lib/drafts";
import { newId } from "../../../../lib/ids";
import type { Logbook } from "./archive";
import { moveLogbook, noTotals, type Progress, type ServerCalls } from "./moveLogbook";

const pauseMs = 3_000;

const notStarted: Progress = { place: 0, came: noTotals };

/** The stored progress of a move, and the import that is open for it. */
type StoredMove = { progress?: Progress; dpfId?: string | null };

const storedMove = (name: DraftName) => (readDraft(name)?.values ?? {}) as StoredMove;

type Moving =
  | { state: "ready" | "done" }
  | { state: "moving"; share: number; waits: "cut" | "busy" | null }
  | { state: "failed"; error: unknown };

export function useLogbookMove(logbook: Logbook) {
  const account = useCachedUser()?.account ?? "";
  const { file } = logbook;
  const name = { account, form: "logbook", record: `${file.name}/${file.size}/${file.lastModified}` };
  const [moving, setMoving] = useState<Moving>({ state: "ready" });
  const [progress, setProgress] = useState<Progress>(() => ({ ...notStarted, ...storedMove(name).progress }));
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  function storeMove(change: StoredMove): void {
    writeDraft(name, { values: { ...storedMove(name), ...change } });
  }

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    const calls = serverCalls(controller.signal, (change) =>
      setMoving((now) => (now.state === "moving" ? { ...now, ...change } : now)),
    );
    const begin = () => setMoving({ state: "moving", share: 0, waits: null });
    begin();
    let latest = progress;
    function saveProgress(change: Partial<Progress>): void {
      latest = { ...latest, ...change };
      setProgress(latest);
      storeMove({ progress: latest });
    }
    try {
      // The part of an interrupted import is sent again.
      const { dpfId } = storedMove(name);
      if (dpfId) await calls.discard(dpfId).catch(() => {});
      await moveLogbook(
        logbook,
        progress,
        calls,
        {
          onPart: (place) => {
            saveProgress({ place });
            begin();
          },
          onImport: (open) => storeMove({ dpfId: open }),
          onTotals: (totals) => saveProgress({ came: totals }),
        },
        controller.signal,
      );
      removeDraft(name);
      setMoving({ state: "done" });
    } catch (error) {
      setMoving(controller.signal.aborted ? { state: "ready" } : { state: "failed", error });
    }
  }

  return { moving, progress, start, pause: () => running.current?.abort() };
}

type Change = Partial<Extract<Moving, { state: "moving" }>>;

function serverCalls(signal: AbortSignal, show: (change: Change) => void): ServerCalls {
  const sent = async <Answer>(answer: Promise<Answer | undefined>): Promise<Answer> => {
    const value = await answer;
    show({ waits: null });
    return value as Answer;
  };
  return {
    upload: (part, requestId) => {
      const onProgress = (share: number) => show({ share, waits: null });
      const transfer = { onProgress, signal, standstillMs: evaluationMs };
      return sent(perform("UploadImport", { files: [part] }, requestId, { transfer }));
    },
    accept: (dpfId, choices, requestId) => sent(perform("AcceptImport", { dpfId, choices }, requestId)),
    discard: (dpfId) => perform("DiscardImport", { dpfId }, newId()),
    wait: async (isCut) => {
      show({ waits: isCut ? "cut" : "busy" });
      const pause = new Promise((done) => setTimeout(done, pauseMs));
      const over = isCut ? Promise.all([untilReachable(), pause]) : pause;
      const aborted = new Promise((_, reject) => signal.addEventListener("abort", reject, { once: true }));
      await Promise.race([over, aborted]);
    },
  };
}
