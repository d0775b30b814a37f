// German text of a browser that stores nothing.

export const nothingKept = "Dieser Browser speichert nichts. Lassen Sie die Seite ohne Netz offen.";
