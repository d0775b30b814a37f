// Creates or edits a log. It closes by its buttons only.
import type { Log } from "../../api/generated/Log";
import type { LogSubject } from "../../api/logs";
import { Dialog } from "../Dialog";
import { deferred } from "../deferred";
import { logs as texts } from "../texts/logs";

const NewLogForm = deferred(async () => (await import("./LogForms")).NewLogForm);
const EditLogForm = deferred(async () => (await import("./LogForms")).EditLogForm);

export function NewLogDialog({
  subject,
  about,
  isOpen,
  onClose,
}: {
  subject: LogSubject;
  about: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title={texts.newTitle(about)} isOpen={isOpen} onClose={onClose} isBlocking>
      <NewLogForm subject={subject} onClose={onClose} />
    </Dialog>
  );
}

export function EditLogDialog({
  log,
  about,
  isOpen,
  onClose,
}: {
  log: Log;
  about: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title={texts.editTitle(about)} isOpen={isOpen} onClose={onClose} isBlocking>
      <EditLogForm log={log} onClose={onClose} />
    </Dialog>
  );
}
