/** Time for which an action can be undone. The server allows longer, because the network may be slow. */
export const undoMs = 10_000;
