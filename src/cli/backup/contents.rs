//! Reads archives: whether they are complete, and what they contain.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use serde::Serialize;

use crate::archive::folder;
use crate::archive::reader::{self, Contents, ReadError};
use crate::cli::failure::Failure;
use crate::cli::{data_dir, finding, output};
use crate::control::data::RememberCheck;
use fluglog_base::number;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::builder::DatabaseBuilder;
use fluglog_store::migrations::SCHEMA;

/// Size of the buffer for reading an archive.
pub const READ_BYTES: usize = 256 * 1024;

pub fn open(file: &Path) -> Result<File, Failure> {
    let opened = File::open(file).and_then(|opened| match opened.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(opened),
    });
    opened.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "es gibt sie nicht",
            io::ErrorKind::PermissionDenied => "dafür fehlen die Rechte",
            io::ErrorKind::IsADirectory => "es ist ein Verzeichnis",
            _ => "der Datenträger meldet einen Fehler",
        };
        Failure::new(
            Failure::REFUSED,
            format!("Die Datei {} kann nicht gelesen werden: {why}.", file.display()),
        )
    })
}

/// The contents of an archive, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    created: String,
    entries: u64,
    files: u64,
    file_bytes: u64,
    damage: Vec<String>,
    orphans: Vec<String>,
}

/// Verifies the newest archive in a folder, and records the outcome for the status.
pub(crate) fn verify_newest(config: &Config, folder: &Path, json: bool) -> Result<(), Failure> {
    let newest = folder::newest(folder).map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::PermissionDenied => "dafür fehlen die Rechte, mit sudo geht es vielleicht",
            io::ErrorKind::NotFound => "es gibt es nicht",
            _ => "der Datenträger meldet einen Fehler",
        };
        Failure::new(
            Failure::REFUSED,
            format!("Das Verzeichnis {} kann nicht gelesen werden: {why}.", folder.display()),
        )
    });
    let verified = newest.and_then(|newest| match newest {
        Some(archive) => verify(config, &archive.display().to_string(), open(&archive)?, json),
        None => Err(Failure::new(
            Failure::REFUSED,
            format!("In {} liegt keine Sicherung von Fluglog.", folder.display()),
        )),
    });
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    // Best effort: the archive's data may belong to another machine.
    let _ = data_dir::ask(
        config,
        RememberCheck {
            folder: folder.display().to_string(),
            failure: verified
                .as_ref()
                .err()
                .map_or_else(String::new, |failure| failure.sentence.clone()),
        },
    );
    verified
}

/// Reports whether an archive is complete, and what it contains.
pub fn verify(config: &Config, name: &str, archive: impl Read, json: bool) -> Result<(), Failure> {
    let archive = BufReader::with_capacity(READ_BYTES, archive);
    let database = DatabaseBuilder::in_memory()
        .map_err(|_| Failure::new(Failure::REFUSED, "Für die Prüfung reicht der Arbeitsspeicher nicht."))?;
    let contents = reader::read(archive, &database, None).map_err(|error| refused(name, None, &error))?;
    let damage = damage_lines(&contents);
    if json {
        output::say_json(&Printed {
            created: Clock::system(config.time_zone)
                .wall_time_at(contents.created)
                .to_string(),
            entries: contents.findings.records(),
            files: contents.blobs,
            file_bytes: contents.blob_bytes,
            damage: finding::sentences(&contents.damage),
            orphans: finding::sentences(contents.findings.orphans()),
        })?;
    } else if damage.is_empty() {
        output::say(&format!("{name} ist vollständig: {}.\n", described(config, &contents)))?;
    } else {
        output::say(&damage)?;
    }
    if damage.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        Failure::REFUSED,
        format!(
            "{name} ist vollständig, aber die Daten darin hatten schon beim Sichern Schäden; eine ältere Sicherung \
             kann mehr enthalten."
        ),
    ))
}

/// Describes an archive's contents, as the end of a sentence.
pub(crate) fn described(config: &Config, contents: &Contents) -> String {
    format!(
        "Sicherung vom {} mit {} und {} ({})",
        Clock::system(config.time_zone).wall_time_at(contents.created),
        number::counted(contents.findings.records(), "Eintrag", "Einträgen"),
        number::counted(contents.blobs, "Datei", "Dateien"),
        number::size(contents.blob_bytes)
    )
}

/// The damage that the data already had when they were backed up, one line each.
pub(crate) fn damage_lines(contents: &Contents) -> String {
    let mut lines = String::new();
    // Writing into a string can't fail.
    for sentence in finding::sentences(&contents.damage) {
        let _ = writeln!(lines, "Schaden: {sentence}");
    }
    for sentence in finding::sentences(contents.findings.orphans()) {
        let _ = writeln!(lines, "Verwaist: {sentence}");
    }
    lines
}

/// Why an archive is refused, or why its contents can't be written to `place`.
pub fn refused(archive: &str, place: Option<&Path>, refused: &ReadError) -> Failure {
    let place = place.map_or_else(|| archive.to_owned(), |place| place.display().to_string());
    match refused {
        ReadError::Foreign => Failure::new(Failure::REFUSED, format!("{archive} ist keine Sicherung von Fluglog.")),
        ReadError::Truncated => Failure::new(
            Failure::REFUSED,
            format!("{archive} bricht vor dem Ende ab; nehmen Sie eine andere Sicherung."),
        ),
        ReadError::Damaged(what) => Failure::new(
            Failure::REFUSED,
            format!("{archive} ist beschädigt: {what}. Nehmen Sie eine andere Sicherung."),
        ),
        ReadError::Newer { schema, program } => Failure::new(
            Failure::CONFIGURATION,
            format!(
                "{archive} wurde von Fluglog {program} geschrieben (Schema {schema}); diese Version {} kennt nur \
                 Schema {SCHEMA}. Installieren Sie mindestens Fluglog {program}.",
                env!("CARGO_PKG_VERSION")
            ),
        ),
        // age reports modified content this way.
        ReadError::Unreadable(error) if error.kind() == io::ErrorKind::InvalidData => Failure::new(
            Failure::REFUSED,
            format!("{archive} ist beschädigt. Nehmen Sie eine andere Sicherung."),
        ),
        ReadError::Unreadable(_) => Failure::new(
            Failure::REFUSED,
            format!("{archive} kann nicht gelesen werden: der Datenträger oder die Verbindung meldet einen Fehler."),
        ),
        ReadError::Unwritable(error) => {
            tracing::error!("the restore failed: {error}");
            Failure::new(
                Failure::REFUSED,
                format!(
                    "In {place} kann nicht geschrieben werden; prüfen Sie die Rechte und den freien Speicherplatz."
                ),
            )
        }
    }
}
