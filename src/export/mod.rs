//! All data of one pilot as a ZIP that anybody can read without Fluglog: tables for spreadsheets, the same as JSON for programs, every image
//! and document under a name of its own. Knows no command line and changes nothing.

mod everything;
mod files;
mod names;
mod objects;
mod sheet;
mod tables;
mod tracks;
mod zipped;

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::base::error::{Error, Result};
use everything::Everything;
use zipped::{Archive, Taken};

/// Counts of the exported objects.
#[derive(Debug, Serialize, Deserialize)]
pub struct Exported {
    pub email: String,
    pub flights: usize,
    pub equipment: usize,
    pub logs: usize,
    pub files: usize,
    /// Paths in the archive whose file is missing or damaged, because the server no longer has it as it was.
    pub damaged: Vec<String>,
}

/// Why an export has no end.
pub enum Unfinished {
    /// `out` takes no more.
    NotTaken,
    Failed(Error),
}

/// Writes the archive of a user. A file that is missing or damaged doesn't spoil it: it is named in the archive and in the answer.
///
/// # Errors
/// No such user, an unreadable database, or `out` takes no more.
pub fn write(app: &App, email: &str, out: &mut dyn Write) -> std::result::Result<Exported, Unfinished> {
    let mut taken = Taken { out, failed: false };
    export(app, email, &mut taken).map_err(|error| match taken.failed {
        true => Unfinished::NotTaken,
        false => Unfinished::Failed(error),
    })
}

fn export(app: &App, email: &str, out: &mut dyn Write) -> Result<Exported> {
    // Files that are deleted while this runs stay until its end.
    let _hold = app.blobs.hold();
    let now = app.clock.unix_seconds();
    let everything = app.store.read(|data| Everything::gather(data, email, now))?;
    let (paths, enclosed) = files::of(&everything, &app.clock);
    let mut archive = Archive::begin(out, app.clock.wall_time_at(now));
    for (name, content) in tables::all(&everything, &paths, &app.clock)? {
        archive.add(&format!("tabellen/{name}"), &content)?;
    }
    for (name, content) in objects::all(&everything, &paths, &app.clock)? {
        archive.add(&format!("json/{name}"), &content)?;
    }
    for (path, track) in tracks::all(&everything, &paths) {
        archive.add(&path, track.as_bytes())?;
    }
    let mut damaged = Vec::new();
    for file in &enclosed {
        if !archive.enclose(&app.blobs, file)? {
            damaged.push(file.path.clone());
        }
    }
    archive.add(
        "LIESMICH.txt",
        readme(&everything, &app.clock.wall_time_at(now).to_string(), &damaged).as_bytes(),
    )?;
    archive.finish()?;
    Ok(Exported {
        flights: everything.flights.len(),
        equipment: everything.items.len(),
        logs: everything.logs.len(),
        files: enclosed.len() - damaged.len(),
        email: everything.user.email,
        damaged,
    })
}

fn readme(everything: &Everything, time: &str, damaged: &[String]) -> String {
    let user = &everything.user;
    let mut text = format!(
        "Fluglog-Export von {} ({})\r\n\
         Stand: {time}, Fluglog {}\r\n\
         \r\n\
         tabellen/    Alles als Tabelle; öffnet sich mit Excel, LibreOffice und anderen (UTF-8, Semikolon, Dezimalkomma).\r\n\
         \x20            Ein Apostroph vor = + - @ steht dort, damit kein Text als Formel gilt.\r\n\
         json/        Dasselbe für Programme, in der Form, in der Fluglog selbst es ausgibt.\r\n\
         bilder/      Die Bilder der Flüge: Datum und Uhrzeit des Starts, Ort, Nummer.\r\n\
         tracks/      Wo geflogen wurde, als GPX: von Flügen, die aus Dateien übernommen wurden.\r\n\
         dokumente/   Die Dokumente, auch die der Logs, unter ihrem eigenen Namen.\r\n\
         \r\n\
         Nicht enthalten: Passwort und Anmeldungen, Freigaben, verkleinerte Vorschaubilder.\r\n",
        user.nickname,
        user.email,
        env!("CARGO_PKG_VERSION")
    );
    if !damaged.is_empty() {
        text.push_str(
            "\r\nDiese Dateien fehlen oder sind beschädigt; sie lagen schon auf dem Server nicht mehr so vor:\r\n",
        );
        for path in damaged {
            text.push_str(path);
            text.push_str(" fehlt oder ist beschädigt\r\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::files::Paths;
    use super::*;
    use crate::accounts::administration;
    use crate::base::config::Config;
    use crate::store::Store;
    use crate::topics::{self, Export};

    #[test]
    fn the_export_has_what_every_topic_says_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let app = App::new(Config::default(), Store::open(directory.path(), true).unwrap());
        administration::add_user(&app, "anna@example.org", "Anna", None, false).unwrap();
        let everything = app
            .store
            .read(|data| Everything::gather(data, "anna@example.org", 0))
            .unwrap();
        let objects = objects::all(&everything, &Paths::default(), &app.clock).unwrap();
        let mut written: Vec<_> = objects
            .iter()
            .map(|(name, _)| name.strip_suffix(".json").unwrap())
            .collect();
        let mut said: Vec<_> = topics::ALL
            .iter()
            .flat_map(|topic| match topic.export {
                Export::Objects(names) => names,
                Export::Nothing(why) => {
                    assert!(!why.is_empty(), "{}", topic.name);
                    &[]
                }
            })
            .copied()
            .collect();
        written.sort_unstable();
        said.sort_unstable();
        assert_eq!(written, said);
        // The same for spreadsheets.
        let tables = tables::all(&everything, &Paths::default(), &app.clock).unwrap();
        assert_eq!(tables.len(), objects.len());
    }
}
