// The state of a battery pack, readable from a metre away: a cell drawn by how full it is, in the colour of its state,
// with its word. An unknown state is a dash.
import type { PackState } from "../api/generated/PackState";
import { equipment as texts } from "../texts";
import styles from "./PackState.module.css";

/** Filled part of the cell, from 0 to 1. */
const fills: Record<PackState, number> = {
  full: 1,
  partial: 0.72,
  flying: 0.6,
  storage: 0.45,
  empty: 0.14,
  low: 0.05,
  charging: 0,
};

const colours: Record<PackState | "unknown", string | undefined> = {
  full: styles.full,
  partial: styles.partial,
  flying: styles.flying,
  storage: styles.storage,
  empty: styles.empty,
  low: styles.low,
  charging: styles.charging,
  unknown: styles.unknown,
};

const inner = 26;

/** The drawing without its word. */
export function PackCell({ state }: { state: PackState | null }) {
  return (
    <svg
      className={`${styles.cell} ${colours[state ?? "unknown"]}`}
      viewBox="0 0 40 22"
      width="40"
      height="22"
      aria-hidden="true"
    >
      <rect className={styles.frame} x="1.25" y="1.25" width="33.5" height="19.5" rx="4" />
      <rect className={styles.fill} x="36" y="7" width="3.5" height="8" rx="1.5" />
      {state === "charging" && <path className={styles.fill} d="M20 3.5 11 12.5h6L15.5 18.5 25 9.5h-6.5z" />}
      {state !== null && state !== "charging" && (
        <rect className={styles.fill} x="5" y="5" width={inner * fills[state]} height="12" rx="1.5" />
      )}
    </svg>
  );
}

export function PackWord({ state }: { state: PackState | null }) {
  return (
    <span className={`${styles.word} ${colours[state ?? "unknown"]}`}>
      {state === null ? texts.stateUnknown : texts.states[state]}
    </span>
  );
}
