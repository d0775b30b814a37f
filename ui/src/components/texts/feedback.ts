import { feedback as first } from "../../texts";

export const feedback = {
  ...first,
  rating: "Bewertung",
  ratingHint: "1 ist schlecht, 10 ist sehr gut.",
  message: "Nachricht",
  messageHint: "Was gefällt Ihnen, was fehlt Ihnen? Höchstens 10.000 Zeichen.",
  messageMissing: "Bitte geben Sie eine Nachricht ein.",
  send: "Senden",
  sent: "Feedback erfolgreich gesendet!",
};
