// The styles of proofs, taken over with their code: the one style sheet of all screens is part of the first load.
import { adoptStyles } from "../../lib/adoptStyles";
import text from "./proofs.css?inline";

export const css = {
  list: "proof-list",
  card: "proof-card",
  name: "proof-name",
  end: "proof-end",
  renew: "proof-renew",
  screen: "proof-screen",
  frame: "proof-frame",
  sheet: "proof-sheet",
  top: "proof-top",
  paper: "proof-paper",
  turn: "proof-turn",
} as const;

adoptStyles(text);
