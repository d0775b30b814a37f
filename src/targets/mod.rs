//! The places that backups are sent to besides the folder where they are made: another folder, a disk, WebDAV, an
//! S3-compatible store. An archive gets its name there only when it is complete. Knows neither the command line nor
//! Fluglog's server.

mod model;
pub mod answers;
mod encryption;
mod folder;
mod http;
mod s3;
mod sentences;
mod webdav;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::archive::folder as archives;
pub use encryption::Keys;
use encryption::Outgoing;
use fluglog_config::targets::{Location, Target};
use model::{ENCRYPTED_END, Result, UNFINISHED_END, is_archive};
pub use model::{Stored, TargetError};

/// Archives made within the same second get the names of the seconds after it, up to this many.
const MAX_SECONDS: i64 = 60;
/// Age from which unfinished files count as left by a killed backup; younger ones may still be in transfer.
const UNFINISHED_SECONDS: i64 = 24 * 60 * 60;

/// A backup to be sent.
pub struct Upload<'a> {
    /// The complete archive.
    pub file: &'a Path,
    /// The stamp of the time this many seconds from now.
    pub stamp: &'a dyn Fn(i64) -> String,
    /// Whether the retention rule may delete older archives.
    pub replaces: bool,
    /// The data directory: a file in a target folder with the same owner gets that owner.
    pub data_dir: &'a Path,
}

/// A target that can be reached.
enum Connection {
    Folder(folder::Folder),
    WebDav(webdav::WebDav),
    S3(s3::Store),
}

impl Connection {
    fn of(target: &Target) -> Result<Connection> {
        Ok(match &target.place {
            Location::Folder { path, require_mount } => Connection::Folder(folder::Folder::open(path, *require_mount)?),
            Location::Disk { label, folder } => Connection::Folder(folder::Folder::on_disk(label, folder)?),
            Location::WebDav {
                url,
                user,
                password,
                certificates,
            } => Connection::WebDav(webdav::WebDav::new(url, user, password.secret(), certificates)),
            Location::S3(settings) => Connection::S3(s3::Store::new(settings)?),
        })
    }

    /// All archives at the target, and the unfinished ones.
    fn files(&self) -> Result<Vec<Stored>> {
        match self {
            Connection::Folder(folder) => folder.files(),
            Connection::WebDav(folder) => folder.files(),
            Connection::S3(store) => store.files(),
        }
    }

    fn put(&self, name: &str, archive: &mut Outgoing, data_dir: &Path) -> Result<()> {
        match self {
            Connection::Folder(folder) => folder.put(name, archive, data_dir),
            Connection::WebDav(folder) => folder.put(name, archive),
            Connection::S3(store) => store.put(name, archive),
        }
    }

    fn get(&self, name: &str) -> Result<Box<dyn Read>> {
        match self {
            Connection::Folder(folder) => folder.get(name),
            Connection::WebDav(folder) => folder.get(name),
            Connection::S3(store) => store.get(name),
        }
    }

    fn delete(&self, name: &str) -> Result<()> {
        match self {
            Connection::Folder(folder) => folder.delete(name),
            Connection::WebDav(folder) => folder.delete(name),
            Connection::S3(store) => store.delete(name),
        }
    }
}

/// Sends an archive to a target, deletes the archives that its retention rule doesn't keep, and returns the stored
/// file.
///
/// # Errors
/// See [`TargetError`]. When only the deletion of older archives fails, the archive has been stored.
pub fn send(target: &Target, upload: &Upload<'_>) -> Result<Stored> {
    let connection = Connection::of(target)?;
    if let Connection::Folder(folder) = &connection {
        folder.check_is_another(upload.file)?;
    }
    let before = connection.files()?;
    let file = File::open(upload.file).map_err(|_| TargetError::ArchiveUnreadable)?;
    let mut outgoing = encryption::open_for_sending(file, target.encryption.as_ref())?;
    let name = unused_name(target, upload, &before)?;
    connection.put(&name, &mut outgoing, upload.data_dir)?;
    let bytes = outgoing.bytes;
    let left = before.iter().filter(|file| is_abandoned(&file.name, upload));
    left.map(|file| &file.name)
        .try_for_each(|name| connection.delete(name))?;
    if let (Some(keep), true) = (target.keep, upload.replaces) {
        expired(&before, keep).try_for_each(|name| connection.delete(name))?;
    }
    Ok(Stored { name, bytes })
}

/// The archives at a target, newest first.
///
/// # Errors
/// See [`TargetError`].
pub fn list(target: &Target) -> Result<Vec<Stored>> {
    let mut archives = Connection::of(target)?.files()?;
    archives.retain(|file| is_archive(&file.name));
    archives.sort_unstable_by(|one, other| other.name.cmp(&one.name));
    Ok(archives)
}

/// Finds the archive `name` at a target, or its newest one; at a target that encrypts, the newest encrypted one.
/// Returns its name and its decrypted content.
///
/// # Errors
/// See [`TargetError`].
pub fn read(target: &Target, name: Option<&str>, keys: &Keys) -> Result<(String, Box<dyn Read>)> {
    let archives = list(target)?;
    let is_expected = |archive: &&Stored| !is_unexpectedly_plain(target, archive);
    let found = match name {
        Some(name) => archives.iter().find(|archive| archive.name == name).ok_or_else(|| {
            let names = archives.iter().map(|archive| archive.name.clone()).collect();
            TargetError::NotFound(name.to_owned(), names)
        })?,
        // Whoever has access to the target can lay a plain archive there: it is read only if it is named.
        None => archives
            .iter()
            .find(is_expected)
            .ok_or_else(|| match archives.first() {
                None => TargetError::Empty,
                Some(plain) => TargetError::OnlyPlain(plain.name.clone()),
            })?,
    };
    let content = Connection::of(target)?.get(&found.name)?;
    match found.name.ends_with(ENCRYPTED_END) {
        true => Ok((found.name.clone(), keys.open_encrypted(content)?)),
        false => Ok((found.name.clone(), keys.open(content)?)),
    }
}

/// Whether an archive isn't encrypted although the target encrypts.
#[must_use]
pub(crate) fn is_unexpectedly_plain(target: &Target, archive: &Stored) -> bool {
    target.encryption.is_some() && !archive.name.ends_with(ENCRYPTED_END)
}

/// The archive's name at the target: that of the file itself if it carries a time and is free, otherwise the first
/// free name from now on.
fn unused_name(target: &Target, upload: &Upload<'_>, there: &[Stored]) -> Result<String> {
    let end = match target.encryption {
        Some(_) => ENCRYPTED_END,
        None => "",
    };
    let own = upload.file.file_name().map(|name| name.to_string_lossy().into_owned());
    let of_now = (0..MAX_SECONDS).map(|later| archives::name(&(upload.stamp)(later)));
    let mut names = own.filter(|name| archives::is_name(name)).into_iter().chain(of_now);
    let is_free = |name: &String| !there.iter().any(|file| file.name == *name);
    names
        .find_map(|name| Some(name + end).filter(is_free))
        .ok_or(TargetError::NamesTaken)
}

/// Whether the file is an unfinished one of a backup that was killed long ago.
fn is_abandoned(name: &str, upload: &Upload<'_>) -> bool {
    let Some(archive) = name.strip_suffix(UNFINISHED_END) else {
        return false;
    };
    is_archive(archive) && archive < archives::name(&(upload.stamp)(-UNFINISHED_SECONDS)).as_str()
}

/// The archives to delete after a new one has been stored. The new one always stays, even if the clock was set back.
fn expired(before: &[Stored], keep: u32) -> impl Iterator<Item = &String> {
    let mut names: Vec<_> = before
        .iter()
        .map(|file| &file.name)
        .filter(|name| is_archive(name))
        .collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    names.into_iter().skip(keep as usize - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(names: &[&str]) -> Vec<Stored> {
        let file = |name: &&str| Stored {
            name: (*name).to_owned(),
            bytes: 1,
        };
        names.iter().map(file).collect()
    }

    #[test]
    fn only_old_archives_of_ours_are_forgotten() {
        let there = stored(&[
            "fluglog-20260101-000000.tar",
            "fluglog-20260102-000000.tar.age",
            "fluglog-20260103-000000.tar",
            "fluglog-20250101-000000.tar.gz",
            "fluglog-20250101-000000.tar.age.unfinished",
            "urlaub.jpg",
        ]);
        let of = |keep| expired(&there, keep).cloned().collect::<Vec<_>>();
        assert_eq!(of(3), ["fluglog-20260101-000000.tar"]);
        assert_eq!(of(4), Vec::<String>::new());
        assert_eq!(of(1).len(), 3);
    }

    #[test]
    fn what_a_killed_backup_left_goes_a_day_later() {
        let stamp = |later: i64| match later {
            0.. => "20260103-120000".to_owned(),
            _ => "20260102-120000".to_owned(),
        };
        let upload = Upload {
            file: Path::new("a.tar"),
            stamp: &stamp,
            replaces: true,
            data_dir: Path::new("."),
        };
        assert!(is_abandoned("fluglog-20260102-115959.tar.age.unfinished", &upload));
        for other in [
            "fluglog-20260102-120001.tar.unfinished",
            "fluglog-20260101-000000.tar",
            "brief.unfinished",
        ] {
            assert!(!is_abandoned(other, &upload), "{other}");
        }
    }
}
