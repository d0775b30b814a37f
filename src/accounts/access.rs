//! Events that end access, and the ways in that each of them ends: one table, and one function that applies it.
//! `packaging/docs/security.md` shows the table, and `tests/api/ends.rs` tests each cell.

use super::access_tokens::table as access_tokens;
use super::links::table as links;
use super::mail_login::table as mail_logins;
use super::table::{self, UserRecord};
use super::unverified;
use fluglog_app::mail_queue;
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_store::Writer;

/// An event that ends access to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessEnd {
    /// The user logs out in a browser.
    Logout,
    /// One login is ended from another browser.
    OneLogin,
    /// Logout on all devices, by the pilot or the admin.
    EveryLogin,
    /// The pilot sets a new password.
    NewPassword,
    /// A password is set through a reset link from the admin.
    Reset,
    /// The admin sets a password.
    SetByAdmin,
    /// The mailbox is verified for the first time, by a login by mail.
    FirstProof,
    /// A login by mail is denied („Das war ich nicht“).
    Denied,
    /// The e-mail address of the account changes.
    NewAddress,
    Disabled,
    Deleted,
    /// A backup archive is restored.
    Restored,
}

/// A way into an account, or to its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessPath {
    Password,
    Session,
    /// A persistent login, which survives closing the browser.
    Token,
    /// A browser that is known from an earlier login.
    Device,
    /// A login by mail that waits for confirmation, with its link.
    Request,
    ResetLink,
    /// A link that changes the e-mail address.
    AddressLink,
    /// An invitation to make an account. One into a space ends with its maker's right to manage that (`spaces/`).
    Invitation,
    /// The share of a document. It ends with the document or the user, and is paused while the user is disabled.
    Share,
    /// A running download: its session is checked again before each piece.
    Download,
    /// A personal access token, with which a script works.
    AccessToken,
}

/// Which of the user's sessions, tokens and so on an event ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    No,
    /// The affected browser's.
    One,
    /// All except the requesting browser's.
    Others,
    All,
    /// None, but they don't work until the user is enabled again.
    Paused,
}

use AccessEnd::{
    Deleted, Denied, Disabled, EveryLogin, FirstProof, Logout, NewAddress, NewPassword, OneLogin, Reset, Restored,
    SetByAdmin,
};
use Scope::{All, No, One, Others, Paused};

/// The ways, in the order of the table's columns.
pub(crate) const ACCESS_PATHS: [AccessPath; 11] = [
    AccessPath::Password,
    AccessPath::Session,
    AccessPath::Token,
    AccessPath::Device,
    AccessPath::Request,
    AccessPath::ResetLink,
    AccessPath::AddressLink,
    AccessPath::Invitation,
    AccessPath::Share,
    AccessPath::Download,
    AccessPath::AccessToken,
];

/// What each event ends.
#[rustfmt::skip]
pub const TABLE: [(AccessEnd, [Scope; ACCESS_PATHS.len()]); 12] = [
    //            password session token   device  request reset address invitation share   download access token
    (Logout,      [No,     One,    One,    No,     No,     No,   No,     No,        No,     One,      No]),
    (OneLogin,    [No,     One,    One,    Others, No,     No,   No,     No,        No,     One,      No]),
    (EveryLogin,  [No,     All,    All,    All,    All,    All,  All,    No,        No,     All,      All]),
    (NewPassword, [All,    Others, Others, Others, All,    All,  All,    No,        No,     All,      All]),
    (Reset,       [All,    All,    All,    All,    All,    All,  All,    No,        No,     All,      All]),
    (SetByAdmin,  [All,    All,    All,    All,    All,    All,  All,    No,        No,     All,      All]),
    (FirstProof,  [All,    All,    All,    All,    All,    All,  All,    No,        No,     All,      All]),
    (Denied,      [No,     No,     No,     One,    All,    No,   No,     No,        No,     No,       No]),
    (NewAddress,  [No,     No,     No,     No,     All,    No,   All,    No,        No,     No,       No]),
    (Disabled,    [Paused, All,    All,    All,    All,    All,  All,    No,        Paused, All,      All]),
    (Deleted,     [All,    All,    All,    All,    All,    All,  All,    No,        All,    All,      All]),
    (Restored,    [No,     All,    All,    All,    All,    All,  All,    All,       All,    All,      All]),
];

impl AccessEnd {
    /// Returns how much of a way the event ends.
    #[must_use]
    pub fn of(self, way: AccessPath) -> Scope {
        let row = TABLE.iter().find(|(ending, _)| *ending == self);
        let cells = row.map(|(_, cells)| cells).into_iter().flatten();
        let found = ACCESS_PATHS.iter().zip(cells).find(|(one, _)| **one == way);
        // The fallback is unreachable: a test checks that every pair is found.
        found.map_or(All, |(_, extent)| *extent)
    }
}

/// The key of a session, a token or a device.
pub type Key = (u128, u128);

/// The keys that [`Scope::One`] ends and [`Scope::Others`] spares.
#[derive(Debug, Clone, Default)]
pub struct BrowserKeys {
    pub sessions: Vec<Key>,
    pub tokens: Vec<Key>,
    pub devices: Vec<Key>,
}

impl Scope {
    fn ends(self, key: Key, browser: &[Key]) -> bool {
        match self {
            No | Paused => false,
            One => browser.contains(&key),
            Others => !browser.contains(&key),
            All => true,
        }
    }
}

/// Ends what [`TABLE`] says for this event, and returns the user record as stored afterwards.
///
/// When sessions end, the user's generation is raised, so a login that began earlier can't complete. The caller opens
/// the new session of the requesting browser.
pub(crate) fn revoke(
    writer: &Writer<'_>,
    ending: AccessEnd,
    user: UserId,
    browser: &BrowserKeys,
) -> Result<UserRecord> {
    let before = table::present(writer, user)?;
    let mut record = before.clone();
    for way in ACCESS_PATHS {
        let extent = ending.of(way);
        let is_any = !matches!(extent, No | Paused);
        match way {
            _ if !is_any => {}
            AccessPath::Password => {
                record.password = None;
                unverified::note_password(writer, user, false)?;
            }
            AccessPath::Session => table::forget_sessions(writer, user, |key| extent.ends(key, &browser.sessions))?,
            AccessPath::Token => table::forget_tokens(writer, user, |key| extent.ends(key, &browser.tokens))?,
            AccessPath::Device => table::forget_devices_of(writer, user, |key| extent.ends(key, &browser.devices))?,
            AccessPath::Request => {
                let email = table::address(&record)?;
                mail_logins::forget(writer, |request| {
                    request.user == Some(user.key()) || request.email == email.key()
                })?;
                mail_queue::forget_logins(writer, email.key())?;
            }
            AccessPath::ResetLink => links::forget_resets(writer, user)?,
            AccessPath::AddressLink => {
                links::forget_new_addresses(writer, user)?;
                mail_queue::forget_new_addresses(writer, user)?;
            }
            AccessPath::AccessToken => access_tokens::forget(writer, user, |_, _| true)?,
            // An invitation belongs to no user yet; shares and downloads check the user or the session themselves.
            AccessPath::Invitation | AccessPath::Share | AccessPath::Download => {}
        }
    }
    if matches!(ending.of(AccessPath::Session), Others | All) {
        record.generation += 1;
    }
    if record != before {
        writer.put(user.key(), &record)?;
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_one_row_in_the_table() {
        for (at, (ending, cells)) in TABLE.iter().enumerate() {
            assert_eq!(TABLE.iter().position(|(other, _)| other == ending), Some(at));
            for (way, extent) in ACCESS_PATHS.iter().zip(cells) {
                assert_eq!(ending.of(*way), *extent);
            }
        }
    }

    #[test]
    fn what_ends_every_session_ends_all_that_was_begun_before_it() {
        for (ending, _) in TABLE {
            if matches!(ending.of(AccessPath::Session), Others | All) {
                for way in [AccessPath::Request, AccessPath::ResetLink] {
                    assert_eq!(ending.of(way), All, "{ending:?}: both hang on the user's generation");
                }
            }
        }
    }

    #[test]
    fn the_readmes_show_the_table() {
        let english = [
            "logging out",
            "\"Abmelden\" beside one browser in the profile",
            "logging out everywhere, `user logout`",
            "a new password in the profile",
            "a new password by a link of `user reset`",
            "`user set-password`",
            "the first login by mail to an account of an invitation",
            "\"Das war ich nicht\"",
            "a new e-mail address, `user change --email`",
            "`user disable`",
            "`user delete`",
            "`restore`",
        ];
        let german = [
            "Abmelden",
            "im Profil „Abmelden“ neben einem Browser",
            "Überall abmelden, `user logout`",
            "neues Passwort im Profil",
            "neues Passwort über einen Link von `user reset`",
            "`user set-password`",
            "erste Anmeldung per Mail bei einem Konto aus einer Einladung",
            "Mail zur Anmeldung: „Das war ich nicht“",
            "neue E-Mail-Adresse, `user change --email`",
            "`user disable`",
            "`user delete`",
            "`restore`",
        ];
        for (readme, names, words) in [
            (
                include_str!("../../packaging/docs/security.md"),
                english,
                ["–", "its own", "all others", "all", "until `user enable`"],
            ),
            (
                include_str!("../../packaging/docs/de/security.md"),
                german,
                ["–", "seine", "alle anderen", "alle", "bis `user enable`"],
            ),
        ] {
            for ((ending, cells), name) in TABLE.iter().zip(names) {
                let cells = cells.map(|extent| match extent {
                    No => words[0],
                    One => words[1],
                    Others => words[2],
                    All => words[3],
                    Paused => words[4],
                });
                let line = format!("| {name} | {} |", cells.join(" | "));
                assert!(readme.lines().any(|shown| shown == line), "{ending:?}: {line}");
            }
        }
    }
}
