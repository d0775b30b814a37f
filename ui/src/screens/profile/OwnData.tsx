// "Meine Daten": downloads all data as a file, to keep or to move to another Fluglog.
import { useDownloadOwnData } from "../../api/account";
import { useAnswer } from "../../api/answers";
import { Button } from "../../components/Button";
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { formatMegabytes } from "../../lib/fileKinds";
import { sizeText } from "../../lib/sizes";
import { profile } from "../../texts";
import { Action, ActionCard } from "./ActionCard";
import { storage } from "./texts";

export function OwnData() {
  const download = useDownloadOwnData();

  async function begin(withoutFiles: boolean) {
    try {
      const { bytes } = await download.mutateAsync({ withoutFiles });
      showToast(withoutFiles ? profile.downloadBegun : profile.downloadBegunOf(formatMegabytes(bytes)));
    } catch {
      // The error is shown below.
    }
  }

  return (
    <ActionCard title={profile.ownData}>
      <StorageUsage />
      <Action hint={profile.ownDataHint}>
        <Button icon="download" onPress={() => begin(false)}>
          {profile.downloadOwnData}
        </Button>
      </Action>
      <Action hint={profile.moveHint}>
        <Button icon="download" onPress={() => begin(true)}>
          {profile.downloadFlights}
        </Button>
      </Action>
      {download.error && <ErrorNote>{errorText(download.error, profile.downloadFailed)}</ErrorNote>}
    </ActionCard>
  );
}

function StorageUsage() {
  const usage = useAnswer("GetStorageUsage", {}, { staleTime: 0 });
  if (usage.data === undefined) return null;
  const { bytes, quota } = usage.data;
  if (quota === null) return <p>{storage.used(sizeText(bytes))}</p>;
  return (
    <div>
      <p>{storage.usedOf(sizeText(bytes), sizeText(quota))}</p>
      {/* The sentence above says the same. */}
      <progress max={quota} value={Math.min(bytes, quota)} aria-hidden="true" />
    </div>
  );
}
