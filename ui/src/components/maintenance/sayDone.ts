// What is said after a job was done, with the way back.
import { ApiError } from "../../api/client";
import type { CompletedJob } from "../../api/generated/CompletedJob";
import type { JobName } from "../../api/maintenance";
import { press } from "../../api/perform";
import { wasQueued } from "../../offline/queueState";
import { savedText, showToast } from "../toasts";
import { maintenance as texts, undoFailed } from "./texts";

const undoMs = 10_000;

/** Without an answer of the server it is undone on the screen of the queue. */
export function sayDone({ dpfId, jobId, title }: JobName, answer: CompletedJob | undefined): void {
  const text = savedText(answer, texts.isDone(title));
  if (answer === undefined || wasQueued(answer)) {
    showToast(text);
    return;
  }
  const { run } = answer;
  const undo = () => takeBack({ dpfId, jobId, run, withLog: true });
  showToast(text, undoMs, { text: texts.undo, onPress: () => void undo() });
}

async function takeBack(fields: {
  dpfId: string;
  jobId: string;
  run: string;
  withLog: boolean;
}): Promise<void> {
  try {
    await press("DeleteJobRun", fields);
    showToast(texts.undone);
  } catch (error) {
    showToast(error instanceof ApiError ? error.text : undoFailed);
  }
}
