// The frame of the screens before the login. Knows nothing of what is asked there.
import type { ReactNode } from "react";
import { general } from "../texts";
import styles from "./EntryPage.module.css";
import { Logo } from "./Logo";
import { useFocusOnArrival } from "./Page";

/** One card below the product's mark. `below` stands under the card: the way to another screen. */
export function EntryPage({
  title,
  heading = title,
  subtitle,
  below,
  children,
}: {
  title: string;
  /** The title's words for the eye, when they are others than the browser's tab says. */
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
      <div className={`card ${styles.card}`}>{children}</div>
      {below && <p className={styles.below}>{below}</p>}
    </div>
  );
}

/** An e-mail address in a sentence: however long, it stays inside of the card. */
export function EntryAddress({ children }: { children: string }) {
  return <strong className={styles.address}>{children}</strong>;
}
