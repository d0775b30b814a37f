// The frame of a screen: title (also of the browser tab), the back link, actions, and a bar at the bottom for the main
// action, within the thumb's reach. A new page moves the focus to its heading, so that screen readers announce it.
import { type ReactNode, useCallback, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { general } from "../texts";
import { IconButton } from "./Button";
import styles from "./Page.module.css";

/** Goes back one step in the history, or to `otherwise` after a direct visit. */
export function useGoBack(otherwise: string): () => void {
  const navigate = useNavigate();
  return () => {
    if (isFirstPage()) navigate(otherwise, { replace: true });
    else navigate(-1);
  };
}

/** Whether going back would leave the application: the router numbers its history entries. */
function isFirstPage(): boolean {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return !idx;
}

/** The column of a screen, at most as wide as a page. */
export function PageFrame({
  isNarrow = false,
  isCrowded = false,
  isShort = false,
  children,
}: {
  isNarrow?: boolean;
  isCrowded?: boolean;
  isShort?: boolean;
  children: ReactNode;
}) {
  const classes = [
    styles.page,
    isNarrow && styles.narrow,
    isCrowded && styles.crowded,
    isShort && styles.short,
  ];
  return <div className={classes.filter(Boolean).join(" ")}>{children}</div>;
}

export function Page({
  title,
  heading = title,
  tabTitle = title,
  onBack,
  actions,
  isNarrow = false,
  isCrowded = false,
  isShort = false,
  children,
}: {
  title: string;
  /** The visible title, if a part of it looks different. */
  heading?: ReactNode;
  /** Title of the browser tab, if it differs. */
  tabTitle?: string;
  /** Shows the arrow "Zurück". */
  onBack?: () => void;
  /** Buttons or a menu at the heading's right side. */
  actions?: ReactNode;
  /** A readable line length, for forms. */
  isNarrow?: boolean;
  /** On phones the last action, a menu, is beside the heading, and the others are in their own line. */
  isCrowded?: boolean;
  /** The title is short enough for an action beside it on phones. */
  isShort?: boolean;
  children: ReactNode;
}) {
  const focusOnArrival = useFocusOnArrival();
  return (
    <PageFrame isNarrow={isNarrow} isCrowded={isCrowded} isShort={isShort}>
      <title>{`${tabTitle} · ${general.product}`}</title>
      <div className={styles.head}>
        <div className={styles.heading}>
          {onBack && <IconButton icon="back" label={general.back} onPress={onBack} />}
          <h1 tabIndex={-1} ref={focusOnArrival}>
            {heading}
          </h1>
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </PageFrame>
  );
}

/** A ref that focuses the heading of a page, except on the first page that the browser shows. */
export function useFocusOnArrival() {
  const { key } = useLocation();
  // Read once on arrival: a switch that changes the address must keep the focus.
  const [arrivedByClick] = useState(key !== "default");
  return useCallback(
    (heading: HTMLHeadingElement | null) => {
      if (arrivedByClick) heading?.focus({ preventScroll: true });
    },
    [arrivedByClick],
  );
}

/**
 * A bar that sticks to the bottom of the window. The main action comes last; `info` is on its left. A form's bar
 * replaces the navigation, a list's is above it.
 */
export function ActionBar({
  of = "form",
  info,
  children,
}: {
  of?: "form" | "list";
  info?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.bar} data-action-bar={of}>
      {info && <div className={styles.info}>{info}</div>}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
