import { documents as first, unbroken } from "../../texts";

export const documents = {
  ...first,
  orders: { newest: "Neueste zuerst", name: "Name, A bis Z" },
  empty: "Keine Dokumente vorhanden",
  failed: "Dokumente konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  columns: {
    kind: "Art",
    uploadTime: "Hochgeladen",
    name: "Name",
    description: "Beschreibung",
    size: "Größe",
    actions: "Aktionen",
  },
  uploadTitle: "Datei hochladen",
  uploadFailed: "Hochladen fehlgeschlagen.",
  uploaded: "Erfolgreich hochgeladen.",
  descriptionMissing: "Bitte geben Sie eine Beschreibung ein.",
  share: "Per QR-Code teilen",
  editDescription: "Beschreibung anpassen",
  deleteQuestion: "Wollen Sie die Datei wirklich löschen?",
  deleteFailed: "Löschen fehlgeschlagen.",
  deleted: "Erfolgreich gelöscht.",
  shareTitle: "QR-Code Scannen um das Dokument zu downloaden",
  shareFailed: "Teilen fehlgeschlagen. Bitte versuchen Sie es erneut.",
  qrOf: (name: string) => `QR-Code für ${name}`,
  preparing: "QR-Code wird erstellt …",
  shareUntil: (clock: string) =>
    `Die Freigabe endet, sobald Sie dieses Fenster schließen, spätestens um ${unbroken(`${clock} Uhr`)}.`,
  endShare: "Freigabe beenden",
  shareEnded: "Die Freigabe ist beendet.",
};
