//! Folders as targets, including those on a disk that may be missing.

use std::fs::{self, DirBuilder};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, lchown};
use std::path::{Path, PathBuf};

use super::encryption::Outgoing;
use super::model::{Result, Stored, TargetError, is_ours};
use crate::archive::folder::{UnfinishedArchive, folder_of};
use fluglog_base::dir::Dir;
use fluglog_process::{machine, mounts};

/// Bound for the list of a share whose server doesn't end it.
const MAX_ENTRIES: usize = 1_000_000;

fn may_not_write(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Creates a folder unless it is there. It belongs to whom the one above belongs: root may make the first backup, and
/// the service the next.
fn make_below(above: &Path, path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => {
            made?;
            let owner = fs::metadata(above)?;
            // A file system without owners, such as FAT, refuses.
            let _ = lchown(path, Some(owner.uid()), Some(owner.gid()));
            Ok(())
        }
    }
}

pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder; creates it if the one above is there.
    ///
    /// # Errors
    /// Nothing is mounted there although `require_mount` is set, or the folder can't be created.
    pub fn open(path: &Path, require_mount: bool) -> Result<Folder> {
        let existing = match path.try_exists() {
            Ok(false) => folder_of(path),
            _ => path,
        };
        if require_mount && machine::are_on_same_filesystem(existing, Path::new("/")) {
            return Err(TargetError::NothingMounted(path.to_owned()));
        }
        let folder = Folder { path: path.to_owned() };
        match make_below(folder_of(path), path) {
            Ok(()) => Ok(folder),
            // Where nothing is mounted, the folder of a disk that isn't there is missing, and nobody may make it.
            Err(error) if may_not_write(&error) && machine::are_on_same_filesystem(existing, Path::new("/")) => {
                Err(TargetError::Folder(path.to_owned(), io::ErrorKind::NotFound))
            }
            Err(error) => Err(folder.error_of(&error)),
        }
    }

    /// Opens a folder on the disk with this label; creates the folder if the disk is present.
    ///
    /// # Errors
    /// [`TargetError::DiskMissing`], or the folder can't be created.
    pub fn on_disk(label: &str, folder: &Path) -> Result<Folder> {
        let disk = mounts::mount_point_of(label).ok_or_else(|| TargetError::DiskMissing(label.to_owned()))?;
        let mut path = disk;
        for part in folder {
            let above = path.clone();
            path.push(part);
            make_below(&above, &path).map_err(|error| TargetError::Folder(path.clone(), error.kind()))?;
        }
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
