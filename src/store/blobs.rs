//! Files beside the database: images, documents. A file is complete under its name or not there at all. Knows no topic.
//!
//! Foreign files are never touched: only regular files with names that this module generates are ever opened, renamed
//! or removed, and only in a folder with Fluglog's mark ([`folder::MARK`]). The folder may be a symbolic link to
//! another disk; links in it are never followed.
//!
//! A blob is immutable. It is on disk and synced before the record that refers to it is committed, and removed after
//! that record is gone: a crash can leave a file without a record, never a record without its file. The record stores
//! the file's digest, so that damage is found. A reader that takes the ids of many blobs from one snapshot of the
//! database holds removals back while it reads them ([`Blobs::hold`]).

pub mod folder;

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::sys::statvfs::fstatvfs;
use redb_file::is_full;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use fluglog_base::dir::Dir;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId};
use fluglog_base::secret::Digest;
use folder::{BlobName, Content, FOLDER_NAME, MARK};

/// Bytes read at a time.
const READ_BYTES: usize = 256 * 1024;

/// The part of a record that refers to a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlobRecord {
    pub id: u128,
    pub sha256: Digest,
}

impl From<Blob> for BlobRecord {
    fn from(blob: Blob) -> BlobRecord {
        BlobRecord {
            id: blob.id.key(),
            sha256: blob.sha256,
        }
    }
}

impl From<BlobRecord> for Blob {
    fn from(record: BlobRecord) -> Blob {
        Blob {
            id: BlobId::from_key(record.id),
            sha256: record.sha256,
        }
    }
}

/// Bytes of the disk that stay free: with less, uploads or new records are refused, so that everything else can go on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reserves {
    pub uploads: u64,
    pub records: u64,
}

/// The folder of the blobs, and how much of its disk has to stay free.
#[derive(Clone)]
pub struct Blobs {
    folder: PathBuf,
    /// Whether the folder needs the mark; `false` if it has none yet and contains nothing but blobs, as earlier
    /// versions made it.
    needs_mark: bool,
    reserves: Reserves,
    unsettled: Arc<Mutex<PendingFiles>>,
}

/// Files that have no record yet, or no longer.
#[derive(Default)]
struct PendingFiles {
    /// Blobs being written, or on disk before the transaction with their record is committed.
    coming: HashSet<BlobId>,
    holds: usize,
    /// Blobs to be removed as soon as nobody holds removals back.
    leaving: HashSet<BlobId>,
}

fn locked(unsettled: &Mutex<PendingFiles>) -> MutexGuard<'_, PendingFiles> {
    unsettled.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A blob that is being written. Dropping it leaves nothing behind.
pub struct BlobWriter {
    id: BlobId,
    dir: Dir,
    file: File,
    bytes: u64,
    /// Boxed because it is large, and the blob moves between threads.
    sum: Box<Sha256>,
    reserve_bytes: u64,
    unsettled: Arc<Mutex<PendingFiles>>,
    finished: bool,
}

impl BlobWriter {
    /// Appends bytes.
    ///
    /// # Errors
    /// [`Error::DiskFull`] if the disk has only its reserve left, [`Error::Busy`] if it fails.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        check_space(&self.dir, self.reserve_bytes)?;
        self.file.write_all(bytes).map_err(|error| failed(&error))?;
        self.bytes += bytes.len() as u64;
        self.sum.update(bytes);
        Ok(())
    }

    /// Appends all of `content`. The inner error is one of reading it.
    ///
    /// # Errors
    /// As for [`BlobWriter::write`].
    pub fn copy(&mut self, content: &mut impl BufRead) -> Result<io::Result<()>> {
        loop {
            let piece = match content.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Err(error)),
            };
            if piece.is_empty() {
                return Ok(Ok(()));
            }
            self.write(piece)?;
            let length = piece.len();
            content.consume(length);
        }
    }

    /// Returns the number of bytes written so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the digest of what was written so far.
    #[must_use]
    pub fn sha256(&self) -> Digest {
        Sha256::clone(&self.sum).finalize().into()
    }

    /// Opens what was written so far for reading.
    ///
    /// # Errors
    /// The disk fails.
    pub fn read(&self) -> Result<File> {
        let opened = self.dir.open_file(&BlobName::unfinished(self.id).in_dir());
        opened.map_err(|error| failed(&error))
    }
}

/// A temporary file that remembers why writing to it failed.
pub struct Spool {
    incoming: BlobWriter,
    failure: Option<Error>,
}

impl Spool {
    /// # Errors
    /// As for [`Blobs::begin`].
    pub fn begin(blobs: &Blobs) -> Result<Spool> {
        Ok(Spool {
            incoming: blobs.begin()?,
            failure: None,
        })
    }

    /// Returns the file, which is deleted when it is dropped.
    ///
    /// # Errors
    /// Why writing to it failed, or the error in `written`.
    pub fn finish(self, written: Result<()>) -> Result<BlobWriter> {
        match self.failure {
            Some(failure) => Err(failure),
            None => written.map(|()| self.incoming),
        }
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.incoming.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                self.failure = Some(error);
                Err(io::ErrorKind::StorageFull.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for BlobWriter {
    fn drop(&mut self) {
        // After `finish` no file has this name; any other failure is cleaned up at the next start.
        let _ = self.dir.remove_file(&BlobName::unfinished(self.id).in_dir());
        if !self.finished {
            locked(&self.unsettled).coming.remove(&self.id);
        }
    }
}

/// Holds removals back: no blob is removed while a value lives. Dropping the last one removes the postponed blobs.
pub struct RemovalGuard<'b> {
    blobs: &'b Blobs,
}

impl Drop for RemovalGuard<'_> {
    fn drop(&mut self) {
        let leaving = {
            let mut unsettled = locked(&self.blobs.unsettled);
            unsettled.holds -= 1;
            match unsettled.holds {
                0 => std::mem::take(&mut unsettled.leaving),
                _ => return,
            }
        };
        self.blobs.remove_now(leaving);
    }
}

impl Blobs {
    /// Opens nothing yet. Writing is refused while the disk has less than its reserve free.
    #[must_use]
    pub fn new(data_dir: &Path, reserves: Reserves) -> Blobs {
        Blobs {
            folder: data_dir.join(FOLDER_NAME),
            needs_mark: !folder::is_legacy(data_dir),
            reserves,
            unsettled: Arc::default(),
        }
    }

    /// Holds removals back: every blob to which the database refers after this call stays readable.
    #[must_use]
    pub fn hold(&self) -> RemovalGuard<'_> {
        locked(&self.unsettled).holds += 1;
        RemovalGuard { blobs: self }
    }

    /// Opens the folder for one operation, so that a remounted disk is found again.
    fn dir(&self) -> io::Result<Dir> {
        let dir = Dir::open(&self.folder)?;
        match !self.needs_mark || folder::has_mark(&dir)? {
            true => Ok(dir),
            false => Err(unmarked()),
        }
    }

    /// Lists the files that should have a record, without those being added or removed. A name without a record in a
    /// snapshot taken after this call is an orphan, if the file still exists ([`Blobs::is_orphan_candidate`]).
    ///
    /// # Errors
    /// The folder is missing, unusable or not Fluglog's.
    pub fn names(&self) -> io::Result<Vec<BlobName>> {
        let mut names = Content::of(&self.dir()?)?.blobs;
        names.retain(|name| !self.is_unsettled(*name));
        Ok(names)
    }

    /// Returns whether a file exists and isn't being added or removed.
    #[must_use]
    pub fn is_orphan_candidate(&self, name: BlobName) -> bool {
        !self.is_unsettled(name) && self.metadata(name).is_ok()
    }

    /// Returns the time since a file was written; `None` if it is gone or dated in the future.
    #[must_use]
    pub fn age(&self, name: BlobName) -> Option<Duration> {
        self.metadata(name).ok()?.modified().ok()?.elapsed().ok()
    }

    fn metadata(&self, name: BlobName) -> io::Result<Metadata> {
        self.dir()?.metadata(&name.in_dir())
    }

    /// Removes a file to which no record refers.
    ///
    /// # Errors
    /// The file is gone or no regular file, or the folder has no mark or can't be written.
    pub fn remove_orphan(&self, name: BlobName) -> io::Result<()> {
        let dir = self.dir()?;
        match folder::has_mark(&dir)? {
            true => dir.remove_file(&name.in_dir()),
            false => Err(unmarked()),
        }
    }

    fn is_unsettled(&self, name: BlobName) -> bool {
        let unsettled = locked(&self.unsettled);
        unsettled.coming.contains(&name.id) || unsettled.leaving.contains(&name.id)
    }

    /// Removes unfinished files after a crash, in a folder with the mark. The caller must have exclusive access to the
    /// database.
    ///
    /// # Errors
    /// The folder is missing or unusable.
    pub fn remove_unfinished(&self) -> io::Result<()> {
        let dir = self.dir()?;
        if !folder::has_mark(&dir)? {
            return Ok(());
        }
        let mut unfinished = Content::of(&dir)?.blobs.into_iter().filter(|name| name.is_unfinished);
        unfinished.try_for_each(|name| dir.remove_file(&name.in_dir()))
    }

    /// Returns the number of blobs and their total size in bytes.
    ///
    /// # Errors
    /// The folder is missing or unusable.
    pub fn size(&self) -> io::Result<(u64, u64)> {
        let (mut files, mut bytes) = (0, 0);
        for entry in self.dir()?.entries()? {
            let (name, found) = entry?;
            if BlobName::of_entry(&name, &found).is_some() {
                files += 1;
                bytes += found.len();
            }
        }
        Ok((files, bytes))
    }

    /// Returns the free bytes of the disk.
    ///
    /// # Errors
    /// [`Error::Busy`]: the folder is missing or unusable.
    pub fn free_bytes(&self) -> Result<u64> {
        free_bytes(&self.dir().map_err(|error| failed(&error))?)
    }

    /// Checks that there is space for an upload.
    ///
    /// # Errors
    /// [`Error::DiskFull`] if the disk has only its reserve left.
    pub fn check_space(&self) -> Result<()> {
        self.check_reserve(self.reserves.uploads)
    }

    /// Checks that there is space for more records.
    ///
    /// # Errors
    /// As for [`Blobs::check_room`].
    pub fn check_space_for_records(&self) -> Result<()> {
        self.check_reserve(self.reserves.records)
    }

    fn check_reserve(&self, reserve_bytes: u64) -> Result<()> {
        check_space(&self.dir().map_err(|error| failed(&error))?, reserve_bytes)
    }

    /// Begins a new blob.
    ///
    /// # Errors
    /// [`Error::DiskFull`] or [`Error::Busy`]: the folder can't be written.
    pub fn begin(&self) -> Result<BlobWriter> {
        let id = BlobId::fresh();
        let dir = self.dir().map_err(|error| failed(&error))?;
        locked(&self.unsettled).coming.insert(id);
        let file = dir.create_file(&BlobName::unfinished(id).in_dir()).map_err(|error| {
            locked(&self.unsettled).coming.remove(&id);
            failed(&error)
        })?;
        Ok(BlobWriter {
            id,
            dir,
            file,
            bytes: 0,
            sum: Box::default(),
            reserve_bytes: self.reserves.uploads,
            unsettled: Arc::clone(&self.unsettled),
            finished: false,
        })
    }

    /// Renames a blob to its final name. On return the file and its name are durable.
    fn finish(incoming: &mut BlobWriter) -> io::Result<Blob> {
        incoming.file.sync_all()?;
        let whole = BlobName::of(incoming.id).in_dir();
        incoming
            .dir
            .rename(&BlobName::unfinished(incoming.id).in_dir(), &whole)?;
        if let Err(error) = incoming.dir.sync() {
            // Best effort: the first error is the one to report.
            let _ = incoming.dir.remove_file(&whole);
            return Err(error);
        }
        incoming.finished = true;
        Ok(Blob {
            id: incoming.id,
            sha256: std::mem::take(&mut *incoming.sum).finalize().into(),
        })
    }

    /// Opens a blob for reading; also returns its length in bytes.
    ///
    /// # Errors
    /// [`Error::Internal`] if the blob isn't there.
    pub fn read(&self, id: BlobId) -> Result<(File, u64)> {
        let unreadable = |error| Error::Internal(format!("blob {id} can't be read: {error}"));
        let dir = self.dir().map_err(unreadable)?;
        let file = dir.open_file(&BlobName::of(id).in_dir()).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        Ok((file, bytes))
    }

    /// Opens a blob after verifying its digest, which reads all of it.
    ///
    /// # Errors
    /// [`Error::Internal`] if the blob isn't there or is damaged.
    pub fn read_verified(&self, blob: &Blob) -> Result<(File, u64)> {
        let (mut file, bytes) = self.read(blob.id)?;
        let unreadable = |error| Error::Internal(format!("blob {} can't be read: {error}", blob.id));
        let (sha256, _) = hash_content(&mut file).map_err(unreadable)?;
        if sha256 != blob.sha256 {
            return Err(Error::Internal(format!("blob {} is damaged", blob.id)));
        }
        file.rewind().map_err(unreadable)?;
        Ok((file, bytes))
    }

    /// Returns a blob's length.
    ///
    /// # Errors
    /// The blob isn't there.
    pub fn bytes(&self, id: BlobId) -> io::Result<u64> {
        Ok(self.metadata(BlobName::of(id))?.len())
    }

    /// Removes blobs to which no record refers any more, at once or when nobody holds removals back. A blob that can't
    /// be removed becomes an orphan, which does no harm.
    pub fn remove_all(&self, ids: impl IntoIterator<Item = BlobId>) {
        let mut unsettled = locked(&self.unsettled);
        if unsettled.holds > 0 {
            unsettled.leaving.extend(ids);
            return;
        }
        drop(unsettled);
        self.remove_now(ids);
    }

    fn remove_now(&self, ids: impl IntoIterator<Item = BlobId>) {
        for id in ids {
            if let Err(error) = self.remove(id) {
                tracing::warn!("blob {id} stays behind: {error}");
            }
        }
    }

    fn remove(&self, id: BlobId) -> io::Result<()> {
        match self.dir()?.remove_file(&BlobName::of(id).in_dir()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Blobs on disk to which no committed record refers yet. Dropping the value removes them.
pub struct UncommittedBlobs<'b> {
    blobs: &'b Blobs,
    ids: Vec<BlobId>,
}

impl<'b> UncommittedBlobs<'b> {
    /// Creates an empty set.
    #[must_use]
    pub fn new(blobs: &'b Blobs) -> UncommittedBlobs<'b> {
        UncommittedBlobs { blobs, ids: Vec::new() }
    }

    /// Finishes a blob and adds it.
    ///
    /// # Errors
    /// [`Error::DiskFull`] or [`Error::Busy`] if the disk fails; nothing of the blob stays then.
    pub fn keep(&mut self, mut incoming: BlobWriter) -> Result<Blob> {
        let blob = Blobs::finish(&mut incoming).map_err(|error| failed(&error))?;
        self.ids.push(blob.id);
        Ok(blob)
    }

    /// Writes a whole blob and adds it.
    ///
    /// # Errors
    /// As for [`UncommittedBlobs::keep`].
    pub fn write(&mut self, content: &[u8]) -> Result<Blob> {
        let mut incoming = self.blobs.begin()?;
        incoming.write(content)?;
        self.keep(incoming)
    }

    /// Settles the blobs by the result of the transaction with their records. If the database or its disk failed, it is
    /// unknown whether the transaction was committed, so the blobs stay: an orphan is better than a record without its
    /// file.
    ///
    /// # Errors
    /// Passes on the transaction's error.
    pub fn settle<T>(mut self, stored: Result<T>) -> Result<T> {
        if matches!(stored, Ok(_) | Err(Error::Busy(_) | Error::DiskFull(_))) {
            self.settled();
            self.ids.clear();
        }
        stored
    }

    fn settled(&self) {
        let mut unsettled = locked(&self.blobs.unsettled);
        for id in &self.ids {
            unsettled.coming.remove(id);
        }
    }
}

impl Drop for UncommittedBlobs<'_> {
    fn drop(&mut self) {
        // No record ever referred to these blobs, so removals needn't be held back for them.
        self.blobs.remove_now(self.ids.iter().copied());
        self.settled();
    }
}

/// Reads a file into memory, at most `most_bytes` of it.
///
/// # Errors
/// [`Error::Busy`] if the disk fails.
pub fn read_all(file: &mut File, most_bytes: u64) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    let length = file.metadata().map_or(0, |metadata| metadata.len().min(most_bytes));
    content.reserve_exact(usize::try_from(length).unwrap_or(0));
    file.take(most_bytes)
        .read_to_end(&mut content)
        .map_err(|error| failed(&error))?;
    Ok(content)
}

/// Returns the SHA-256 and the length of the content.
///
/// # Errors
/// The disk fails.
pub fn hash_content(mut content: impl Read) -> io::Result<(Digest, u64)> {
    let mut sum = Sha256::new();
    let mut bytes = 0;
    let mut piece = vec![0; READ_BYTES];
    loop {
        match content.read(&mut piece)? {
            0 => return Ok((sum.finalize().into(), bytes)),
            length => {
                sum.update(&piece[..length]);
                bytes += length as u64;
            }
        }
    }
}

fn unmarked() -> io::Error {
    io::Error::other(format!("{MARK} is missing in the folder"))
}

fn free_bytes(folder: &Dir) -> Result<u64> {
    let disk = fstatvfs(folder.as_file()).map_err(|error| failed(&error.into()))?;
    #[allow(clippy::useless_conversion, reason = "it has 32 bits on a processor of 32 bits")]
    let block_bytes = u64::from(disk.fragment_size());
    Ok(disk.blocks_available().saturating_mul(block_bytes))
}

fn check_space(folder: &Dir, reserve_bytes: u64) -> Result<()> {
    let free_bytes = free_bytes(folder)?;
    if free_bytes < reserve_bytes {
        return Err(Error::DiskFull(format!("the disk has only {free_bytes} bytes left")));
    }
    Ok(())
}

fn failed(error: &io::Error) -> Error {
    let cause = format!("a blob can't be written: {error}");
    match is_full(error) {
        true => Error::DiskFull(cause),
        false => Error::Busy(cause),
    }
}

#[cfg(test)]
mod tests;
