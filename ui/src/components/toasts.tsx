// Short messages of success above everything, for 6 seconds or the time that they ask for. The one file that imports
// react-aria's toasts, which are still marked as unstable. Errors aren't shown here: they stay beside their cause.
import {
  Button as AriaButton,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { general } from "../texts";
import buttons from "./Button.module.css";
import { Icon } from "./Icon";
import styles from "./toasts.module.css";

const toastDurationMs = 6_000;

const queue = new ToastQueue<string>({ maxVisibleToasts: 2 });

/** The newest replaces the others. */
export function showToast(text: string, durationMs: number = toastDurationMs): void {
  queue.clear();
  queue.add(text, { timeout: durationMs });
}

export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles.toasts} aria-label={general.notifications}>
      {({ toast }) => (
        <Toast toast={toast} className={styles.toast}>
          <Icon name="success" />
          <ToastContent className={styles.text}>
            <Text slot="title">{toast.content}</Text>
          </ToastContent>
          <AriaButton slot="close" className={buttons.iconButton} aria-label={general.close}>
            <Icon name="close" size={18} />
          </AriaButton>
        </Toast>
      )}
    </ToastRegion>
  );
}
