//! Users, their logins and sessions. Independent of equipment and flights.

pub mod access_log;
mod unverified;
pub mod model;
pub mod access;
pub mod administration;
pub mod api;
mod devices;
pub mod access_tokens;
mod logins;
pub mod guard;
mod addresses;
mod notices;
pub mod links;
pub mod setup;
pub mod mail_login;
mod confirmation;
pub mod operation;
pub mod call;
mod profile;
mod proxy_login;
mod mailbox_verification;
pub mod quotas;
pub mod registration;
pub mod sessions;
pub mod spaces;
mod table;

use std::sync::PoisonError;
use std::time::Instant;

use access::AccessEnd;
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::QueuedMail;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{OwnerId, UserId};
use fluglog_base::limits::connections::network;
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::{Digest, Hasher, digest, digest_key};
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_mail::letter::Mail;
use fluglog_store::Snapshot;
use fluglog_store::findings::Findings;
use fluglog_store::operations::model::Object;
use fluglog_store::record::Record as _;
use guard::{Operator, Viewer};
use model::{AdminProof, DetailedUser, LoginWays, SessionUser};
use operation::{Operation, Outcome};
use sessions::{Browser, Login, NewSession, device_limit_key, log_login, session_user_of};
use table::{LoginTokenRecord, SessionRecord, UserRecord};

/// Failed logins within 15 minutes for one e-mail address, and from one network address.
const TRIES_FOR_EMAIL: usize = 5;
const TRIES_FROM_ADDRESS: usize = 20;
/// Checks that the database answers.
///
/// # Errors
/// The database can't be read.
pub fn check_database(app: &App) -> Result<()> {
    app.store.read(|data| data.count(&UserRecord::TABLE)).map(drop)
}

/// Returns the latest use of any session, in Unix seconds.
pub fn latest_session_use(app: &App) -> Result<Option<i64>> {
    let sessions = app.store.read(|data| data.scan::<SessionRecord>(..))?;
    Ok(sessions.into_iter().map(|(_, session)| session.last_seen).max())
}

pub fn count_users(app: &App) -> Result<usize> {
    app.store.read(table::all).map(|users| users.len())
}

/// Returns whether there are several users and none of them is an operator, as after an upgrade from 1.3.0.
pub fn lacks_operator(app: &App) -> Result<bool> {
    app.store
        .read(|data| Ok(data.count(&UserRecord::TABLE)? > 1 && table::operators(data)? == 0))
}

/// Makes the only user an operator: 1.3.0 had no operators, and `user delete` may leave a single user who isn't one.
///
/// # Errors
/// The users can't be read or written.
pub fn make_only_user_operator(app: &App) -> Result<()> {
    if app.store.read(table::only_user_if_not_operator)?.is_none() {
        return Ok(());
    }
    app.store
        .write(|writer| match table::only_user_if_not_operator(writer)? {
            Some((key, user)) => writer.put(key, &UserRecord { operator: true, ..user }),
            None => Ok(()),
        })
}

/// Returns when the first of the users was added, in Unix seconds; `None` without users.
pub fn first_user_added(app: &App) -> Result<Option<i64>> {
    let users = app.store.read(table::all)?;
    Ok(users.into_iter().map(|user| user.created).min())
}

/// Logs in with a password. A wrong password, an unknown address, a user without password and a disabled user give the
/// same answer in the same time: one hash is computed in every case.
///
/// # Errors
/// [`Error::LoginRefused`], or [`Error::RateLimited`] for the e-mail address or the network address.
pub fn login(app: &App, email: &str, password: &str, remember: bool, from: &Browser) -> Result<Login> {
    let email = Email::parse(email).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let (id, user) = authenticate(app, &email, password, from)?.ok_or(Error::LoginRefused)?;
    if user.password.as_deref().is_some_and(Hasher::is_weak) {
        // The login succeeds even if the new hash can't be stored; the next login tries again.
        if let Err(error) = upgrade_hash(app, id, user.password, password) {
            tracing::warn!("a weak password hash stays: {error:?}");
        }
    }
    let new = NewSession::prepare(app, remember, from)?;
    open_session(app, id, user.generation, new, from, "password").map_err(|error| match error {
        Error::NotLoggedIn => Error::LoginRefused,
        other => other,
    })
}

/// Returns the user with this address and password; `None` if they don't match, which counts as a failed try.
///
/// # Errors
/// As [`login`], except [`Error::LoginRefused`].
fn authenticate(app: &App, email: &Email, password: &str, from: &Browser) -> Result<Option<(UserId, UserRecord)>> {
    model::check_password(password)?;
    let for_email = notices::tries_key(email);
    let from_address = format!("address {}", network(from.address));
    let shown = from.device_digests();
    let (found, known) = app.store.read(|data| {
        let found = table::by_email(data, email)?;
        let known = match &found {
            Some((user, _)) => {
                devices::known(data, *user, &shown)?.map(|device| device_limit_key("password", *user, device))
            }
            None => None,
        };
        Ok((found, known))
    })?;
    // A browser that the pilot has logged in with has its own count: strangers can't use up its tries.
    let of_known = known
        .as_ref()
        .map(|key| [Limit::per_quarter_hour(key, TRIES_FOR_EMAIL)]);
    let of_strangers = [
        Limit::per_quarter_hour(&for_email, TRIES_FOR_EMAIL),
        Limit::per_quarter_hour(&from_address, TRIES_FROM_ADDRESS),
    ];
    let limits = of_known.as_ref().map_or(&of_strangers[..], |limit| &limit[..]);
    let user = found.as_ref().map(|(user, _)| *user);
    let this_try = app
        .rate_limiter
        .begin(limits, Instant::now())
        .inspect_err(|_| access_log::log_wrong_guess("too many tries", user, from.address))?;
    let stored = found
        .as_ref()
        .filter(|(_, user)| !user.disabled)
        .and_then(|(_, user)| user.password.as_deref());
    let right = app.hasher.verify(password, stored)?;
    let (Some((id, user)), true) = (found, right) else {
        access_log::log_wrong_guess("wrong password", user, from.address);
        return Ok(None);
    };
    this_try.succeed();
    app.rate_limiter.clear(&for_email);
    if let Some(known) = &known {
        app.rate_limiter.clear(known);
    }
    Ok(Some((id, user)))
}

/// Confirms an operator with the password (sudo), with the rate limits of a login.
///
/// # Errors
/// A wrong password; [`Error::Conflict`] if the account has no password or the operator has to confirm in another way;
/// [`Error::RateLimited`].
pub(crate) fn confirm_operator(app: &App, operator: &Operator, password: &str, from: &Browser) -> Result<()> {
    let user = operator.viewer().user();
    confirmation::check(app, operator, AdminProof::Password)?;
    let account = app.store.read(|data| table::present(data, user))?;
    match authenticate(app, &table::address(&account)?, password, from)? {
        Some((found, _)) if found == user => {
            confirmation::mark_confirmed(app, operator)?;
            access_log::log_admin_action("has shown the password", None, user, from.address);
            Ok(())
        }
        _ => Err(Error::invalid("password", text::PASSWORD_WRONG)),
    }
}

/// Replaces a weak password hash by one of today's strength; only a login has the plain password.
fn upgrade_hash(app: &App, id: UserId, weak: Option<String>, password: &str) -> Result<()> {
    let strong = app.hasher.hash(password)?;
    app.store.write(move |writer| {
        let mut user = table::present(writer, id)?;
        // A password that was set in the meantime stays.
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
/// [`Error::NotLoggedIn`] when the token is unknown.
pub(crate) fn login_with_token(app: &App, token: &str, from: &Browser) -> Result<Login> {
    let token = digest(token);
    let (id, user) = app.store.read(|data| guard::token_owner(data, &token))?;
    let new = NewSession::with_token(app, &token, from)?;
    open_session(app, id, user.generation, new, from, "login token")
}

/// A valid session.
pub(crate) struct ValidSession {
    pub id: UserId,
    pub user: SessionUser,
    /// Whether the user has logged in with this browser before.
    pub is_known_device: bool,
}

/// Finds the session of a browser by its cookie.
///
/// # Errors
/// [`Error::NotLoggedIn`].
pub(crate) fn find_session(app: &App, from: &Browser) -> Result<ValidSession> {
    let session = from.session.as_ref().ok_or(Error::NotLoggedIn)?;
    app.store.read(|data| {
        let user = guard::viewer_in(app, data, session)?.user();
        Ok(ValidSession {
            id: user,
            user: session_user_of(data, user, &table::present(data, user)?)?,
            is_known_device: devices::is_renewed(app, data, user, &from.device_digests())?,
        })
    })
}

/// Returns the user whose persistent token the browser sent, if the token is still valid.
pub(crate) fn user_of_token(app: &App, from: &Browser) -> Result<Option<UserId>> {
    let Some(token) = &from.token else {
        return Ok(None);
    };
    match app.store.read(|data| guard::token_owner(data, token)) {
        Ok((user, _)) => Ok(Some(user)),
        Err(Error::NotLoggedIn) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Ends a session and persistent tokens. Unknown ones are ignored.
pub fn logout(app: &App, tokens: &[Digest], from: &Browser) -> Result<()> {
    let browser = access::BrowserKeys {
        tokens: tokens.iter().map(digest_key).collect(),
        ..from.keys()
    };
    let mut kept = app.in_memory_sessions.lock().unwrap_or_else(PoisonError::into_inner);
    kept.retain(|key, _| !browser.sessions.contains(key));
    drop(kept);
    let mut users = app.store.read(|data| {
        let mut users = Vec::new();
        for key in &browser.sessions {
            users.extend(data.get::<SessionRecord>(*key)?.map(|session| session.user));
        }
        for key in &browser.tokens {
            users.extend(data.get::<LoginTokenRecord>(*key)?.map(|token| token.user));
        }
        Ok(users)
    })?;
    users.dedup();
    // Without a login nothing is written: this call needs no authentication, and each write wears the disk.
    let Some(user) = users.first().copied() else {
        return Ok(());
    };
    app.store.write(move |writer| {
        let mut users = users.iter().map(|user| UserId::from_key(*user));
        users.try_for_each(|user| access::revoke(writer, AccessEnd::Logout, user, &browser).map(drop))
    })?;
    access_log::log_end("logout", UserId::from_key(user), Some(from.address));
    Ok(())
}

/// Returns the user of a session.
pub(crate) fn session_user(app: &App, viewer: &Viewer) -> Result<SessionUser> {
    let user = viewer.user();
    app.store
        .read(|data| session_user_of(data, user, &table::present(data, user)?))
}

/// Returns whether the viewer is an operator.
pub fn is_operator(app: &App, viewer: &Viewer) -> Result<bool> {
    let user = viewer.user();
    app.store.read(|data| Ok(table::present(data, user)?.operator))
}

/// Returns the viewer's profile.
pub(crate) fn detailed_user(app: &App, viewer: &Viewer) -> Result<DetailedUser> {
    let id = viewer.user();
    app.store.read(|data| {
        let user = table::present(data, id)?;
        Ok(DetailedUser {
            email: user.email,
            nickname: user.nickname,
            photo: model::photo_path(table::photo(data, id)?),
            firstname: user.firstname,
            lastname: user.lastname,
            contact: table::contact(data, id)?,
        })
    })
}

/// Returns the ways in which the viewer can log in.
pub(crate) fn login_ways(app: &App, viewer: &Viewer) -> Result<LoginWays> {
    let user = app.store.read(|data| table::present(data, viewer.user()))?;
    Ok(LoginWays {
        has_password: user.password.is_some(),
    })
}

/// Returns the address and the nickname of a user that a record refers to.
pub fn names(data: &Snapshot<'_>, user: UserId) -> Result<(String, String)> {
    let user = table::existing(data, user)?;
    Ok((user.email, user.nickname))
}

/// Returns how finders of an owner's equipment reach the owner; empty if the owner gave no contact.
pub fn contact_of(data: &Snapshot<'_>, owner: OwnerId) -> Result<String> {
    match spaces::contact_of(data, owner)? {
        Some(contact) => Ok(contact),
        None => table::contact(data, UserId::from_key(owner.key())),
    }
}

/// Returns whether a user exists and isn't disabled.
pub fn is_active(data: &Snapshot<'_>, user: UserId) -> Result<bool> {
    Ok(data.get::<UserRecord>(user.key())?.is_some_and(|user| !user.disabled))
}

/// Sets a new password for the user. All other logins end; this browser gets a new session, and a new persistent token
/// if its old one was valid.
///
/// # Errors
/// A password that breaks a rule ([`model::Rule`]).
pub fn save_password(app: &App, operation: Operation, password: &str, from: &Browser) -> Result<Login> {
    let user = operation.viewer().user();
    let account = app.store.read(|data| table::present(data, user))?;
    model::check_new_password(password, &account.email, &account.nickname)?;
    let stays = user_of_token(app, from)? == Some(user);
    let password = app.hasher.hash_for(user.key(), password)?;
    let new = NewSession::prepare(app, stays, from)?;
    let rows = new.rows.clone();
    let letter = notices::password_changed_by(app, user, from);
    let is_confirmed = guard::has_confirmed(app, from.session.as_ref());
    let browser = access::BrowserKeys {
        devices: from.keys().devices,
        ..access::BrowserKeys::default()
    };
    let shown = operation.write(&app.store, move |writer| {
        let mut record = access::revoke(writer, AccessEnd::NewPassword, user, &browser)?;
        record.password = Some(password.clone());
        writer.put(user.key(), &record)?;
        unverified::note_password(writer, user, !is_confirmed)?;
        notices::queue_password_mail(writer, &record, letter.clone())?;
        Ok(Outcome::new(Object::NONE, rows.write(writer, user)?))
    })?;
    app.mail_queued.notify_one();
    access_log::log_end("new password", user, Some(from.address));
    Ok(new.login(shown))
}

/// Ends all logins of a user, on every device.
pub(crate) fn log_out_everywhere(app: &App, operation: Operation, from: &Browser) -> Result<()> {
    let user = operation.viewer().user();
    operation.write(&app.store, move |writer| {
        access::revoke(writer, AccessEnd::EveryLogin, user, &access::BrowserKeys::default())?;
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    access_log::log_end("every login", user, Some(from.address));
    Ok(())
}

/// Removes expired sessions, logins by mail, registrations, links, device cookies and records of sent mails.
pub fn remove_expired(app: &App) -> Result<()> {
    let now = app.clock.unix_seconds();
    let store = &app.store;
    store.remove_over(Task::Expired, move |_, session: &SessionRecord| {
        guard::is_expired(session, now)
    })?;
    devices::forget(store, now)?;
    access_tokens::table::forget_ended(store, now)?;
    mail_login::forget_old(store, now)?;
    registration::forget(store, now)?;
    links::forget(store, now)?;
    spaces::invitations::forget(store, now)?;
    mail_queue::forget(store, now)
}

/// Writes the mail for a queued letter; `None` when it is out of date. Called by [`mail_queue::deliver`].
pub fn compose(app: &App, letter: &QueuedMail, to: &str) -> Result<Option<Mail>> {
    match letter {
        QueuedMail::Login { request, base } => mail_login::compose(app, *request, base, to),
        QueuedMail::Code { registration } => registration::compose(app, *registration, to),
        QueuedMail::PasswordChanged { user, time, by } => {
            notices::compose_password_changed(app, UserId::from_key(*user), *time, by.as_ref(), to)
        }
        QueuedMail::PasswordEnded { user, time } => {
            mailbox_verification::compose(app, UserId::from_key(*user), *time, to)
        }
        QueuedMail::NewAddress { user, base } => links::compose(app, UserId::from_key(*user), base, to),
        QueuedMail::PasswordReset { user, base } => links::compose_reset(app, UserId::from_key(*user), base, to),
        QueuedMail::AddressRequested { user, time, email } => {
            addresses::compose_asked(app, UserId::from_key(*user), *time, email, to)
        }
        QueuedMail::AddressChanged { user, time } => {
            addresses::compose_changed(app, UserId::from_key(*user), *time, to)
        }
        // Other topics write these letters.
        QueuedMail::Problems | QueuedMail::Reminders { .. } => Ok(None),
    }
}

/// Stores the new session, or keeps it in memory while it can't be stored.
///
/// # Errors
/// [`Error::NotLoggedIn`]: the user's logins have ended since the credentials were checked, for example by a new
/// password.
fn open_session(app: &App, user: UserId, generation: u32, new: NewSession, from: &Browser, by: &str) -> Result<Login> {
    let rows = new.rows.clone();
    let stored = app.store.write(
        move |writer| match guard::is_generation_current(writer, user, generation)? {
            true => rows.write(writer, user),
            false => Err(Error::NotLoggedIn),
        },
    );
    let login = match stored {
        // Pilots can still log in and see their data while the database is read-only, or a page of the logins is lost.
        Err(Error::ReadOnly | Error::Internal(_)) => new.open_in_memory(app, user, generation)?,
        stored => new.login(stored?),
    };
    log_login(user, by, from);
    Ok(login)
}

/// Checks every record of the accounts.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

#[cfg(test)]
mod tests;
