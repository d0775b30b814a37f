//! Users, their logins and sessions. Knows no equipment and no flight.

pub mod administration;
pub mod api;
mod devices;
pub mod guard;
pub mod mail_login;
pub mod model;
pub mod operation;
mod profile;
pub mod registration;
pub mod sessions;
mod table;

use std::time::Instant;

use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::UserId;
use crate::base::places::network;
use crate::base::rate_limit::Limit;
use crate::base::secret::{Digest, Hasher, digest_key};
use crate::base::text;
use crate::mail::address::Email;
use crate::mail::letter::Mail;
use crate::mail_queue;
use crate::mail_queue::model::Letter;
use crate::operations::model::Object;
use crate::store::Snapshot;
use crate::store::findings::Findings;
use guard::Viewer;
use model::{DetailedUser, SessionUser};
use operation::{Done, Operation};
use sessions::{Browser, Login, NewSession, known_key, log_failure, log_login, shown};
use table::{LoginTokenRecord, SessionRecord, UserRecord};

/// Failed logins within 15 minutes for one e-mail address, and from one network address.
const TRIES_FOR_EMAIL: usize = 5;
const TRIES_FROM_ADDRESS: usize = 20;
/// Whether the database answers.
///
/// # Errors
/// It doesn't.
pub fn can_be_read(app: &App) -> Result<()> {
    app.store.read(table::all).map(drop)
}

/// How many users there are.
pub fn count_users(app: &App) -> Result<usize> {
    app.store.read(table::all).map(|users| users.len())
}

/// Logs in with a password. A wrong password, an unknown address, a user without password and a disabled one look alike, in
/// time too: one hash is computed in every case.
///
/// # Errors
/// [`Error::LoginRefused`], or [`Error::RateLimited`] for this address of a user or of the network.
pub fn login(app: &App, email: &str, password: &str, remember: bool, from: &Browser) -> Result<Login> {
    let login = try_login(app, email, password, remember, from);
    match &login {
        Err(Error::LoginRefused) => log_failure("wrong e-mail address or password", from),
        Err(Error::RateLimited { .. }) => log_failure("too many tries", from),
        _ => {}
    }
    login
}

fn try_login(app: &App, email: &str, password: &str, remember: bool, from: &Browser) -> Result<Login> {
    let email = Email::parse(email).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    model::check_password(password)?;
    let for_email = tries_key(&email);
    let from_address = format!("address {}", network(from.address));
    let device = from.device_digest();
    let (found, known) = app.store.read(|data| {
        let found = table::by_email(data, &email)?;
        let known = match (&found, &device) {
            (Some((user, _)), Some(digest)) if devices::is_known(data, *user, device.as_ref())? => {
                Some(known_key("password", *user, digest))
            }
            _ => None,
        };
        Ok((found, known))
    })?;
    // Nobody else uses up the tries of a browser that the pilot has logged in with.
    let of_known = known.as_ref().map(|key| [Limit::in_a_quarter(key, TRIES_FOR_EMAIL)]);
    let of_strangers = [
        Limit::in_a_quarter(&for_email, TRIES_FOR_EMAIL),
        Limit::in_a_quarter(&from_address, TRIES_FROM_ADDRESS),
    ];
    let limits = of_known.as_ref().map_or(&of_strangers[..], |limit| &limit[..]);
    let this_try = app.rate_limiter.begin(limits, Instant::now())?;
    let stored = found
        .as_ref()
        .filter(|(_, user)| !user.disabled)
        .and_then(|(_, user)| user.password.as_deref());
    let right = app.hasher.verify(password, stored)?;
    let (Some((id, user)), true) = (found, right) else {
        return Err(Error::LoginRefused);
    };
    this_try.succeed();
    app.rate_limiter.clear(&for_email);
    if let Some(known) = &known {
        app.rate_limiter.clear(known);
    }
    if user.password.as_deref().is_some_and(Hasher::is_weak) {
        // The login itself doesn't depend on it; the next one tries again.
        if let Err(error) = strengthen(app, id, user.password, password) {
            tracing::warn!("a weak password hash stays: {error:?}");
        }
    }
    open_session(app, id, remember, from, "password")
}

/// The key of the count of strangers' wrong passwords.
fn tries_key(email: &Email) -> String {
    format!("email {}", email.folded)
}

/// Stores a hash of today's strength in place of an old one: only now is the password there to be hashed.
fn strengthen(app: &App, id: UserId, weak: Option<String>, password: &str) -> Result<()> {
    let strong = app.hasher.hash(password)?;
    app.store.write(move |writer| {
        let mut user = table::present(writer, id)?;
        // Another password that was set in the meantime stays.
        if user.password == weak {
            user.password = Some(strong.clone());
            writer.put(id.key(), &user)?;
        }
        Ok(())
    })
}

/// Opens a new session with a persistent token.
///
/// # Errors
/// [`Error::NotLoggedIn`] when the token is nobody's.
pub fn login_with_token(app: &App, token: &str, from: &Browser) -> Result<Login> {
    let (user, _) = app.store.read(|data| guard::token_owner(data, token))?;
    open_session(app, user, false, from, "login token")
}

/// Whether a persistent token is still good.
pub fn is_valid_token(app: &App, token: &str) -> Result<bool> {
    match app.store.read(|data| guard::token_owner(data, token)) {
        Ok(_) => Ok(true),
        Err(Error::NotLoggedIn) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Ends a session and persistent tokens; unknown ones are ended already.
pub fn logout(app: &App, session: Option<Digest>, tokens: Vec<Digest>) -> Result<()> {
    app.store.write(move |writer| {
        if let Some(session) = session {
            writer.remove::<SessionRecord>(digest_key(&session))?;
        }
        for token in &tokens {
            writer.remove::<LoginTokenRecord>(digest_key(token))?;
        }
        Ok(())
    })
}

/// The user of a session.
pub fn session_user(app: &App, viewer: &Viewer) -> Result<SessionUser> {
    let user = viewer.user();
    app.store.read(|data| shown(data, user, &table::present(data, user)?))
}

/// The profile.
pub fn detailed_user(app: &App, viewer: &Viewer) -> Result<DetailedUser> {
    let id = viewer.user();
    app.store.read(|data| {
        let user = table::present(data, id)?;
        Ok(DetailedUser {
            email: user.email,
            nickname: user.nickname,
            photo: model::photo_path(table::photo(data, id)?),
            firstname: user.firstname,
            lastname: user.lastname,
        })
    })
}

/// The address and the nickname of a user that a record names.
pub fn names(data: &Snapshot<'_>, user: UserId) -> Result<(String, String)> {
    let user = table::existing(data, user)?;
    Ok((user.email, user.nickname))
}

/// Whether a user is there and not disabled.
pub fn is_active(data: &Snapshot<'_>, user: UserId) -> Result<bool> {
    Ok(data.get::<UserRecord>(user.key())?.is_some_and(|user| !user.disabled))
}

/// Gives a user a new password. All other logins end; the browser itself gets a new session, and a new persistent token if it showed
/// a good one.
///
/// # Errors
/// A password that is too short or too long.
pub fn save_password(
    app: &App,
    operation: Operation,
    password: &str,
    token: Option<&str>,
    from: &Browser,
) -> Result<Login> {
    model::check_new_password(password)?;
    let user = operation.viewer().user();
    let is_own = |token| match app.store.read(|data| guard::token_owner(data, token)) {
        Ok((owner, _)) => Ok(owner == user),
        Err(Error::NotLoggedIn) => Ok(false),
        Err(other) => Err(other),
    };
    let stays = token.map(is_own).transpose()?.unwrap_or(false);
    let password = app.hasher.hash_for(user.key(), password)?;
    let new = NewSession::prepare(app, stays, from)?;
    let rows = new.rows;
    let shown = operation.write(&app.store, move |writer| {
        let mut record = table::present(writer, user)?;
        record.password = Some(password.clone());
        table::end_logins(writer, user, record)?;
        Ok(Done::new(Object::NONE, rows.write(writer, user)?))
    })?;
    Ok(new.login(shown))
}

/// Whether a browser that is logged in keeps the cookie by which its pilot's logins know it.
pub fn renews_device(app: &App, viewer: &Viewer, from: &Browser) -> Result<bool> {
    devices::is_renewed(app, viewer.user(), from.device_digest().as_ref())
}

/// Ends all logins of a user, on every device.
pub fn log_out_everywhere(app: &App, operation: Operation) -> Result<()> {
    let user = operation.viewer().user();
    operation.write(&app.store, move |writer| {
        let record = table::present(writer, user)?;
        table::end_logins(writer, user, record)?;
        table::remove_devices(writer, user)?;
        Ok(Done::new(Object::NONE, ()))
    })
}

/// Removes what is over: sessions, logins by mail and registrations that nobody finished, and the memory of mails.
pub fn forget_what_is_over(app: &App) -> Result<()> {
    let now = app.clock.unix_seconds();
    app.store.write(move |writer| {
        for (key, session) in writer.scan::<SessionRecord>(..)? {
            if guard::is_over(&session, now) {
                writer.remove::<SessionRecord>(key)?;
            }
        }
        devices::forget(writer, now)?;
        mail_login::forget(writer, now)?;
        registration::forget(writer, now)?;
        mail_queue::forget(writer, now)
    })
}

/// Writes the mail of a letter; `None` when it is out of date. For [`mail_queue::deliver`].
pub fn compose(app: &App, letter: &Letter, to: &str) -> Result<Option<Mail>> {
    match letter {
        Letter::Login { request, base } => mail_login::compose(app, *request, base, to),
        Letter::Code { registration } => registration::compose(app, *registration, to),
    }
}

fn open_session(app: &App, user: UserId, remember: bool, from: &Browser, by: &str) -> Result<Login> {
    let new = NewSession::prepare(app, remember, from)?;
    let rows = new.rows;
    let shown = app.store.write(move |writer| rows.write(writer, user))?;
    log_login(user, by, from);
    Ok(new.login(shown))
}

/// Reads every record of the accounts for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

#[cfg(test)]
mod tests;
