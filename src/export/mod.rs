//! All data of one pilot as a ZIP that is readable without Fluglog: tables for spreadsheets, their content as JSON for
//! programs, every image and document as a file of its own. Changes nothing.
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

use std::io::Write;

use everything::Everything;
use files::{FileEntry, RecordEntry, RecordKind};
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
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

/// An export ready to be written: a pilot's records at one point in time, and the list of files.
pub struct Export {
    store: Store,
    blobs: Blobs,
    viewer: Viewer,
    nickname: String,
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
    /// `whose` fails, or the database can't be read.
    pub fn of(app: &App, wanted: Files, whose: impl FnOnce(&Snapshot<'_>) -> Result<Viewer>) -> Result<Export> {
        let now = app.clock.unix_seconds();
        let time = app.clock.wall_time_at(now).to_string();
        app.store.read(|data| {
            let viewer = whose(data)?;
            let everything = Everything::read(data, viewer, now)?;
            let (paths, mut files, of_flights) = files::of(&everything, &app.clock);
            if wanted == Files::LeftOut {
                files.clear();
            }
            let tables = tables::ALL.map(|(name, make)| (format!("tabellen/{name}"), make));
            let objects = objects::ALL.map(|(name, make)| (format!("json/{name}"), make));
            let packed = tables.into_iter().chain(objects).map(|(path, make)| {
                let (everything, paths) = (&everything, &paths);
                let write = move |out: &mut dyn Write| make(everything, paths, &app.clock, out);
                (path, write)
            });
            Ok(Export {
                store: app.store.clone(),
                blobs: app.blobs.clone(),
                viewer,
                records: zipped::compress_all(&app.blobs, &time, packed)?,
                wanted,
                files,
                of_flights,
                counted: Exported {
                    flights: everything.flight_count(),
                    equipment: everything.packs.len(),
                    logs: everything.log_count(),
                    files: 0,
                    email: everything.user.email,
                    damaged: Vec::new(),
                },
                nickname: everything.user.nickname,
                time,
            })
        })
    }

    /// The name of the ZIP: nickname and day.
    #[must_use]
    pub fn file_name(&self) -> String {
        let day = sortable(&self.time);
        let day = day.split(' ').next().unwrap_or_default();
        Names::default().take(&format!("fluglog-{}-{day}.zip", self.nickname))
    }

    /// Writes the archive. Files that are missing, damaged or deleted meanwhile don't end it; they are named in the
    /// archive and in the result.
    ///
    /// # Errors
    /// `out` can't be written.
    pub fn write(self, out: &mut dyn Write) -> std::result::Result<Exported, ExportError> {
        let mut taken = FusedOutput { out, failed: false };
        self.put(&mut taken).map_err(|error| match taken.failed {
            true => ExportError::OutputClosed,
            false => ExportError::Failed(error),
        })
    }

    fn put(self, out: &mut dyn Write) -> Result<Exported> {
        let mut archive = Archive::begin(out, &self.time);
        archive.add_all(self.records)?;
        let mut damaged = Vec::new();
        for record in self.of_flights {
            let content = self.store.read(|data| content(data, &self.viewer, &record));
            match content.inspect_err(|error| tracing::warn!("{} is missing in an export: {error:?}", record.path)) {
                Ok(content) if !content.is_empty() => archive.add(compress(&record.path, &self.time, |out| {
                    out.write_all(&content).map_err(zipped::unwritten)
                })?)?,
                _ => damaged.push(record.path),
            }
        }
        let records_damaged = damaged.len();
        for file in &self.files {
            if !archive.add_file(&self.blobs, file)? {
                damaged.push(file.path.clone());
            }
        }
        let readme = readme(&self.nickname, &self.counted.email, &self.time, self.wanted, &damaged);
        archive.add(compress("LIESMICH.txt", &self.time, |out| {
            out.write_all(readme.as_bytes()).map_err(zipped::unwritten)
        })?)?;
        archive.finish()?;
        Ok(Exported {
            files: self.files.len() + records_damaged - damaged.len(),
            damaged,
            ..self.counted
        })
    }
}

/// The content of a record's file; empty if the record is gone.
fn content(data: &Snapshot<'_>, viewer: &Viewer, record: &RecordEntry) -> Result<Vec<u8>> {
    let mut content = Vec::new();
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

fn readme(nickname: &str, email: &str, time: &str, files: Files, damaged: &[String]) -> String {
    let mut text = format!(
        "Fluglog-Export von {nickname} ({email})\r\n\
         Stand: {time}, Fluglog {}\r\n\
         \r\n\
         tabellen/    Alles als Tabelle; öffnet sich mit Excel, LibreOffice und anderen (UTF-8, Semikolon, \
         Dezimalkomma).\r\n\
         \x20            Ein Apostroph vor = + - @ steht dort, damit kein Text als Formel gilt.\r\n\
         json/        Dasselbe für Programme, in der Form, in der Fluglog selbst es ausgibt.\r\n\
         bilder/      Die Bilder der Flüge: Datum und Uhrzeit des Starts, Ort, Nummer.\r\n\
         tracks/      Wo geflogen wurde, als GPX: von Flügen, die aus Dateien übernommen wurden.\r\n\
         verlauf/     Höhe, Geschwindigkeit, Spannung und Strom im Verlauf solcher Flüge, als JSON.\r\n\
         dokumente/   Die Dokumente, auch die der Logs, unter ihrem eigenen Namen.\r\n\
         nachweise/   Die Seiten der Nachweise als Bilder.\r\n\
         \r\n\
         Nicht enthalten: Passwort und Anmeldungen, Freigaben, verkleinerte Vorschaubilder.\r\n",
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
        let mut written = objects::ALL.map(|(name, _)| name.strip_suffix(".json").unwrap());
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
        assert_eq!(tables::ALL.len(), objects::ALL.len() + 1);
    }
}
