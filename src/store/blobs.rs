//! Files beside the database: images, documents. A file is whole under its name or not there at all. Knows no topic.
//!
//! A blob is never changed. It is on disk, synced, before the record that names it is committed, and removed after that record is gone:
//! a crash leaves a file that nobody names, never a record without its file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::id::BlobId;

/// The folder of the blobs in the data directory.
pub const FOLDER_NAME: &str = "blobs";

const UNFINISHED: &str = "part";

/// The folder of the blobs.
pub struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// Opens the folder and removes what a crash left unfinished.
    ///
    /// # Errors
    /// The folder is missing or unusable.
    pub fn open(data_dir: &Path) -> io::Result<Blobs> {
        let folder = data_dir.join(FOLDER_NAME);
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == UNFINISHED) {
                fs::remove_file(path)?;
            }
        }
        Ok(Blobs { folder })
    }

    /// Stores what `content` gives and returns its length in bytes. On return the file and its name are durable.
    ///
    /// # Errors
    /// The disk or the source fails; then nothing stays.
    pub fn write(&self, id: BlobId, content: &mut dyn Read) -> io::Result<u64> {
        let unfinished = self.path(id).with_extension(UNFINISHED);
        let written = self.write_to(&unfinished, id, content);
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&unfinished);
        }
        written
    }

    fn write_to(&self, unfinished: &Path, id: BlobId, content: &mut dyn Read) -> io::Result<u64> {
        let mut file = File::create_new(unfinished)?;
        let length = io::copy(content, &mut file)?;
        file.sync_all()?;
        fs::rename(unfinished, self.path(id))?;
        File::open(&self.folder)?.sync_all()?;
        Ok(length)
    }

    /// Opens a blob for reading.
    ///
    /// # Errors
    /// It is not there or can't be read.
    pub fn read(&self, id: BlobId) -> io::Result<File> {
        File::open(self.path(id))
    }

    /// Removes a blob; one that is gone already is no error.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn remove(&self, id: BlobId) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn path(&self, id: BlobId) -> PathBuf {
        self.folder.join(id.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Blobs) {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(FOLDER_NAME)).unwrap();
        let blobs = Blobs::open(directory.path()).unwrap();
        (directory, blobs)
    }

    fn names(directory: &tempfile::TempDir) -> Vec<String> {
        fs::read_dir(directory.path().join(FOLDER_NAME))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_blob_reads_back_what_was_written_until_it_is_removed() {
        let (_directory, blobs) = folder();
        let id = BlobId::fresh();
        assert_eq!(blobs.write(id, &mut b"bild".as_slice()).unwrap(), 4);
        let mut read = String::new();
        blobs.read(id).unwrap().read_to_string(&mut read).unwrap();
        assert_eq!(read, "bild");
        blobs.remove(id).unwrap();
        blobs.remove(id).unwrap();
        assert!(blobs.read(id).is_err());
    }

    #[test]
    fn a_source_that_fails_halfway_leaves_no_file() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("cut off"))
            }
        }
        let (directory, blobs) = folder();
        assert!(blobs.write(BlobId::fresh(), &mut b"anfang".chain(Broken)).is_err());
        assert_eq!(names(&directory), Vec::<String>::new());
    }

    #[test]
    fn what_a_crash_left_unfinished_is_gone_after_the_next_start() {
        let (directory, blobs) = folder();
        let whole = BlobId::fresh();
        blobs.write(whole, &mut b"ganz".as_slice()).unwrap();
        fs::write(directory.path().join(FOLDER_NAME).join("x.part"), "halb").unwrap();
        Blobs::open(directory.path()).unwrap();
        assert_eq!(names(&directory), vec![whole.to_string()]);
    }
}
