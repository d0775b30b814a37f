// Households and clubs: what a pilot in one sees and may do, and what a pilot in none doesn't see.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import type { Calls } from "../../api/generated/Calls";
import { Kind } from "../../api/generated/Kind";
import type { PassportEntry } from "../../api/generated/PassportEntry";
import { type Member, Role, type Space } from "../../api/spaces";
import { battery, charging, flight, item, log, passport, reading } from "../../test/objects";
import {
  answerNext,
  failNext,
  openScreen,
  refused,
  type ServerState,
  sent,
  toast,
  user,
} from "../../test/openScreen";
import { detailedUser } from "../../test/pages";
import { urls } from "../../urls";

withFakeServer();

const club: Space = {
  ...{ dpfId: "s1", name: "FPV-Verein Elbe", kind: 2, role: Role.manager, contact: "" },
  ...{ created: "01.03.2024 10:00", members: 3, items: 1, nameShown: true },
};
const inClub = { dpfId: "s1", name: club.name, kind: 2, role: Role.manager };
const shared = battery({
  ...{ dpfId: "b9", name: "Schulung 1", space: { dpfId: "s1", name: club.name }, rights: "keep" as const },
});
const own = battery({ dpfId: "b1", name: "Akku 5" });

const member = (fields: Partial<Member>): Member => ({
  ...{
    dpfId: "m1",
    name: "Tina",
    role: Role.manager,
    since: "01.03.2024 10:00",
    nameShown: true,
    own: false,
  },
  ...fields,
});
const anna = member({ dpfId: "m2", name: "Anna", own: true });
const jonas = member({ dpfId: "m3", name: "Jonas", role: Role.member, nameShown: false });

/** What the server knows of a pilot with this role in the club. */
function server(role: number, known: ServerState["known"] = {}): ServerState {
  return {
    user: { spaces: [{ ...inClub, role }] },
    items: [own, shared],
    known: {
      GetSpaces: [{ ...club, role }],
      GetMembers: [member({}), { ...anna, role }, jonas],
      GetInvitations: [],
      GetStorageUsage: { bytes: 1_000_000, quota: null },
      GetSharedUses: [],
      GetBatteryPassport: passport({ battery: shared }),
      ...known,
    },
  };
}

const entries = () =>
  waitFor(() => {
    const all = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    expect(all.length).toBeGreaterThan(0);
    return all;
  });

test("A space is named, created, and gets the item from whose page it was begun", async () => {
  const page = await openScreen("/spaces?equipment=b1", {
    items: [own],
    known: { GetSpaces: [], GetMembers: [anna], GetInvitations: [] },
  });
  await screen.findByText(/„Akku 5“ kommt gleich hinein/);
  await user.press(/Verein/);
  await user.press("Anlegen");
  expect(await screen.findByText("Bitte geben Sie einen Namen ein.")).toBeTruthy();
  await user.type(/^Name/, " FPV-Verein Elbe ");
  answerNext("SaveSpace", club);
  answerNext("MoveEquipment", { ...own, space: shared.space ?? { dpfId: "", name: "" }, rights: "keep" });
  await user.press("Anlegen");
  await toast("Der Bereich ist angelegt.");
  await waitFor(() => expect(page.address()).toBe("/spaces/s1"));
  expect(sent("SaveSpace")).toMatchObject([{ kind: "2", name: "FPV-Verein Elbe" }]);
  expect(sent("MoveEquipment")).toMatchObject([{ dpfId: "b1", space: "s1" }]);
});

test("A manager sees the members by role and changes one's role", async () => {
  await openScreen("/spaces/s1", server(Role.manager));
  await screen.findByText("Verein · 3 Mitglieder · 1 Gerät");
  const managers = await screen.findByRole("region", { name: "Verwaltung" });
  expect(within(managers).getByText("Tina")).toBeTruthy();
  expect(within(managers).getByText(/Sie$/)).toBeTruthy();
  expect(screen.getByText(/Name verborgen/).textContent).toBe("seit 01.03.2024 · Name verborgen");
  await user.press("Jonas verwalten");
  answerNext("SaveMember", { ...jonas, role: Role.keeper });
  await user.press(/Gerätewart legt/);
  await user.press("Speichern");
  await toast("Gespeichert.");
  expect(sent("SaveMember")).toMatchObject([{ space: "s1", member: "m3", role: "3" }]);
});

test("A manager's link for several people is shown once, with its QR code", async () => {
  await openScreen("/spaces/s1", server(Role.manager));
  await user.press("Einladen");
  await user.press(/Leser/);
  await user.press(/Mehrere/);
  await user.type(/Höchstens/, "51");
  await user.press("Link erstellen");
  await screen.findByText("Bitte eine Zahl von 2 bis 50.");
  await user.type(/Höchstens/, "30");
  answerNext("SaveInvitation", {
    ...{ dpfId: "v1", link: "https://example.org/app/invite#abc", img: "AA", ends: "07.11.2026 12:00" },
  });
  await user.press("Link erstellen");
  await screen.findByRole("img", { name: "QR-Code der Einladung" });
  const link = await screen.findByLabelText<HTMLInputElement>("Link");
  expect(link.value).toBe("https://example.org/app/invite#abc");
  expect(sent("SaveInvitation")).toEqual([{ space: "s1", role: "1", days: "7", uses: "30" }]);
  expect(screen.queryByRole("button", { name: "Teilen" })).toBeNull();
});

test("An open invitation names who made it, and the role in a club", async () => {
  const made = { dpfId: "i1", role: Role.member, by: "Tina", made: "01.11.2026 10:00", uses: 1, usesLeft: 1 };
  await openScreen(
    "/spaces/s1",
    server(Role.manager, { GetInvitations: [{ ...made, ends: "08.11.2026 10:00" }] }),
  );
  const row = (await screen.findByText("Einladung von Tina")).closest("li");
  expect(row?.textContent).toContain("Mitglied · für eine Person");
});

test("An invitation's link is sent by the phone's own dialog, where there is one", async () => {
  const link = "https://example.org/app/invite#abc";
  const share = vi.fn(async () => {});
  Object.defineProperty(navigator, "share", { configurable: true, value: share });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, "share");
  });
  await openScreen("/spaces/s1", server(Role.manager));
  await user.press("Einladen");
  await user.press(/Leser/);
  answerNext("SaveInvitation", { dpfId: "v1", link, img: "AA", ends: "07.11.2026 12:00" });
  await user.press("Link erstellen");
  await user.press("Teilen");
  expect(share).toHaveBeenCalledExactlyOnceWith({ url: link });
});

test("A member is offered neither invitations nor the management of others", async () => {
  await openScreen("/spaces/s1", server(Role.member));
  await screen.findByText("Tina");
  expect(screen.queryByRole("button", { name: "Einladen" })).toBeNull();
  expect(screen.queryByRole("button", { name: /verwalten$/ })).toBeNull();
  await user.press("Mehr");
  expect(await entries()).toEqual(["Verlassen"]);
});

test("What the last manager can't do is said in the server's sentence", async () => {
  await openScreen("/spaces/s1", server(Role.manager));
  await screen.findByText("Tina");
  const sentence = "Mindestens eine Person muss die Verwaltung behalten.";
  failNext("LeaveSpace", refused(409, sentence));
  await user.press("Mehr");
  await user.press("Verlassen");
  await user.press("Verlassen");
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
});

test("Who manages the space downloads its equipment, or reads why not", async () => {
  await openScreen("/spaces/s1", server(Role.manager));
  await screen.findByText("Tina");
  const sentence = "Von Ihnen läuft schon ein Download.";
  failNext("GetExportSize", refused(409, sentence));
  const begun: string[] = [];
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    begun.push(this.href);
  };
  try {
    await user.press("Mehr");
    await user.press("Alles herunterladen");
    expect((await screen.findByRole("alert")).textContent).toBe(sentence);
    expect(begun).toEqual([]);
    answerNext("GetExportSize", { bytes: 50_000 });
    await user.press("Mehr");
    await user.press("Alles herunterladen");
    await toast("Der Download beginnt: etwa 0,1\u00a0MB.");
    expect(sent("GetExportSize")).toEqual([{ space: "s1" }, { space: "s1" }]);
    expect(begun).toEqual([expect.stringMatching(/\/app\/api\/GetExport\?space=s1$/)]);
  } finally {
    HTMLAnchorElement.prototype.click = click;
  }
});

test("A member decides whether the own name stands beside the gear", async () => {
  await openScreen("/spaces/s1", server(Role.member));
  answerNext("SaveMember", { ...anna, nameShown: false });
  await user.press("Mein Name darf beim Vereinsgerät stehen");
  await waitFor(() =>
    expect(sent("SaveMember")).toMatchObject([{ space: "s1", member: "m2", nameShown: "false" }]),
  );
});

test("A keeper moves several items into the space at once", async () => {
  await openScreen("/spaces/s1?teil=geraet", server(Role.keeper));
  await screen.findByText("Schulung 1");
  await user.press("Eigenes Equipment hineinlegen");
  answerNext("MoveEquipment", { ...own, space: { dpfId: "s1", name: club.name }, rights: "keep" });
  await user.press("Akku 5");
  await user.press("1 hineinlegen");
  await toast("1 Gerät gehört jetzt dem Bereich.");
  expect(sent("MoveEquipment")).toMatchObject([{ dpfId: "b1", space: "s1" }]);
});

test("Lists mark shared items, and the filter remembers itself", async () => {
  const page = await openScreen(`/equipments/${Kind.Battery}`, server(Role.member));
  const link = await screen.findByRole("link", { name: "Schulung 1" });
  expect(link.closest("li")?.textContent).toContain(club.name);
  await user.press("Meine");
  await waitFor(() => expect(screen.queryByRole("link", { name: "Schulung 1" })).toBeNull());
  expect(screen.getByRole("link", { name: "Akku 5" })).toBeTruthy();
  await page.reload();
  await screen.findByRole("link", { name: "Akku 5" });
  expect(screen.queryByRole("link", { name: "Schulung 1" })).toBeNull();
  await user.press(club.name);
  await screen.findByRole("link", { name: "Schulung 1" });
  expect(screen.queryByRole("link", { name: "Akku 5" })).toBeNull();
});

test("A pilot in no space sees neither filter nor mark", async () => {
  await openScreen(`/equipments/${Kind.Battery}`, { items: [own] });
  await screen.findByRole("link", { name: "Akku 5" });
  expect(screen.queryByRole("radiogroup")).toBeNull();
});

test("An item's page offers a reader nothing that changes it", async () => {
  const readable = item({ ...{ dpfId: "c9", name: "Schulcopter", space: inClub, rights: "see" as const } });
  await openScreen(`/equipments/${Kind.Copter}/c9`, { ...server(Role.reader), items: [readable] });
  await screen.findByRole("heading", { level: 1, name: "Schulcopter" });
  expect(screen.getByRole("link", { name: `Gehört ${club.name}` })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Log erstellen/ })).toBeNull();
  expect(screen.queryByRole("link", { name: "Bearbeiten" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Mehr" })).toBeNull();
});

test("An item in the own open flight says so, and isn't offered to be freed", async () => {
  const since = "21.11.2026 14:05";
  const flown = { ...shared, inUse: { by: "Anna", since, mine: true } };
  await openScreen(`/equipments/${Kind.Battery}/b9`, { ...server(Role.keeper), items: [flown] });
  await screen.findByText(/Schulung 1 ist gerade in Ihrem offenen Flug/);
  expect(screen.queryByRole("button", { name: /Freigeben/ })).toBeNull();
});

test("The sticker of an item in the own open flight ends that flight, which the device may not have", async () => {
  const since = "21.11.2026 14:05";
  const flown = { ...shared, number: 7, state: "flying" as const, inUse: { by: "Anna", since, mine: true } };
  const known = server(Role.member);
  await openScreen("/number/7", { ...known, user: { ...known.user, openFlight: "f1" }, items: [flown] });
  await screen.findByText(/Schulung 1 ist gerade in Ihrem offenen Flug/);
  expect(screen.getByRole("link", { name: "Fluglog beenden" })).toBeTruthy();
});

test("The sticker of an item that another member flies doesn't end the own flight", async () => {
  const flown = {
    ...shared,
    number: 7,
    state: "flying" as const,
    inUse: { by: "Tina", since: "21.11.2026 14:05" },
  };
  const open = flight({ startTime: "21.11.2026 14:10", open: true });
  const known = server(Role.member);
  await openScreen("/number/7", {
    ...known,
    user: { ...known.user, openFlight: open.dpfId },
    items: [flown],
    flights: [open],
  });
  await screen.findByText(/in einem offenen Flug \(Tina/);
  expect(screen.queryByRole("link", { name: "Fluglog beenden" })).toBeNull();
});

test("The flights of a shared copter are those of all members, and its stage only shows the pilot's own", async () => {
  const copter = item({
    ...{ dpfId: "c9", name: "Schulcopter", space: inClub, rights: "use" as const },
    usageTime: 2,
  });
  const use = {
    name: "Tina",
    own: false,
    flight: null,
    startVoltage: null,
    endVoltage: null,
    consumed: null,
  };
  await openScreen(`/equipments/${Kind.Copter}/c9`, {
    ...server(Role.member, {
      GetSharedUses: [
        { ...use, dpfId: "u3", start: "03.05.2026 10:00", minutes: null, open: true },
        { ...use, dpfId: "u2", start: "02.05.2026 10:00", minutes: 60, open: false },
        { ...use, dpfId: "u1", start: "01.05.2026 10:00", minutes: 60, open: false },
      ],
    }),
    items: [copter],
  });
  const figure = await screen.findByText("Flüge", { selector: "dt" });
  await waitFor(() => expect(figure.nextElementSibling?.textContent).toBe("2"));
  expect(screen.queryByRole("figure", { name: "Flugwege" })).toBeNull();
});

test("Who may only see a space's equipment isn't offered it for a flight", async () => {
  const seen = { space: inClub, rights: "see" as const };
  const known = { ...server(Role.reader), items: [item({ ...seen, dpfId: "c9", name: "Schulcopter" })] };
  await openScreen("/flights/config", known);
  await screen.findByRole("heading", { level: 1, name: "Fluglog starten" });
  await screen.findByText("Copter neu erfassen");
  expect(screen.queryByText("Schulcopter")).toBeNull();
});

/** An own entry about a shared pack, and another member's. */
const entriesOfTwo = [
  { dpfId: "e1", time: "01.05.2026 10:00", mine: true },
  { dpfId: "e2", time: "02.05.2026 10:00" },
];
const used = { ...shared, rights: "use" as const };

test("A member corrects own chargings of shared packs, and not those of others", async () => {
  const chargings = entriesOfTwo.map(({ time, ...entry }) =>
    charging({ ...entry, battery: "b9", chargeStartTime: time, chargeEndTime: time, charged: 900 }),
  );
  const known = server(Role.member, { GetChargings: { equipmentName: used.name, chargings } });
  await openScreen(urls.itemHistory("b9"), { ...known, items: [used] });
  await screen.findByRole("button", { name: "Bearbeiten 01.05.2026 10:00" });
  expect(screen.queryByRole("button", { name: "Bearbeiten 02.05.2026 10:00" })).toBeNull();
  await user.press("Bearbeiten 01.05.2026 10:00");
  await screen.findByText(`Ladevorgang für ${used.name}`);
});

test("A member edits and deletes own readings and logs about shared packs, and none of others", async () => {
  const timeline: PassportEntry[] = entriesOfTwo.map((entry) => ({
    ...{ dpfId: entry.dpfId, deed: "reading", time: entry.time, reading: reading(entry), flight: null },
    ...{ minutes: null, fromVoltage: null, toVoltage: null, charged: null },
  }));
  const known = {
    GetBatteryPassport: passport({ battery: used, timeline }),
    GetEquipmentLogs: { name: used.name, equipmentName: used.name, logs: entriesOfTwo.map(log) },
  };
  await openScreen(`/equipments/${Kind.Battery}/b9`, { ...server(Role.member, known), items: [used] });
  for (const name of ["Mehr zur Messung vom", "Log vom"]) {
    await screen.findAllByRole("button", { name: new RegExp(`${name} 01.05.2026 10:00`) });
    expect(screen.queryByRole("button", { name: new RegExp(`${name} 02.05.2026 10:00`) })).toBeNull();
  }
});

test("A keeper frees an item that is in somebody's open flight", async () => {
  const flown = { ...shared, inUse: { by: "Luftikus", since: "21.11.2026 14:05" } };
  await openScreen(`/equipments/${Kind.Battery}/b9`, { ...server(Role.keeper), items: [flown] });
  const note = await screen.findByText(/ist gerade in einem offenen Flug/);
  expect(note.textContent).toContain("Luftikus, seit 21.11.\u00a014:05");
  await user.press("Freigeben Schulung 1");
  answerNext("FreeEquipment", shared);
  await user.press("Freigeben");
  await toast("Schulung 1 ist wieder frei.");
  expect(sent("FreeEquipment")).toMatchObject([{ dpfId: "b9" }]);
});

test("Who removes a member reads that the open invitations for several end with it", async () => {
  const open = {
    dpfId: "i1",
    role: Role.member,
    by: "Anna",
    made: "01.11.2026 10:00",
    ends: "08.11.2026 10:00",
  };
  await openScreen(
    "/spaces/s1",
    server(Role.manager, {
      GetInvitations: [
        { ...open, uses: 50, usesLeft: 48 },
        { ...open, dpfId: "i2", uses: 1, usesLeft: 1 },
      ],
    }),
  );
  await user.press("Jonas verwalten");
  await user.press("Entfernen");
  expect(await screen.findByText(/Die offene Einladung für mehrere endet damit/)).toBeTruthy();
});

test("Uses of a shared item name who decided so, and link only to the own flight", async () => {
  const use = { startVoltage: null, endVoltage: null, consumed: null, open: false, minutes: 5 };
  await openScreen(
    `/equipments/${Kind.Battery}/b9`,
    server(Role.member, {
      GetSharedUses: [
        { ...use, dpfId: "u1", start: "02.05.2026 10:00", name: "Anna", own: true, flight: "f1" },
        { ...use, dpfId: "u2", start: "01.05.2026 10:00", name: "ein Mitglied", own: false, flight: null },
      ],
    }),
  );
  const list = await screen.findByRole("list", { name: "Benutzungen" });
  const [mine, other] = within(list).getAllByRole("listitem");
  expect(mine && within(mine).getByRole("link")).toBeTruthy();
  expect(mine?.textContent).toContain("Sie");
  expect(other?.textContent).toContain("ein Mitglied");
  expect(other && within(other).queryByRole("link")).toBeNull();
});

test("A copter in somebody's open flight says so before the start", async () => {
  const flown = item({
    ...{ dpfId: "c9", name: "Schulcopter", space: inClub, rights: "use" as const },
    inUse: { by: "ein Mitglied", since: "21.11.2026 14:05" },
  });
  await openScreen("/flights/config", { ...server(Role.member), items: [flown] });
  await user.press(/Schulcopter/);
  await screen.findByText(/Schulcopter ist gerade in einem offenen Flug \(ein Mitglied/);
  expect(screen.queryByRole("button", { name: /Freigeben/ })).toBeNull();
});

test("Labels are offered for items that the pilot may change, or that have a sticker", async () => {
  const readable = { space: inClub, rights: "use" as const };
  const items = [
    own,
    battery({ ...readable, dpfId: "b7", name: "Schulung 7" }),
    battery({ ...readable, dpfId: "b8", name: "Schulung 8", sticker: "ABCD1234" }),
  ];
  await openScreen("/equipments/labels", { ...server(Role.member), items });
  await screen.findByText("Akku 5");
  expect(screen.getByText("Schulung 8")).toBeTruthy();
  expect(screen.queryByText("Schulung 7")).toBeNull();
});

test("Who may print no label isn't led to them, and reads on their page who does", async () => {
  const readable = battery({ space: inClub, rights: "see" as const, dpfId: "b7", name: "Schulung 7" });
  const known = { ...server(Role.reader), items: [readable] };
  await openScreen(`/equipments/${Kind.Battery}`, known);
  await screen.findByRole("link", { name: "Schulung 7" });
  expect(screen.queryByRole("link", { name: "Aufkleber drucken" })).toBeNull();
  await openScreen("/equipments/labels", known);
  await screen.findByText(/druckt, wer es pflegt/);
});

test("The label of a space's item has the contact of the space, and not that of the pilot who prints it", async () => {
  const label = {
    number: null,
    link: "https://fluglog.example.org/app/s/ABCD1234",
    qr: Array<string>(33).fill("1".repeat(33)),
  };
  const items = [
    { ...own, sticker: "ABCD1234" },
    { ...shared, sticker: "EFGH5678" },
  ];
  await openScreen("/equipments/labels", {
    ...server(Role.keeper, {
      GetSpaces: [{ ...club, role: Role.keeper, contact: "040 123456" }],
      GetDetailedUser: detailedUser({ contact: "0170 654321" }),
      GetLabels: [
        { ...label, dpfId: "b1", name: "Akku 5" },
        { ...label, dpfId: "b9", name: "Schulung 1" },
      ],
    }),
    items,
  });
  await user.press("Alle Batterien");
  await user.press("2 Aufkleber erstellen");
  const [sheet] = await screen.findAllByRole("img", { name: "Bogen 1 von 1" });
  await waitFor(() =>
    expect([...(sheet?.querySelectorAll("g") ?? [])].map(({ textContent }) => textContent)).toEqual([
      "Akku 50170 654321",
      "Schulung 1040 123456",
    ]),
  );
  expect(screen.getByText(/Kontakt für Finder \(FPV-Verein Elbe\): 040 123456/)).toBeTruthy();
});

test("The operator sees names and counts of spaces, and who manages them", async () => {
  const own = { operator: true, adminUi: true, confirmedSeconds: 600, proof: "password", sendsMail: false };
  await openScreen("/admin?bereich=spaces", {
    known: {
      GetAdminState: own as Calls["GetAdminState"]["answer"],
      GetAdminSpaces: [
        {
          ...{ name: club.name, kind: 2, members: 14, items: 9, managers: ["Tina", "Anna"] },
          ...{ created: "01.03.2024 10:00", usedBytes: 2_000_000, quotaBytes: null },
        },
      ],
    },
  });
  await screen.findByText(club.name);
  expect(screen.getByText(/14 Mitglieder · 9 Geräte/)).toBeTruthy();
  expect(screen.getByText("Verwaltung: Tina, Anna")).toBeTruthy();
});

test("An item moves into a space by its menu, which says what goes along", async () => {
  const counts = { items: 1, uses: 9, chargings: 9, readings: 4, logs: 1, documents: 2 };
  await openScreen(`/equipments/${Kind.Battery}/b1`, server(Role.keeper, { GetMovePreview: counts }));
  await user.press("Mehr");
  await user.press("Verschieben");
  await user.press(new RegExp(club.name));
  await screen.findByText("9 Ladungen, 4 Messungen, 1 Log, 2 Dokumente");
  await screen.findByText("Ihre Flüge bleiben bei Ihnen");
  const sentence = "Ein Gerät in einem offenen Flug kann nicht verschoben werden.";
  failNext("MoveEquipment", refused(409, sentence));
  await user.press("Verschieben");
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  answerNext("MoveEquipment", { ...own, space: { dpfId: "s1", name: club.name }, rights: "keep" });
  await user.press("Verschieben");
  await toast(`Akku 5 gehört jetzt ${club.name}.`);
});

test("A name that ends with a full stop isn't followed by a second one", async () => {
  const name = "FPV-Verein Elbe e. V.";
  const known = server(Role.keeper);
  const spaces = [{ ...inClub, name, role: Role.keeper }];
  await openScreen(`/equipments/${Kind.Battery}/b1`, { ...known, user: { ...known.user, spaces } });
  await user.press("Mehr");
  await user.press("Verschieben");
  await user.press(/FPV-Verein Elbe/);
  answerNext("MoveEquipment", { ...own, space: { dpfId: "s1", name }, rights: "keep" });
  await user.press("Verschieben");
  expect((await toast("Akku 5 gehört jetzt")).textContent).toBe(`Akku 5 gehört jetzt ${name}`);
});
