// Texts of the legal pages.
export const legal = {
  impressum: "Impressum",
  dataprivacy: "Datenschutz",
  failed: "Der Text konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
};
