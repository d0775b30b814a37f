// The upload of a dialog: its progress, and how to cancel it. Unmounting cancels a running upload.
import { useEffect, useRef, useState } from "react";
import type { Transfer } from "../api/transfer";

export type TransferState = {
  /** From 0 to 1, null while no upload is running. */
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
