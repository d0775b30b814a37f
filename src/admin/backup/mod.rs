//! Backups: one archive of every table and every file, while the server works on; and what is remembered of the last one. Knows no
//! command line and no place that an archive goes to.

pub mod archive;
pub mod reader;
pub mod record;

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Read, Write};

use super::{Answer, check};
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::BlobId;
use crate::store::findings::Findings;
use crate::store::tables;
use archive::Archive;
use record::{BackupRecord, LAST_KEY};

/// What goes out at a time, in bytes.
const PIECE_BYTES: usize = 256 * 1024;

/// Writes an archive of the data as it is now.
pub fn write(app: &App, out: &mut dyn Write) -> Answer {
    match stream(app, out) {
        Ok((findings, troubled)) => {
            let damages = findings.damages().len() + troubled.len();
            for line in findings.damages() {
                tracing::error!("backup: {line}");
            }
            if damages == 0 {
                return Answer::Done(String::new());
            }
            Answer::Found {
                report: String::new(),
                sentence: format!(
                    "Die Sicherung enthält alles, was lesbar ist, aber die Daten haben {}; „fluglog check“ nennt sie. Ältere Sicherungen bleiben liegen, weil sie mehr enthalten können.",
                    check::counted(damages as u64, "Schaden", "Schäden")
                ),
            }
        }
        Err(error) => {
            tracing::error!("the backup failed: {error:?}");
            Answer::Refused(
                "Die Sicherung ist abgebrochen, weil die Daten nicht lesbar sind oder niemand sie mehr entgegennimmt; „fluglog check“ prüft die Daten."
                    .to_owned(),
            )
        }
    }
}

/// The archive, what was found in the records on the way, and the blobs that are missing or damaged.
fn stream(app: &App, out: &mut dyn Write) -> Result<(Findings, BTreeSet<BlobId>)> {
    // Every blob that the records name stays until it is in the archive. The look at the database itself is short: while it lasts the
    // file of the database grows.
    let _hold = app.blobs.hold();
    let mut archive =
        Archive::begin(BufWriter::with_capacity(PIECE_BYTES, out), app.clock.unix_seconds()).map_err(broken)?;
    let findings = app.store.examine(|data| {
        let findings = check::survey(data);
        for table in tables::ALL {
            let mut part = archive.table(table.name());
            table.each(data, &mut |key, value| part.row(key, value).map_err(broken))?;
            part.end().map_err(broken)?;
        }
        Ok(findings)
    })?;
    let mut troubled = BTreeSet::new();
    for (id, named) in findings.blobs() {
        let Ok((file, bytes)) = app.blobs.read(*id) else {
            troubled.insert(*id);
            continue;
        };
        if archive.blob(*id, bytes, Steady::new(file)).map_err(broken)? != named.sha256 {
            troubled.insert(*id);
        }
    }
    archive.end().map_err(broken)?;
    Ok((findings, troubled))
}

fn broken(error: io::Error) -> Error {
    Error::Internal(format!("the archive can't be written: {error}"))
}

/// A file that goes on with zeros where the disk fails or it is shorter than it was: the rest of the archive is worth having, and
/// the digest tells.
struct Steady<R> {
    inner: Option<R>,
}

impl<R> Steady<R> {
    fn new(inner: R) -> Steady<R> {
        Steady { inner: Some(inner) }
    }
}

impl<R: Read> Read for Steady<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.as_mut().map(|inner| inner.read(buffer)) {
            Some(Ok(length @ 1..)) => Ok(length),
            Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            _ => {
                self.inner = None;
                buffer.fill(0);
                Ok(buffer.len())
            }
        }
    }
}

/// The last backup that the command made, or tried to make.
#[derive(Debug, PartialEq, Eq)]
pub struct LastBackup {
    /// Unix seconds.
    pub finished: i64,
    /// Where the archive went, `-` for the standard output.
    pub target: String,
    pub bytes: u64,
    /// One German sentence; empty when all went well.
    pub failure: String,
}

/// What is remembered of the last backup.
///
/// # Errors
/// An unreadable database.
pub fn last_backup(app: &App) -> Result<Option<LastBackup>> {
    let record = app.store.read(|data| data.get::<BackupRecord>(LAST_KEY))?;
    Ok(record.map(|record| LastBackup {
        finished: record.finished,
        target: record.target,
        bytes: record.bytes,
        failure: record.failure,
    }))
}

/// Remembers a backup as the last one.
///
/// # Errors
/// An unwritable database.
pub fn remember(app: &App, target: String, bytes: u64, failure: String) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target,
        bytes,
        failure,
    };
    app.store.write(move |writer| writer.put(LAST_KEY, &record))
}
