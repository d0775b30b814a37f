/** A deed can be taken back for so long. The server takes it back for longer: the network may be slow. */
export const undoMs = 10_000;
