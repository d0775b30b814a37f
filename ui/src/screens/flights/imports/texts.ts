// Texts of the imports' screens that no other screen needs.

export const shared = {
  question: "Wollen Sie die geteilten Dateien einlesen?",
  hint: "Haben Sie in keiner App Dateien an Fluglog geteilt, wählen Sie Nein.",
};
