//! Folders as targets, including those on a disk that may be missing.

use std::fs::{self, DirBuilder};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::encryption::Outgoing;
use super::model::{Result, Stored, TargetError, is_ours};
use crate::archive::folder::{UnfinishedArchive, folder_of};
use fluglog_base::dir::Dir;
use fluglog_process::{machine, mounts};

/// Bound for the list of a share whose server doesn't end it.
const MAX_ENTRIES: usize = 1_000_000;

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

    /// All archives in the folder, and the unfinished ones.
    pub fn files(&self) -> Result<Vec<Stored>> {
        let read = || {
            let mut files = Vec::new();
            for (at, entry) in fs::read_dir(&self.path)?.enumerate() {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                if at == MAX_ENTRIES {
                    return Ok(None);
                }
                if is_ours(&name) && entry.metadata()?.is_file() {
                    let bytes = entry.metadata()?.len();
                    files.push(Stored { name, bytes });
                }
            }
            Ok(Some(files))
        };
        read()
            .map_err(|error| self.error_of(&error))?
            .ok_or(TargetError::EndlessList)
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
        // The server of a share may let a file grow for ever.
        let open = || {
            let file = Dir::open(&self.path)?.open_file(name.as_ref())?;
            let bytes = file.metadata()?.len();
            Ok(file.take(bytes))
        };
        Ok(Box::new(open().map_err(|error| self.error_of(&error))?))
    }

    pub fn delete(&self, name: &str) -> Result<()> {
        match Dir::open(&self.path).and_then(|folder| folder.remove_file(name.as_ref())) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.error_of(&error)),
            _ => Ok(()),
        }
    }
}
