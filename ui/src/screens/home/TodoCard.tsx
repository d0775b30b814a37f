// "Zu erledigen": at most three lines on home, the gravest first, most with a one-tap action. Renders nothing without
// any.
import { Link } from "react-router";
import { folded, keyOfLine, toDoOf, useReminders } from "../../api/maintenance";
import { GroupLine } from "../../components/maintenance/GroupLine";
import lineStyles from "../../components/maintenance/Lines.module.css";
import { ReminderLine } from "../../components/maintenance/ReminderLine";
import { todo as texts } from "../../components/maintenance/texts";
import { useJobDialogs } from "../../components/maintenance/useJobDialogs";
import { useQuickCharge } from "../../components/packs/useQuickCharge";
import { ErrorNote } from "../../components/states";
import { urls } from "../../urls";
import styles from "./TodoCard.module.css";

/** Maximum number of lines; a link leads to all. */
const maxLines = 3;

export function TodoCard() {
  const all = toDoOf(useReminders().data ?? []);
  const shown = folded(all, keyOfLine, ({ group }) => group).slice(0, maxLines);
  const quick = useQuickCharge();
  const { ask, dialogs } = useJobDialogs();
  return (
    <>
      {(all.length > 0 || quick.failure !== null) && (
        <section className={`card ${styles.card}`} aria-labelledby="todo-title">
          <div className={styles.head}>
            <h2 id="todo-title">{texts.title}</h2>
            <Link to={urls.todo}>{texts.all(all.length)}</Link>
          </div>
          {quick.failure !== null && <ErrorNote>{quick.failure}</ErrorNote>}
          <ul className={lineStyles.lines} aria-labelledby="todo-title">
            {shown.map(({ key, title, lines }) => {
              const members = lines.map((line) => (
                <ReminderLine
                  key={keyOfLine(line)}
                  reminder={line}
                  quick={quick}
                  onDone={(job) => ask("done", job)}
                />
              ));
              return title === null ? (
                members
              ) : (
                <GroupLine key={key} title={title} lines={lines} quick={quick}>
                  {members}
                </GroupLine>
              );
            })}
          </ul>
        </section>
      )}
      {dialogs}
    </>
  );
}
