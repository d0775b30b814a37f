//! The folder of the blobs and its ownership. Fluglog puts a mark file into a folder that it creates, and touches
//! nothing in other folders.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{DirBuilder, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use fluglog_base::dir::Dir;
use fluglog_base::id::BlobId;

/// Name of the folder in the data directory.
pub const FOLDER_NAME: &str = "blobs";
/// Name of the mark file, which shows that the folder is Fluglog's.
pub const MARK: &str = ".fluglog-blobs";
const MARK_TEXT: &str = "Dieser Ordner gehört Fluglog. Was hier so heißt, wie Fluglog seine Dateien nennt, und in \
    der Datenbank nicht steht, entfernt es nach einem Tag.\n";

const UNFINISHED_END: &str = ".part";
/// Directory that ext4 keeps in a file system's root.
pub const LOST_AND_FOUND: &str = "lost+found";

/// The name of a file in the folder: the id of a blob, followed by `.part` while the blob is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlobName {
    pub(super) id: BlobId,
    pub(super) is_unfinished: bool,
}

impl BlobName {
    pub(super) fn of(id: BlobId) -> BlobName {
        BlobName {
            id,
            is_unfinished: false,
        }
    }

    pub(super) fn unfinished(id: BlobId) -> BlobName {
        BlobName {
            id,
            is_unfinished: true,
        }
    }

    /// Returns the blob if the file is complete.
    #[must_use]
    pub fn whole(self) -> Option<BlobId> {
        (!self.is_unfinished).then_some(self.id)
    }

    /// Parses a name; accepts only the exact form that [`Display`](fmt::Display) writes.
    fn parse(text: &OsStr) -> Option<BlobName> {
        let text = text.to_str()?;
        let name = match text.strip_suffix(UNFINISHED_END) {
            Some(id) => BlobName::unfinished(BlobId::parse(id)?),
            None => BlobName::of(BlobId::parse(text)?),
        };
        (name.to_string() == text).then_some(name)
    }

    /// Returns the name of a directory entry if it is a blob's and the entry is a regular file.
    pub(super) fn of_entry(name: &OsStr, found: &Metadata) -> Option<BlobName> {
        BlobName::parse(name).filter(|_| found.is_file())
    }

    pub(super) fn in_dir(self) -> OsString {
        self.to_string().into()
    }
}

impl fmt::Display for BlobName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.is_unfinished { UNFINISHED_END } else { "" };
        write!(formatter, "{}{end}", self.id)
    }
}

/// The entries of a folder of blobs, without the mark.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Content {
    pub blobs: Vec<BlobName>,
    /// Names that this module doesn't generate, and everything that is no regular file.
    pub foreign: Vec<String>,
}

impl Content {
    pub(super) fn of(dir: &Dir) -> io::Result<Content> {
        let mut content = Content::default();
        for entry in dir.entries()? {
            let (name, found) = entry?;
            match BlobName::of_entry(&name, &found) {
                Some(name) => content.blobs.push(name),
                None if name == MARK && found.is_file() || name == LOST_AND_FOUND && found.is_dir() => {}
                None => content.foreign.push(name.to_string_lossy().into_owned()),
            }
        }
        content.blobs.sort();
        content.foreign.sort();
        Ok(content)
    }
}

pub(super) fn has_mark(dir: &Dir) -> io::Result<bool> {
    match dir.metadata(MARK.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        found => Ok(found?.is_file()),
    }
}

/// Returns whether a data directory's folder of blobs has the mark.
///
/// # Errors
/// The folder is missing or unusable.
pub fn is_marked(data_dir: &Path) -> io::Result<bool> {
    has_mark(&Dir::open(&data_dir.join(FOLDER_NAME))?)
}

/// Lists a data directory's folder of blobs, marked or not.
///
/// # Errors
/// The folder is missing or unusable.
pub fn content(data_dir: &Path) -> io::Result<Content> {
    Content::of(&Dir::open(&data_dir.join(FOLDER_NAME))?)
}

/// Locks a data directory's folder of blobs against other data directories, whose folder may be a link to this one, for
/// as long as the returned file is open.
///
/// # Errors
/// Another process holds the lock, the folder has no mark, or the file system has no locks.
pub fn lock(data_dir: &Path) -> Result<File, TryLockError> {
    let mark = Dir::open(&data_dir.join(FOLDER_NAME)).and_then(|dir| dir.open_file(MARK.as_ref()));
    let mark = mark.map_err(TryLockError::Error)?;
    mark.try_lock()?;
    Ok(mark)
}

/// Returns whether a data directory's folder of blobs was made by an earlier version: without the mark, and with
/// nothing but blobs in it.
#[must_use]
pub(crate) fn is_legacy(data_dir: &Path) -> bool {
    is_marked(data_dir).is_ok_and(|is_marked| !is_marked)
        && content(data_dir).is_ok_and(|content| content.foreign.is_empty())
}

/// Returns whether the folder of blobs is a symbolic link or on another file system than the data directory, as an
/// admin may set it up.
///
/// # Errors
/// The folder is missing or unusable.
pub fn is_elsewhere(data_dir: &Path) -> io::Result<bool> {
    let folder = data_dir.join(FOLDER_NAME).symlink_metadata()?;
    Ok(folder.is_symlink() || folder.dev() != data_dir.metadata()?.dev())
}

/// Creates a data directory's folder of blobs with its mark, or marks an existing folder. On return the mark is
/// durable.
///
/// # Errors
/// The folder can't be written.
pub fn mark(data_dir: &Path) -> io::Result<()> {
    let folder = data_dir.join(FOLDER_NAME);
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let dir = Dir::open(&folder)?;
    match dir.create_file(MARK.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => {
            let mut mark = created?;
            mark.write_all(MARK_TEXT.as_bytes())?;
            mark.sync_all()?;
        }
    }
    dir.sync()
}

/// Returns whether [`remove`] may remove the folder of blobs as a whole: it is missing or empty, or has the mark and
/// contains only blobs. A symbolic link is never removed.
///
/// # Errors
/// The folder can't be read.
pub fn is_removable(data_dir: &Path) -> io::Result<bool> {
    match data_dir.join(FOLDER_NAME).symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Ok(found) if found.is_dir() => {
            let Content { blobs, foreign } = content(data_dir)?;
            Ok(foreign.is_empty() && (blobs.is_empty() || is_marked(data_dir)?))
        }
        _ => Ok(false),
    }
}

/// Removes the blobs and the mark, and then the folder if it is empty. Anything else in it stays.
///
/// # Errors
/// The folder is a symbolic link, or contains something else.
pub fn remove(data_dir: &Path) -> io::Result<()> {
    let parent = Dir::open(data_dir)?;
    let dir = match parent.open_dir(FOLDER_NAME.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    for name in Content::of(&dir)?.blobs {
        dir.remove_file(&name.in_dir())?;
    }
    if has_mark(&dir)? {
        dir.remove_file(MARK.as_ref())?;
    }
    parent.remove_empty_dir(FOLDER_NAME.as_ref())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    const WHOLE: &str = "0198c0de-0000-7000-8000-00000000000a";
    const UNFINISHED: &str = "0198c0de-0000-7000-8000-00000000000b.part";

    /// Names that resemble a blob's but aren't.
    const FOREIGN: [&str; 10] = [
        ".versteckt",
        "0198C0DE-0000-7000-8000-00000000000A",
        "0198c0de-0000-7000-8000-00000000000a.PART",
        "0198c0de-0000-7000-8000-00000000000a.jpg",
        "0198c0de-0000-7000-8000-00000000000a.part.part",
        "0198c0de-0000-7000-8000-00000000000c",
        "0198c0de-0000-7000-8000-00000000000d",
        "0198c0de-0000-7000-8000-00000000000e",
        "0198c0de00007000800000000000000a",
        "{0198c0de-0000-7000-8000-00000000000a}",
    ];

    /// Creates a data directory with foreign entries in its folder of blobs, among them a folder, a link and a socket
    /// named like blobs.
    fn mixed() -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(FOLDER_NAME).join(name);
        fs::create_dir(place.path().join(FOLDER_NAME)).unwrap();
        fs::create_dir(at(FOREIGN[5])).unwrap();
        symlink(WHOLE, at(FOREIGN[6])).unwrap();
        UnixListener::bind(at(FOREIGN[7])).unwrap();
        for name in FOREIGN.iter().chain(&[WHOLE, UNFINISHED]) {
            if at(name).symlink_metadata().is_err() {
                fs::write(at(name), *name).unwrap();
            }
        }
        place
    }

    #[test]
    fn only_files_with_names_of_blobs_are_blobs() {
        let place = mixed();
        mark(place.path()).unwrap();
        fs::create_dir(place.path().join(FOLDER_NAME).join(LOST_AND_FOUND)).unwrap();
        let Content { blobs, foreign } = content(place.path()).unwrap();
        let names: Vec<_> = blobs.iter().map(BlobName::to_string).collect();
        assert_eq!(names, [WHOLE, UNFINISHED]);
        assert_eq!(blobs.iter().filter_map(|name| name.whole()).count(), 1);
        assert_eq!(foreign, FOREIGN);
    }

    #[test]
    fn a_folder_is_made_with_its_mark_once() {
        let place = tempfile::tempdir().unwrap();
        assert!(is_marked(place.path()).is_err());
        for _ in 0..2 {
            mark(place.path()).unwrap();
            assert!(is_marked(place.path()).unwrap());
        }
        let mark = place.path().join(FOLDER_NAME).join(MARK);
        fs::remove_file(&mark).unwrap();
        symlink("/etc/hostname", &mark).unwrap();
        assert!(!is_marked(place.path()).unwrap(), "a link is no mark");
        assert_eq!(content(place.path()).unwrap().foreign, [MARK]);
    }

    #[test]
    fn a_link_to_another_folder_is_known() {
        let place = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        mark(place.path()).unwrap();
        assert!(!is_elsewhere(place.path()).unwrap());
        let other = tempfile::tempdir().unwrap();
        symlink(elsewhere.path(), other.path().join(FOLDER_NAME)).unwrap();
        mark(other.path()).unwrap();
        assert!(is_elsewhere(other.path()).unwrap() && elsewhere.path().join(MARK).exists());
        assert!(!is_removable(other.path()).unwrap() && remove(other.path()).is_err());
        assert!(elsewhere.path().join(MARK).exists());
    }

    #[test]
    fn a_folder_goes_with_its_blobs_and_stays_with_what_others_put_there() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(FOLDER_NAME).join(name);
        mark(place.path()).unwrap();
        fs::write(at(WHOLE), "").unwrap();
        assert!(is_removable(place.path()).unwrap());
        remove(place.path()).unwrap();
        assert!(!place.path().join(FOLDER_NAME).exists() && is_removable(place.path()).unwrap());

        let place = mixed();
        assert!(!is_removable(place.path()).unwrap());
        assert!(remove(place.path()).is_err());
        assert_eq!(content(place.path()).unwrap().foreign, FOREIGN);
    }
}
