//! A file at a target, its name, and the reasons why a target fails.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::archive::folder::is_name;

/// Suffix of encrypted archives.
pub const ENCRYPTED_END: &str = ".age";
/// Suffix of the name of an archive during its transfer. Not `.part`: Nextcloud refuses such names.
pub const UNFINISHED_END: &str = ".unfinished";

/// Why sending to a target or reading from it failed.
#[derive(Debug)]
pub enum TargetError {
    /// No disk with this label is connected.
    DiskMissing(String),
    /// Nothing is mounted at this folder.
    NothingMounted(PathBuf),
    /// The folder is the one where the backup was made.
    OwnFolder(PathBuf),
    /// A folder can't be read or written.
    Folder(PathBuf, ErrorKind),
    /// The server at this host doesn't answer.
    Unreachable(String),
    /// The certificate of this host isn't trusted.
    Untrusted(String),
    /// The clock of this machine is too wrong for the server to accept requests.
    ClockSkew,
    /// The server rejects the user or the password.
    Unauthorized,
    /// The user lacks the permission.
    Forbidden,
    /// The folder or the bucket doesn't exist.
    FolderMissing,
    Full,
    TooLarge,
    /// The server redirects to another address.
    Redirected(String),
    /// An answer with an unexpected status code.
    UnexpectedStatus(u16),
    /// The connection ended in the middle.
    ConnectionLost,
    /// The server stored fewer bytes than were sent.
    Truncated,
    /// The archive that was to be sent can't be read.
    ArchiveUnreadable,
    /// All candidate names are in use.
    NamesTaken,
    /// No archive has this name; the second field lists those that exist.
    NotFound(String, Vec<String>),
    /// The target has no archives.
    Empty,
    /// The target encrypts and has only plain archives, the newest of which is this.
    OnlyPlain(String),
    /// The archive has the name of an encrypted one and is none.
    NotEncrypted,
    /// The server doesn't end its list of files.
    EndlessList,
    /// The archive is encrypted, and no key decrypts it.
    CannotDecrypt,
    /// The file contains no secret keys of age.
    NoKeys(PathBuf),
}

pub type Result<T> = std::result::Result<T, TargetError>;

/// An archive at a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub name: String,
    pub bytes: u64,
}

/// Whether `name` is that of an archive, encrypted or not.
pub fn is_archive(name: &str) -> bool {
    is_name(name.strip_suffix(ENCRYPTED_END).unwrap_or(name))
}

/// Whether `name` is that of an archive or of an unfinished one.
pub fn is_ours(name: &str) -> bool {
    is_archive(name.strip_suffix(UNFINISHED_END).unwrap_or(name))
}
