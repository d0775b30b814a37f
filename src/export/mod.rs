//! All data of one pilot, or the equipment of one space, as a ZIP that is readable without Fluglog: tables for
//! spreadsheets, their content as JSON for programs, every image and document as a file of its own. Changes nothing.
//!
//! Records are read and compressed in one snapshot of the database, which is closed before the first byte is sent:
//! while it is open the database file grows, and a slow connection may take hours. Files, tracks and profiles are read
//! one by one during the transfer.

pub mod api;
mod everything;
mod files;
pub mod model;
mod names;
mod objects;
mod tables;
mod tracks;
mod zipped;

use std::cell::Cell;
use std::io::Write;

use everything::{Everything, Whole};
use files::{FileEntry, RecordEntry, RecordKind};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::SpaceId;
use fluglog_store::blobs::Blobs;
use fluglog_store::{Snapshot, Store};
use fluglog_topics::flights::origin;
use fluglog_topics::flights::origin::model::FlightProfile;
use model::Exported;
use names::{Names, sortable};
use zipped::{Archive, FusedOutput, Spooled, compress};

/// Why an export ended early.
pub enum ExportError {
    /// `out` can't be written.
    OutputClosed,
    Failed(Error),
}

/// Whether images, documents and the photo are in an archive.
#[derive(Clone, Copy, PartialEq)]
pub enum Files {
    Included,
    LeftOut,
}

/// Whose data an export has.
#[derive(Clone, Copy)]
pub enum Subject {
    Pilot(Viewer),
    /// A space, for a pilot who manages it; `None` for the operator at the shell.
    Space(SpaceId, Option<Viewer>),
}

/// An export ready to be written: the records of a pilot or a space at one point in time, and the list of files.
pub struct Export {
    store: Store,
    blobs: Blobs,
    subject: Subject,
    /// The pilot's nickname, or the name of the space.
    name: String,
    /// The first lines of the archive's description.
    introduction: String,
    /// dd.MM.yyyy HH:mm
    time: String,
    records: Spooled,
    wanted: Files,
    files: Vec<FileEntry>,
    of_flights: Vec<RecordEntry>,
    /// Counts of the records; files are counted while they are written.
    counted: Exported,
}

impl Export {
    /// Reads everything but the files. The compressed records are spooled to disk; in memory are the names of flights
    /// and logs, some 200 bytes each.
    ///
    /// # Errors
    /// `whose` fails, the viewer doesn't manage the space, or the database can't be read.
    pub fn of(app: &App, wanted: Files, whose: impl FnOnce(&Snapshot<'_>) -> Result<Subject>) -> Result<Export> {
        let now = app.clock.unix_seconds();
        let time = app.clock.wall_time_at(now).to_string();
        app.store.read(|data| {
            let subject = whose(data)?;
            check_manager(data, &subject)?;
            let everything = match subject {
                Subject::Pilot(viewer) => Everything::of_pilot(data, viewer, now)?,
                Subject::Space(space, _) => Everything::of_space(data, space, now)?,
            };
            let (paths, mut files, of_flights) = files::of(&everything, &app.clock);
            if wanted == Files::LeftOut {
                files.clear();
            }
            let (tables, objects): (&[_], &[_]) = match subject {
                Subject::Pilot(_) => (&tables::OF_PILOT, &objects::OF_PILOT),
                Subject::Space(..) => (&tables::OF_SPACE, &objects::OF_SPACE),
            };
            let tables = tables.iter().map(|(name, make)| (format!("tabellen/{name}"), *make));
            let objects = objects.iter().map(|(name, make)| (format!("json/{name}"), *make));
            let packed = tables.chain(objects).map(|(path, make)| {
                let (everything, paths) = (&everything, &paths);
                let write = move |out: &mut dyn Write| make(everything, paths, &app.clock, out);
                (path, write)
            });
            Ok(Export {
                store: app.store.clone(),
                blobs: app.blobs.clone(),
                subject,
                introduction: introduction(&everything.of),
                records: zipped::compress_all(&app.blobs, &time, packed)?,
                wanted,
                files,
                of_flights,
                counted: Exported {
                    flights: matches!(subject, Subject::Pilot(_)).then(|| everything.flight_count()),
                    equipment: everything.packs.len(),
                    logs: everything.log_count(),
                    files: 0,
                    whose: match &everything.of {
                        Whole::Pilot(user) => user.email.clone(),
                        Whole::Space(_, space) => space.name.clone(),
                    },
                    damaged: Vec::new(),
                },
                name: match everything.of {
                    Whole::Pilot(user) => user.nickname,
                    Whole::Space(_, space) => space.name,
                },
                time,
            })
        })
    }

    /// The name of the ZIP: the name of the pilot or the space, and the day.
    #[must_use]
    pub fn file_name(&self) -> String {
        let day = sortable(&self.time);
        let day = day.split(' ').next().unwrap_or_default();
        Names::default().take(&format!("fluglog-{}-{day}.zip", self.name))
    }

    /// Writes the archive. Files that are missing, damaged or deleted meanwhile don't end it; they are named in the
    /// archive and in the result.
    ///
    /// # Errors
    /// `out` can't be written, or the viewer doesn't manage the space any longer.
    pub fn write(self, out: &mut dyn Write) -> std::result::Result<Exported, ExportError> {
        let abandoned = Cell::new(false);
        let mut taken = FusedOutput {
            out,
            failed: false,
            abandoned: &abandoned,
        };
        let time = self.time.clone();
        let mut archive = Archive::begin(&mut taken, &time);
        let written = self.fill(&mut archive).inspect_err(|_| abandoned.set(true));
        let written = written.and_then(|exported| archive.finish().map(|()| exported));
        written.map_err(|error| match taken.failed {
            true => ExportError::OutputClosed,
            false => ExportError::Failed(error),
        })
    }

    fn fill(self, archive: &mut Archive<'_>) -> Result<Exported> {
        archive.add_all(self.records)?;
        let mut damaged = Vec::new();
        for record in self.of_flights {
            let content = self.store.read(|data| content(data, &self.subject, &record));
            match content.inspect_err(|error| tracing::warn!("{} is missing in an export: {error:?}", record.path)) {
                Ok(content) if !content.is_empty() => archive.add(compress(&record.path, &self.time, |out| {
                    out.write_all(&content).map_err(zipped::unwritten)
                })?)?,
                _ => damaged.push(record.path),
            }
        }
        let records_damaged = damaged.len();
        for file in &self.files {
            self.store.read(|data| check_manager(data, &self.subject))?;
            if !archive.add_file(&self.blobs, file)? {
                damaged.push(file.path.clone());
            }
        }
        let readme = readme(&self.introduction, &self.subject, &self.time, self.wanted, &damaged);
        archive.add(compress("LIESMICH.txt", &self.time, |out| {
            out.write_all(readme.as_bytes()).map_err(zipped::unwritten)
        })?)?;
        Ok(Exported {
            files: self.files.len() + records_damaged - damaged.len(),
            damaged,
            ..self.counted
        })
    }
}

/// Checks that the viewer of a space's export manages that space.
fn check_manager(data: &Snapshot<'_>, subject: &Subject) -> Result<()> {
    match subject {
        Subject::Space(space, Some(viewer)) => spaces::check_manager(data, viewer, *space),
        Subject::Pilot(_) | Subject::Space(_, None) => Ok(()),
    }
}

/// The content of a record's file; empty if the record is gone.
fn content(data: &Snapshot<'_>, subject: &Subject, record: &RecordEntry) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    let Subject::Pilot(viewer) = subject else {
        return Ok(content);
    };
    match &record.what {
        RecordKind::Track(title) => {
            let points = origin::track(data, viewer, record.flight)?;
            if !points.is_empty() {
                tracks::write(&mut content, title, &points).map_err(zipped::unwritten)?;
            }
        }
        RecordKind::Profile => {
            let profile = origin::profile(data, viewer, record.flight)?;
            if !profile.is_empty() {
                serde_json::to_writer(&mut content, &FlightProfile::from(&profile)).map_err(zipped::unwritten)?;
            }
        }
    }
    Ok(content)
}

fn introduction(of: &Whole) -> String {
    match of {
        Whole::Pilot(user) => format!("Fluglog-Export von {} ({})", user.nickname, user.email),
        Whole::Space(_, space) => format!("Fluglog-Export von {} ({})", space.name, tables::space_kind(space)),
    }
}

const OF_PILOT: &str = "bilder/      Die Bilder der Flüge: Datum und Uhrzeit des Starts, Ort, Nummer.\r\n\
     tracks/      Wo geflogen wurde, als GPX: von Flügen, die aus Dateien übernommen wurden.\r\n\
     verlauf/     Höhe, Geschwindigkeit, Spannung und Strom im Verlauf solcher Flüge, als JSON.\r\n\
     dokumente/   Die Dokumente, auch die der Logs, unter ihrem eigenen Namen.\r\n\
     nachweise/   Die Seiten der Nachweise als Bilder.\r\n\
     \r\n\
     Nicht enthalten: Passwort und Anmeldungen, Freigaben, verkleinerte Vorschaubilder.\r\n";

const OF_SPACE: &str = "dokumente/   Die Dokumente der Logs, unter ihrem eigenen Namen.\r\n\
     \r\n\
     Nicht enthalten: Flüge, Orte, Bilder und eigene Dokumente der Mitglieder; sie gehören ihren Piloten. Bei den\r\n\
     Benutzungen steht ein Name nur, wenn das Mitglied es erlaubt.\r\n\
     Ein anderes Fluglog übernimmt das Equipment mit Ladevorgängen, Messungen, Sätzen, Wartung und Logs als eigenes\r\n\
     dessen, der diese Datei dort importiert.\r\n";

fn readme(introduction: &str, subject: &Subject, time: &str, files: Files, damaged: &[String]) -> String {
    let rest = match subject {
        Subject::Pilot(_) => OF_PILOT,
        Subject::Space(..) => OF_SPACE,
    };
    let mut text = format!(
        "{introduction}\r\n\
         Stand: {time}, Fluglog {}\r\n\
         \r\n\
         tabellen/    Alles als Tabelle; öffnet sich mit Excel, LibreOffice und anderen (UTF-8, Semikolon, \
         Dezimalkomma).\r\n\
         \x20            Ein Apostroph vor = + - @ steht dort, damit kein Text als Formel gilt.\r\n\
         json/        Dasselbe für Programme, in der Form, in der Fluglog selbst es ausgibt.\r\n\
         {rest}",
        env!("CARGO_PKG_VERSION")
    );
    if files == Files::LeftOut {
        text.push_str(
            "\r\nOhne Bilder, Dokumente und Profilfoto heruntergeladen: Die Tabellen nennen nur ihre Namen.\r\n",
        );
    }
    if !damaged.is_empty() {
        text.push_str(
            "\r\nDiese Dateien fehlen oder sind beschädigt; sie lagen schon auf dem Server nicht mehr so vor, oder sie \
             wurden gelöscht, \
             während der Export entstand:\r\n",
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
    use super::*;
    use fluglog_topics::registry::{self, Export};

    #[test]
    fn the_export_has_what_every_topic_says_and_nothing_else() {
        let mut written = objects::OF_PILOT.map(|(name, _)| name.strip_suffix(".json").unwrap());
        let mut said: Vec<_> = registry::ALL
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
        assert_eq!(written.as_slice(), said);
        // The tables for spreadsheets cover the same topics.
        // What was done of a job is a table of its own, and a part of the object.
        assert_eq!(tables::OF_PILOT.len(), objects::OF_PILOT.len() + 1);
    }

    #[test]
    fn the_export_of_a_space_has_what_a_pilot_s_has_of_equipment_and_who_uses_it() {
        let of_pilot = objects::OF_PILOT.map(|(name, _)| name);
        let of_space = objects::OF_SPACE.map(|(name, _)| name);
        let only_of_space: Vec<_> = of_space.iter().filter(|name| !of_pilot.contains(name)).collect();
        assert_eq!(only_of_space, [&"space.json", &"members.json", &"uses.json"]);
        let only_of_pilot: Vec<_> = of_pilot.iter().filter(|name| !of_space.contains(name)).collect();
        assert_eq!(
            only_of_pilot,
            [
                &"profile.json",
                &"proofs.json",
                &"feedback.json",
                &"flight-sources.json",
                &"equipment-aliases.json"
            ]
        );
    }
}
