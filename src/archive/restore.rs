//! Restores an archive. Everything is built in a separate folder inside the data directory and moved to its final
//! names last, the database as the very last: a directory with a database is complete. Knows no command line.
//!
//! The archive counts as the last backup of the data. Sessions and shares aren't restored: those ended since the
//! archive was made must not become valid again.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown};
use std::path::Path;

use super::last_backup::{self, BackupRecord};
use super::reader::{self, Contents, ReadError};
use super::replaced::{self, UNFINISHED, has_database};
use fluglog_base::dir::Dir;
use fluglog_base::error::Error;
use fluglog_store::blobs::folder::{self, FOLDER_NAME};
use fluglog_store::builder::DatabaseBuilder;
use fluglog_store::rows::Rows;
use fluglog_store::schema;
use fluglog_web::assets::LEGAL_FOLDER;

/// Logins with everything that belongs to them, and shares: valid only when the archive was made.
const NOT_RESTORED: &[&dyn Rows] = &[
    &schema::SESSIONS,
    &schema::LOGIN_TOKENS,
    &schema::ACCESS_TOKENS,
    &schema::DEVICES,
    &schema::LOGIN_REQUESTS,
    &schema::LOGIN_LINKS,
    &schema::REGISTRATIONS,
    &schema::ACCOUNT_LINKS,
    &schema::INVITATIONS,
    &schema::MAILS,
    &schema::SHARES,
];

/// Restores an archive into a data directory, after removing the leftovers of an earlier attempt. `named` says where
/// the archive is. A database that is there is set aside with what belongs to it, under the name `replaced`; without a
/// name the caller has found none.
/// `before_the_end` writes `fluglog.toml` and the like before the final renames.
///
/// # Errors
/// The archive isn't complete, or the directory can't be written; the directory is then as it was before.
pub fn restore<E: From<ReadError>>(
    from: impl Read,
    named: &str,
    data_dir: &Path,
    replaced: Option<&str>,
    before_the_end: impl FnOnce() -> Result<(), E>,
) -> Result<Contents, E> {
    let unfinished = data_dir.join(UNFINISHED);
    clear(data_dir).map_err(ReadError::Unwritable)?;
    let restored = build(from, named, &unfinished).map_err(E::from).and_then(|contents| {
        if let Some(name) = replaced {
            replaced::set_aside(data_dir, name).map_err(ReadError::Unwritable)?;
        }
        before_the_end()?;
        put_legals(data_dir, &contents.legal).map_err(ReadError::Unwritable)?;
        publish(data_dir, &unfinished).map_err(ReadError::Unwritable)?;
        Ok(contents)
    });
    // The first error is the one to report; the next command names what couldn't be removed. After a success, only the
    // replaced data and the folder are left.
    let _ = clear(data_dir);
    restored
}

/// Whether an interrupted restore's folder contains only files of a restore, so that it can be removed.
///
/// # Errors
/// The folder can't be read.
pub(crate) fn is_clearable(data_dir: &Path) -> io::Result<bool> {
    let dir = Dir::open(data_dir)?;
    let unfinished = match dir.open_dir(UNFINISHED.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(_) => return Ok(false),
        Ok(unfinished) => unfinished,
    };
    for entry in unfinished.entries()? {
        let (name, found) = entry?;
        let is_ours = match name.to_str() {
            Some(fluglog_store::FILE_NAME) => found.is_file(),
            Some(FOLDER_NAME) => found.is_dir() && folder::content(&data_dir.join(UNFINISHED))?.foreign.is_empty(),
            _ => false,
        };
        if !is_ours {
            return Ok(false);
        }
    }
    Ok(has_database(&dir)? || folder::is_removable(data_dir)?)
}

/// Removes the leftovers of an interrupted restore, after putting back what it had set aside. Beside a database, only
/// the folder of the restore is one.
fn clear(data_dir: &Path) -> io::Result<()> {
    replaced::settle(data_dir)?;
    let dir = Dir::open(data_dir)?;
    let unfinished = match dir.open_dir(UNFINISHED.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    if !has_database(&dir)? {
        folder::remove(data_dir)?;
    }
    folder::remove(&data_dir.join(UNFINISHED))?;
    match unfinished.remove_file(fluglog_store::FILE_NAME.as_ref()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // The marker goes last, so that an interrupted removal can be resumed.
    dir.remove_empty_dir(UNFINISHED.as_ref())
}

fn build(from: impl Read, named: &str, unfinished: &Path) -> Result<Contents, ReadError> {
    DirBuilder::new()
        .mode(0o700)
        .create(unfinished)
        .and_then(|()| folder::mark(unfinished))
        .map_err(ReadError::Unwritable)?;
    let file = unfinished.join(fluglog_store::FILE_NAME);
    let database = DatabaseBuilder::at(&file).map_err(unwritable)?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).map_err(ReadError::Unwritable)?;
    let mut counted = CountedReader { from, bytes: 0 };
    let contents = reader::read(&mut counted, &database, Some(&unfinished.join(FOLDER_NAME)))?;
    database.clear(NOT_RESTORED).map_err(unwritable)?;
    let backup = BackupRecord {
        finished: contents.created,
        target: named.to_owned(),
        bytes: counted.bytes,
        failure: String::new(),
    };
    last_backup::remember_restored(&database, &backup).map_err(unwritable)?;
    Ok(contents)
}

/// A reader that counts its bytes.
struct CountedReader<R> {
    from: R,
    bytes: u64,
}

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Writes the admin's own legal texts. Existing files are kept: the admin has prepared them.
fn put_legals(data_dir: &Path, texts: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    if texts.is_empty() {
        return Ok(());
    }
    let folder = data_dir.join(LEGAL_FOLDER);
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    for (name, text) in texts {
        let begun = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(folder.join(name));
        match begun {
            Ok(mut file) => file.write_all(text)?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Makes everything durable and moves it to its final names.
#[expect(
    clippy::disallowed_methods,
    reason = "from the folder of this restore to names that nothing has"
)]
fn publish(data_dir: &Path, unfinished: &Path) -> io::Result<()> {
    let owner = fs::metadata(data_dir)?;
    if owner.uid() != fs::metadata(unfinished)?.uid() {
        give(data_dir, owner.uid(), owner.gid())?;
    }
    let folder = File::open(data_dir)?;
    nix::unistd::syncfs(&folder)?;
    fs::rename(unfinished.join(FOLDER_NAME), data_dir.join(FOLDER_NAME))?;
    folder.sync_all()?;
    let [begun, database] = [unfinished, data_dir].map(|dir| dir.join(fluglog_store::FILE_NAME));
    fs::rename(&begun, &database)?;
    folder.sync_all().inspect_err(|_| {
        // An error must leave no database behind.
        let _ = fs::rename(&database, &begun);
    })
}

/// Gives the restored files to the service's user: root may have restored them.
fn give(path: &Path, user: u32, group: u32) -> io::Result<()> {
    lchown(path, Some(user), Some(group))?;
    if path.symlink_metadata()?.is_dir() {
        for entry in fs::read_dir(path)? {
            give(&entry?.path(), user, group)?;
        }
    }
    Ok(())
}

fn unwritable(error: Error) -> ReadError {
    let (Error::Busy(cause) | Error::Internal(cause) | Error::DiskFull(cause)) = error else {
        return ReadError::Unwritable(io::Error::other("the database can't be made"));
    };
    ReadError::Unwritable(io::Error::other(cause))
}
