//! Backups: writes one archive of every table, every file and the admin's own legal texts while the server keeps
//! running. Knows neither the command line nor where archives are kept.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use super::check;
use super::format::Archive;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::BlobId;
use fluglog_store::findings::Findings;
use fluglog_store::{Snapshot, schema};
use fluglog_web::assets;

/// Size of the buffer in front of the output.
pub(super) const PIECE_BYTES: usize = 256 * 1024;

/// Writes an archive of the current data and returns the number of damaged tables, records and files.
///
/// # Errors
/// The database can't be read, or `out` can't be written.
pub fn write(app: &App, out: &mut dyn Write) -> Result<usize> {
    let (findings, damaged) = write_archive(app, out)?;
    let beside = check::check_files(app)?;
    for damage in findings.damages().iter().chain(&beside) {
        tracing::error!("backup: {}: {:?}", damage.place, damage.wrong);
    }
    Ok(beside.len() + findings.damages().len() + damaged.len())
}

/// Writes the archive. Returns the findings about the records and the blobs that are missing or damaged.
fn write_archive(app: &App, out: &mut dyn Write) -> Result<(Findings, BTreeSet<BlobId>)> {
    // The hold keeps every blob that a record names until it is in the archive. The snapshot of the database must be
    // short: while it is open, the database file grows.
    let _hold = app.blobs.hold();
    let mut archive =
        Archive::begin(BufWriter::with_capacity(PIECE_BYTES, out), app.clock.unix_seconds()).map_err(write_error)?;
    let findings = app.store.examine(|data| {
        let findings = check::survey(data);
        put_tables(data, &mut archive)?;
        Ok(findings)
    })?;
    put_legals(&app.config.data_dir, &mut archive)?;
    let mut damaged = BTreeSet::new();
    for (id, named) in findings.blobs() {
        let Ok((file, bytes)) = app.blobs.read(*id) else {
            damaged.insert(*id);
            continue;
        };
        if archive.blob(*id, bytes, ZeroPadded::new(file)).map_err(write_error)? != named.sha256 {
            damaged.insert(*id);
        }
    }
    archive.end().map_err(write_error)?;
    Ok((findings, damaged))
}

pub(super) fn put_tables(data: &Snapshot<'_>, archive: &mut Archive<impl Write>) -> Result<()> {
    for table in schema::ALL {
        let mut part = archive.table(table.name());
        table.each(data, &mut |key, value| part.row(key, value).map_err(write_error))?;
        part.end().map_err(write_error)?;
    }
    Ok(())
}

pub(super) fn put_legals(data_dir: &Path, archive: &mut Archive<impl Write>) -> Result<()> {
    let mut texts = assets::custom_legals(data_dir).into_iter();
    texts.try_for_each(|(name, text)| archive.legal(name, &text).map_err(write_error))
}

pub(super) fn write_error(error: io::Error) -> Error {
    Error::Internal(format!("the archive can't be written: {error}"))
}

/// A reader that continues with zeros when the disk fails or the file has become shorter: the rest of the archive is
/// still worth having, and the digest reveals the damage.
pub(crate) struct ZeroPadded<R> {
    inner: Option<R>,
}

impl<R> ZeroPadded<R> {
    /// Reads from the current position of `inner`.
    pub fn new(inner: R) -> ZeroPadded<R> {
        ZeroPadded { inner: Some(inner) }
    }
}

impl<R: Read> Read for ZeroPadded<R> {
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
