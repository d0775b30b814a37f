// One upload of a dialog: how far it is, and the way to cancel it. What is under way when the dialog goes is cancelled.
// Knows nothing of what is uploaded.
import { useEffect, useRef, useState } from "react";
import type { Transfer } from "../api/transfer";

export type TransferState = {
  /** From 0 to 1, null while nothing is under way. */
  share: number | null;
  run: <Answer>(send: (transfer: Transfer) => Promise<Answer>) => Promise<Answer>;
  cancel: () => void;
};

export function useTransfer(): TransferState {
  const [share, setShare] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  async function run<Answer>(send: (transfer: Transfer) => Promise<Answer>): Promise<Answer> {
    const controller = new AbortController();
    running.current = controller;
    setShare(0);
    try {
      return await send({ onProgress: setShare, signal: controller.signal });
    } finally {
      running.current = null;
      setShare(null);
    }
  }

  useEffect(() => () => running.current?.abort(), []);

  return { share, run, cancel: () => running.current?.abort() };
}
