//! The files of a target, and why it fails. Knows none of them.

use std::io::ErrorKind;
use std::path::PathBuf;

/// The end of the name of an archive that is being sent. Not `.part`: Nextcloud takes no file of such a name.
pub const UNFINISHED_END: &str = ".unfinished";

/// Why nothing gets to a target, or comes from it.
#[derive(Debug)]
pub enum TargetError {
    /// The disk with this label isn't there.
    DiskMissing(String),
    /// Nothing is mounted at this folder.
    NothingMounted(PathBuf),
    /// This is the folder where the backup was made.
    OwnFolder(PathBuf),
    /// A folder can't be read or written.
    Folder(PathBuf, ErrorKind),
    /// The server at this host doesn't answer.
    Unreachable(String),
    /// The certificate of this host isn't good.
    Untrusted(String),
    /// The clock of this machine is so wrong that the server takes no request.
    ClockSkew,
    /// The server doesn't know the user or the password.
    Unauthorized,
    /// The user may not do that.
    Forbidden,
    /// The folder or the bucket isn't there.
    FolderMissing,
    Full,
    TooLarge,
    /// The server sends to another address.
    Redirected(String),
    /// Another answer than one that is known, by its code.
    UnexpectedStatus(u16),
    /// The connection ended in the middle.
    ConnectionLost,
    /// The server has less than it was sent.
    Truncated,
    /// The archive that was to be sent can't be read.
    ArchiveUnreadable,
    /// All names are taken.
    NamesTaken,
    /// There is no archive of this name; those that are there.
    NotFound(String, Vec<String>),
    /// There is no archive at all.
    Empty,
    /// The archive is encrypted, and none of the keys fits.
    CannotDecrypt,
    /// This is no file with secret keys of age.
    NoKeys(PathBuf),
}

pub type Result<T> = std::result::Result<T, TargetError>;

/// An archive at a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub name: String,
    pub bytes: u64,
}
