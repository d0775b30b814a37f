//! The admin's tasks on accounts and on the server, each a type of its own with the outcome that it has. They are the
//! same with a server running, which answers over the socket, and without one. Knows no command line: times are unix
//! seconds, sizes are bytes, and what a command prints is its own. The only German here is what records keep for later:
//! why the last try to send a mail failed, and why the last backup did.

pub mod data;
pub mod imports;
pub mod foreign;
pub mod import_dir;
pub mod mails;
pub mod question;
pub mod socket;
pub mod status;
pub mod task;
pub mod users;
pub mod backups;

/// The control socket in the data directory.
pub const SOCKET_NAME: &str = "fluglog.sock";
