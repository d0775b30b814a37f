// "Meine Daten": all of it as a file, to keep or to move to another Fluglog.
import { useDownloadOwnData } from "../../api/account";
import { Button } from "../../components/Button";
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { formatMegabytes } from "../../lib/fileKinds";
import { profile } from "../../texts";
import { Deed, Deeds } from "./Deeds";

export function OwnData() {
  const download = useDownloadOwnData();

  async function begin(withoutFiles: boolean) {
    try {
      const { bytes } = await download.mutateAsync({ withoutFiles });
      showToast(withoutFiles ? profile.downloadBegun : profile.downloadBegunOf(formatMegabytes(bytes)));
    } catch {
      // Shown below.
    }
  }

  return (
    <Deeds title={profile.ownData}>
      <Deed hint={profile.ownDataHint}>
        <Button icon="download" onPress={() => begin(false)}>
          {profile.downloadOwnData}
        </Button>
      </Deed>
      <Deed hint={profile.moveHint}>
        <Button icon="download" onPress={() => begin(true)}>
          {profile.downloadFlights}
        </Button>
      </Deed>
      {download.error && <ErrorNote>{errorText(download.error, profile.downloadFailed)}</ErrorNote>}
    </Deeds>
  );
}
