// Notes on an imported list, each with an action: columns that weren't read, packs that the pilot doesn't have, and
// flights without a time of day.
import { useRef, useState } from "react";
import { isNotLoggedIn } from "../../../api/client";
import type { Equipment } from "../../../api/generated/Equipment";
import type { Import } from "../../../api/generated/Import";
import { Kind } from "../../../api/generated/Kind";
import { perform } from "../../../api/perform";
import { Button } from "../../../components/Button";
import { focusHeadingIfLost } from "../../../components/focusHeading";
import { ErrorNote, errorText, InfoNote } from "../../../components/states";
import { showToast } from "../../../components/toasts";
import { newId } from "../../../lib/ids";
import { normalized, unreadColumnsOf } from "./review";
import { imports as texts } from "./texts";

/** One line for each table with flights in which some columns weren't read. */
export function UnreadColumns({ found, onColumns }: { found: Import; onColumns: (file: number) => void }) {
  const { files, proposals } = found;
  return files.map((file, place) => {
    const columns = unreadColumnsOf(file);
    if (columns.length === 0 || !proposals.some((proposal) => proposal.file === place)) return null;
    const sentence = texts.notRead(columns.join(", "));
    return (
      <InfoNote
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the file
        key={place}
        icon="file-xls"
        action={<Button onPress={() => onColumns(place)}>{texts.columns}</Button>}
      >
        {files.length > 1 ? texts.ofFile(file.name, sentence) : sentence}
      </InfoNote>
    );
  });
}

/** Offers to create packs. */
export function NewPacks({ names, onCreated }: { names: string[]; onCreated: (packs: Equipment[]) => void }) {
  /** Ids by normalized name: a pack whose answer was lost is sent again as itself, and no other one in its place. */
  const ids = useRef(new Map<string, string>());
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (names.length === 0) return null;

  async function create() {
    setError(null);
    setBusy(true);
    const created: Equipment[] = [];
    try {
      for (const name of names) {
        const pack = await createPack(name);
        if (pack) created.push(pack);
      }
      showToast(texts.packsCreated(created.length));
      focusHeadingIfLost();
    } catch (failure) {
      if (!isNotLoggedIn(failure)) setError(errorText(failure, texts.unanswered));
    } finally {
      onCreated(created);
      setBusy(false);
    }
  }
  async function createPack(name: string) {
    const id = ids.current.get(normalized(name)) ?? newId();
    ids.current.set(normalized(name), id);
    const equipment = { type: Kind.Battery, name };
    const pack = await perform("SaveNewEquipment", { dpfId: id, equipment }, id);
    // A pack that is created again, after it was deleted, is another one.
    ids.current.delete(normalized(name));
    return pack;
  }
  return (
    <>
      <InfoNote
        icon="battery"
        action={
          <Button icon="plus" isBusy={isBusy} onPress={create}>
            {texts.createPacks(names.length)}
          </Button>
        }
      >
        {texts.newPacks(names.join(", "), names.length)}
      </InfoNote>
      {error !== null && <ErrorNote>{error}</ErrorNote>}
    </>
  );
}

/** Offers noon as the start of all flights of which only the day is known. */
export function WithoutClock({ count, onNoon }: { count: number; onNoon: () => void }) {
  if (count === 0) return null;
  function assumeNoon() {
    onNoon();
    focusHeadingIfLost();
  }
  return (
    <InfoNote icon="clock" action={<Button onPress={assumeNoon}>{texts.assumeNoon}</Button>}>
      {texts.withoutClock(count)}
    </InfoNote>
  );
}
