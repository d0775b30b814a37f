//! Letters that wait to be composed, and the lines in which they wait.

use serde::{Deserialize, Serialize};

use fluglog_mail::address::Email;

/// Key of a line: digest of the address, and the line's number.
pub(crate) type MailKey = (u128, u128, u8);

/// A letter to be composed. Contains no secret: links and codes are generated with the mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueuedMail {
    Login {
        request: (u128, u128),
        /// Base URL of the link.
        base: String,
    },
    Code {
        registration: (u128, u128),
    },
    PasswordChanged {
        user: u128,
        /// Unix seconds.
        time: i64,
        /// `None` if the admin changed it.
        by: Option<ChangedBy>,
    },
    /// Sent to the address that a user wants to have.
    NewAddress {
        user: u128,
        /// Base URL of the link.
        base: String,
    },
    /// Sent to the address that a user had.
    AddressChanged {
        user: u128,
        /// Unix seconds.
        time: i64,
    },
    /// Sent to operators: the problems at the time of composing.
    Problems,
    /// Sent to a user's current address: another one was requested.
    AddressRequested {
        user: u128,
        /// Unix seconds.
        time: i64,
        email: String,
    },
    /// The password has become invalid, because the owner of the mailbox logged in for the first time.
    PasswordEnded {
        user: u128,
        /// Unix seconds.
        time: i64,
    },
    /// A link for setting a new password, sent by an operator.
    PasswordReset {
        user: u128,
        /// Base URL of the link.
        base: String,
    },
    /// Sent to a pilot: what waits to be done at the time of composing.
    Reminders {
        user: u128,
    },
}

/// The browser that changed a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedBy {
    /// Name of the browser, from Fluglog's own list.
    pub browser: String,
    /// Whether the browser was in a network of this machine.
    pub is_near: bool,
}

/// A line of letters; each address has one of each kind, so that none delays another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Logins of unknown browsers.
    UnknownBrowsers,
    /// Codes of registrations.
    Codes,
    /// Logins of browsers that the pilot has logged in with before.
    KnownBrowsers,
    /// Changes of the account.
    Notices,
    /// Confirmations of addresses that pilots want to have.
    NewAddresses,
    /// Problems of the server.
    Problems,
    /// Reminders of what waits to be done.
    Reminders,
}

/// Interval between two mails of a line to an address, except for [`Lane::Notices`]; a second mail waits.
pub const ONE_MAIL_IN_SECONDS: i64 = 60;
/// Interval between two mails about problems of the server to an address.
pub const ONE_MAIL_OF_PROBLEMS_IN_SECONDS: i64 = 24 * 60 * 60;

impl Lane {
    /// All lines in the order of sending: somebody waits for a login right now, and pilots come before strangers.
    const BY_RANK: [Lane; 7] = [
        Lane::KnownBrowsers,
        Lane::Notices,
        Lane::Problems,
        Lane::UnknownBrowsers,
        Lane::Codes,
        Lane::NewAddresses,
        Lane::Reminders,
    ];
    /// Lines with letters that strangers can request.
    pub(crate) const UNTRUSTED: [u8; 3] = [
        Lane::UnknownBrowsers.number(),
        Lane::Codes.number(),
        Lane::NewAddresses.number(),
    ];

    /// The line's number in a [`MailKey`].
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Lane::UnknownBrowsers => 0,
            Lane::Codes => 1,
            Lane::KnownBrowsers => 2,
            Lane::Notices => 3,
            Lane::NewAddresses => 4,
            Lane::Problems => 5,
            Lane::Reminders => 6,
        }
    }

    /// Returns the rank of a line, given by its number, among those that are due.
    #[must_use]
    pub fn rank(line: u8) -> usize {
        let ranked = Lane::BY_RANK.map(Lane::number).into_iter();
        ranked.take_while(|one| *one != line).count()
    }

    /// Returns the pause of a line, given by its number, after a mail. Notices have none: a pilot learns of each
    /// change at once.
    #[must_use]
    pub(crate) const fn pause_seconds(line: u8) -> i64 {
        if line == Lane::Notices.number() {
            0
        } else {
            ONE_MAIL_IN_SECONDS
        }
    }

    /// Returns for how long the last mail of a line, given by its number, has to be remembered.
    #[must_use]
    pub(crate) const fn memory_seconds(line: u8) -> i64 {
        if line == Lane::Problems.number() {
            ONE_MAIL_OF_PROBLEMS_IN_SECONDS
        } else {
            ONE_MAIL_IN_SECONDS
        }
    }

    /// Returns the key of the line for an address.
    #[must_use]
    pub fn key(self, email: &Email) -> MailKey {
        let (first, second) = email.key();
        (first, second, self.number())
    }
}

/// The position of a letter among those that wait for an address.
#[derive(Debug, Clone, Copy)]
pub struct Priority {
    pub line: Lane,
    /// Number of letters that the same network requested before: whoever requests fewer comes first.
    pub turn: u32,
}
