// The frame of an item's page: its name, what it is, and the links to log, edit and retire it.
import type { ReactNode } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { ButtonLink } from "../../components/Button";
import type { MenuEntry } from "../../components/MenuPopover";
import { maintenance } from "../../components/maintenance/texts";
import { useAddJob } from "../../components/maintenance/useAddJob";
import { Page } from "../../components/Page";
import { equipment as texts } from "../../components/texts";
import { urls } from "../../urls";
import styles from "./ItemFrame.module.css";
import { NewLog } from "./NewLog";
import { useRetirement } from "./useRetirement";

export function ItemFrame({
  item,
  about,
  menu = [],
  onBack,
  children,
}: {
  item: Equipment;
  /** The line below the name; empty texts are left out. */
  about: string[];
  /** Entries of the menu before retiring. */
  menu?: MenuEntry[];
  onBack: () => void;
  children: ReactNode;
}) {
  const addJob = useAddJob(item);
  const isRetired = item.deactivateTime !== "";
  const job: MenuEntry = { id: "job", text: maintenance.add, icon: "clock", onAction: addJob.open };
  const retirement = useRetirement(item, [...(isRetired ? [] : [job]), ...menu]);
  return (
    <Page
      title={item.name}
      heading={<span className={styles.name}>{item.name}</span>}
      onBack={onBack}
      isCrowded
      actions={
        <>
          <NewLog item={item} />
          <ButtonLink to={urls.equipment(item.type, item.dpfId)} icon="edit">
            {texts.edit}
          </ButtonLink>
          {retirement.menu}
        </>
      }
    >
      <p className={`quiet ${styles.about}`}>{about.filter((text) => text !== "").join(" · ")}</p>
      {retirement.notes}
      {children}
      {retirement.dialogs}
      {addJob.dialog}
    </Page>
  );
}
