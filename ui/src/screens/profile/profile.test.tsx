// The profile: its form with the photo, the password, the logins of the account, and what fails.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, callsOf } from "../../api/fakeServer";
import type { AccessToken } from "../../api/generated/AccessToken";
import type { DetailedUser } from "../../api/generated/DetailedUser";
import type { DeviceSession } from "../../api/generated/DeviceSession";
import { failNext, refused, toast } from "../../test/openScreen";
import {
  choose,
  detailedUser,
  expectAlert,
  expectFieldError,
  expectNoDialog,
  field,
  fieldsOf,
  follow,
  heading,
  notLoggedIn,
  ok,
  open,
  pick,
  pilot,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const newPassword = "tragflaeche-23";
const saved = "Erfolgreich gespeichert.";
const photo = new File(["rot"], "ich.png", { type: "image/png" });
const noImage = "Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.";

/** Opens the profile of a pilot with these details. */
async function openProfile(fields: Partial<DetailedUser> = {}) {
  standing("GetDetailedUser", ok(detailedUser(fields)));
  const page = await open("myProfile", { ...pilot, photo: fields.photo ?? "" });
  await field("Vorname");
  return page;
}

async function typePasswords(password: string, repeated: string) {
  await type("Neues Passwort", password);
  await type("Neues Passwort wiederholen", repeated);
}

const section = (name: string) => screen.findByRole("region", { name });
const previewed = () => screen.queryByRole("img", { name: "Vorschau des Fotos" });
const expectLogin = (page: { expectPath: (path: string) => Promise<void> }) => page.expectPath("login");

test("The account's menu leads to the profile, which shows e-mail and nickname to read", async () => {
  const page = await open("home");
  await press("Konto");
  await choose("Mein Profil");
  await heading("Mein Profil");
  await page.expectPath("myProfile");
  await waitFor(() => {
    const texts = screen.getAllByRole("definition").map(({ textContent }) => textContent);
    expect(texts).toEqual(["pilotin@example.org", "Pilotin"]);
  });
  await press("Zurück");
  await page.expectPath("home");
});

test("A profile that can't be loaded says so, and comes when it is tried again", async () => {
  standing("GetDetailedUser", "lost");
  await open("myProfile");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Profile konnte nicht geladen werden. Bitte versuchen Sie es erneut.");
  standing("GetDetailedUser", ok(detailedUser()));
  await press("Nochmal");
  await screen.findByRole("heading", { name: /^Sicherheit/ });
});

test("Of the names only a changed one is sent, without spaces around it, and shown as it was sent", async () => {
  answers.SaveProfile = [ok(), ok()];
  await openProfile({ firstname: "Anna", lastname: "Beck" });
  expect((await field("Vorname")).value).toBe("Anna");
  expect((await field("Nachname")).value).toBe("Beck");
  await type("Vorname", "  Anne ");
  await press("Speichern");
  await toast(saved);
  expect((await field("Vorname")).value).toBe("Anne");
  await type("Vorname", "");
  await press("Speichern");
  await waitFor(() => expect(fieldsOf("SaveProfile")).toEqual([{ firstname: "Anne" }, { firstname: "" }]));
});

test("A profile that can't be saved says so and loses nothing", async () => {
  answers.SaveProfile = ["lost", ok()];
  await openProfile();
  await type("Vorname", "Anna");
  await press("Speichern");
  await expectAlert("Speichern fehlgeschlagen.");
  expect((await field("Vorname")).value).toBe("Anna");
  await press("Speichern");
  await toast(saved);
  expect(fieldsOf("SaveProfile").at(-1)).toEqual({ firstname: "Anna" });
});

test("A chosen photo can be taken back before it is saved", async () => {
  answers.SaveProfile = [ok()];
  await openProfile();
  await pick("Aus Galerie wählen", photo);
  await waitFor(() => expect(previewed()).not.toBeNull());
  await press("Foto entfernen");
  expect(previewed()).toBeNull();
  await press("Speichern");
  await toast(saved);
  expect(fieldsOf("SaveProfile")).toEqual([{}]);
});

test("A chosen photo isn't left behind unasked, and a saved one is", async () => {
  answers.SaveProfile = [ok(), ok()];
  const page = await openProfile({ photo: "/app/api/GetPhoto?v=1" });
  const question = "Änderungen verwerfen und die Seite verlassen?";
  const stay = async () => {
    await screen.findByRole("alertdialog", { name: question });
    await press("Nein");
    await expectNoDialog();
    await page.expectPath("myProfile");
  };
  await pick("Aus Galerie wählen", photo);
  await waitFor(() => expect(previewed()).not.toBeNull());
  await follow("Fluglog, zur Startseite");
  await stay();
  expect(previewed()).not.toBeNull();
  await press("Speichern");
  await toast(saved);
  expect(fieldsOf("SaveProfile")).toEqual([{ photo }]);

  await press("Foto entfernen");
  await follow("Fluglog, zur Startseite");
  await stay();
  await press("Speichern");
  await waitFor(() => expect(fieldsOf("SaveProfile").at(-1)).toEqual({ removePhoto: "true" }));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Speichern" }).getAttribute("aria-disabled")).not.toBe("true"),
  );
  await follow("Fluglog, zur Startseite");
  await page.expectPath("home");
});

test("A file that is no picture is refused: by its name at once, by its content in the server's words", async () => {
  await openProfile();
  await pick("Aus Galerie wählen", new File(["x"], "flug.mp4", { type: "video/mp4" }));
  await expectAlert(noImage);
  expect(previewed()).toBeNull();
  failNext("SaveProfile", refused(415, "Das ist kein Bild."));
  await pick("Aus Galerie wählen", photo);
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  await press("Speichern");
  await expectAlert("Das ist kein Bild.");
  expect(fieldsOf("SaveProfile")).toEqual([{ photo }]);
});

test("A photo that the browser can't show has no preview, until another one is chosen", async () => {
  await openProfile();
  await pick("Aus Galerie wählen", photo);
  fireEvent.error(await screen.findByRole("img", { name: "Vorschau des Fotos" }));
  await screen.findByText("Keine Vorschau");
  expect(previewed()).toBeNull();
  await pick("Aus Galerie wählen", new File(["blau"], "du.png", { type: "image/png" }));
  await waitFor(() => expect(previewed()).not.toBeNull());
});

test("The new password can't be saved while a field is empty, nor when the two differ", async () => {
  await openProfile();
  await press("Passwort ändern");
  for (const [password, repeated] of [
    ["", ""],
    [newPassword, ""],
    ["", newPassword],
  ] as const) {
    await typePasswords(password, repeated);
    const save = within(screen.getByRole("dialog")).getByRole<HTMLButtonElement>("button", {
      name: "Speichern",
    });
    expect(save.disabled, `${password}, ${repeated}`).toBe(true);
  }
  await typePasswords(newPassword, "tragflaeche-24");
  await press("Speichern");
  await expectFieldError("Neues Passwort wiederholen", "Die Passwörten stimmen nicht überein!");
  expect(callsOf("SavePassword")).toEqual([]);
  await act(async () => void fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" }));
  screen.getByRole("dialog", { name: "Passwort ändern" });
  await press("Abbrechen");
  await expectNoDialog();
});

test("A new password is sent, thanked for, and the list of the logins asked for anew", async () => {
  answers.SavePassword = [ok()];
  await openProfile();
  await waitFor(() => expect(callsOf("GetSessions")).toHaveLength(1));
  await press("Passwort ändern");
  await typePasswords(newPassword, newPassword);
  await press("Speichern");
  await toast("Passwort erfolgreich gespeichert.");
  await expectNoDialog();
  expect(fieldsOf("SavePassword")).toEqual([{ password: newPassword, repeatPassword: newPassword }]);
  await waitFor(() => expect(callsOf("GetSessions")).toHaveLength(2));
});

test("A password that the server refuses is refused beside its field", async () => {
  const sentence = "Das Passwort muss mindestens 8 Zeichen lang sein.";
  answers.SavePassword = [refused(400, sentence, "password")];
  await openProfile();
  await press("Passwort ändern");
  await typePasswords("kurz", "kurz");
  await press("Speichern");
  await expectFieldError("Neues Passwort", sentence);
});

test("With the server gone neither the password nor the end of every login is saved, and each says so", async () => {
  answers.SavePassword = ["lost"];
  answers.LogOutFromEveryDevice = ["lost", ok()];
  const page = await openProfile();
  await press("Passwort ändern");
  await typePasswords(newPassword, newPassword);
  await press("Speichern");
  await expectAlert("Ein Fehler ist aufgetreten");
  await press("Abbrechen");
  await expectNoDialog();

  await press("Alle Geräte abmelden");
  await press("Ja");
  await expectAlert("Speichern fehlgeschlagen.");
  await page.expectPath("myProfile");
  standing("CheckSession", notLoggedIn);
  await press("Alle Geräte abmelden");
  await press("Ja");
  await expectLogin(page);
});

test("Nein leaves every login as it is; Ja ends them all, and the login doesn't promise to go on there", async () => {
  const page = await openProfile();
  await press("Alle Geräte abmelden");
  const name = "Wollen Sie sich auf allen Geräten abmelden?";
  const question = await screen.findByRole("alertdialog", { name });
  expect(question.textContent).toContain("Auch dieses Gerät wird abgemeldet.");
  await press("Nein");
  await expectNoDialog();
  expect(callsOf("LogOutFromEveryDevice")).toEqual([]);

  answers.LogOutFromEveryDevice = [ok()];
  standing("CheckSession", notLoggedIn);
  await press("Alle Geräte abmelden");
  await press("Ja");
  await toast("Alle Geräte wurden erfolgreich ausgeloggt.");
  await expectLogin(page);
  await field("E-Mail");
  expect(screen.queryByText("Nach der Anmeldung geht es dort weiter, wo Sie waren.")).toBeNull();
});

test("A pilot changes the nickname, and asks for a link to another e-mail address", async () => {
  answers.SaveProfile = [ok()];
  answers.ChangeEmail = [ok()];
  await openProfile();
  await press("Nickname ändern");
  expect((await field("Neuer Nickname")).value).toBe("Pilotin");
  await type("Neuer Nickname", " Luftikus ");
  standing("GetDetailedUser", ok(detailedUser({ nickname: "Luftikus" })));
  await press("Speichern");
  await toast(saved);
  await expectNoDialog();
  expect(fieldsOf("SaveProfile")).toEqual([{ nickname: "Luftikus" }]);
  await waitFor(() => expect(screen.getAllByRole("definition").at(-1)?.textContent).toBe("Luftikus"));

  await press("E-Mail-Adresse ändern");
  await type("Neue E-Mail-Adresse", "neu@example.org");
  await press("Link senden");
  await toast("Der Link ist an neu@example.org unterwegs.");
  await expectNoDialog();
  expect(fieldsOf("ChangeEmail")).toEqual([{ email: "neu@example.org" }]);
});

test("A pilot switches the evening's mail about packs on, and off again", async () => {
  standing("GetReminder", ok({ on: false }));
  await openProfile();
  const reminder = await screen.findByRole<HTMLInputElement>("switch", { name: "Erinnerungen per E-Mail" });
  expect(reminder.checked).toBe(false);
  for (const on of [true, false]) {
    answers.SaveReminder = [ok({ on })];
    fireEvent.click(reminder);
    await waitFor(() => expect(reminder.checked).toBe(on));
    expect(fieldsOf("SaveReminder").at(-1)).toEqual({ on: String(on) });
  }
});

const here: DeviceSession = {
  dpfId: "s1",
  browser: "Chrome auf Android",
  since: "01.05.2026 10:00",
  lastSeen: "02.05.2026 11:30",
  remembered: false,
  current: true,
};
const elsewhere = { ...here, dpfId: "s2", browser: "Firefox auf Windows", remembered: true, current: false };

test("The profile lists where the pilot is logged in, and one press ends another login, or this one", async () => {
  answers.GetSessions = [ok([here, elsewhere]), ok([here])];
  answers.EndSession = [ok()];
  const page = await openProfile();
  const devices = within(await section("Angemeldete Geräte"));
  await waitFor(() =>
    expect(devices.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(
        /^Chrome auf Androiddieses GerätAngemeldet seit 01\.05\.2026 10:00, zuletzt gesehen 02\.05\.2026 11:30/,
      ),
      expect.stringMatching(/^Firefox auf WindowsAngemeldet seit/),
    ]),
  );
  await press("Abmelden Firefox auf Windows");
  await toast("Das Gerät wurde abgemeldet.");
  expect(fieldsOf("EndSession")).toEqual([{ dpfId: "s2" }]);
  await waitFor(() => expect(devices.getAllByRole("listitem")).toHaveLength(1));

  answers.Logout = [ok()];
  standing("CheckSession", notLoggedIn);
  await press("Abmelden Chrome auf Android");
  await expectLogin(page);
  expect(callsOf("EndSession")).toHaveLength(1);
});

test("A token for a script is made with a name, an end and a right, shown once, and ended", async () => {
  const token: AccessToken = {
    dpfId: "t1",
    name: "Home Assistant",
    mayWrite: true,
    made: "01.05.2026 10:00",
    lastUsed: null,
    ends: "01.05.2027 10:00",
  };
  answers.GetAccessTokens = [ok([]), ok([token]), ok([])];
  answers.CreateAccessToken = [ok({ token: "fluglog_12ab" })];
  answers.EndAccessToken = [ok()];
  await openProfile();
  await press("Zugänge für Skripte");
  await screen.findByText("Noch kein Zugang.");
  await press("Neuer Zugang");
  await press("Erstellen");
  await expectFieldError("Name", "Bitte geben Sie einen Namen ein.");
  await type("Name", "Home Assistant");
  fireEvent.click(await screen.findByRole("radio", { name: "1 Jahr" }));
  fireEvent.click(await screen.findByRole("checkbox", { name: "Darf auch ändern und löschen" }));
  await press("Erstellen");
  expect((await field("Zugang")).value).toBe("fluglog_12ab");
  expect(screen.getByRole("dialog").textContent).toContain("„Alle Geräte abmelden“");
  expect(fieldsOf("CreateAccessToken")).toEqual([{ name: "Home Assistant", mayWrite: "true", days: "365" }]);
  await press("Fertig");
  await screen.findByText("Gilt bis 01.05.2027 10:00, noch nicht benutzt");
  expect(screen.queryByDisplayValue("fluglog_12ab")).toBeNull();
  await press("Beenden Home Assistant");
  await toast("Der Zugang wurde beendet.");
  expect(fieldsOf("EndAccessToken")).toEqual([{ dpfId: "t1" }]);
  await screen.findByText("Noch kein Zugang.");
});

test("A download that the server refuses says why, on its page, and isn't begun", async () => {
  const sentence =
    "Gerade laden schon andere ihre Daten herunter. Bitte versuchen Sie es in einigen Minuten noch einmal.";
  answers.GetExportSize = [refused(503, sentence), ok({ bytes: 50_000 })];
  await openProfile();
  const begun: string[] = [];
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    begun.push(this.href);
  };
  try {
    await press("Alles herunterladen");
    const alert = await within(await section("Meine Daten")).findByRole("alert");
    expect(alert.textContent).toBe(sentence);
    expect(begun).toEqual([]);
    await press("Alles herunterladen");
    await toast("Der Download beginnt: etwa 0,1\u00a0MB.");
    expect(begun).toEqual([expect.stringMatching(/\/app\/api\/GetExport\b/)]);
    expect(screen.queryByText(sentence)).toBeNull();
  } finally {
    HTMLAnchorElement.prototype.click = click;
  }
});
