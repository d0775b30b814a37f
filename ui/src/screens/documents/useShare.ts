// Shares a document while the component is mounted and the page is open.
import { useEffect, useState } from "react";
import { shareDocument, stopShare } from "../../api/documents";
import { formatClock } from "../../lib/dates";

/** How long a share lasts: `SHARE_SECONDS` of src/topics/documents/model.rs, as the answer doesn't tell the end. */
const lifetimeMs = 60 * 60 * 1000;

/** State of a share. `ended`: the page was left and then restored from the back/forward cache. */
type ShareState =
  | { kind: "starting" | "ended" }
  | { kind: "failed"; error: unknown }
  | { kind: "running"; img: string; until: string };

/** Shares the document; another `attempt` creates a new share. */
export function useShare(dpfId: string, attempt: number): ShareState {
  const [state, setState] = useState<ShareState>({ kind: "starting" });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt only reruns the effect
  useEffect(() => {
    let token: string | null = null;
    let isOver = false;
    function end(): void {
      isOver = true;
      if (token !== null) stopShare(token);
      token = null;
    }
    function endWithPage(): void {
      end();
      setState({ kind: "ended" });
    }
    setState({ kind: "starting" });
    shareDocument(dpfId).then(
      (share) => {
        token = share.token;
        if (isOver) end();
        else
          setState({
            kind: "running",
            img: share.img,
            until: formatClock(new Date(Date.now() + lifetimeMs)),
          });
      },
      (error) => {
        if (!isOver) setState({ kind: "failed", error });
      },
    );
    window.addEventListener("pagehide", endWithPage);
    return () => {
      window.removeEventListener("pagehide", endWithPage);
      end();
    };
  }, [dpfId, attempt]);

  return state;
}
