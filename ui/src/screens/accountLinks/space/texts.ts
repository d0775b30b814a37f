// German texts of the page behind an invitation into a space.

export const invitation = {
  title: "Einladung",
  invitesAs: (by: string) => `${by} lädt Sie als`,
  invitesEnd: "ein.",
  counts: (members: number, items: number, ends: string) =>
    [
      members === 1 ? "1 Mitglied" : `${members} Mitglieder`,
      items === 1 ? "1 Gerät" : `${items} Geräte`,
      `gültig bis ${ends}`,
    ].join(" · "),
  /** Of a household. */
  equal: "gleichberechtigte Person",
  club: {
    sees: "Der Verein sieht",
    seesNot: "Er sieht nicht",
    seen: [
      "welches Vereinsgerät Sie wann wie lange benutzt haben",
      "Spannungen und Verbrauch der Vereinsakkus",
    ],
  },
  household: {
    sees: "Die anderen sehen",
    seesNot: "Die anderen sehen nicht",
    seen: [
      "welches gemeinsame Equipment Sie wann wie lange benutzt haben, mit Ihrem Namen",
      "Spannungen und Verbrauch der gemeinsamen Akkus",
    ],
  },
  hidden: ["Ihre Flüge, Orte und Flugwege", "Ihre Bilder, Notizen und Dokumente", "Ihr eigenes Equipment"],
  nameShown: "Mein Name darf beim Vereinsgerät stehen",
  join: "Beitreten",
  decline: "Nicht beitreten",
  joined: (name: string) => `Willkommen! Was ${name} hat, steht jetzt in Ihren Listen.`,
  already: "Sie sind schon Mitglied.",
  toSpace: "Zum Bereich",
  logIn: "Anmelden und beitreten",
  newAccount: "Ich habe noch kein Konto",
  newAccountHint: "Legen Sie hier Ihr Konto an. Damit treten Sie auch gleich bei.",
};
