//! The folder that blobs lie in, and whose it is. Fluglog puts a mark into the folder that it makes; in another one it
//! touches nothing.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{DirBuilder, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use fluglog_base::dir::Dir;
use fluglog_base::id::BlobId;

/// The folder of the blobs in the data directory.
pub const FOLDER_NAME: &str = "blobs";
/// The file that makes the folder one of Fluglog's.
pub const MARK: &str = ".fluglog-blobs";
const MARK_TEXT: &str = "Dieser Ordner gehört Fluglog. Was hier so heißt, wie Fluglog seine Dateien nennt, und in \
    der Datenbank nicht steht, entfernt es nach einem Tag.\n";

const UNFINISHED_END: &str = ".part";
/// The directory that a file system keeps in its root.
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

    /// The blob that the file holds whole.
    #[must_use]
    pub fn whole(self) -> Option<BlobId> {
        (!self.is_unfinished).then_some(self.id)
    }

    /// The blob's name that a text is, letter by letter as [`Display`](fmt::Display) writes it.
    fn parse(text: &OsStr) -> Option<BlobName> {
        let text = text.to_str()?;
        let name = match text.strip_suffix(UNFINISHED_END) {
            Some(id) => BlobName::unfinished(BlobId::parse(id)?),
            None => BlobName::of(BlobId::parse(text)?),
        };
        (name.to_string() == text).then_some(name)
    }

    /// The name that a directory's entry has, if it is a blob's and the entry a regular file.
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
    /// Names that this module doesn't give, and everything that is no regular file.
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

/// Whether the folder of a data directory has the mark.
///
/// # Errors
/// The folder is missing or unusable.
pub fn is_marked(data_dir: &Path) -> io::Result<bool> {
    has_mark(&Dir::open(&data_dir.join(FOLDER_NAME))?)
}

/// The content of the folder of a data directory, with the mark or without.
///
/// # Errors
/// The folder is missing or unusable.
pub fn content(data_dir: &Path) -> io::Result<Content> {
    Content::of(&Dir::open(&data_dir.join(FOLDER_NAME))?)
}

/// Keeps other data directories, whose folder may be a link to this one, out of the folder of a data directory for as
/// long as the answer lives.
///
/// # Errors
/// Another one keeps this one out; or the folder has no mark, or lies on a file system without locks.
pub fn lock(data_dir: &Path) -> Result<File, TryLockError> {
    let mark = Dir::open(&data_dir.join(FOLDER_NAME)).and_then(|dir| dir.open_file(MARK.as_ref()));
    let mark = mark.map_err(TryLockError::Error)?;
    mark.try_lock()?;
    Ok(mark)
}

/// Whether the folder of a data directory is one that an earlier version made: without the mark, and with nothing in it
/// but blobs.
#[must_use]
pub fn is_unmarked_and_ours(data_dir: &Path) -> bool {
    is_marked(data_dir).is_ok_and(|is_marked| !is_marked)
        && content(data_dir).is_ok_and(|content| content.foreign.is_empty())
}

/// Whether the folder of a data directory is a symbolic link, or the root of another disk: whether an admin led it
/// elsewhere.
///
/// # Errors
/// The folder is missing or unusable.
pub fn is_elsewhere(data_dir: &Path) -> io::Result<bool> {
    let folder = data_dir.join(FOLDER_NAME).symlink_metadata()?;
    Ok(folder.is_symlink() || folder.dev() != data_dir.metadata()?.dev())
}

/// Makes the folder of a data directory with its mark, or marks the one that is there. On return the mark is durable.
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

/// Whether [`remove`] may take the folder of a data directory and would leave nothing of it: the folder is missing or
/// empty, or has the mark and nothing else but blobs. A symbolic link may not go.
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

/// Removes the blobs and the mark from the folder of a data directory, and the folder once nothing is in it. Whatever
/// else is there stays.
///
/// # Errors
/// The folder is a symbolic link, or something stays in it.
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

    /// Names of others and things that are no files, each close to a blob's name.
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

    /// A data directory with a folder of blobs that has a folder, a link and a socket with the names of blobs, too.
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
