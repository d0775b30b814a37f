//! Authentication and authorization. The only module that creates a [`Viewer`], an [`Access`], an [`Operator`] or an
//! [`Admin`], without which no function gives access to a pilot's data, equipment, or the server's administration.
//! Changing a pilot's data takes an [`Operation`](super::operation::Operation) as well.

use std::sync::PoisonError;

use super::access_tokens::model::TokenRight;
use super::access_tokens::table::AccessTokenRecord;
pub use super::spaces::model::Right;
use super::spaces::table::MembershipRecord;
use super::table::{self, LoginTokenRecord, SessionRecord, UserRecord};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{OwnerId, UserId};
use fluglog_base::secret::{Digest, digest, digest_key};
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_store::Snapshot;
use fluglog_store::operations::model::Object;
use fluglog_web::cookies::Name;
use fluglog_web::credentials::Credentials;

/// A session expires after this long without use.
const IDLE_SECONDS: i64 = 24 * 60 * 60;
/// The use of a session is stored this often instead of with every request: each write wears the SD card.
const NOTE_SECONDS: i64 = 15 * 60;
/// The use of an access token is recorded again after this time.
const NOTE_TOKEN_SECONDS: i64 = 60 * 60;
/// For how long an operator counts as confirmed.
const CONFIRMED_SECONDS: i64 = 15 * 60;
/// From this many unstored session uses on, the outdated ones are dropped.
const MANY_USES: usize = 10_000;

/// Proof that a user is logged in. Every function that reads a pilot's data takes one; equipment takes an [`Access`].
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    user: UserId,
}

impl Viewer {
    /// The user whose data may be read and written.
    #[must_use]
    pub fn user(&self) -> UserId {
        self.user
    }
}

/// The kind of a right to an owner's equipment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// The equipment is the viewer's own.
    Own,
    Member(UserId, Right),
    /// The viewer was a member of the space that owns it.
    Former,
}

/// Proof that an operator is logged in.
#[derive(Debug, Clone, Copy)]
pub struct Operator {
    viewer: Viewer,
    session: (u128, u128),
}

impl Operator {
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The key of the operator's session.
    pub(super) fn session(&self) -> (u128, u128) {
        self.session
    }
}

/// Proof that an operator has confirmed in this session recently. Every administration task in the browser takes one.
#[derive(Debug, Clone, Copy)]
pub struct Admin {
    operator: Operator,
}

impl Admin {
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.operator.viewer
    }
}

/// Proof of a right to one owner's equipment. Every function on equipment takes one.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    owner: OwnerId,
    standing: Standing,
}

impl Access {
    /// Access to the pilot's own equipment.
    #[must_use]
    pub fn own(viewer: &Viewer) -> Access {
        Access {
            owner: viewer.user.into(),
            standing: Standing::Own,
        }
    }

    /// Access to the equipment of an owner that a record refers to: the pilot, or a space of which the pilot is a
    /// member now.
    ///
    /// # Errors
    /// [`Error::NotFound`] without a right to it; [`Error::Forbidden`] after the membership has ended.
    pub fn to(data: &Snapshot<'_>, viewer: &Viewer, owner: OwnerId) -> Result<Access> {
        let access = Access::to_any(data, viewer, owner)?;
        access.check(Right::Read)?;
        Ok(access)
    }

    /// Access for work that the server does on its own, without a login, with the equipment of any owner.
    #[must_use]
    pub fn without_login(owner: OwnerId) -> Access {
        Access {
            owner,
            standing: Standing::Own,
        }
    }

    /// Access to a space of which the pilot is or was a member.
    pub(crate) fn to_any(data: &Snapshot<'_>, viewer: &Viewer, owner: OwnerId) -> Result<Access> {
        let own = Access::own(viewer);
        if own.owner == owner {
            return Ok(own);
        }
        let membership = data.get::<MembershipRecord>((owner.key(), viewer.user.key()))?;
        let membership = membership.ok_or(Error::NotFound)?;
        let standing = match membership.ended {
            None => Standing::Member(viewer.user, membership.right()?),
            Some(_) => Standing::Former,
        };
        Ok(Access { owner, standing })
    }

    /// The owner of the equipment.
    #[must_use]
    pub fn owner(&self) -> OwnerId {
        self.owner
    }

    /// Whether the equipment is the viewer's own, and not a space's.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.standing == Standing::Own
    }

    /// The right to the equipment; `None` after the membership has ended.
    #[must_use]
    pub fn right(&self) -> Option<Right> {
        match self.standing {
            Standing::Own => Some(Right::Manage),
            Standing::Member(_, right) => Some(right),
            Standing::Former => None,
        }
    }

    /// The member of the space that owns the equipment; `None` for the pilot's own equipment, and after the membership
    /// has ended.
    #[must_use]
    pub fn member(&self) -> Option<UserId> {
        match self.standing {
            Standing::Member(member, _) => Some(member),
            Standing::Own | Standing::Former => None,
        }
    }

    /// Checks that the access includes a right.
    ///
    /// # Errors
    /// [`Error::Forbidden`].
    pub fn check(&self, right: Right) -> Result<()> {
        match self.right() {
            None => Err(Error::Forbidden(text::NO_MEMBER_ANY_MORE)),
            Some(own) if own < right => Err(Error::Forbidden(text::RIGHT_MISSING)),
            Some(_) => Ok(()),
        }
    }
}

/// Returns the access to the equipment that an object of a call belongs to.
///
/// # Errors
/// As [`Access::to`].
pub fn access_to(app: &App, viewer: &Viewer, object: &Object) -> Result<Access> {
    match object.owner {
        None => Ok(Access::own(viewer)),
        Some(owner) => app.store.read(|data| Access::to(data, viewer, owner)),
    }
}

/// Returns the user of the access token that a script sent, or else of the browser's session.
///
/// # Errors
/// [`Error::NotLoggedIn`]: no session, an expired or ended one, or a disabled user; likewise for tokens.
/// [`Error::Forbidden`]: a token without the right, or for a call that takes none (`right` is `None`).
pub fn viewer(app: &App, credentials: &Credentials, right: Option<TokenRight>) -> Result<Viewer> {
    match &credentials.access_token {
        Some(token) => {
            let token = digest(token);
            app.store.read(|data| viewer_of_access_token(app, data, &token, right))
        }
        None => {
            let session = credentials.cookies.get(Name::Session);
            viewer_of_session(app, session.ok_or(Error::NotLoggedIn)?)
        }
    }
}

/// Returns the user whose session has this token.
///
/// # Errors
/// As [`viewer`].
pub(crate) fn viewer_of_session(app: &App, token: &str) -> Result<Viewer> {
    let session = digest(token);
    app.store.read(|data| viewer_in(app, data, &session))
}

/// Returns the user whose session token has this digest.
///
/// # Errors
/// As [`viewer`].
pub(crate) fn viewer_in(app: &App, data: &Snapshot<'_>, session: &Digest) -> Result<Viewer> {
    let key = digest_key(session);
    let now = app.clock.unix_seconds();
    let kept = app
        .in_memory_sessions
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&key)
        .copied();
    if let Some((user, generation, since)) = kept {
        let user = UserId::from_key(user);
        check(data, user, generation)?;
        return match now - since > IDLE_SECONDS {
            true => Err(Error::NotLoggedIn),
            false => Ok(Viewer { user }),
        };
    }
    let session = match data.get::<SessionRecord>(key) {
        Ok(Some(session)) => session,
        // On a lost page: the pilot can log in again.
        Ok(None) | Err(Error::Internal(_)) => return Err(Error::NotLoggedIn),
        Err(error) => return Err(error),
    };
    // Written in the background: reading calls never wait for the disk.
    if is_expired(&session, now) {
        // Removed, so that it stays refused even if the clock is set back later.
        app.store.write_later(move |writer| writer.remove::<SessionRecord>(key));
        return Err(Error::NotLoggedIn);
    }
    let user = UserId::from_key(session.user);
    check(data, user, session.generation)?;
    let mut uses = app.session_uses.lock().unwrap_or_else(PoisonError::into_inner);
    if (now - session.last_seen).abs() < NOTE_SECONDS {
        if uses.len() >= MANY_USES {
            uses.retain(|_, used| now - *used < NOTE_SECONDS);
        }
        uses.insert(key, now);
    } else {
        uses.remove(&key);
        drop(uses);
        app.store.write_later(move |writer| {
            // Removed in the meantime, it stays removed.
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

/// Returns the operator whose session the browser has.
///
/// # Errors
/// As [`viewer`]; [`Error::NotFound`] for a user who isn't an operator. [`Error::Forbidden`]: a script with a token.
pub fn operator(app: &App, credentials: &Credentials) -> Result<Operator> {
    if credentials.access_token.is_some() {
        return Err(Error::Forbidden(text::BROWSER_LOGIN_REQUIRED));
    }
    let session = digest(credentials.cookies.get(Name::Session).ok_or(Error::NotLoggedIn)?);
    app.store.read(|data| {
        let viewer = viewer_in(app, data, &session)?;
        match table::present(data, viewer.user)?.operator {
            true => Ok(Operator {
                viewer,
                session: digest_key(&session),
            }),
            false => Err(Error::NotFound),
        }
    })
}

/// Returns the operator whose session the browser has, if confirmed recently.
///
/// # Errors
/// As [`operator`]; [`Error::ConfirmationRequired`] without a recent confirmation.
pub fn admin(app: &App, credentials: &Credentials) -> Result<Admin> {
    let operator = operator(app, credentials)?;
    match confirmed_seconds(app, &operator) {
        0 => Err(Error::ConfirmationRequired),
        _ => Ok(Admin { operator }),
    }
}

/// Returns for how many more seconds an operator counts as confirmed.
#[must_use]
pub(crate) fn confirmed_seconds(app: &App, operator: &Operator) -> i64 {
    seconds_left(app, operator.session)
}

/// Returns whether an operator has confirmed in a session recently.
#[must_use]
pub(crate) fn has_confirmed(app: &App, session: Option<&Digest>) -> bool {
    session.is_some_and(|session| seconds_left(app, digest_key(session)) > 0)
}

fn seconds_left(app: &App, session: (u128, u128)) -> i64 {
    let until = app.confirmed_until.lock().unwrap_or_else(PoisonError::into_inner);
    let until = until.get(&session).copied().unwrap_or_default();
    (until - app.clock.unix_seconds()).max(0)
}

/// Records that an operator has confirmed. Kept in memory only.
pub(super) fn mark_confirmed(app: &App, operator: &Operator) {
    let now = app.clock.unix_seconds();
    let mut until = app.confirmed_until.lock().unwrap_or_else(PoisonError::into_inner);
    until.retain(|_, until| *until > now);
    until.insert(operator.session, now + CONFIRMED_SECONDS);
}

/// Returns the user that an admin at the shell names. No login is needed: that admin could open the database as well.
///
/// # Errors
/// [`Error::NotFound`]: no user has the address.
pub fn named_by_admin(data: &Snapshot<'_>, email: &str) -> Result<Viewer> {
    let email = Email::parse(email).ok_or(Error::NotFound)?;
    let found = table::by_email(data, &email)?;
    found.map(|(user, _)| Viewer { user }).ok_or(Error::NotFound)
}

/// Returns a viewer for work that the server does for a user on its own, without a login.
///
/// # Errors
/// [`Error::NotFound`]: the user is gone or disabled.
pub fn without_login(data: &Snapshot<'_>, user: UserId) -> Result<Viewer> {
    let record = data.get::<UserRecord>(user.key())?;
    record
        .filter(|record| !record.disabled)
        .map(|_| Viewer { user })
        .ok_or(Error::NotFound)
}

/// Returns the user whose persistent token has this digest.
///
/// # Errors
/// [`Error::NotLoggedIn`]: an unknown or ended token, or a disabled user.
pub(crate) fn token_owner(data: &Snapshot<'_>, token: &Digest) -> Result<(UserId, UserRecord)> {
    let key = digest_key(token);
    let record = data.get::<LoginTokenRecord>(key)?.ok_or(Error::NotLoggedIn)?;
    let user = UserId::from_key(record.user);
    Ok((user, check(data, user, record.generation)?))
}

/// Returns the user of a token that gives the right.
///
/// # Errors
/// [`Error::NotLoggedIn`]: no such token, an ended one, or a disabled user. [`Error::Forbidden`] without the right.
fn viewer_of_access_token(app: &App, data: &Snapshot<'_>, token: &Digest, right: Option<TokenRight>) -> Result<Viewer> {
    let key = digest_key(token);
    let now = app.clock.unix_seconds();
    let record = data.get::<AccessTokenRecord>(key)?.ok_or(Error::NotLoggedIn)?;
    if record.ends <= now {
        // Removed, so that it stays refused even if the clock is set back later.
        app.store
            .write_later(move |writer| writer.remove::<AccessTokenRecord>(key));
        return Err(Error::NotLoggedIn);
    }
    let viewer = Viewer {
        user: UserId::from_key(record.user),
    };
    check(data, viewer.user, record.generation)?;
    match right {
        None => return Err(Error::Forbidden(text::BROWSER_LOGIN_REQUIRED)),
        Some(TokenRight::Write) if !record.may_write => return Err(Error::Forbidden(text::ACCESS_TOKEN_READS)),
        Some(_) => {}
    }
    if record
        .last_used
        .is_none_or(|used| (now - used).abs() >= NOTE_TOKEN_SECONDS)
    {
        // Written in the background: reading calls never wait for the disk.
        app.store
            .write_later(move |writer| match writer.get::<AccessTokenRecord>(key)? {
                Some(token) => writer.put(
                    key,
                    &AccessTokenRecord {
                        last_used: Some(now),
                        ..token
                    },
                ),
                None => Ok(()),
            });
    }
    Ok(viewer)
}

/// Returns whether a session has expired. A clock that was set back ends no session.
#[must_use]
pub(crate) fn is_expired(session: &SessionRecord, now: i64) -> bool {
    now - session.last_seen > IDLE_SECONDS
}

/// Returns whether something begun for this generation of a user may complete: the logins haven't been ended since.
pub(crate) fn is_generation_current(data: &Snapshot<'_>, user: UserId, generation: u32) -> Result<bool> {
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

#[cfg(test)]
mod tests;
