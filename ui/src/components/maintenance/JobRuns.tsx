// The history of a job: when it was done or skipped. The newest entry can be taken back.
import { useState } from "react";
import type { JobRun } from "../../api/generated/JobRun";
import type { JobName } from "../../api/maintenance";
import { useJobRuns } from "../../api/maintenance";
import { useWrite } from "../../api/useWrite";
import { formatMinutes } from "../../lib/numbers";
import { general } from "../../texts";
import { Button } from "../Button";
import { DialogActions, DialogBody } from "../Dialog";
import { ErrorNote, errorText, QueryView, Skeleton } from "../states";
import { showToast } from "../toasts";
import styles from "./Lines.module.css";
import { amounts, maintenance, runs as texts } from "./texts";

export function JobRuns({ job, onClose }: { job: JobName; onClose: () => void }) {
  const { dpfId, jobId } = job;
  const query = useJobRuns(job);
  const remove = useWrite("DeleteJobRun");
  const [isAsked, setAsked] = useState(false);
  async function takeBack({ run }: JobRun) {
    // The error is shown below.
    await remove.mutateAsync({ dpfId, jobId, run, withLog: true }).then(
      () => showToast(maintenance.undone),
      () => {},
    );
    setAsked(false);
  }
  return (
    <>
      <DialogBody>
        <QueryView
          query={query}
          failure={(error) => errorText(error, texts.failed)}
          skeleton={<Skeleton count={2} height={4} />}
        >
          {(all) =>
            all.length === 0 ? (
              <p>{texts.empty}</p>
            ) : (
              <ol className={styles.lines} aria-label={maintenance.history}>
                {all.map((run, at) => (
                  <li key={run.run} className={styles.line}>
                    <Run run={run} />
                    {at === 0 && !isAsked && (
                      <Button variant="quiet" onPress={() => setAsked(true)}>
                        {texts.takeBack}
                      </Button>
                    )}
                    {at === 0 && isAsked && (
                      <div className={styles.question}>
                        <p>{run.log === null ? texts.takeBackWarning : texts.takeBackWithLog}</p>
                        <Button onPress={() => setAsked(false)}>{general.cancel}</Button>
                        <Button variant="danger" onPress={() => takeBack(run)}>
                          {texts.takeBack}
                        </Button>
                      </div>
                    )}
                  </li>
                ))}
              </ol>
            )
          }
        </QueryView>
        {remove.error && <ErrorNote>{errorText(remove.error, general.saveFailed)}</ErrorNote>}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.close}</Button>
      </DialogActions>
    </>
  );
}

function Run({ run: { kind, time, hours, flights, days, steps, info, cost } }: { run: JobRun }) {
  const counters = [
    hours > 0 && formatMinutes(hours * 60),
    flights > 0 && amounts.flights(flights),
    days > 0 && amounts.days(days),
  ].filter((part) => part !== false);
  return (
    <div className={styles.text}>
      <strong>{`${kind === "skipped" ? texts.skipped : texts.done} ${time}`}</strong>
      {counters.length > 0 && <span className="quiet">{texts.after(counters.join(", "))}</span>}
      {info !== null && <span>{info}</span>}
      {cost !== null && <span>{texts.cost(cost)}</span>}
      {steps.length > 0 && <span>{steps.map((step) => `✓ ${step}`).join(" ")}</span>}
    </div>
  );
}
