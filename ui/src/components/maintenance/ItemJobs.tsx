// The section "Wartung" of an item's page. An item without jobs has none.
import type { Equipment } from "../../api/generated/Equipment";
import { useJobsOf } from "../../api/maintenance";
import { mayKeep } from "../../api/spaces";
import { urls } from "../../urls";
import { Button, ButtonLink } from "../Button";
import { JobLine } from "./JobLine";
import styles from "./Lines.module.css";
import { maintenance as texts, todo } from "./texts";
import { useAddJob } from "./useAddJob";
import { useJobDialogs } from "./useJobDialogs";

export function ItemJobs({ item }: { item: Equipment }) {
  const jobs = useJobsOf(item).data ?? [];
  const { ask, dialogs } = useJobDialogs();
  const add = useAddJob(item);
  const isRetired = item.deactivateTime !== "";
  return (
    <>
      {jobs.length > 0 && (
        <section className={styles.section} aria-labelledby="jobs-title">
          <h2 id="jobs-title">{texts.title}</h2>
          <ul className={`card ${styles.card}`} aria-labelledby="jobs-title">
            {jobs.map((job) => (
              <JobLine key={job.jobId} job={job} ask={ask} isRetired={isRetired} isFixed={!mayKeep(item)} />
            ))}
          </ul>
          <div className={styles.ways}>
            {!isRetired && mayKeep(item) && (
              <Button icon="plus" onPress={add.open}>
                {texts.add}
              </Button>
            )}
            <ButtonLink to={urls.todo} variant="quiet">
              {todo.title}
            </ButtonLink>
          </div>
        </section>
      )}
      {dialogs}
      {add.dialog}
    </>
  );
}
