//! The folder of mails that leave only with the admin: each a complete `.eml` file. Knows no user and no server.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use chrono::Utc;
use serde::{Deserialize, Serialize};

use super::parse::parse;
use crate::base::id::fresh_uuid;
use crate::store::blobs;

/// The folder in the data directory.
pub const FOLDER_NAME: &str = "outbox";

const EXTENSION: &str = "eml";
const UNFINISHED: &str = "part";
/// More are not kept; the oldest go first.
const MOST_FILES: usize = 500;
/// More of a file is not read: none of ours is as long.
const MOST_BYTES: u64 = 256 * 1024;

/// A mail in the folder, as far as a list shows it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub name: String,
    /// Unix seconds.
    pub written: i64,
    pub to: String,
    pub subject: String,
    pub text: String,
}

/// Writes a mail as a file whose name sorts by time, and returns its path. On return it is durable.
///
/// # Errors
/// The folder can't be written.
pub fn write(folder: &Path, mail: &[u8]) -> io::Result<PathBuf> {
    let name = format!("{}-{}", Utc::now().format("%Y%m%d-%H%M%S%3f"), fresh_uuid().simple());
    let unfinished = folder.join(&name).with_extension(UNFINISHED);
    let path = folder.join(&name).with_extension(EXTENSION);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&unfinished)
        .and_then(|mut file| {
            file.write_all(mail)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)?;
            File::open(folder)?.sync_all()
        });
    if let Err(error) = written {
        // The first error is the one to report.
        let _ = fs::remove_file(&unfinished);
        return Err(error);
    }
    forget_oldest(folder)?;
    Ok(path)
}

fn forget_oldest(folder: &Path) -> io::Result<()> {
    let names = names(folder)?;
    for name in names.iter().take(names.len().saturating_sub(MOST_FILES)) {
        fs::remove_file(folder.join(name))?;
    }
    Ok(())
}

/// How many mails are in the folder, and their bytes together; none when there is no folder.
///
/// # Errors
/// The folder can't be read.
pub fn size(folder: &Path) -> io::Result<(u64, u64)> {
    match blobs::size_of(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((0, 0)),
        size => size,
    }
}

/// The names of all complete mails, oldest first.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = PathBuf::from(entry?.file_name());
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            names.extend(path.to_str().map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

/// The newest mails of the folder, oldest of them first; none when there is no folder.
///
/// # Errors
/// The folder can't be read.
pub fn newest(folder: &Path, most: usize) -> io::Result<Vec<Kept>> {
    let names = match names(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        names => names?,
    };
    names[names.len().saturating_sub(most)..]
        .iter()
        .map(|name| read(folder, name))
        .collect()
}

/// Removes the mails to every address for which `goes` returns true.
///
/// # Errors
/// The folder can't be read or written.
pub fn remove(folder: &Path, goes: impl Fn(&str) -> bool) -> io::Result<()> {
    for kept in newest(folder, usize::MAX)? {
        if goes(&kept.to) {
            fs::remove_file(folder.join(kept.name))?;
        }
    }
    Ok(())
}

fn read(folder: &Path, name: &str) -> io::Result<Kept> {
    let mut bytes = Vec::new();
    let file = File::open(folder.join(name))?;
    let written = file
        .metadata()?
        .modified()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    io::Read::read_to_end(&mut io::Read::take(file, MOST_BYTES), &mut bytes)?;
    let content = String::from_utf8_lossy(&bytes);
    let parsed = parse(&content);
    Ok(Kept {
        name: name.to_owned(),
        written: i64::try_from(written.as_secs()).unwrap_or(i64::MAX),
        to: parsed.to,
        subject: parsed.subject,
        text: parsed.text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_a_whole_file_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), b"To: a@b.de\r\n\r\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"To: a@b.de\r\n\r\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_oldest_mails_go_when_there_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..MOST_FILES {
            fs::write(folder.path().join(format!("0{number:04}.eml")), "").unwrap();
        }
        let path = write(folder.path(), b"neu").unwrap();
        let names = names(folder.path()).unwrap();
        assert_eq!(names.len(), MOST_FILES);
        assert!(path.exists() && names[0] == "00001.eml");
    }

    #[test]
    fn without_a_folder_there_are_no_mails() {
        assert_eq!(newest(Path::new("/nowhere/outbox"), 5).unwrap(), Vec::new());
    }
}
