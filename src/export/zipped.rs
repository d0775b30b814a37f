//! The ZIP on its way out: written in one pass and with little memory, however large its files are. Knows no topic.

use std::io::{self, BufWriter, Read, Write};

use sha2::{Digest as _, Sha256};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::files::Enclosed;
use crate::base::error::{Error, Result};
use crate::base::time::WallTime;
use crate::store::blobs::Blobs;

const CHUNK_BYTES: usize = 64 * 1024;
/// Unpacked, the files are for their owner alone.
const MODE: u32 = 0o600;

/// The receiver of the archive. After its first error it is offered nothing more, not even by the attempt of a broken-off archive to end well.
pub struct Taken<'o> {
    pub out: &'o mut dyn Write,
    pub failed: bool,
}

impl Write for Taken<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.failed = written
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed { Ok(()) } else { self.out.flush() }
    }
}

/// An archive that is being written.
pub struct Archive<'o> {
    zip: ZipWriter<StreamWriter<BufWriter<&'o mut dyn Write>>>,
    time: String,
}

impl<'o> Archive<'o> {
    /// Begins an archive. `time` is that of files without a time of their own.
    pub fn begin(out: &'o mut dyn Write, time: WallTime) -> Archive<'o> {
        Archive {
            zip: ZipWriter::new_stream(BufWriter::with_capacity(CHUNK_BYTES, out)),
            time: time.to_string(),
        }
    }

    /// Adds a file from memory.
    pub fn add(&mut self, path: &str, content: &[u8]) -> Result<()> {
        let options = options(&self.time);
        self.zip.start_file(path, options).map_err(unwritten)?;
        self.zip.write_all(content).map_err(unwritten)
    }

    /// Adds a stored file, as much of it as can be read. Whether it was all of it, unchanged.
    pub fn enclose(&mut self, blobs: &Blobs, file: &Enclosed) -> Result<bool> {
        let Ok((mut content, _)) = blobs.read(file.blob.id) else {
            tracing::warn!("blob {} is missing in an export", file.blob.id);
            return Ok(false);
        };
        let time = if file.time.is_empty() { &self.time } else { &file.time };
        self.zip
            .start_file(file.path.as_str(), options(time))
            .map_err(unwritten)?;
        let mut digest = Sha256::new();
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            match content.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => {
                    digest.update(&chunk[..length]);
                    self.zip.write_all(&chunk[..length]).map_err(unwritten)?;
                }
                Err(error) => {
                    tracing::warn!("blob {} can't be read: {error}", file.blob.id);
                    return Ok(false);
                }
            }
        }
        let is_whole = digest.finalize().as_slice() == file.blob.sha256;
        if !is_whole {
            tracing::warn!("blob {} is damaged", file.blob.id);
        }
        Ok(is_whole)
    }

    /// Writes the table of contents.
    pub fn finish(self) -> Result<()> {
        let mut out = self.zip.finish().map_err(unwritten)?.into_inner();
        out.flush().map_err(unwritten)
    }
}

fn options(time: &str) -> SimpleFileOptions {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .unix_permissions(MODE);
    match zip_time(time) {
        Some(time) => options.last_modified_time(time),
        None => options,
    }
}

/// Of `dd.MM.yyyy HH:mm`. `None` outside of the years that a ZIP can name.
fn zip_time(time: &str) -> Option<DateTime> {
    let parts: Vec<_> = time.split(['.', ' ', ':']).collect();
    let [day, month, year, hour, minute] = parts.as_slice() else {
        return None;
    };
    let [day, month, hour, minute] = [day, month, hour, minute].map(|part| part.parse::<u8>().ok());
    DateTime::from_date_and_time(year.parse().ok()?, month?, day?, hour?, minute?, 0).ok()
}

/// The archive can't be written to its end: its reader is gone, or the disk is full.
fn unwritten(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("an export can't be written: {error}"))
}
