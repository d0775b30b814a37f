// Opens the outbox once the first screen is shown, so that no press has to wait for it.
import { currentOutbox } from "../../api/perform";
import { showToast } from "../../components/toasts";
import { nothingKept } from "./outboxTexts";

/** Set when it was said that the browser stores nothing. */
const saidKey = "fluglog.nothingKept";

const shownMs = 15_000;

export async function openOutbox(): Promise<void> {
  const outbox = await currentOutbox();
  if (outbox === null || outbox.store.isKept || sessionStorage.getItem(saidKey) !== null) return;
  sessionStorage.setItem(saidKey, "");
  showToast(nothingKept, shownMs);
}
