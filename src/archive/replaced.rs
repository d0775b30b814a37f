//! The data that a restore replaces. While the restore isn't complete, they lie in its folder, and after that in a
//! folder of their own beside the new data.
//!
//! The database is the first to be set aside and the last to be put back: a directory with a database is complete,
//! whichever data it has.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use fluglog_base::dir::Dir;
use fluglog_mail::outbox;
use fluglog_store::blobs::folder::FOLDER_NAME;
use fluglog_store::{FILE_NAME, migrations};

/// The working folder of a restore inside the data directory.
pub const UNFINISHED: &str = "restore.part";
/// Beginning of the names of folders of replaced data.
pub(crate) const PREFIX: &str = "replaced-";

/// Whether an entry of a data directory is a folder of replaced data.
#[must_use]
pub fn is_name(name: &OsStr) -> bool {
    name.as_bytes().starts_with(PREFIX.as_bytes())
}

/// Whether an entry of a data directory is replaced by a restore. Settings, certificates, the admin's texts and foreign
/// entries stay.
#[must_use]
pub(crate) fn is_data(name: &OsStr) -> bool {
    [FILE_NAME, FOLDER_NAME, outbox::FOLDER_NAME]
        .iter()
        .any(|own| name == *own)
        || name.to_str().is_some_and(migrations::is_backup_name)
}

/// Whether a directory has a database, or a link to one whose disk may be missing.
pub(super) fn has_database(dir: &Dir) -> io::Result<bool> {
    exists(dir, FILE_NAME.as_ref())
}

/// Moves the data of a directory into a new folder in that of the restore, whose own data are made durable before.
///
/// # Errors
/// An entry can't be moved, such as a folder on which a disk is mounted. [`settle`] puts back those that were.
pub(super) fn set_aside(data_dir: &Path, name: &str) -> io::Result<()> {
    let aside = data_dir.join(UNFINISHED).join(name);
    DirBuilder::new().mode(0o700).create(&aside)?;
    let (from, to) = (Dir::open(data_dir)?, Dir::open(&aside)?);
    nix::unistd::syncfs(to.as_file())?;
    move_entry(data_dir, &aside, FILE_NAME.as_ref())?;
    to.sync()?;
    from.sync()?;
    for name in names(&from)?.iter().filter(|name| is_data(name)) {
        move_entry(data_dir, &aside, name)?;
    }
    to.sync()?;
    from.sync()
}

/// Whether an interrupted restore has set data aside.
#[must_use]
pub(crate) fn is_interrupted(data_dir: &Path) -> bool {
    let aside = Dir::open(data_dir).and_then(|dir| aside_in(&dir));
    aside.is_ok_and(|aside| aside.is_some())
}

/// Ends a restore that was interrupted while it replaced data: puts them back, or keeps them beside the new data if
/// those are complete.
///
/// # Errors
/// An entry can't be moved. Nothing is lost, and the next call goes on.
pub fn settle(data_dir: &Path) -> io::Result<()> {
    let dir = Dir::open(data_dir)?;
    let Some((name, aside)) = aside_in(&dir)? else {
        return Ok(());
    };
    match has_database(&dir)? && has_database(&aside)? {
        true => keep(data_dir, &name),
        false => put_back(data_dir, &dir, &name, &aside),
    }
}

/// Keeps the replaced data beside new ones that are complete.
///
/// # Errors
/// The folder can't be moved.
pub fn finish(data_dir: &Path) -> io::Result<()> {
    let dir = Dir::open(data_dir)?;
    match aside_in(&dir)? {
        Some((name, aside)) if has_database(&dir)? && has_database(&aside)? => keep(data_dir, &name),
        _ => Ok(()),
    }
}

fn keep(data_dir: &Path, name: &OsStr) -> io::Result<()> {
    move_entry(&data_dir.join(UNFINISHED), data_dir, name)?;
    Dir::open(data_dir)?.sync()
}

fn put_back(data_dir: &Path, dir: &Dir, name: &OsStr, aside: &Dir) -> io::Result<()> {
    let unfinished = data_dir.join(UNFINISHED);
    let path = unfinished.join(name);
    let (database, others): (Vec<_>, Vec<_>) = names(aside)?.into_iter().partition(|name| name == FILE_NAME);
    for name in others {
        // The restore had already begun to put its own in the place.
        if name == FOLDER_NAME && exists(dir, &name)? {
            move_entry(data_dir, &unfinished, &name)?;
        } else if name == outbox::FOLDER_NAME && exists(dir, &name)? {
            dir.remove_empty_dir(&name)?;
        }
        move_entry(&path, data_dir, &name)?;
    }
    dir.sync()?;
    for name in database {
        move_entry(&path, data_dir, &name)?;
    }
    dir.sync()?;
    Dir::open(&unfinished)?.remove_empty_dir(name)
}

/// Opens the folder of replaced data in that of an interrupted restore.
fn aside_in(dir: &Dir) -> io::Result<Option<(OsString, Dir)>> {
    let unfinished = match dir.open_dir(UNFINISHED.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let name = names(&unfinished)?.into_iter().find(|name| is_name(name));
    name.map(|name| unfinished.open_dir(&name).map(|aside| (name, aside)))
        .transpose()
}

fn names(dir: &Dir) -> io::Result<Vec<OsString>> {
    dir.entries()?.map(|entry| entry.map(|(name, _)| name)).collect()
}

fn exists(dir: &Dir, name: &OsStr) -> io::Result<bool> {
    match dir.metadata(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        found => found.map(|_| true),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "between folders of Fluglog's; the system replaces no folder with anything in it"
)]
fn move_entry(from: &Path, to: &Path, name: &OsStr) -> io::Result<()> {
    let target = to.join(name);
    match target.symlink_metadata() {
        Ok(found) if !found.is_dir() => Err(io::ErrorKind::AlreadyExists.into()),
        _ => fs::rename(from.join(name), target),
    }
}
