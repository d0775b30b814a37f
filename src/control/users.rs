//! What the shell asks about users.

use std::fmt::Write as _;
use std::io::Write;

use serde::Serialize;

use super::Answer;
use crate::accounts::administration::{self, Change};
use crate::accounts::guard;
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::number;
use crate::export::Unfinished;
use crate::flights::images;
use crate::mail::address::Email;
use crate::mail::outbox;
use crate::{documents, equipment, export, feedback, flights, logs, open_flight, operations};

/// Adds a user.
pub fn add(app: &App, email: &str, nickname: &str, password: Option<&str>) -> Result<String> {
    administration::add_user(app, email, nickname, password)?;
    Ok(match password {
        Some(_) => format!("{} ist angelegt.\n", email.trim()),
        None => format!("{} ist angelegt und hat noch kein Passwort.\n", email.trim()),
    })
}

/// Changes a user.
pub fn change(app: &App, email: &str, change: &Change) -> Result<String> {
    administration::change_user(app, email, change)?;
    // Whoever waits for a login by mail waits in vain.
    app.logins_settled.send_modify(|count| *count = count.wrapping_add(1));
    let done = match change {
        Change::Password(_) => "hat ein neues Passwort und ist überall abgemeldet",
        Change::LogOut => "ist überall abgemeldet",
        Change::Disable => "ist gesperrt und überall abgemeldet",
        Change::Enable => "ist nicht mehr gesperrt",
    };
    Ok(format!("{} {done}.\n", email.trim()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserLine {
    email: String,
    nickname: String,
    disabled: bool,
    created: String,
    last_login: String,
}

/// All users, for people or as JSON.
pub fn list(app: &App, json: bool) -> Result<String> {
    let at = |seconds| app.clock.wall_time_at(seconds).to_string();
    let lines: Vec<_> = administration::list_users(app)?
        .into_iter()
        .map(|user| UserLine {
            email: user.email,
            nickname: user.nickname,
            disabled: user.disabled,
            created: at(user.created),
            last_login: user.last_login.map(at).unwrap_or_default(),
        })
        .collect();
    if json {
        return as_json(&lines);
    }
    if lines.is_empty() {
        return Ok("Es gibt noch keine Benutzer. „fluglog user add“ legt den ersten an.\n".to_owned());
    }
    let longest = |text: fn(&UserLine) -> &str| lines.iter().map(|line| text(line).chars().count()).max().unwrap_or(0);
    let (email, nickname) = (longest(|line| &line.email), longest(|line| &line.nickname));
    Ok(lines
        .iter()
        .map(|line| {
            let state = match (line.disabled, line.last_login.as_str()) {
                (true, _) => "gesperrt".to_owned(),
                (false, "") => "noch nie angemeldet".to_owned(),
                (false, time) => format!("zuletzt angemeldet {time}"),
            };
            format!(
                "{:email$}  {:nickname$}  angelegt {}  {state}\n",
                line.email, line.nickname, line.created
            )
        })
        .collect())
}

fn as_json(value: &impl Serialize) -> Result<String> {
    let json = serde_json::to_string_pretty(value).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(json + "\n")
}

/// One user with what it has. The names of the fields stay for good: scripts read them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserSheet {
    email: String,
    nickname: String,
    firstname: String,
    lastname: String,
    created: String,
    last_login: String,
    disabled: bool,
    has_password: bool,
    sessions: usize,
    login_tokens: usize,
    equipment: usize,
    flights: usize,
    logs: usize,
    images: usize,
    documents: usize,
    /// Of images, their previews, documents and the photo.
    file_bytes: u64,
}

/// One user, for people or as JSON.
pub fn show(app: &App, email: &str, json: bool) -> Result<String> {
    let at = |seconds| app.clock.wall_time_at(seconds).to_string();
    let (sheet, files) = app.store.read(|data| {
        let viewer = guard::named_by_admin(data, email)?;
        let user = administration::details(data, &viewer, app.clock.unix_seconds())?;
        let images = images::all(data, &viewer)?;
        let documents = documents::all(data, &viewer)?;
        let mut files: Vec<_> = images
            .iter()
            .flat_map(|image| [image.blob.id, image.preview.id])
            .collect();
        files.extend(documents.iter().map(|document| document.blob.id));
        files.extend(user.photo.map(|photo| photo.id));
        let sheet = UserSheet {
            email: user.email,
            nickname: user.nickname,
            firstname: user.firstname,
            lastname: user.lastname,
            created: at(user.created),
            last_login: user.last_login.map(at).unwrap_or_default(),
            disabled: user.disabled,
            has_password: user.has_password,
            sessions: user.sessions,
            login_tokens: user.login_tokens,
            equipment: equipment::all(data, &viewer)?.len(),
            flights: flights::all(data, &viewer)?.len(),
            logs: logs::all(data, &viewer)?.len(),
            images: images.len(),
            documents: documents.len(),
            file_bytes: 0,
        };
        Ok((sheet, files))
    })?;
    // A file that is missing weighs nothing.
    let file_bytes = files.into_iter().filter_map(|id| app.blobs.bytes(id).ok()).sum();
    let sheet = UserSheet { file_bytes, ..sheet };
    if json { as_json(&sheet) } else { Ok(sheet.for_people()) }
}

impl UserSheet {
    fn for_people(&self) -> String {
        let or = |text: &str, none: &str| if text.is_empty() { none } else { text }.to_owned();
        let name = [self.firstname.as_str(), self.lastname.as_str()].join(" ");
        let count = |count: usize| number::count(count as u64);
        let lines = [
            ("E-Mail", self.email.clone()),
            ("Nickname", self.nickname.clone()),
            ("Name", or(name.trim(), "-")),
            ("Angelegt", self.created.clone()),
            ("Zuletzt angemeldet", or(&self.last_login, "noch nie")),
            ("Gesperrt", if self.disabled { "ja" } else { "nein" }.to_owned()),
            (
                "Passwort",
                if self.has_password {
                    "gesetzt"
                } else {
                    "keines, Anmeldung nur per Mail"
                }
                .to_owned(),
            ),
            ("Offene Sitzungen", count(self.sessions)),
            ("Angemeldet bleiben", count(self.login_tokens)),
            ("Equipment", count(self.equipment)),
            ("Flüge", count(self.flights)),
            ("Logs", count(self.logs)),
            ("Bilder", count(self.images)),
            ("Dokumente", count(self.documents)),
            ("Dateien zusammen", number::size(self.file_bytes)),
        ];
        let mut shown = String::new();
        for (label, value) in lines {
            // Writing into a string can't fail.
            let _ = writeln!(shown, "{label:20}{value}");
        }
        shown
    }
}

/// Deletes a user with everything it has: the records in one transaction, then the files that nothing names any more, then the mails to it
/// that nobody sent.
pub fn delete(app: &App, email: &str) -> Result<String> {
    let named = email.to_owned();
    let gone = app.store.write(move |writer| {
        let viewer = guard::named_by_admin(writer, &named)?;
        operations::forget_user(writer, viewer.user())?;
        let mut gone = flights::forget_user(writer, &viewer)?;
        equipment::forget_user(writer, &viewer)?;
        logs::forget_user(writer, &viewer)?;
        gone.extend(documents::forget_user(writer, &viewer)?);
        feedback::forget_user(writer, &viewer)?;
        open_flight::set(writer, viewer.user(), None)?;
        gone.extend(administration::forget_user(writer, &viewer)?);
        Ok(gone)
    })?;
    app.logins_settled.send_modify(|count| *count = count.wrapping_add(1));
    app.blobs.remove_all(gone);
    let address = Email::parse(email).map(|email| email.folded);
    let kept = outbox::remove(app.mailer.outbox(), |to| {
        Email::parse(to).map(|email| email.folded) == address
    });
    if let Err(error) = kept {
        tracing::warn!("mails to a deleted user stay in the outbox: {error}");
        return Ok(format!(
            "{} ist mit allen Daten gelöscht, aber Mails dorthin ließen sich nicht entfernen; löschen Sie sie in {}\n",
            email.trim(),
            app.mailer.outbox().display()
        ));
    }
    Ok(format!(
        "{} ist mit allen Daten gelöscht. Ältere Sicherungen enthalten sie noch.\n",
        email.trim()
    ))
}

/// Writes all data of a user as a ZIP. A file that is missing or damaged doesn't spoil it: it is named in the archive and in the answer.
pub fn export(app: &App, email: &str, out: &mut dyn Write) -> Answer {
    let exported = match export::write(app, email, out) {
        Ok(exported) => exported,
        // Whoever takes the archive knows why it takes no more.
        Err(Unfinished::NotTaken) => {
            return Answer::Refused("Der Export ist abgebrochen, weil ihn niemand mehr entgegennimmt.".to_owned());
        }
        Err(Unfinished::Failed(error)) => return super::refused(app, &error),
    };
    let count = |count: usize| number::count(count as u64);
    let report = format!(
        "{}: {} Flüge, {} Equipment, {} Logs, {} Dateien.\n",
        exported.email,
        count(exported.flights),
        count(exported.equipment),
        count(exported.logs),
        count(exported.files)
    );
    if exported.problems.is_empty() {
        return Answer::Done(report);
    }
    let sentence = format!(
        "{}. Alles andere ist im Export; „fluglog check“ sagt, was im Datenverzeichnis beschädigt ist.",
        exported.problems.join("; ")
    );
    Answer::Found { report, sentence }
}
