// History state of a page that shows something new.

/** A flight that an import has just brought: its path draws itself once. */
export type Arrival = { isNew: boolean };
