// Renders the toasts above everything, dialogs included, in a separate React root. Only this file imports react-aria's
// toasts, which are still marked as unstable.
import {
  Button as AriaButton,
  I18nProvider,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { createRoot } from "react-dom/client";
import { general } from "../texts";
import buttons from "./Button.module.css";
import { Icon } from "./Icon";
import styles from "./toasts.module.css";

/** The action of a toast. */
export type ToastAction = { text: string; onPress: () => void };

type Message = { text: string; action: ToastAction | undefined };

const queue = new ToastQueue<Message>({ maxVisibleToasts: 2 });

/** Shows a toast in place of the previous one. */
export function show(text: string, durationMs: number, action?: ToastAction): void {
  queue.clear();
  queue.add({ text, action }, { timeout: durationMs });
}

/** An action closes its toast. */
function press({ onPress }: ToastAction): void {
  queue.clear();
  onPress();
}

function Toasts() {
  return (
    <I18nProvider locale="de-DE">
      <ToastRegion queue={queue} className={styles.toasts} aria-label={general.notifications}>
        {({ toast }) => (
          <Toast toast={toast} className={styles.toast}>
            <Icon name="success" />
            <ToastContent className={styles.text}>
              <Text slot="title">{toast.content.text}</Text>
            </ToastContent>
            <Way action={toast.content.action} />
            <AriaButton slot="close" className={buttons.iconButton} aria-label={general.close}>
              <Icon name="close" size={18} />
            </AriaButton>
          </Toast>
        )}
      </ToastRegion>
    </I18nProvider>
  );
}

function Way({ action }: { action: ToastAction | undefined }) {
  if (!action) return null;
  return (
    <AriaButton className={`${buttons.button} ${buttons.quiet} ${styles.way}`} onPress={() => press(action)}>
      {action.text}
    </AriaButton>
  );
}

createRoot(document.createElement("div")).render(<Toasts />);
