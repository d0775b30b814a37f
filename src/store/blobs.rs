//! Files beside the database: images, documents. A file is whole under its name or not there at all. Knows no topic.
//!
//! A blob is never changed. It is on disk, synced, before the record that names it is committed, and removed after that record is gone:
//! a crash leaves a file that nobody names, never a record without its file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::id::BlobId;
use crate::log;

/// The folder of the blobs in the data directory.
pub const FOLDER_NAME: &str = "blobs";

const UNFINISHED: &str = "part";

/// The folder of the blobs, and how much of its disk stays free.
pub struct Blobs {
    folder: PathBuf,
    reserve_bytes: u64,
}

/// A blob that is being written. When it is dropped, nothing of it stays.
pub struct Incoming {
    id: BlobId,
    folder: PathBuf,
    file: File,
    bytes: u64,
    reserve_bytes: u64,
}

impl Incoming {
    /// Appends to it.
    ///
    /// # Errors
    /// [`Error::Full`] when the disk has only its reserve left, [`Error::Busy`] when it fails.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        check_room(&self.folder, self.reserve_bytes)?;
        self.file.write_all(bytes).map_err(|error| failed(&error))?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Its length until now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Opens what was written until now.
    ///
    /// # Errors
    /// The disk fails.
    pub fn read(&self) -> Result<File> {
        File::open(self.unfinished()).map_err(|error| failed(&error))
    }

    fn unfinished(&self) -> PathBuf {
        self.folder.join(self.id.to_string()).with_extension(UNFINISHED)
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // A finished one has no file of this name any more; another failure is mended by the next start.
        let _ = fs::remove_file(self.unfinished());
    }
}

impl Blobs {
    /// The folder of a data directory. Writing stops while the disk has less than `reserve_bytes` free.
    #[must_use]
    pub fn new(data_dir: &Path, reserve_bytes: u64) -> Blobs {
        Blobs {
            folder: data_dir.join(FOLDER_NAME),
            reserve_bytes,
        }
    }

    /// Removes what a crash left unfinished. Only for whoever has the database to itself.
    ///
    /// # Errors
    /// The folder is missing or unusable.
    pub fn tidy(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == UNFINISHED) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// How many files there are, and their bytes together.
    ///
    /// # Errors
    /// The folder is missing or unusable.
    pub fn size(&self) -> io::Result<(u64, u64)> {
        size_of(&self.folder)
    }

    /// Bytes that the disk has left.
    ///
    /// # Errors
    /// [`Error::Busy`]: the folder is missing or unusable.
    pub fn free_bytes(&self) -> Result<u64> {
        free_bytes(&self.folder)
    }

    /// Whether there is room for an upload.
    ///
    /// # Errors
    /// [`Error::Full`] when the disk has only its reserve left.
    pub fn check_room(&self) -> Result<()> {
        check_room(&self.folder, self.reserve_bytes)
    }

    /// Begins a new blob.
    ///
    /// # Errors
    /// [`Error::Full`] or [`Error::Busy`]: the folder can't be written.
    pub fn begin(&self) -> Result<Incoming> {
        let id = BlobId::fresh();
        let path = self.path(id).with_extension(UNFINISHED);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        Ok(Incoming {
            id,
            folder: self.folder.clone(),
            file: options.open(path).map_err(|error| failed(&error))?,
            bytes: 0,
            reserve_bytes: self.reserve_bytes,
        })
    }

    /// Gives a blob its name. On return the file and its name are durable.
    fn finish(&self, incoming: &Incoming) -> io::Result<BlobId> {
        incoming.file.sync_all()?;
        fs::rename(incoming.unfinished(), self.path(incoming.id))?;
        let synced = File::open(&self.folder).and_then(|folder| folder.sync_all());
        if synced.is_err() {
            // The first error is the one to report.
            let _ = self.remove(incoming.id);
        }
        synced.map(|()| incoming.id)
    }

    /// Opens a blob for reading; also tells its length in bytes.
    ///
    /// # Errors
    /// [`Error::Internal`]: a record names it, but it is not there.
    pub fn read(&self, id: BlobId) -> Result<(File, u64)> {
        let unreadable = |error| Error::Internal(format!("blob {id} can't be read: {error}"));
        let file = File::open(self.path(id)).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        Ok((file, bytes))
    }

    /// Its length.
    ///
    /// # Errors
    /// It is not there.
    pub fn bytes(&self, id: BlobId) -> io::Result<u64> {
        fs::metadata(self.path(id)).map(|file| file.len())
    }

    /// Removes blobs that no record names any more. One that can't be removed is an orphan and no harm.
    pub fn remove_all(&self, ids: impl IntoIterator<Item = BlobId>) {
        for id in ids {
            if let Err(error) = self.remove(id) {
                log::warning(format_args!("blob {id} stays behind: {error}"));
            }
        }
    }

    fn remove(&self, id: BlobId) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn path(&self, id: BlobId) -> PathBuf {
        self.folder.join(id.to_string())
    }
}

/// Blobs that are on disk while no committed record names them yet. Those that never get one go.
pub struct Unnamed<'b> {
    blobs: &'b Blobs,
    ids: Vec<BlobId>,
}

impl<'b> Unnamed<'b> {
    /// None yet.
    #[must_use]
    pub fn new(blobs: &'b Blobs) -> Unnamed<'b> {
        Unnamed { blobs, ids: Vec::new() }
    }

    /// Finishes a blob that came in.
    ///
    /// # Errors
    /// [`Error::Full`] or [`Error::Busy`]: the disk fails; then nothing of it stays.
    pub fn keep(&mut self, incoming: Incoming) -> Result<BlobId> {
        let id = self.blobs.finish(&incoming).map_err(|error| failed(&error))?;
        self.ids.push(id);
        Ok(id)
    }

    /// Writes a blob.
    ///
    /// # Errors
    /// As [`Unnamed::keep`].
    pub fn write(&mut self, content: &[u8]) -> Result<BlobId> {
        let mut incoming = self.blobs.begin()?;
        incoming.write(content)?;
        self.keep(incoming)
    }

    /// Takes the result of the transaction that was to name them. When the database failed nobody knows whether it does, so they
    /// stay: an orphan is better than a record without its file.
    ///
    /// # Errors
    /// Those of the transaction.
    pub fn settle<T>(mut self, stored: Result<T>) -> Result<T> {
        if matches!(stored, Ok(_) | Err(Error::Busy(_))) {
            self.ids.clear();
        }
        stored
    }
}

impl Drop for Unnamed<'_> {
    fn drop(&mut self) {
        self.blobs.remove_all(self.ids.drain(..));
    }
}

/// Reads a whole file that is no longer than `most_bytes`.
///
/// # Errors
/// [`Error::Busy`]: the disk fails.
pub fn read_all(file: &mut File, most_bytes: u64) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    let length = file.metadata().map_or(0, |metadata| metadata.len().min(most_bytes));
    content.reserve_exact(usize::try_from(length).unwrap_or(0));
    file.take(most_bytes)
        .read_to_end(&mut content)
        .map_err(|error| failed(&error))?;
    Ok(content)
}

/// How many files are in a folder, and their bytes together.
///
/// # Errors
/// The folder is missing or unusable.
pub fn size_of(folder: &Path) -> io::Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    for entry in fs::read_dir(folder)? {
        // It may be removed meanwhile.
        if let Ok(file) = entry?.metadata() {
            files += 1;
            bytes += file.len();
        }
    }
    Ok((files, bytes))
}

fn free_bytes(folder: &Path) -> Result<u64> {
    let disk = rustix::fs::statvfs(folder).map_err(|error| failed(&error.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

fn check_room(folder: &Path, reserve_bytes: u64) -> Result<()> {
    let free_bytes = free_bytes(folder)?;
    if free_bytes < reserve_bytes {
        return Err(Error::Full(format!(
            "the disk has only {free_bytes} bytes left for uploads"
        )));
    }
    Ok(())
}

fn failed(error: &io::Error) -> Error {
    let cause = format!("a blob can't be written: {error}");
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Error::Full(cause),
        _ => Error::Busy(cause),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn folder() -> (tempfile::TempDir, Blobs) {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(FOLDER_NAME)).unwrap();
        let blobs = Blobs::new(directory.path(), 0);
        (directory, blobs)
    }

    fn names(directory: &tempfile::TempDir) -> Vec<String> {
        fs::read_dir(directory.path().join(FOLDER_NAME))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    fn written(blobs: &Blobs, content: &[u8]) -> BlobId {
        let mut unnamed = Unnamed::new(blobs);
        let id = unnamed.write(content).unwrap();
        unnamed.settle(Ok(id)).unwrap()
    }

    #[test]
    fn a_blob_reads_back_what_was_written_until_it_is_removed() {
        let (_directory, blobs) = folder();
        let id = written(&blobs, b"bild");
        let (mut file, bytes) = blobs.read(id).unwrap();
        assert_eq!((read_all(&mut file, 99).unwrap().as_slice(), bytes), (&b"bild"[..], 4));
        blobs.remove_all([id, id]);
        assert!(blobs.read(id).is_err());
    }

    #[test]
    fn what_is_dropped_before_its_end_leaves_no_file() {
        let (directory, blobs) = folder();
        let mut incoming = blobs.begin().unwrap();
        incoming.write(b"anfang").unwrap();
        assert_eq!((names(&directory).len(), incoming.bytes()), (1, 6));
        let mode = incoming.read().unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "others can read it");
        drop(incoming);
        assert_eq!(names(&directory), Vec::<String>::new());
    }

    #[test]
    fn a_refused_record_takes_its_blob_along_and_a_failed_database_does_not() {
        let (directory, blobs) = folder();
        let mut refused = Unnamed::new(&blobs);
        refused.write(b"a").unwrap();
        assert!(refused.settle(Err::<(), _>(Error::NotYours)).is_err());
        assert_eq!(names(&directory), Vec::<String>::new());
        let mut unknown = Unnamed::new(&blobs);
        let id = unknown.write(b"b").unwrap();
        assert!(unknown.settle(Err::<(), _>(Error::Busy(String::new()))).is_err());
        assert_eq!(names(&directory), vec![id.to_string()]);
    }

    #[test]
    fn the_reserve_of_the_disk_is_left_alone() {
        let (directory, _) = folder();
        let blobs = Blobs::new(directory.path(), u64::MAX);
        assert!(matches!(blobs.check_room(), Err(Error::Full(_))));
        assert!(matches!(Unnamed::new(&blobs).write(b"a"), Err(Error::Full(_))));
        assert_eq!(names(&directory), Vec::<String>::new());
    }

    #[test]
    fn what_a_crash_left_unfinished_is_gone_after_the_next_start() {
        let (directory, blobs) = folder();
        let whole = written(&blobs, b"ganz");
        fs::write(directory.path().join(FOLDER_NAME).join("x.part"), "halb").unwrap();
        blobs.tidy().unwrap();
        assert_eq!(names(&directory), vec![whole.to_string()]);
    }
}
