//! The admin's tasks on accounts and on the server; each is a type with an outcome. A running server performs them
//! over the control socket; without a server, the command does. Knows no command line: times are in Unix seconds,
//! sizes in bytes, and output is the command's concern. The only German here is stored in records: why the last
//! attempt to send a mail failed, and why the last backup did.

pub mod data;
pub mod imports;
pub mod foreign;
pub mod import_dir;
pub mod mails;
pub mod question;
pub mod socket;
pub mod status;
pub mod task;
pub mod spaces;
pub mod transfers;
pub mod users;
pub mod backups;

/// The control socket in the data directory.
pub(crate) const SOCKET_NAME: &str = "fluglog.sock";
