//! The folder for archives. An archive gets its final name only when it is complete; the remains of a killed backup
//! are removed by the next one.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use fluglog_base::dir::Dir;
use fluglog_base::id::new_uuid;

/// An archive's name is `fluglog-YYYYMMDD-HHMMSS.tar`.
const NAME_START: &str = "fluglog-";
const NAME_END: &str = ".tar";
const UNFINISHED_START: &str = ".fluglog-";
const UNFINISHED_END: &str = ".part";
/// Backups begun within the same second get the names of the seconds after it, up to this many.
const MAX_SECONDS: i64 = 60;

/// The folder that contains a file.
#[must_use]
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The name of an archive made at the time `stamp`.
#[must_use]
pub fn name(stamp: &str) -> String {
    format!("{NAME_START}{stamp}{NAME_END}")
}

/// Whether `name` is the name of an archive.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let stamp = name
        .strip_prefix(NAME_START)
        .and_then(|name| name.strip_suffix(NAME_END));
    stamp.is_some_and(|stamp| {
        stamp.len() == 15
            && stamp.bytes().enumerate().all(|(at, byte)| match at {
                8 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    })
}

/// An archive that is being written. A lock on its file shows other backups that it isn't abandoned. Dropping it
/// removes the file.
pub(crate) struct UnfinishedArchive {
    file: File,
    path: PathBuf,
    folder: PathBuf,
}

impl UnfinishedArchive {
    /// Creates an unfinished archive in `folder`, and removes those that killed backups left there.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn begin(folder: &Path) -> io::Result<UnfinishedArchive> {
        remove_unfinished(folder)?;
        loop {
            let path = folder.join(unfinished_name(new_uuid()));
            let file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&path)?;
            let unfinished = UnfinishedArchive {
                file,
                path,
                folder: folder.to_owned(),
            };
            // On a file system without locks, no other backup could see the lock either.
            let _ = unfinished.file.try_lock();
            // Another backup may have removed the file before it was locked.
            if unfinished.file.metadata()?.nlink() > 0 {
                return Ok(unfinished);
            }
        }
    }

    /// Gives the archive to the owner of the data directory if the folder has the same owner: the service must be able
    /// to read what root wrote there.
    pub(crate) fn give_to_owner_of(&self, data_dir: &Path) {
        let owner = |path: &Path| fs::metadata(path).map(|found| (found.uid(), found.gid()));
        if let (Ok(of_folder), Ok(of_data)) = (owner(&self.folder), owner(data_dir))
            && of_folder.0 == of_data.0
        {
            // Best effort: only root may do this, and the file systems of USB sticks often have no owners.
            let _ = fchown(&self.file, Some(of_data.0), Some(of_data.1));
        }
    }

    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the archive its name, replacing a file of that name. Archive and name are durable when this returns.
    ///
    /// # Errors
    /// The disk fails.
    #[expect(
        clippy::disallowed_methods,
        reason = "a path that the admin named and that the command looked at: an archive"
    )]
    pub fn replace(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, path)?;
        File::open(&self.folder)?.sync_all()
    }

    /// Gives the archive the first free name. `name` returns the name for a number of seconds later.
    ///
    /// # Errors
    /// The disk fails.
    pub(crate) fn publish(self, name: impl Fn(i64) -> PathBuf) -> io::Result<PathBuf> {
        self.file.sync_all()?;
        for later in 0..MAX_SECONDS {
            let path = name(later);
            match rename_to_new(&self.path, &path) {
                Ok(()) => {
                    File::open(&self.folder)?.sync_all()?;
                    return Ok(path);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for UnfinishedArchive {
    fn drop(&mut self) {
        // A published archive no longer has this name.
        #[expect(
            clippy::disallowed_methods,
            reason = "a fresh name that `begin` gave to its own file"
        )]
        let _ = fs::remove_file(&self.path);
    }
}

/// Renames without replacing: a hard link is only created where nothing exists.
#[expect(
    clippy::disallowed_methods,
    reason = "`from` is what `begin` made; `to` is a name that nothing has"
)]
fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems have no hard links; there, the earlier look at the name has to do.
        Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

/// Counts what is written through it and keeps the first error: the other side only learns that writing failed.
pub(crate) struct CountingWriter<'w> {
    inner: &'w mut dyn Write,
    pub bytes: u64,
    pub failure: Option<io::Error>,
}

impl<'w> CountingWriter<'w> {
    #[must_use]
    pub fn new(inner: &'w mut dyn Write) -> CountingWriter<'w> {
        CountingWriter {
            inner,
            bytes: 0,
            failure: None,
        }
    }
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.inner.write(bytes) {
            Ok(length) => {
                self.bytes += length as u64;
                Ok(length)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.failure.get_or_insert(error);
                Err(kind.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        if let Err(error) = &flushed {
            self.failure.get_or_insert(error.kind().into());
        }
        flushed
    }
}

/// Removes unfinished archives that no process has locked.
fn remove_unfinished(folder: &Path) -> io::Result<()> {
    let folder = Dir::open(folder)?;
    for entry in folder.entries()? {
        let (name, _) = entry?;
        if !is_unfinished_name(&name) {
            continue;
        }
        // A file that can't be opened belongs to another user.
        let Ok(file) = folder.open_file(&name) else { continue };
        match file.try_lock() {
            Ok(()) => folder.remove_file(&name)?,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
    Ok(())
}

fn unfinished_name(id: Uuid) -> String {
    format!("{UNFINISHED_START}{id}{UNFINISHED_END}")
}

/// Whether the name has exactly the form that [`UnfinishedArchive::begin`] gives.
fn is_unfinished_name(name: &OsStr) -> bool {
    let id = name
        .to_str()
        .and_then(|name| name.strip_prefix(UNFINISHED_START))
        .and_then(|name| name.strip_suffix(UNFINISHED_END))
        .and_then(|id| Uuid::try_parse(id).ok());
    id.is_some_and(|id| name == OsStr::new(&unfinished_name(id)))
}

/// The path of the newest archive in a folder, judged by name; `None` if there is none.
///
/// # Errors
/// The folder can't be read.
pub fn newest(folder: &Path) -> io::Result<Option<PathBuf>> {
    let newest = names(folder)?.into_iter().max();
    Ok(newest.map(|name| folder.join(name)))
}

/// The stamp in the name of the newest archive, `YYYYMMDD-HHMMSS`.
///
/// # Errors
/// The folder can't be read.
pub(crate) fn newest_stamp(folder: &Path) -> io::Result<Option<String>> {
    let newest = names(folder)?.into_iter().max();
    Ok(newest.map(|name| name.replace(NAME_START, "").replace(NAME_END, "")))
}

/// The names of the archives in a folder.
///
/// # Errors
/// The folder can't be read.
pub fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in Dir::open(folder)?.entries()? {
        let (name, found) = entry?;
        if let (Ok(name), true) = (name.into_string(), found.is_file())
            && is_name(&name)
        {
            names.push(name);
        }
    }
    Ok(names)
}

/// Deletes the oldest archives in the folder of `new` so that `keep` remain. `new` always stays, even if the clock was
/// set back.
///
/// # Errors
/// The folder can't be read or written.
pub(crate) fn delete_oldest(new: &Path, keep: u32) -> io::Result<()> {
    let folder = folder_of(new);
    let mut others = names(folder)?;
    others.retain(|name| new.file_name().is_none_or(|new| new != name.as_str()));
    others.sort_unstable_by(|one, other| other.cmp(one));
    let folder = Dir::open(folder)?;
    for name in others.iter().skip(keep as usize - 1) {
        match folder.remove_file(name.as_ref()) {
            // Another backup may be deleting at the same time.
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_backups_are_names_of_backups() {
        assert!(is_name(&name("20260131-235959")));
        for other in [
            "fluglog-20260131-235959.tar.gz",
            "fluglog-2026013-235959.tar",
            "fluglog-20260131_235959.tar",
            "fluglog-20260131-2359590.tar",
            "fluglog-.tar",
            "my-fluglog-20260131-235959.tar",
            "fluglog-2026013ä-23595.tar",
        ] {
            assert!(!is_name(other), "{other}");
        }
    }

    #[test]
    fn an_archive_in_the_making_is_nobodys_rest() {
        let folder = tempfile::tempdir().unwrap();
        let one = UnfinishedArchive::begin(folder.path()).unwrap();
        let other = UnfinishedArchive::begin(folder.path()).unwrap();
        assert!(one.path.exists() && other.path.exists());
        let at = |name: &str| folder.path().join(name);
        fs::write(at(&unfinished_name(new_uuid())), "halb").unwrap();
        let foreign = [
            ".fluglog-0198C0DE-0000-7000-8000-000000000001.part".to_owned(),
            ".fluglog-0198c0de000070008000000000000001.part".to_owned(),
            ".fluglog-notes.part".to_owned(),
        ];
        for name in &foreign {
            fs::write(at(name), "mine").unwrap();
        }
        let [directory, link] = [new_uuid(), new_uuid()].map(unfinished_name);
        fs::create_dir(at(&directory)).unwrap();
        std::os::unix::fs::symlink(at(&foreign[0]), at(&link)).unwrap();
        drop((one, other));
        drop(UnfinishedArchive::begin(folder.path()).unwrap());
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let mut expected = [&foreign[..], &[directory, link]].concat();
        expected.sort();
        assert_eq!(names, expected);
    }

    #[test]
    fn two_backups_of_one_second_get_two_names() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_owned();
        let publish = || {
            let unfinished = UnfinishedArchive::begin(&place).unwrap();
            unfinished.publish(|later| place.join(later.to_string())).unwrap()
        };
        assert_eq!([publish(), publish()], [place.join("0"), place.join("1")]);
    }

    #[test]
    fn the_new_archive_stays_even_when_the_clock_was_set_back() {
        let folder = tempfile::tempdir().unwrap();
        for stamp in [
            "20260101-000000",
            "20260102-000000",
            "20260103-000000",
            "20250101-000000",
        ] {
            fs::write(folder.path().join(name(stamp)), "").unwrap();
        }
        fs::write(folder.path().join("fluglog-alt.tar"), "").unwrap();
        delete_oldest(&folder.path().join(name("20250101-000000")), 2).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "fluglog-20250101-000000.tar",
                "fluglog-20260103-000000.tar",
                "fluglog-alt.tar"
            ]
        );
    }
}
