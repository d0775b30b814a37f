// Everything to do in one list: packs, jobs and proofs, the gravest first, then the jobs that come later. The filter by
// item is part of the address.
import { useSearchParams } from "react-router";
import type { MaintenanceJob } from "../../api/generated/MaintenanceJob";
import type { ReminderLine as Reminder } from "../../api/generated/ReminderLine";
import { folded, keyOfLine, toDoOf, useJobs, useReminders } from "../../api/maintenance";
import { ChoiceField, ListTools } from "../../components/listTools";
import { GroupLine } from "../../components/maintenance/GroupLine";
import { JobLine } from "../../components/maintenance/JobLine";
import styles from "../../components/maintenance/Lines.module.css";
import { ReminderLine } from "../../components/maintenance/ReminderLine";
import { todo as texts } from "../../components/maintenance/texts";
import { useJobDialogs } from "../../components/maintenance/useJobDialogs";
import { Page, useGoBack } from "../../components/Page";
import { useQuickCharge } from "../../components/packs/useQuickCharge";
import { EmptyState, ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { itemParameter, urls } from "../../urls";

type Level = MaintenanceJob["level"];

/** A line of the list: a job, as far as its figures are known, or anything else that is to be done. */
type Row = {
  key: string;
  level: Level;
  of: string;
  name: string;
  job?: MaintenanceJob | undefined;
  reminder?: Reminder;
};

export function TodoPage() {
  const goBack = useGoBack(urls.home);
  const reminders = useReminders();
  const jobs = useJobs();
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get(itemParameter) ?? "";
  const rows = rowsOf(toDoOf(reminders.data ?? []), jobs.data ?? []);
  const names = [...new Map(rows.map(({ of, name }) => [of, name]))].sort(byName);
  const choose = (of: string) => setParameters(of === "" ? {} : { [itemParameter]: of }, { replace: true });
  return (
    <Page title={texts.title} onBack={goBack}>
      <QueryView
        query={reminders}
        failure={(error) => errorText(error, texts.failed)}
        skeleton={<Skeleton count={3} height={5} />}
      >
        {() =>
          rows.length === 0 ? (
            <EmptyState icon="success">
              {texts.nothing}
              <br />
              <span className="quiet">{texts.howTo}</span>
            </EmptyState>
          ) : (
            <>
              {(names.length > 1 || chosen !== "") && (
                <ListTools isBare>
                  <ChoiceField
                    isWide
                    label={texts.item}
                    value={chosen}
                    choices={[
                      { value: "", text: texts.everything },
                      ...names.map(([value, text]) => ({ value, text })),
                    ]}
                    onChange={choose}
                  />
                </ListTools>
              )}
              <Levels
                rows={rows.filter(({ of }) => chosen === "" || of === chosen)}
                isOfOne={chosen !== ""}
              />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function byName([, one]: [string, string], [, other]: [string, string]): number {
  return one.localeCompare(other, "de", { numeric: true });
}

/** What is to be done, in the server's order, then the other jobs. */
function rowsOf(reminders: readonly Reminder[], jobs: readonly MaintenanceJob[]): Row[] {
  const byId = new Map(jobs.map((job) => [job.jobId, job]));
  const due = reminders.map((reminder): Row => {
    const { level, dpfId: of, name } = reminder;
    const job = byId.get(reminder.jobId ?? "");
    return { key: keyOfLine(reminder), level, of, name, job, reminder };
  });
  const listed = new Set(due.map(({ job }) => job));
  const later = jobs
    .filter((job) => !job.archived && !listed.has(job))
    .map((job): Row => ({ key: job.jobId, level: job.level, of: job.dpfId, name: job.itemName, job }));
  return [...due, ...later];
}

const levels: readonly Level[] = ["red", "amber", "green", "grey"];

/** `isOfOne`: of one item, whose lines are shown one by one. */
function Levels({ rows, isOfOne }: { rows: Row[]; isOfOne: boolean }) {
  const quick = useQuickCharge();
  const { ask, dialogs } = useJobDialogs();
  const lineOf = ({ key, job, reminder }: Row) =>
    job ? (
      <JobLine key={key} job={job} ask={ask} isOfMany />
    ) : (
      reminder && (
        <ReminderLine key={key} reminder={reminder} quick={quick} onDone={(one) => ask("done", one)} />
      )
    );
  return (
    <>
      {quick.failure !== null && <ErrorNote>{quick.failure}</ErrorNote>}
      {rows.length === 0 && <p className="quiet">{texts.nothing}</p>}
      {levels.map((level) => {
        const ofLevel = rows.filter((row) => row.level === level);
        const all = folded(
          ofLevel,
          ({ key }) => key,
          ({ reminder }) => (isOfOne ? undefined : reminder?.group),
        );
        return (
          all.length > 0 && (
            <section key={level} className={styles.section} aria-labelledby={`todo-${level}`}>
              <h2 id={`todo-${level}`} className={styles.level}>
                {texts.groups[level]}
              </h2>
              <ul className={`card ${styles.card}`} aria-labelledby={`todo-${level}`}>
                {all.map(({ key, title, lines }) =>
                  title === null ? (
                    lines.map(lineOf)
                  ) : (
                    <GroupLine
                      key={key}
                      title={title}
                      lines={lines.flatMap(({ reminder }) => reminder ?? [])}
                      quick={quick}
                    >
                      {lines.map(lineOf)}
                    </GroupLine>
                  ),
                )}
              </ul>
            </section>
          )
        );
      })}
      {dialogs}
    </>
  );
}
