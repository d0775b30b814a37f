//! Folders as targets, including those on a disk that may be missing.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::encryption::Outgoing;
use super::model::{Result, Stored, TargetError};
use crate::archive::folder::{UnfinishedArchive, folder_of};
use fluglog_base::dir::Dir;
use fluglog_process::{machine, mounts};

pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens an existing folder.
    ///
    /// # Errors
    /// Nothing is mounted there although `require_mount` is set.
    pub fn open(path: &Path, require_mount: bool) -> Result<Folder> {
        if require_mount && machine::are_on_same_filesystem(path, Path::new("/")) {
            return Err(TargetError::NothingMounted(path.to_owned()));
        }
        Ok(Folder { path: path.to_owned() })
    }

    /// Opens a folder on the disk with this label; creates the folder if the disk is present.
    ///
    /// # Errors
    /// [`TargetError::DiskMissing`], or the folder can't be created.
    pub fn on_disk(label: &str, folder: &Path) -> Result<Folder> {
        let disk = mounts::mount_point_of(label).ok_or_else(|| TargetError::DiskMissing(label.to_owned()))?;
        let path = disk.join(folder);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
        made.map_err(|error| TargetError::Folder(path.clone(), error.kind()))?;
        Ok(Folder { path })
    }

    fn error_of(&self, error: &io::Error) -> TargetError {
        TargetError::Folder(self.path.clone(), error.kind())
    }

    pub fn files(&self) -> Result<Vec<Stored>> {
        let read = || {
            let mut files = Vec::new();
            for entry in fs::read_dir(&self.path)? {
                let entry = entry?;
                let found = entry.metadata()?;
                if found.is_file() {
                    files.push(Stored {
                        name: entry.file_name().to_string_lossy().into_owned(),
                        bytes: found.len(),
                    });
                }
            }
            Ok(files)
        };
        read().map_err(|error| self.error_of(&error))
    }

    /// Refuses the folder that contains `archive`: it has a retention rule of its own.
    pub(crate) fn check_is_another(&self, archive: &Path) -> Result<()> {
        let own = fs::canonicalize(folder_of(archive));
        match own.is_ok_and(|own| fs::canonicalize(&self.path).is_ok_and(|path| path == own)) {
            true => Err(TargetError::OwnFolder(self.path.clone())),
            false => Ok(()),
        }
    }

    pub fn put(&self, name: &str, archive: &mut Outgoing, data_dir: &Path) -> Result<()> {
        let mut put = || {
            let mut unfinished = UnfinishedArchive::begin(&self.path)?;
            unfinished.give_to_owner_of(data_dir);
            io::copy(archive, unfinished.file())?;
            unfinished.publish(|_| self.path.join(name))
        };
        put().map(drop).map_err(|error| self.error_of(&error))
    }

    pub fn get(&self, name: &str) -> Result<Box<dyn Read>> {
        let opened = File::open(self.path.join(name)).map_err(|error| self.error_of(&error))?;
        Ok(Box::new(opened))
    }

    pub fn delete(&self, name: &str) -> Result<()> {
        match Dir::open(&self.path).and_then(|folder| folder.remove_file(name.as_ref())) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.error_of(&error)),
            _ => Ok(()),
        }
    }
}
