//! A directory that is held open. Its entries are opened, renamed and removed by name relative to the open directory,
//! one component at a time and never through a symbolic link (openat(2), `O_NOFOLLOW`): nobody who can replace a
//! component while a path is walked can redirect it.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path};

use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};

/// Permissions of new files: for the owner alone.
const FILE_MODE: u32 = 0o600;

/// Device and inode of a file or directory: equal for all its names.
pub type Identity = (u64, u64);

/// Returns the identity of a file or directory.
#[must_use]
pub fn identity(of: &Metadata) -> Identity {
    (of.dev(), of.ino())
}

/// An open directory.
pub struct Dir {
    opened: File,
}

impl Dir {
    /// Opens a directory by a path from the settings. Symbolic links in the path are followed.
    ///
    /// # Errors
    /// The path leads to no directory, or to one that can't be read.
    pub fn open(path: &Path) -> io::Result<Dir> {
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(OFlag::O_DIRECTORY.bits())
            .open(path)?;
        Ok(Dir { opened })
    }

    /// Opens a subdirectory.
    ///
    /// # Errors
    /// The entry is missing, a symbolic link, no directory, or can't be read.
    pub fn open_dir(&self, name: &OsStr) -> io::Result<Dir> {
        let opened = self.open_entry(name, OFlag::O_RDONLY | OFlag::O_DIRECTORY)?;
        Ok(Dir { opened })
    }

    /// Opens a regular file in this directory for reading.
    ///
    /// # Errors
    /// The entry is missing, a symbolic link, no regular file, or can't be read.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        // Opening a pipe without a writer would block.
        let file = self.open_entry(name, OFlag::O_RDONLY | OFlag::O_NONBLOCK)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(no_regular_file()),
        }
    }

    /// Opens a regular file for reading, at a path of names below this directory.
    ///
    /// # Errors
    /// As for [`Dir::open_dir`] for each name but the last one, and as for [`Dir::open_file`] for that.
    pub fn open_file_below(&self, path: &Path) -> io::Result<File> {
        let mut names = path.components();
        let Some(Component::Normal(file)) = names.next_back() else {
            return Err(no_name());
        };
        let mut parent: Option<Dir> = None;
        for name in names {
            parent = Some(parent.as_ref().unwrap_or(self).open_dir(name.as_os_str())?);
        }
        parent.as_ref().unwrap_or(self).open_file(file)
    }

    /// Creates a file for writing, for its owner alone.
    ///
    /// # Errors
    /// The name is taken, or the directory can't be written.
    pub fn create_file(&self, name: &OsStr) -> io::Result<File> {
        self.open_entry(name, OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL)
    }

    /// Returns the metadata of an entry; for a symbolic link, those of the link itself.
    ///
    /// # Errors
    /// The entry is missing.
    pub fn metadata(&self, name: &OsStr) -> io::Result<Metadata> {
        self.open_entry(name, OFlag::O_PATH)?.metadata()
    }

    /// Returns the names of all entries with their metadata. An entry that is removed meanwhile may be left out.
    ///
    /// # Errors
    /// The directory can't be read.
    pub fn entries(&self) -> io::Result<impl Iterator<Item = io::Result<(OsString, Metadata)>>> {
        // Opened anew, because duplicates of a descriptor share their position in the directory.
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let listed = nix::dir::Dir::openat(&self.opened, ".", flags, Mode::empty())?;
        Ok(listed.into_iter().filter_map(|entry| match entry {
            Ok(entry) => self.entry(entry.file_name().to_bytes()),
            Err(error) => Some(Err(error.into())),
        }))
    }

    fn entry(&self, name: &[u8]) -> Option<io::Result<(OsString, Metadata)>> {
        if name == b"." || name == b".." {
            return None;
        }
        let name = OsStr::from_bytes(name).to_owned();
        match self.metadata(&name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            found => Some(found.map(|found| (name, found))),
        }
    }

    /// Removes a regular file.
    ///
    /// # Errors
    /// The entry is missing or no regular file, or the directory can't be written.
    #[expect(
        clippy::disallowed_methods,
        reason = "a name in a directory that the caller holds open; no link is followed"
    )]
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        if !self.metadata(name)?.is_file() {
            return Err(no_regular_file());
        }
        Ok(unlinkat(&self.opened, name, UnlinkatFlags::NoRemoveDir)?)
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// The entry is missing, no directory or not empty, or this directory can't be written.
    #[expect(
        clippy::disallowed_methods,
        reason = "the system refuses a directory with anything in it"
    )]
    pub fn remove_empty_dir(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.opened, name_of(name)?, UnlinkatFlags::RemoveDir)?)
    }

    /// Renames an entry within this directory, replacing the entry that has the new name.
    ///
    /// # Errors
    /// The entry is missing, or the directory can't be written.
    #[expect(
        clippy::disallowed_methods,
        reason = "both names are in a directory that the caller holds open"
    )]
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.opened, name_of(from)?, &self.opened, name_of(to)?)?)
    }

    /// Makes the entries of this directory durable.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync(&self) -> io::Result<()> {
        self.opened.sync_all()
    }

    /// Returns the open directory.
    #[must_use]
    pub fn as_file(&self) -> &File {
        &self.opened
    }

    fn open_entry(&self, name: &OsStr, flags: OFlag) -> io::Result<File> {
        let flags = flags | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let opened = openat(&self.opened, name_of(name)?, flags, Mode::from_bits_truncate(FILE_MODE))?;
        Ok(File::from(opened))
    }
}

/// Creates a file for its owner alone, or truncates an existing one. A symbolic link is refused.
///
/// # Errors
/// The name belongs to something else than a regular file, or the directory can't be written.
pub fn create_or_truncate(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(FILE_MODE)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(path)
}

/// Opens a regular file for reading, at a path whose symbolic links are followed. Anything else is refused at once: a
/// pipe without a writer would block.
///
/// # Errors
/// The file is missing, no regular file, or can't be read.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(OFlag::O_NONBLOCK.bits())
        .open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(no_regular_file()),
    }
}

/// Returns the name if it names an entry of the directory itself.
fn name_of(name: &OsStr) -> io::Result<&OsStr> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(only),
        _ => Err(no_name()),
    }
}

fn no_name() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "no name of an entry")
}

fn no_regular_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "no regular file")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    fn name(text: &str) -> &OsStr {
        OsStr::new(text)
    }

    /// Creates a directory with a file, a folder with a file, and links to both.
    fn place() -> (tempfile::TempDir, Dir) {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("file"), "here").unwrap();
        fs::write(at("folder/file"), "below").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("folder", at("link-to-folder")).unwrap();
        let dir = Dir::open(place.path()).unwrap();
        (place, dir)
    }

    #[test]
    fn no_step_leads_through_a_link() {
        let (_place, dir) = place();
        let read = |path: &str| io::read_to_string(dir.open_file_below(Path::new(path))?);
        assert_eq!(read("file").unwrap(), "here");
        assert_eq!(read("folder/file").unwrap(), "below");
        for path in [
            "link",
            "link-to-folder/file",
            "folder/../file",
            "/etc/hostname",
            "folder",
            "",
            "..",
        ] {
            assert!(read(path).is_err(), "{path:?}");
        }
        assert!(dir.open_dir(name("link-to-folder")).is_err());
        assert!(dir.metadata(name("link")).unwrap().is_symlink());
    }

    #[test]
    fn a_name_is_an_entry_of_the_directory_itself() {
        let (place, dir) = place();
        for wrong in ["folder/file", "./file", "file/", "..", ".", "", "/"] {
            assert!(dir.open_file(name(wrong)).is_err(), "{wrong:?}");
            assert!(dir.remove_file(name(wrong)).is_err(), "{wrong:?}");
            assert!(dir.rename(name(wrong), name("other")).is_err(), "{wrong:?}");
            assert!(dir.rename(name("file"), name(wrong)).is_err(), "{wrong:?}");
        }
        assert_eq!(fs::read_to_string(place.path().join("folder/file")).unwrap(), "below");
    }

    #[test]
    fn only_regular_files_are_opened_and_removed() {
        let (place, dir) = place();
        let _socket = UnixListener::bind(place.path().join("socket")).unwrap();
        nix::unistd::mkfifo(&place.path().join("pipe"), Mode::from_bits_truncate(0o600)).unwrap();
        for other in ["socket", "pipe", "folder", "link"] {
            assert!(dir.open_file(name(other)).is_err(), "{other}");
            assert!(dir.remove_file(name(other)).is_err(), "{other}");
            assert!(place.path().join(other).symlink_metadata().is_ok(), "{other}");
        }
        dir.remove_file(name("file")).unwrap();
        assert_eq!(dir.open_file(name("file")).unwrap_err().kind(), io::ErrorKind::NotFound);
        let mut left: Vec<_> = dir.entries().unwrap().map(|entry| entry.unwrap().0).collect();
        left.sort();
        assert_eq!(left, ["folder", "link", "link-to-folder", "pipe", "socket"]);
    }

    #[test]
    fn a_directory_that_is_open_stays_the_one_that_was_opened() {
        let (place, dir) = place();
        let inner = dir.open_dir(name("folder")).unwrap();
        fs::rename(place.path().join("folder"), place.path().join("away")).unwrap();
        symlink("/", place.path().join("folder")).unwrap();
        inner.create_file(name("new")).unwrap();
        inner.rename(name("new"), name("named")).unwrap();
        assert!(place.path().join("away/named").exists());
        assert!(inner.create_file(name("named")).is_err(), "the name is taken");
    }

    #[test]
    fn a_file_is_made_for_its_owner_and_not_through_a_link() {
        let (place, dir) = place();
        dir.create_file(name("new")).unwrap();
        create_or_truncate(&place.path().join("other")).unwrap();
        for made in ["new", "other"] {
            let mode = dir.metadata(name(made)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{made}");
        }
        assert!(create_or_truncate(&place.path().join("link")).is_err());
        assert_eq!(fs::read_to_string(place.path().join("file")).unwrap(), "here");
        create_or_truncate(&place.path().join("file")).unwrap();
        assert_eq!(fs::read_to_string(place.path().join("file")).unwrap(), "");
    }
}
