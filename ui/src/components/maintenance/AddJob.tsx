// Adds a job to an item: after a template, whose source is shown, or an own one.
import { useState } from "react";
import type { JobTemplate } from "../../api/generated/JobTemplate";
import type { Kind } from "../../api/generated/Kind";
import { useJobTemplates } from "../../api/maintenance";
import { general } from "../../texts";
import { Button } from "../Button";
import { DialogActions, DialogBody } from "../Dialog";
import { Icon } from "../Icon";
import { errorText, QueryView, Skeleton } from "../states";
import { NewJobForm } from "./JobForm";
import { limitsText } from "./jobValues";
import styles from "./Lines.module.css";
import { maintenance, jobForm as texts } from "./texts";

type Item = { dpfId: string; name: string; type: Kind };

/** `present`: the titles of the item's jobs, whose templates aren't offered again. */
export function AddJob({ item, present, onClose }: { item: Item; present: string[]; onClose: () => void }) {
  /** Undefined until one is chosen; null: an own one. */
  const [chosen, setChosen] = useState<JobTemplate | null>();
  const query = useJobTemplates(item.type);
  /** The chosen button goes: without the dialog the focus would get to a field, and a keyboard over the others. */
  function choose(template: JobTemplate, button: HTMLElement) {
    button.closest<HTMLElement>('[role="dialog"]')?.focus();
    setChosen(template);
  }
  if (chosen !== undefined)
    return <NewJobForm item={item.dpfId} type={item.type} template={chosen} onClose={onClose} />;
  return (
    <>
      <DialogBody>
        <div className="stack">
          <p className="quiet">{texts.templatesHint}</p>
          <QueryView
            query={query}
            failure={(error) => errorText(error, maintenance.failed)}
            skeleton={<Skeleton count={3} height={4} />}
          >
            {(all) => {
              const offered = all.filter(({ title }) => !present.includes(title));
              return (
                <ul className={styles.lines} aria-label={texts.templates}>
                  {offered.map((template) => (
                    <li key={template.template} className={styles.group}>
                      <button
                        type="button"
                        className={styles.what}
                        onClick={({ currentTarget }) => choose(template, currentTarget)}
                      >
                        <span className={styles.text}>
                          <strong>{template.title}</strong>
                          <span>{limitsText(template.limits)}</span>
                          {template.source !== "" && (
                            <span className="quiet">{maintenance.suggestion(template.source)}</span>
                          )}
                        </span>
                        <Icon name="chevron-right" />
                      </button>
                    </li>
                  ))}
                </ul>
              );
            }}
          </QueryView>
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <Button variant="primary" icon="plus" onPress={() => setChosen(null)}>
          {texts.own}
        </Button>
      </DialogActions>
    </>
  );
}
