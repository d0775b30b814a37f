// Navigation from a flight to its neighbours, by arrow and by swipe.

import { type RefCallback, useCallback } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { Icon } from "../../components/Icon";
import { useSwipe } from "../../components/useSwipe";
import { urls } from "../../urls";
import styles from "./Neighbours.module.css";
import type { Neighbours } from "./neighbours";
import { beside } from "./texts";

type Side = "before" | "after";

/**
 * Opens a neighbour with the list's filters and the pressed arrow. Replaces the history entry, so that Back leads to
 * the list.
 */
function useTurn({ before, after }: Neighbours) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const wayTo = (side: Side) => {
    const dpfId = side === "before" ? before : after;
    return dpfId === null
      ? null
      : { to: urls.flight(dpfId) + search, replace: true, state: { pressed: side } };
  };
  return {
    wayTo,
    turn(side: Side) {
      const way = wayTo(side);
      if (way) navigate(way.to, { replace: true });
    },
  };
}

export function NeighbourArrows({ neighbours }: { neighbours: Neighbours }) {
  const { wayTo } = useTurn(neighbours);
  const texts = neighbours.isByTime ? beside.byTime : beside.inList;
  return (
    <nav className={styles.arrows} aria-label={beside.title}>
      <Arrow side="before" way={wayTo("before")} {...texts.before} />
      <Arrow side="after" way={wayTo("after")} {...texts.after} />
    </nav>
  );
}

function Arrow({
  side,
  way,
  text,
  label,
}: {
  side: Side;
  way: { to: string; replace: boolean; state: object } | null;
  text: string;
  label: string;
}) {
  const focus = useFocusAgain(side);
  const face = (
    <>
      {side === "before" && <Icon name="chevron-left" />}
      <span>{text}</span>
      {side === "after" && <Icon name="chevron-right" />}
    </>
  );
  if (way === null) {
    return (
      <span className={styles.arrow} aria-hidden="true">
        {face}
      </span>
    );
  }
  return (
    <Link ref={focus} className={`${styles.arrow} ${styles.way}`} aria-label={label} {...way}>
      {face}
    </Link>
  );
}

/** Focuses the pressed arrow again on the next flight's page, for the next press. */
function useFocusAgain(side: Side): RefCallback<HTMLAnchorElement> {
  const { pressed } = (useLocation().state ?? {}) as { pressed?: Side };
  const isPressed = pressed === side;
  return useCallback(
    (link) => {
      if (isPressed) link?.focus({ preventScroll: true });
    },
    [isPressed],
  );
}

/** Returns the swipe handlers: a swipe to the right opens the flight of the left arrow. */
export function useTurnBySwipe(neighbours: Neighbours) {
  const { turn } = useTurn(neighbours);
  return useSwipe((step) => turn(step === 1 ? "after" : "before"), { isTouchOnly: true });
}
