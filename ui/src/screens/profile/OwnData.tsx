// "Meine Daten": downloads all data as a file, to keep or to move to another Fluglog.
import { useDownloadAll } from "../../api/account";
import { useAnswer } from "../../api/answers";
import type { StorageUsage } from "../../api/generated/StorageUsage";
import { Button } from "../../components/Button";
import { ErrorNote, errorText } from "../../components/states";
import { profile } from "../../components/texts/profile";
import { showToast } from "../../components/toasts";
import { formatMegabytes } from "../../lib/fileKinds";
import { sizeText } from "../../lib/sizes";
import { Action, ProfileFold } from "./ProfileFold";
import { storage } from "./texts";
import { WithoutNetwork } from "./WithoutNetwork";

export function OwnData() {
  const download = useDownloadAll();
  const usage = useAnswer("GetStorageUsage", {}, { staleTime: 0 }).data;

  async function begin(withoutFiles: boolean) {
    try {
      const { bytes } = await download.mutateAsync({ withoutFiles });
      showToast(withoutFiles ? profile.downloadBegun : profile.downloadBegunOf(formatMegabytes(bytes)));
    } catch {
      // The error is shown below.
    }
  }

  return (
    <ProfileFold title={profile.ownData} note={usage && sizeText(usage.bytes)}>
      {usage && <Usage {...usage} />}
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
      <WithoutNetwork />
    </ProfileFold>
  );
}

function Usage({ bytes, quota }: StorageUsage) {
  if (quota === null) return <p>{storage.used(sizeText(bytes))}</p>;
  return (
    <div>
      <p>{storage.usedOf(sizeText(bytes), sizeText(quota))}</p>
      {/* The sentence above says the same. */}
      <progress max={quota} value={Math.min(bytes, quota)} aria-hidden="true" />
    </div>
  );
}
