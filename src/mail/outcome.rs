//! Outcomes of sending a mail.

use std::path::PathBuf;

/// A mail that is out of our hands.
#[derive(Debug, PartialEq, Eq)]
pub enum Sent {
    /// The answer of the mail server.
    Taken(String),
    /// The file in the outbox.
    Kept(PathBuf),
}

/// A mail that was not sent; a German clause for the admin, who alone sees it.
///
/// There is no telling which failure lasts: what a server refuses today for its own reasons (a full disk, a wrong password of ours, a
/// list of the day) it often says with a code for ever.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure(pub String);
