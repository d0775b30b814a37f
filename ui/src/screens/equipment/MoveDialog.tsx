// Moves an item into a space or back, with its history: where to, and what goes along.
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { isKeeper, mayKeep, useMovePreview, useOwnSpaces } from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import type { MenuEntry } from "../../components/MenuPopover";
import { RadioGroup } from "../../components/RadioGroup";
import { Seen, SeenList } from "../../components/spaces/SeenList";
import { spaces } from "../../components/spaces/texts";
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { urls } from "../../urls";
import { move as texts } from "./texts";

/** The pilot's own range, as the call names it. */
const self = "";

/** The menu's entry that moves an item, or starts to share it; none where that isn't allowed. */
export function useMoveEntry(item: Equipment, onMove: () => void): MenuEntry[] {
  const navigate = useNavigate();
  const mine = useOwnSpaces();
  if (!mayKeep(item)) return [];
  const isShared = item.space !== undefined;
  if (isShared || mine.some(({ role }) => isKeeper(role))) {
    return [{ id: "move", text: spaces.move, icon: "users", onAction: onMove }];
  }
  if (mine.length > 0) return [];
  const start = () => navigate(urls.shareItem(item.dpfId));
  return [{ id: "share", text: spaces.share, icon: "users", onAction: start }];
}

type Opening = { item: Equipment; onClose: () => void };

export function MoveDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={texts.title(opening.item.name)} isOpen={isOpen} onClose={opening.onClose}>
      <Move {...opening} />
    </Dialog>
  );
}

function Move({ item, onClose }: Opening) {
  const mine = useOwnSpaces();
  const now = item.space?.dpfId ?? self;
  const [to, setTo] = useState(now);
  const [failure, setFailure] = useState<string | null>(null);
  const move = useWrite("MoveEquipment");
  const targets = mine.filter(({ dpfId, role }) => dpfId === now || isKeeper(role));
  const name = targets.find(({ dpfId }) => dpfId === to)?.name ?? "";

  async function start() {
    setFailure(null);
    try {
      await move.mutateAsync({ dpfId: item.dpfId, space: to });
      showToast(to === self ? texts.movedBack(item.name) : texts.moved(item.name, name));
      onClose();
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return (
    <>
      <DialogBody>
        <div className="stack">
          <RadioGroup
            as="rows"
            aria-label={texts.where}
            value={to}
            choices={[
              { value: self, text: spaces.own, about: texts.ownAbout },
              ...targets.map(({ dpfId, name, kind, role }) => ({
                value: dpfId,
                text: name,
                about: texts.about(spaces.kindOf(kind), spaces.roleOf(role)),
              })),
            ]}
            onChange={setTo}
          />
          {to !== now && <GoesAlong item={item} isBack={to === self} />}
          {failure !== null && <ErrorNote>{failure}</ErrorNote>}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <Button variant="primary" isDisabled={to === now} onPress={start}>
          {spaces.move}
        </Button>
      </DialogActions>
    </>
  );
}

function GoesAlong({ item, isBack }: { item: Equipment; isBack: boolean }) {
  const counts = useMovePreview(item.dpfId).data;
  const isFromPilot = item.space === undefined;
  return (
    <>
      <h3>{texts.along}</h3>
      <SeenList>
        {counts && counts.items > 1 && <Seen>{texts.wholeSet(counts.items)}</Seen>}
        <Seen>{counts ? texts.counted(counts) : texts.history}</Seen>
        <Seen>{counts ? texts.countedUses(counts.uses) : texts.uses}</Seen>
        <Seen isHidden>{isFromPilot ? texts.flightsStay : texts.flightsOfAll}</Seen>
      </SeenList>
      <p className="quiet">{isBack ? texts.backHint : texts.hint}</p>
    </>
  );
}
