// German texts of the proofs that are shown. Separate from texts.ts, because no first page needs them.

export const proofs = {
  title: "Nachweise",
  failed: "Die Nachweise konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  empty:
    "Noch keine Nachweise. Laden Sie in „Meine Dokumente“ einen hoch und füllen Sie dort „Nachweis“ aus.",
  toDocuments: "Dokumente",
  shown: (kind: string) => `${kind} zeigen`,
  validUntil: "gültig bis",
  renew: "Verlängert",
  renewOf: (kind: string) => `${kind} verlängert`,
  archived: "Ersetzte Nachweise",
  standOf: (time: string) => `Stand ${time}`,
  offlineHint:
    "Damit die Nachweise auch ohne Netz da sind, melden Sie sich auf diesem Gerät mit „Angemeldet bleiben“ an.",
  insecureHint: "Ohne https sind die Nachweise nur mit Netz da.",
  place: (at: number, all: number) => `${at} von ${all}`,
  previous: "Vorherige Seite",
  next: "Nächste Seite",
  picture: (kind: string, at: number) => `${kind}, Seite ${at}`,
  noPicture: "Zu diesem Nachweis gibt es kein Bild.",
  pictureMissing: "Das Bild ist ohne Netz nicht da.",
  expired: "abgelaufen",
};
