//! A ZIP written in one pass and with little memory, however large its files are. Each member's header has its length
//! and checksum, so that every unpacker accepts it. Stored files aren't compressed: most of them are already. Knows no
//! topic.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Read, Seek, Write};

use sha2::{Digest as _, Sha256};
use zip::read::read_zipfile_from_stream_with_options;
use zip::result::ZipResult;
use zip::write::{SimpleFileOptions, StreamWriter, ZipFileBuilder};
use zip::{CompressionMethod, DateTime, PreparedZipFile, System, ZipArchive, ZipReadOptions, ZipWriter};

use super::files::FileEntry;
use crate::archive::backup::ZeroPadded;
use fluglog_base::error::{Error, Result};
use fluglog_base::secret::Digest;
use fluglog_store::blobs::{BlobWriter, Blobs, Spool};

const CHUNK_BYTES: usize = 64 * 1024;
/// Offset of the host system in a member's header (APPNOTE.TXT 4.3.7 and 4.4.2.1).
const HOST_AT: usize = 5;
/// Permissions of the unpacked files: only their owner may read them.
const MODE: u32 = 0o600;

/// The output of the archive. After its first error, or once the archive is abandoned, nothing more is written: the ZIP
/// library finishes an archive when it drops it, so that a part would pass for the whole.
pub(crate) struct FusedOutput<'o> {
    pub out: &'o mut dyn Write,
    pub failed: bool,
    pub abandoned: &'o Cell<bool>,
}

impl Write for FusedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed || self.abandoned.get() {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.failed = written
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed || self.abandoned.get() {
            return Ok(());
        }
        self.out.flush()
    }
}

/// Compressed members, spooled to disk.
pub(crate) struct Spooled {
    zip: ZipArchive<File>,
    /// Deletes the file when dropped.
    _spool: BlobWriter,
}

/// Compresses members into a temporary file; memory holds only the bytes written last.
///
/// # Errors
/// `write` fails, or the disk is full or fails.
pub(crate) fn compress_all<W: FnOnce(&mut dyn Write) -> Result<()>>(
    blobs: &Blobs,
    time: &str,
    members: impl Iterator<Item = (String, W)>,
) -> Result<Spooled> {
    let mut spool = Spool::begin(blobs)?;
    let packed = put_all(&mut spool, options(time), members);
    let spool = spool.finish(packed)?;
    Ok(Spooled {
        zip: ZipArchive::new(spool.read()?).map_err(unwritten)?,
        _spool: spool,
    })
}

fn put_all<W: FnOnce(&mut dyn Write) -> Result<()>>(
    spool: &mut Spool,
    options: SimpleFileOptions,
    members: impl Iterator<Item = (String, W)>,
) -> Result<()> {
    let mut zip = ZipWriter::new_stream(BufWriter::with_capacity(CHUNK_BYTES, spool));
    for (path, write) in members {
        let options = options.compression_method(CompressionMethod::Deflated).large_file(true);
        zip.start_file(path, options).map_err(unwritten)?;
        let mut packing = BufWriter::new(&mut zip);
        write(&mut packing)?;
        packing.flush().map_err(unwritten)?;
    }
    let mut out = zip.finish().map_err(unwritten)?.into_inner();
    out.flush().map_err(unwritten)
}

/// Compresses a member in memory.
pub(crate) fn compress(
    path: &str,
    time: &str,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<PreparedZipFile> {
    let options = options(time).compression_method(CompressionMethod::Deflated);
    let mut packing = BufWriter::new(ZipFileBuilder::new(path, options).map_err(unwritten)?);
    write(&mut packing)?;
    let packed = packing.into_inner().map_err(unwritten)?;
    packed.finish().map_err(unwritten)
}

pub struct Archive<'o> {
    zip: ZipWriter<StreamWriter<BufWriter<&'o mut dyn Write>>>,
    time: &'o str,
}

impl<'o> Archive<'o> {
    /// Begins an archive. `time` applies to files without a time of their own.
    pub fn begin(out: &'o mut dyn Write, time: &'o str) -> Archive<'o> {
        Archive {
            // Not `new_stream`: its headers move length and checksum behind the member.
            zip: ZipWriter::new(StreamWriter::new(BufWriter::with_capacity(CHUNK_BYTES, out))),
            time,
        }
    }

    /// Adds a member from memory.
    pub fn add(&mut self, packed: PreparedZipFile) -> Result<()> {
        self.zip.add_prepared_file(packed).map_err(unwritten)
    }

    /// Adds the members spooled to disk.
    pub(crate) fn add_all(&mut self, mut packed: Spooled) -> Result<()> {
        for at in 0..packed.zip.len() {
            let member = packed.zip.by_index_raw(at).map_err(unwritten)?;
            self.zip.raw_copy_file(member).map_err(unwritten)?;
        }
        Ok(())
    }

    /// Adds a stored file, as far as it can be read. Returns whether all of it was, unchanged.
    pub(crate) fn add_file(&mut self, blobs: &Blobs, file: &FileEntry) -> Result<bool> {
        let Ok((mut content, _)) = blobs.read(file.blob.id) else {
            tracing::warn!("blob {} is missing in an export", file.blob.id);
            return Ok(false);
        };
        let sums = Checksums::of(&mut content);
        let is_whole = sums.sha256 == file.blob.sha256;
        if !is_whole {
            tracing::warn!("blob {} is damaged", file.blob.id);
        }
        if content.rewind().is_err() {
            return Ok(false);
        }
        let time = if file.time.is_empty() { self.time } else { &file.time };
        let options = options(time).compression_method(CompressionMethod::Stored);
        self.stored(&file.path, options, &sums, content).map_err(unwritten)?;
        Ok(is_whole)
    }

    fn stored(
        &mut self,
        path: &str,
        options: SimpleFileOptions,
        sums: &Checksums,
        content: impl Read,
    ) -> ZipResult<()> {
        let header = header(path, options)?;
        let read = ZipReadOptions::default()
            .override_compressed_size(sums.bytes)
            .override_uncompressed_size(sums.bytes)
            .override_crc(sums.crc32);
        let mut member = header.chain(ZeroPadded::new(content));
        match read_zipfile_from_stream_with_options(&mut member, read)? {
            Some(member) => {
                let time = member.last_modified().unwrap_or_default();
                self.zip.raw_copy_file_touch(member, time, Some(MODE))
            }
            None => Err(io::Error::from(io::ErrorKind::InvalidData).into()),
        }
    }

    /// Writes the central directory.
    pub fn finish(self) -> Result<()> {
        let mut out = self.zip.finish().map_err(unwritten)?.into_inner();
        out.flush().map_err(unwritten)
    }
}

/// A member's header as written for a stream, without length and checksum.
fn header(path: &str, options: SimpleFileOptions) -> ZipResult<Cursor<Vec<u8>>> {
    let mut empty = ZipWriter::new_stream(Vec::new());
    empty.start_file(path, options)?;
    let bytes = empty.finish()?.into_inner();
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let end = archive.by_index_raw(0)?.data_start().unwrap_or_default();
    let mut bytes = archive.into_inner().into_inner();
    bytes.truncate(usize::try_from(end).unwrap_or_default());
    // Sets the host system of the member's names and permissions. It is otherwise only in the central directory, and
    // unpackers that read without that take the names for DOS names.
    if let Some(host) = bytes.get_mut(HOST_AT) {
        *host = System::Unix as u8;
    }
    Ok(Cursor::new(bytes))
}

/// Length and checksum for a member's header, and the digest to compare with its record.
struct Checksums {
    bytes: u64,
    crc32: u32,
    sha256: Digest,
}

impl Checksums {
    /// Reads `content` as far as possible.
    fn of(content: &mut impl Read) -> Checksums {
        let (mut bytes, mut crc32, mut sha256) = (0, crc32fast::Hasher::new(), Sha256::new());
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            match content.read(&mut chunk) {
                Ok(length @ 1..) => {
                    bytes += length as u64;
                    crc32.update(&chunk[..length]);
                    sha256.update(&chunk[..length]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
            }
        }
        Checksums {
            bytes,
            crc32: crc32.finalize(),
            sha256: sha256.finalize().into(),
        }
    }
}

fn options(time: &str) -> SimpleFileOptions {
    let options = SimpleFileOptions::default().unix_permissions(MODE);
    match zip_time(time) {
        Some(time) => options.last_modified_time(time),
        None => options,
    }
}

/// Converts `dd.MM.yyyy HH:mm`. `None` outside of the years that a ZIP can express.
fn zip_time(time: &str) -> Option<DateTime> {
    let parts: Vec<_> = time.split(['.', ' ', ':']).collect();
    let [day, month, year, hour, minute] = parts.as_slice() else {
        return None;
    };
    let [day, month, hour, minute] = [day, month, hour, minute].map(|part| part.parse::<u8>().ok());
    DateTime::from_date_and_time(year.parse().ok()?, month?, day?, hour?, minute?, 0).ok()
}

/// The error when the archive can't be written to its end: the reader is gone, or the disk is full.
pub(crate) fn unwritten(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("an export can't be written: {error}"))
}
