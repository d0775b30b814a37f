// What a list doesn't say as Fluglog needs it, each with its way out: columns that weren't read, packs that the pilot
// doesn't have, and flights without a time of day.
import { useState } from "react";
import { isNotLoggedIn } from "../../../api/client";
import type { Equipment } from "../../../api/generated/Equipment";
import type { Import } from "../../../api/generated/Import";
import { Kind } from "../../../api/generated/Kind";
import { Button } from "../../../components/Button";
import { ErrorNote, errorText, InfoNote } from "../../../components/states";
import { useIntent } from "../../../components/useIntent";
import { unreadColumnsOf } from "./review";
import { imports as texts } from "./texts";

/** One line for each table of which flights but not all columns were read. */
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

/** Offers to create packs. `dpfId`: the import. */
export function NewPacks({
  dpfId,
  names,
  onCreated,
}: {
  dpfId: string;
  names: string[];
  onCreated: (packs: Equipment[]) => void;
}) {
  const intent = useIntent("importedPacks", dpfId);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (names.length === 0) return null;

  async function create() {
    setError(null);
    setBusy(true);
    const created: Equipment[] = [];
    try {
      for (const name of names) {
        const equipment = { type: Kind.Battery, name };
        created.push(await intent.send("SaveNewEquipment", equipment, (dpfId) => ({ dpfId, equipment })));
      }
      intent.forget();
    } catch (failure) {
      if (!isNotLoggedIn(failure)) setError(errorText(failure, texts.unanswered));
    } finally {
      onCreated(created);
      setBusy(false);
    }
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

/** Offers the same time of day for all flights of which only the day is known. */
export function WithoutClock({ count, onNoon }: { count: number; onNoon: () => void }) {
  if (count === 0) return null;
  return (
    <InfoNote icon="clock" action={<Button onPress={onNoon}>{texts.assumeNoon}</Button>}>
      {texts.withoutClock(count)}
    </InfoNote>
  );
}
