//! Authentication. The only place that makes a [`Viewer`], and so the only door to a pilot's data. To change it takes an
//! [`Operation`](super::operation::Operation) as well.

use super::table::{self, LoginTokenRecord, SessionRecord, UserRecord};
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::UserId;
use crate::base::secret::{Digest, digest, digest_key};
use crate::mail::address::Email;
use crate::store::Snapshot;
use crate::web::cookies::{Cookies, Name};

/// A session that was not used this long has ended.
const IDLE_SECONDS: i64 = 24 * 60 * 60;
/// The use of a session is written down this often, not with every request: each write wears the SD card.
const NOTE_SECONDS: i64 = 15 * 60;

/// Proof that a user is logged in. Every function that reads a pilot's data takes one.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    user: UserId,
}

impl Viewer {
    /// Whose data may be read and written.
    #[must_use]
    pub fn user(&self) -> UserId {
        self.user
    }
}

/// The user whose session the browser shows.
///
/// # Errors
/// [`Error::NotLoggedIn`]: no session, an ended one, or a disabled user.
pub fn viewer(app: &App, cookies: &Cookies) -> Result<Viewer> {
    viewer_of_session(app, cookies.get(Name::Session).ok_or(Error::NotLoggedIn)?)
}

/// The user whose session has this token.
///
/// # Errors
/// As [`viewer`].
pub fn viewer_of_session(app: &App, token: &str) -> Result<Viewer> {
    let session = digest(token);
    app.store.read(|data| viewer_in(app, data, &session))
}

/// The user whose session has a token with this digest.
///
/// # Errors
/// As [`viewer`].
pub fn viewer_in(app: &App, data: &Snapshot<'_>, session: &Digest) -> Result<Viewer> {
    let key = digest_key(session);
    let now = app.clock.unix_seconds();
    let session = data.get::<SessionRecord>(key)?.ok_or(Error::NotLoggedIn)?;
    // Nobody who only reads waits for the disk.
    if is_over(&session, now) {
        // Once it was refused it stays so, whatever the clock says after the next start.
        app.store.write_later(move |writer| writer.remove::<SessionRecord>(key));
        return Err(Error::NotLoggedIn);
    }
    let user = UserId::from_key(session.user);
    check(data, user, session.generation)?;
    if (now - session.last_seen).abs() >= NOTE_SECONDS {
        app.store.write_later(move |writer| {
            // It may have ended in the meantime; that stays so.
            match writer.get::<SessionRecord>(key)? {
                Some(session) => writer.put(
                    key,
                    &SessionRecord {
                        last_seen: now,
                        ..session
                    },
                ),
                None => Ok(()),
            }
        });
    }
    Ok(Viewer { user })
}

/// The user that an admin names. It takes no login: an admin at the shell could open the database as well.
///
/// # Errors
/// [`Error::NotYours`]: the address has no user.
pub fn named_by_admin(data: &Snapshot<'_>, email: &str) -> Result<Viewer> {
    let email = Email::parse(email).ok_or(Error::NotYours)?;
    let found = table::by_email(data, &email)?;
    found.map(|(user, _)| Viewer { user }).ok_or(Error::NotYours)
}

/// The user whose persistent token has this digest.
///
/// # Errors
/// [`Error::NotLoggedIn`]: unknown, ended, or a disabled user.
pub fn token_owner(data: &Snapshot<'_>, token: &Digest) -> Result<(UserId, UserRecord)> {
    let key = digest_key(token);
    let record = data.get::<LoginTokenRecord>(key)?.ok_or(Error::NotLoggedIn)?;
    let user = UserId::from_key(record.user);
    Ok((user, check(data, user, record.generation)?))
}

/// Whether a session was idle too long. A clock that was set back ends none.
#[must_use]
pub fn is_over(session: &SessionRecord, now: i64) -> bool {
    now - session.last_seen > IDLE_SECONDS
}

/// Whether what was begun for a user of this generation may go on: nothing has ended the user's logins since.
pub fn is_current(data: &Snapshot<'_>, user: UserId, generation: u32) -> Result<bool> {
    match check(data, user, generation) {
        Ok(_) => Ok(true),
        Err(Error::NotLoggedIn) => Ok(false),
        Err(other) => Err(other),
    }
}

fn check(data: &Snapshot<'_>, user: UserId, generation: u32) -> Result<UserRecord> {
    let record = table::present(data, user)?;
    if record.disabled || record.generation != generation {
        return Err(Error::NotLoggedIn);
    }
    Ok(record)
}
