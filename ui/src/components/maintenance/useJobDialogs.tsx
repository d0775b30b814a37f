// The dialogs about a job, one at a time, for all the lists that show jobs. They are beside the list: a job that is
// done leaves it.
import { type ReactNode, useState } from "react";
import { type JobName, useJob } from "../../api/maintenance";
import { useWrite } from "../../api/useWrite";
import { general } from "../../texts";
import { ConfirmDialog, Dialog } from "../Dialog";
import { deferred } from "../deferred";
import { focusHeadingIfLost } from "../focusHeading";
import { errorText } from "../states";
import { showToast } from "../toasts";
import { doneForm, jobForm, laterForm, runs, skipForm, maintenance as texts } from "./texts";

const DoneForm = deferred(async () => (await import("./DoneForm")).DoneForm);
const SkipForm = deferred(async () => (await import("./PutOffForms")).SkipForm);
const LaterForm = deferred(async () => (await import("./PutOffForms")).LaterForm);
const EditJobForm = deferred(async () => (await import("./JobForm")).EditJobForm);
const JobRuns = deferred(async () => (await import("./JobRuns")).JobRuns);

type What = "done" | "skip" | "later" | "edit" | "history" | "remove";

export type AskAboutJob = (what: What, job: JobName) => void;

/** `ask` opens a dialog about a job; `dialogs` stands once on the screen. */
export function useJobDialogs(): { ask: AskAboutJob; dialogs: ReactNode } {
  const [asked, setAsked] = useState<{ what: What; job: JobName } | null>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    ask: (what, job) => {
      setAsked({ what, job });
      setOpen(true);
    },
    dialogs: asked && (
      <JobDialog
        {...asked}
        isOpen={isOpen}
        onClose={() => {
          setOpen(false);
          focusHeadingIfLost();
        }}
      />
    ),
  };
}

const titles: Record<Exclude<What, "edit" | "remove">, (title: string) => string> = {
  done: doneForm.title,
  skip: skipForm.title,
  later: laterForm.title,
  history: runs.title,
};

function JobDialog({
  what,
  job,
  isOpen,
  onClose,
}: {
  what: What;
  job: JobName;
  isOpen: boolean;
  onClose: () => void;
}) {
  const remove = useWrite("DeleteJob");
  const { dpfId, jobId, title } = job;
  const form = { job, onClose };
  if (what === "remove") {
    return (
      <ConfirmDialog
        question={texts.removeQuestion(title)}
        isOpen={isOpen}
        onClose={onClose}
        isDangerous
        onYes={() =>
          remove.mutateAsync({ dpfId, jobId }).then(
            () => showToast(texts.removed),
            (error) => showToast(errorText(error, general.saveFailed)),
          )
        }
      >
        <p>{texts.removeWarning}</p>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      title={what === "edit" ? jobForm.editTitle : titles[what](title)}
      isOpen={isOpen}
      onClose={onClose}
      isBlocking={what !== "history"}
    >
      {what === "done" && <DoneForm {...form} />}
      {what === "skip" && <SkipForm {...form} />}
      {what === "later" && <LaterForm {...form} />}
      {what === "edit" && <Edit {...form} />}
      {what === "history" && <JobRuns {...form} />}
    </Dialog>
  );
}

function Edit({ job, onClose }: { job: JobName; onClose: () => void }) {
  const known = useJob(job);
  return known && <EditJobForm job={known} onClose={onClose} />;
}
