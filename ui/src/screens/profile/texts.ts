// The German texts of the form of a pilot's profile.

export const profileForm = {
  title: "Mein Profil",
  photo: "Foto",
  noPhoto: "Kein Foto",
  preview: "Vorschau des Fotos",
  drop: "Foto hierher ziehen oder auswählen",
  removePhoto: "Foto entfernen",
  firstname: "Vorname",
  lastname: "Nachname",
  email: "E-Mail",
  nickname: "Nickname",
  loadFailed: "Profile konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
};
