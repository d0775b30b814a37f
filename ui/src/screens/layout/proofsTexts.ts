// German texts of the way to the proofs: only pilots with proofs need them.

export const proofsLink = {
  all: "Nachweise",
  due: "Nachweise: einer läuft ab oder ist abgelaufen",
};
