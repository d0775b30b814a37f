//! The folder of mails that only the admin passes on, each a complete `.eml` file. Knows no user and no server.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use chrono::Utc;
use serde::{Deserialize, Serialize};

use super::parse::parse;
use fluglog_base::dir::Dir;
use fluglog_base::id::new_uuid;

/// Name of the folder in the data directory.
pub const FOLDER_NAME: &str = "outbox";

const EXTENSION: &str = "eml";
const UNFINISHED: &str = "part";
/// Most files that are kept; the oldest are removed first.
const MAX_FILES: usize = 500;
/// Most bytes read of a file; Fluglog's own mails are shorter.
const MAX_BYTES: u64 = 256 * 1024;

/// A mail in the folder, for display in a list.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutboxMail {
    pub name: String,
    /// Unix seconds.
    pub written: i64,
    pub to: String,
    pub subject: String,
    pub text: String,
}

/// Lengths of the parts of a name: a time `YYYYMMDD-HHMMSSmmm` and 32 hexadecimal digits.
const STAMP_LENGTH: usize = "20260131-235959999".len();
const ID_LENGTH: usize = 32;

/// Writes a mail to a file whose name sorts by time, and returns its path. On return the file is durable.
///
/// # Errors
/// The folder can't be written.
#[expect(clippy::disallowed_methods, reason = "a fresh name, which nothing has")]
pub fn write(folder: &Path, mail: &[u8]) -> io::Result<PathBuf> {
    let name = format!("{}-{}", Utc::now().format("%Y%m%d-%H%M%S%3f"), new_uuid().simple());
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
        // Best effort: the first error is the one to report.
        let _ = fs::remove_file(&unfinished);
        return Err(error);
    }
    remove_oldest(folder)?;
    Ok(path)
}

fn remove_oldest(folder: &Path) -> io::Result<()> {
    let names = names(folder)?;
    let dir = Dir::open(folder)?;
    let mut oldest = names.iter().take(names.len().saturating_sub(MAX_FILES));
    oldest.try_for_each(|name| dir.remove_file(name.as_ref()))
}

/// Returns the number of mails in the folder and their total size; zero if there is no folder.
///
/// # Errors
/// The folder can't be read.
pub fn size(folder: &Path) -> io::Result<(u64, u64)> {
    match mails(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((0, 0)),
        mails => Ok(mails?
            .iter()
            .fold((0, 0), |(files, bytes), (_, found)| (files + 1, bytes + found.len()))),
    }
}

/// Returns the names of all complete mails, oldest first.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names: Vec<_> = mails(folder)?.into_iter().map(|(name, _)| name).collect();
    names.sort();
    Ok(names)
}

/// Lists all complete mails, ignoring foreign files.
fn mails(folder: &Path) -> io::Result<Vec<(String, Metadata)>> {
    let mut mails = Vec::new();
    for entry in Dir::open(folder)?.entries()? {
        let (name, found) = entry?;
        if let (Ok(name), true) = (name.into_string(), found.is_file())
            && is_name(&name)
        {
            mails.push((name, found));
        }
    }
    Ok(mails)
}

/// Returns whether [`write`] can have given this name.
fn is_name(name: &str) -> bool {
    let Some((stamp, id)) = name
        .strip_suffix(EXTENSION)
        .and_then(|name| name.strip_suffix('.'))
        .and_then(|name| name.rsplit_once('-'))
    else {
        return false;
    };
    let is_stamp = stamp.len() == STAMP_LENGTH
        && stamp.bytes().enumerate().all(|(at, byte)| match at {
            8 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let is_id = id.len() == ID_LENGTH && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_stamp && is_id
}

/// Returns the newest mails of the folder, the oldest of them first; empty if there is no folder.
///
/// # Errors
/// The folder can't be read.
pub fn newest(folder: &Path, most: usize) -> io::Result<Vec<OutboxMail>> {
    let names = match names(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        names => names?,
    };
    names[names.len().saturating_sub(most)..]
        .iter()
        .map(|name| read(folder, name))
        .collect()
}

/// Removes the mails to all addresses for which `goes` returns true.
///
/// # Errors
/// The folder can't be read or written.
pub fn remove(folder: &Path, goes: impl Fn(&str) -> bool) -> io::Result<()> {
    for kept in newest(folder, usize::MAX)? {
        if goes(&kept.to) {
            Dir::open(folder)?.remove_file(kept.name.as_ref())?;
        }
    }
    Ok(())
}

fn read(folder: &Path, name: &str) -> io::Result<OutboxMail> {
    let mut bytes = Vec::new();
    let file = Dir::open(folder)?.open_file(name.as_ref())?;
    let written = file
        .metadata()?
        .modified()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    io::Read::read_to_end(&mut io::Read::take(file, MAX_BYTES), &mut bytes)?;
    let content = String::from_utf8_lossy(&bytes);
    let parsed = parse(&content);
    Ok(OutboxMail {
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
    fn the_oldest_mails_go_when_there_are_too_many_and_files_of_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..MAX_FILES {
            let name = format!("20200101-000000000-{number:032x}.eml");
            fs::write(folder.path().join(name), "").unwrap();
        }
        let foreign = [
            "00000.eml",
            "20200101-000000000-1.eml",
            "20200101-000000000-0000000000000000000000000000000A.eml",
        ];
        for name in foreign {
            fs::write(folder.path().join(name), "To: weg@example.org\r\n\r\n").unwrap();
        }
        let path = write(folder.path(), b"neu").unwrap();
        let names = names(folder.path()).unwrap();
        assert_eq!(names.len(), MAX_FILES);
        assert!(path.exists() && names[0] == format!("20200101-000000000-{:032x}.eml", 1));
        remove(folder.path(), |_| true).unwrap();
        let left = fs::read_dir(folder.path()).unwrap();
        let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [foreign[0], foreign[2], foreign[1]], "others' files stay");
    }

    #[test]
    fn without_a_folder_there_are_no_mails() {
        assert_eq!(newest(Path::new("/nowhere/outbox"), 5).unwrap(), Vec::new());
    }
}
