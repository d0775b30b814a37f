// The frame of the screens before the login.
import type { ReactNode } from "react";
import { general } from "../texts";
import styles from "./EntryPage.module.css";
import { Logo } from "./Logo";
import { useFocusOnArrival } from "./Page";

/** A card below the logo; `below` comes under the card: the link to another screen. */
export function EntryPage({
  title,
  heading = title,
  subtitle,
  below,
  children,
}: {
  title: string;
  /** The visible title, when it differs from the browser tab's. */
  heading?: string;
  subtitle?: string;
  below?: ReactNode;
  children: ReactNode;
}) {
  const focusOnArrival = useFocusOnArrival();
  return (
    <div className={styles.entry}>
      <title>{`${title} · ${general.product}`}</title>
      <div className={styles.head}>
        <Logo size={56} />
        <h1 tabIndex={-1} ref={focusOnArrival}>
          {heading}
        </h1>
        {subtitle && <p>{subtitle}</p>}
      </div>
      <div className={`card stack ${styles.card}`}>{children}</div>
      {below && <p className={styles.below}>{below}</p>}
    </div>
  );
}

/** An e-mail address in a sentence, which may break anywhere. */
export function EntryAddress({ children }: { children: string }) {
  return <strong className={styles.address}>{children}</strong>;
}
