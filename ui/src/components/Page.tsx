// The frame of a screen: title (also of the browser tab), the way back, actions, and a bar at the bottom for the main
// action within the thumb's reach. A new page takes the focus to its heading, so that screen readers say where one is.
// EntryPage is the frame of the screens before the login.
import { type ReactNode, useCallback, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { general } from "../texts";
import { IconButton } from "./Button";
import { Logo } from "./Logo";

/** One step back in the history, or to `otherwise` when the user came here directly. */
export function useGoBack(otherwise: string): () => void {
  const navigate = useNavigate();
  return () => {
    if (isFirstPage()) navigate(otherwise, { replace: true });
    else navigate(-1);
  };
}

/** Whether one step back would leave the application: the router numbers the pages that it opened. */
function isFirstPage(): boolean {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return !idx;
}

export function Page({
  title,
  heading = title,
  tabTitle = title,
  onBack,
  actions,
  isNarrow = false,
  children,
}: {
  title: string;
  /** The title's words for the eye, when a part of them is to look different. */
  heading?: ReactNode;
  /** What the browser's tab says, when that differs. */
  tabTitle?: string;
  /** Shows the arrow "Zurück". */
  onBack?: () => void;
  /** Buttons or a menu at the heading's right side. */
  actions?: ReactNode;
  /** For forms: lines of a readable length. */
  isNarrow?: boolean;
  children: ReactNode;
}) {
  const focusOnArrival = useFocusOnArrival();
  return (
    <div className={isNarrow ? "page page-narrow" : "page"}>
      <title>{`${tabTitle} · ${general.product}`}</title>
      <div className="page-head">
        <div className="page-heading">
          {onBack && <IconButton icon="back" label={general.back} onPress={onBack} />}
          <h1 tabIndex={-1} ref={focusOnArrival}>
            {heading}
          </h1>
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** For the heading of a page: it takes the focus, unless the page is the first that the browser shows. */
function useFocusOnArrival() {
  const { key } = useLocation();
  // As it was on arrival: a switch in the address mustn't take the focus away from the switch.
  const [arrivedByClick] = useState(key !== "default");
  return useCallback(
    (heading: HTMLHeadingElement | null) => {
      if (arrivedByClick) heading?.focus({ preventScroll: true });
    },
    [arrivedByClick],
  );
}

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
    <div className="page entry">
      <title>{`${title} · ${general.product}`}</title>
      <div className="entry-head">
        <Logo size={56} />
        <h1 tabIndex={-1} ref={focusOnArrival}>
          {heading}
        </h1>
        {subtitle && <p>{subtitle}</p>}
      </div>
      <div className="card entry-card">{children}</div>
      {below && <p className="entry-below">{below}</p>}
    </div>
  );
}

/** Sticks to the bottom of the window. The main action comes last; `info` stands at its left side. */
export function ActionBar({ info, children }: { info?: ReactNode; children: ReactNode }) {
  return (
    <div className="action-bar">
      {info && <div className="action-bar-info">{info}</div>}
      <div className="action-bar-buttons">{children}</div>
    </div>
  );
}
