// The frame of an item's page: its name, what it is, and the links to log, edit and retire it. On a phone the first two
// are below what the page shows first.
import { type ReactNode, useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { mayKeep, mayUse } from "../../api/spaces";
import { ButtonLink } from "../../components/Button";
import type { MenuEntry } from "../../components/MenuPopover";
import { maintenance } from "../../components/maintenance/texts";
import { useAddJob } from "../../components/maintenance/useAddJob";
import { Page } from "../../components/Page";
import { prior as priorTexts } from "../../components/prior/texts";
import { usePriorDialog } from "../../components/prior/usePriorDialog";
import { equipment as texts } from "../../components/texts/equipment";
import { useMedia } from "../../components/useMedia";
import { urls } from "../../urls";
import styles from "./ItemFrame.module.css";
import { MoveDialog, useMoveEntry } from "./MoveDialog";
import { NewLog } from "./NewLog";
import { Owner } from "./Sharing";
import { useRetirement } from "./useRetirement";

export function ItemFrame({
  item,
  about,
  menu = [],
  lead,
  onBack,
  children,
}: {
  item: Equipment;
  /** The line below the name; empty texts are left out. */
  about: string[];
  /** Entries of the menu before retiring. */
  menu?: MenuEntry[];
  /** What the page shows first; undefined until it is known. */
  lead?: ReactNode;
  onBack: () => void;
  children: ReactNode;
}) {
  const addJob = useAddJob(item);
  const canAddJob = item.deactivateTime === "" && mayKeep(item);
  const job: MenuEntry = { id: "job", text: maintenance.add, icon: "clock", onAction: addJob.open };
  const prior = usePriorDialog(item, item.prior);
  const before: MenuEntry = { id: "prior", text: priorTexts.open, icon: "history", onAction: prior.open };
  const [isMoving, setMoving] = useState(false);
  const moveEntry = useMoveEntry(item, () => setMoving(true));
  const retirement = useRetirement(item, [
    ...(canAddJob ? [job] : []),
    ...(menu ?? []),
    ...(mayKeep(item) ? [before] : []),
    ...moveEntry,
  ]);
  const isNarrow = useMedia("(width < 40rem)");
  // A phone that is turned keeps the place of the tools, and the log that is being written there.
  const [isPhone] = useState(isNarrow);
  const tools = (
    <>
      {mayUse(item) && <NewLog item={item} />}
      {mayKeep(item) && (
        <ButtonLink to={urls.equipment(item.type, item.dpfId)} icon="edit">
          {texts.edit}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page
      title={item.name}
      heading={<span className={styles.name}>{item.name}</span>}
      onBack={onBack}
      isCrowded
      actions={
        <>
          {!isPhone && tools}
          {retirement.menu}
        </>
      }
    >
      <p className={`quiet ${styles.about}`}>{about.filter((text) => text !== "").join(" · ")}</p>
      <Owner item={item} />
      {retirement.notes}
      {lead}
      {isPhone && lead !== undefined && <div className={styles.tools}>{tools}</div>}
      {children}
      {retirement.dialogs}
      {addJob.dialog}
      {prior.dialog}
      <MoveDialog item={item} isOpen={isMoving} onClose={() => setMoving(false)} />
    </Page>
  );
}
