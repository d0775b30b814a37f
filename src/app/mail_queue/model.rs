//! Letters that wait to be composed, and the lines that they wait in.

use serde::{Deserialize, Serialize};

use fluglog_mail::address::Email;

/// Address and line.
pub type MailKey = (u128, u128, u8);

/// A letter to compose. No secret: link and code are made when the mail is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Letter {
    Login {
        request: (u128, u128),
        /// The base of its link.
        base: String,
    },
    Code {
        registration: (u128, u128),
    },
    PasswordChanged {
        user: u128,
        /// Unix seconds.
        time: i64,
        /// Nobody: the admin did it.
        by: Option<ChangedBy>,
    },
    /// To the address that a user wants to have.
    NewAddress {
        user: u128,
        /// The base of its link.
        base: String,
    },
    /// To the address that a user had.
    AddressChanged {
        user: u128,
        /// Unix seconds.
        time: i64,
    },
    /// To those who run the server: what is wrong when the mail is made.
    Problems,
    /// To the address that a user has, of another one that was asked for.
    AddressAsked {
        user: u128,
        /// Unix seconds.
        time: i64,
        email: String,
    },
    /// The password is over: the owner of the mailbox came in for the first time.
    PasswordEnded {
        user: u128,
        /// Unix seconds.
        time: i64,
    },
    /// A link to a new password, by who runs the server.
    PasswordReset {
        user: u128,
        /// The base of its link.
        base: String,
    },
    /// To a pilot, of packs that wait for something when the mail is made.
    Packs {
        user: u128,
    },
}

/// The browser that changed a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedBy {
    /// A name of ours.
    pub browser: String,
    /// Whether it was in a network of this machine.
    pub is_near: bool,
}

/// Each address has one line of letters for each of these, so that none holds up another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// Logins of browsers that nobody knows.
    Strangers,
    /// Codes of registrations.
    Codes,
    /// Logins of browsers that the pilot has logged in with before.
    Known,
    /// Changes of the account.
    Notices,
    /// Links to addresses that pilots want to have.
    NewAddresses,
    /// Problems of the server.
    Problems,
    /// Packs that wait for something.
    Packs,
}

/// An address gets at most one mail of a line in this time, but of [`Line::Notices`]; a second one waits.
pub const ONE_MAIL_IN_SECONDS: i64 = 60;
/// The server's problems are told to an address once in this time.
pub const ONE_MAIL_OF_PROBLEMS_IN_SECONDS: i64 = 24 * 60 * 60;

impl Line {
    /// All, by whose mails go first: somebody waits for a login right now, and a pilot comes before a stranger.
    const BY_RANK: [Line; 7] = [
        Line::Known,
        Line::Notices,
        Line::Problems,
        Line::Strangers,
        Line::Codes,
        Line::NewAddresses,
        Line::Packs,
    ];
    /// Those that bring what strangers can ask for.
    pub const OF_STRANGERS: [u8; 3] = [
        Line::Strangers.number(),
        Line::Codes.number(),
        Line::NewAddresses.number(),
    ];

    /// As it stands in a [`MailKey`].
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Line::Strangers => 0,
            Line::Codes => 1,
            Line::Known => 2,
            Line::Notices => 3,
            Line::NewAddresses => 4,
            Line::Problems => 5,
            Line::Packs => 6,
        }
    }

    /// The place of a line, by its number, among those that are due.
    #[must_use]
    pub fn rank(line: u8) -> usize {
        let ranked = Line::BY_RANK.map(Line::number).into_iter();
        ranked.take_while(|one| *one != line).count()
    }

    /// How long a line, by its number, rests after a mail. A pilot who changed something hears of each change at once.
    #[must_use]
    pub const fn rest_seconds(line: u8) -> i64 {
        if line == Line::Notices.number() {
            0
        } else {
            ONE_MAIL_IN_SECONDS
        }
    }

    /// How long the last mail of a line, by its number, has to be remembered.
    #[must_use]
    pub const fn memory_seconds(line: u8) -> i64 {
        if line == Line::Problems.number() {
            ONE_MAIL_OF_PROBLEMS_IN_SECONDS
        } else {
            ONE_MAIL_IN_SECONDS
        }
    }

    /// The key of the line for an address.
    #[must_use]
    pub fn key(self, email: &Email) -> MailKey {
        let (first, second) = email.key();
        (first, second, self.number())
    }
}

/// A letter's place among those that wait for an address.
#[derive(Debug, Clone, Copy)]
pub struct Priority {
    pub line: Line,
    /// How many letters were asked for before from the same network: who asks less often comes first.
    pub turn: u32,
}
