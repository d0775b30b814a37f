//! One-time links: to accept an invitation, to reset a password, to change the e-mail address. The admin passes on the
//! first two, the third comes in a mail. The database holds only digests of their tokens.

pub(super) mod table;

use std::time::Instant;

use super::access::{self, AccessEnd};
use super::model::{self, Invitation, NewAddress, PasswordReset};
use super::operation::{Operation, Outcome};
use super::sessions::{Browser, Login, NewSession, log_login, take_mail_turn};
use super::table as accounts;
use super::table::UserRecord;
use super::{access_log, addresses, administration, guard, notices, unverified};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, Priority, QueuedMail};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::{Token, digest, digest_key};
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Store, Writer};
use table::{AccountLinkRecord, Purpose};

const DAY_SECONDS: i64 = 24 * 60 * 60;
const HOUR_SECONDS: u64 = 60 * 60;
/// How long a reset link and an address link are valid.
const RESET_DAYS: i64 = 3;
const EMAIL_DAYS: i64 = 1;
/// The most mails to new addresses that one pilot may request within an hour.
const MAX_EMAILS: usize = 5;

/// A link for the admin to pass on.
pub struct IssuedLink {
    pub token: Token,
    /// Unix seconds.
    pub ends: i64,
}

/// Makes an invitation that is valid for `days`.
///
/// # Errors
/// A nickname that breaks a rule.
pub fn invite(
    app: &App,
    nickname: Option<&str>,
    days: u32,
) -> std::result::Result<IssuedLink, administration::ChangeError> {
    let nickname = nickname.map(model::checked_nickname).transpose()?.unwrap_or_default();
    Ok(issue(app, i64::from(days), move |_| {
        Ok(Purpose::Account {
            nickname: nickname.clone(),
        })
    })?)
}

/// Makes a link for resetting a user's password. An earlier one ends.
///
/// # Errors
/// [`Error::NotFound`] when the address has no user, [`Error::Conflict`] when the user is disabled.
pub fn reset(app: &App, email: &str) -> Result<IssuedLink> {
    let email = email.to_owned();
    issue(app, RESET_DAYS, move |writer| {
        let (user, record) = enabled(writer, &email)?;
        table::forget_resets(writer, user)?;
        Ok(Purpose::Password {
            user: user.key(),
            generation: record.generation,
        })
    })
}

fn enabled(data: &Snapshot<'_>, email: &str) -> Result<(UserId, UserRecord)> {
    let user = guard::named_by_admin(data, email)?.user();
    let record = accounts::present(data, user)?;
    match record.disabled {
        true => Err(Error::Conflict(text::USER_DISABLED)),
        false => Ok((user, record)),
    }
}

/// Queues a mail with a reset link to its user.
///
/// # Errors
/// As [`reset`].
pub fn mail_reset(app: &App, email: &str, base: &str) -> Result<()> {
    let (email, base) = (email.to_owned(), base.to_owned());
    let now = app.clock.unix_seconds();
    app.store.write(move |writer| {
        let (user, record) = enabled(writer, &email)?;
        let letter = QueuedMail::PasswordReset {
            user: user.key(),
            base: base.clone(),
        };
        let place = Priority {
            line: Lane::Notices,
            turn: 0,
        };
        mail_queue::put(writer, &accounts::address(&record)?, letter, place, now, 0)
    })?;
    app.mail_queued.notify_one();
    Ok(())
}

/// Writes the mail with a reset link; `None` when the user is gone, is disabled or has another address by now.
pub(crate) fn compose_reset(app: &App, user: UserId, base: &str, to: &str) -> Result<Option<Mail>> {
    let token = Token::fresh()?;
    let key = digest_key(&token.digest());
    let ends = app.clock.unix_seconds() + RESET_DAYS * DAY_SECONDS;
    let email = to.to_owned();
    let found = app.store.write(move |writer| {
        let found = writer.get::<UserRecord>(user.key())?;
        let Some(record) = found.filter(|record| !record.disabled && record.email == email) else {
            return Ok(None);
        };
        table::forget_resets(writer, user)?;
        let purpose = Purpose::Password {
            user: user.key(),
            generation: record.generation,
        };
        writer.put(key, &AccountLinkRecord { purpose, ends })?;
        Ok(Some(record.nickname))
    })?;
    let link = format!("{base}/app/passwordReset#{}", token.as_str());
    Ok(found.map(|nickname| letter::PASSWORD_RESET.to(to, &[("nickname", &nickname), ("link", &link)])))
}

fn issue(
    app: &App,
    days: i64,
    mut purpose: impl FnMut(&Writer<'_>) -> Result<Purpose> + Send + 'static,
) -> Result<IssuedLink> {
    let token = Token::fresh()?;
    let key = digest_key(&token.digest());
    let ends = app.clock.unix_seconds() + days * DAY_SECONDS;
    app.store.write(move |writer| {
        let purpose = purpose(writer)?;
        writer.put(key, &AccountLinkRecord { purpose, ends })
    })?;
    Ok(IssuedLink { token, ends })
}

/// Returns the invitation that a token belongs to.
///
/// # Errors
/// [`Error::Gone`]: used, expired or unknown.
pub(crate) fn find_invitation(app: &App, token: &str) -> Result<Invitation> {
    let now = app.clock.unix_seconds();
    let key = digest_key(&digest(token));
    let nickname = app.store.read(|data| invitation(data, key, now))?;
    Ok(Invitation { nickname })
}

fn invitation(data: &Snapshot<'_>, key: (u128, u128), now: i64) -> Result<String> {
    match good(data, key, now)? {
        Some(Purpose::Account { nickname }) => Ok(nickname),
        _ => Err(Error::Gone(text::INVITATION_GONE)),
    }
}

/// Accepts an invitation: makes the account and logs in.
///
/// # Errors
/// [`Error::Gone`] as [`find_invitation`]; a malformed address or nickname; a password that breaks a rule;
/// [`Error::Conflict`] for a taken address.
pub fn accept(app: &App, token: &str, email: &str, nickname: &str, password: &str, from: &Browser) -> Result<Login> {
    let now = app.clock.unix_seconds();
    let key = digest_key(&digest(token));
    let new = NewAccount::checked(app, email, nickname, password)?;
    app.store.read(|data| invitation(data, key, now))?;
    let new = new.with_password(app, password)?;
    make_account(app, new, from, "invitation", move |writer, _| {
        invitation(writer, key, now)?;
        writer.remove::<AccountLinkRecord>(key)
    })
}

/// A new account that isn't stored yet.
pub(super) struct NewAccount {
    email: Email,
    user: UserRecord,
}

impl NewAccount {
    /// Checks the values of a new account. Its password isn't hashed yet.
    ///
    /// # Errors
    /// A malformed address or nickname, or a password that breaks a rule.
    pub(super) fn checked(app: &App, email: &str, nickname: &str, password: &str) -> Result<NewAccount> {
        let email = Email::parse(email)
            .filter(mail_queue::is_addressable)
            .ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
        let nickname = model::checked_nickname(nickname)?;
        model::check_new_password(password, &email.typed, &nickname)?;
        let user = UserRecord::new(&email, nickname, app.clock.unix_seconds());
        Ok(NewAccount { email, user })
    }

    /// Adds the hash of the password: slow, so only for callers who may have an account.
    pub(super) fn with_password(mut self, app: &App, password: &str) -> Result<NewAccount> {
        self.user.password = Some(app.hasher.hash(password)?);
        Ok(self)
    }

    /// Marks the address as verified: it is that of the admin, who has the link from the server's shell.
    pub(super) fn verified(mut self) -> NewAccount {
        self.user.is_verified = true;
        self
    }
}

/// Stores an account and logs its browser in, in one transaction, if `allow` succeeds in it.
pub(super) fn make_account(
    app: &App,
    new: NewAccount,
    from: &Browser,
    by: &'static str,
    mut allow: impl FnMut(&Writer<'_>, UserId) -> Result<()> + Send + 'static,
) -> Result<Login> {
    let id = UserId::fresh();
    let session = NewSession::prepare(app, from.remember, from)?;
    let rows = session.rows.clone();
    let opened = app.store.write(move |writer| {
        allow(writer, id)?;
        accounts::insert(writer, id, &new.email, &new.user)?;
        rows.write(writer, id)
    })?;
    log_login(id, by, from);
    Ok(session.login(opened))
}

/// Returns whose password a link resets.
///
/// # Errors
/// [`Error::Gone`]: used, expired or unknown, or all logins of the user were ended since.
pub(crate) fn reset_for(app: &App, token: &str) -> Result<PasswordReset> {
    let now = app.clock.unix_seconds();
    let (_, user) = app
        .store
        .read(|data| find_reset(data, digest_key(&digest(token)), now))?;
    Ok(PasswordReset {
        nickname: user.nickname,
        email: user.email,
    })
}

fn find_reset(data: &Snapshot<'_>, key: (u128, u128), now: i64) -> Result<(UserId, UserRecord)> {
    let gone = || Error::Gone(text::RESET_GONE);
    let Some(Purpose::Password { user, generation }) = good(data, key, now)? else {
        return Err(gone());
    };
    let user = UserId::from_key(user);
    match guard::is_generation_current(data, user, generation)? {
        true => Ok((user, accounts::existing(data, user)?)),
        false => Err(gone()),
    }
}

/// Sets the password through a reset link, ends every login and logs this browser in.
///
/// # Errors
/// [`Error::Gone`] as [`reset_for`]; a password that breaks a rule.
pub(crate) fn set_password(app: &App, token: &str, password: &str, from: &Browser) -> Result<Login> {
    let now = app.clock.unix_seconds();
    let key = digest_key(&digest(token));
    model::check_password(password)?;
    let (user, account) = app.store.read(|data| find_reset(data, key, now))?;
    model::check_new_password(password, &account.email, &account.nickname)?;
    let hash = app.hasher.hash_for(user.key(), password)?;
    let new = NewSession::prepare(app, false, from)?;
    let rows = new.rows.clone();
    let letter = notices::password_changed_by(app, user, from);
    let opened = app.store.write(move |writer| {
        let (user, _) = find_reset(writer, key, now)?;
        let mut record = access::revoke(writer, AccessEnd::Reset, user, &access::BrowserKeys::default())?;
        record.password = Some(hash.clone());
        record.is_verified = true;
        writer.put(user.key(), &record)?;
        notices::queue_password_mail(writer, &record, letter.clone())?;
        rows.write(writer, user)
    })?;
    app.mail_queued.notify_one();
    notices::clear_rate_limits(app, &account.email);
    access_log::log_end("new password", user, Some(from.address));
    log_login(user, "a link of the admin", from);
    Ok(new.login(opened))
}

/// Queues a mail to the new address, with the link that changes it.
///
/// # Errors
/// A malformed address, [`Error::Conflict`] for a taken one, or [`Error::RateLimited`].
pub(crate) fn ask_for_email(app: &App, operation: Operation, email: &str, base: &str, from: &Browser) -> Result<()> {
    let user = operation.viewer().user();
    let email = Email::parse(email)
        .filter(mail_queue::is_addressable)
        .ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let key = format!("new address of {user}");
    // A dropped try counts.
    drop(
        app.rate_limiter
            .begin(&[Limit::per_hour(&key, MAX_EMAILS)], Instant::now())?,
    );
    let Some(turn) = take_mail_turn(app, "new address", &email, from)? else {
        return Err(Error::RateLimited {
            retry_after_seconds: HOUR_SECONDS,
        });
    };
    let now = app.clock.unix_seconds();
    let base = base.to_owned();
    operation.write(&app.store, move |writer| {
        if accounts::by_email(writer, &email)?.is_some() {
            return Err(Error::Conflict(text::EMAIL_TAKEN));
        }
        let letter = QueuedMail::NewAddress {
            user: user.key(),
            base: base.clone(),
        };
        let place = Priority {
            line: Lane::NewAddresses,
            turn,
        };
        mail_queue::put(writer, &email, letter, place, now, mail_queue::ONE_MAIL_IN_SECONDS)?;
        let asked = QueuedMail::AddressRequested {
            user: user.key(),
            time: now,
            email: email.typed.clone(),
        };
        if let Some(old) = Email::parse(&accounts::present(writer, user)?.email) {
            let place = Priority {
                line: Lane::Notices,
                turn: 0,
            };
            mail_queue::put(writer, &old, asked, place, now, 0)?;
        }
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    app.mail_queued.notify_one();
    Ok(())
}

/// Writes the mail to the new address, with a new link; `None` when the user is gone or already has the address. The
/// mail contains no text of the user's: the address may be a stranger's.
pub fn compose(app: &App, user: UserId, base: &str, to: &str) -> Result<Option<Mail>> {
    let token = Token::fresh()?;
    let key = digest_key(&token.digest());
    let ends = app.clock.unix_seconds() + EMAIL_DAYS * DAY_SECONDS;
    let email = to.to_owned();
    let is_asked = app.store.write(move |writer| {
        if writer
            .get::<UserRecord>(user.key())?
            .is_none_or(|record| record.email == email)
        {
            return Ok(false);
        }
        let purpose = Purpose::Email {
            user: user.key(),
            email: email.clone(),
        };
        table::forget_new_addresses(writer, user)?;
        writer.put(key, &AccountLinkRecord { purpose, ends })?;
        Ok(true)
    })?;
    let link = format!("{base}/app/newAddress#{}", token.as_str());
    Ok(is_asked.then(|| letter::NEW_ADDRESS.to(to, &[("link", &link)])))
}

/// Returns the address that a mailed link confirms. No login is needed: whoever has the link can read mail to the
/// address.
///
/// # Errors
/// [`Error::Gone`]: used, expired or unknown.
pub(crate) fn new_address(app: &App, token: &str) -> Result<NewAddress> {
    let now = app.clock.unix_seconds();
    match app.store.read(|data| good(data, digest_key(&digest(token)), now))? {
        Some(Purpose::Email { email, .. }) => Ok(NewAddress { email }),
        _ => Err(Error::Gone(text::LINK_GONE)),
    }
}

/// Changes the viewer's address through a mailed link.
///
/// # Errors
/// [`Error::Gone`]: used, expired, unknown or another user's. [`Error::Conflict`] when the address was taken in the
/// meantime.
pub(crate) fn confirm_email(app: &App, operation: Operation, token: &str, from: &Browser) -> Result<()> {
    let viewer = operation.viewer();
    let is_confirmed = guard::has_confirmed(app, from.session.as_ref());
    let key = digest_key(&digest(token));
    let now = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        let email = match good(writer, key, now)? {
            Some(Purpose::Email { user, email }) if user == viewer.user().key() => Email::parse(&email),
            _ => None,
        };
        let email = email.ok_or(Error::Gone(text::LINK_GONE))?;
        addresses::change(writer, &viewer, &email, now)?;
        unverified::note_email(writer, viewer.user(), !is_confirmed)?;
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    app.mail_queued.notify_one();
    Ok(())
}

/// Removes expired links.
pub fn forget(store: &Store, now: i64) -> Result<()> {
    store
        .remove_over::<AccountLinkRecord>(Task::Expired, move |_, link| link.ends <= now)
        .map(drop)
}

fn good(data: &Snapshot<'_>, key: (u128, u128), now: i64) -> Result<Option<Purpose>> {
    let link = data.get::<AccountLinkRecord>(key)?;
    Ok(link.filter(|link| now < link.ends).map(|link| link.purpose))
}
