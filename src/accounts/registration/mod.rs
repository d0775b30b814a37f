//! Registration: a browser sends an address and a nickname, a mailed code proves the address, and only that browser can
//! use the code. Independent of cookies.
//!
//! A registration belongs to the browser that began it: a stranger who begins one with another person's address gains
//! nothing without the code, and doesn't disturb that person's own registration.

pub(super) mod table;

use std::time::Instant;

use super::access_log;
use super::model::checked_nickname;
use super::sessions::{Browser, Login, NewSession, count_mail_request, log_login, take_mail_turn};
use super::table as accounts;
use super::table::UserRecord;
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, Priority, QueuedMail};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::{Token, digest, digest_key, random_digits};
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::{Store, Writer};
use table::RegistrationRecord;

/// How long a code is valid.
const VALID_SECONDS: i64 = 30 * 60;
const MAX_TRIES: u8 = 5;
const CODE_DIGITS: usize = 6;
/// How many times within a quarter of an hour a code that wrong tries used up is replaced at once, instead of after the
/// usual pause between mails.
const MAX_PROMPT_CODES: usize = 3;

/// Begins a registration and queues the mail with the code. `token` is that of an earlier registration of the browser:
/// within a minute, in which no second mail is sent, it is continued; later a new one replaces it. Returns the token
/// that the browser keeps.
///
/// # Errors
/// [`Error::Disabled`], a malformed address or nickname, [`Error::Conflict`] for a taken address, or
/// [`Error::RateLimited`].
pub fn begin(app: &App, email: &str, nickname: &str, token: Option<&str>, from: &Browser) -> Result<String> {
    if !app.config.registration_open {
        return Err(Error::Disabled(text::REGISTRATION_CLOSED));
    }
    let email = Email::parse(email)
        .filter(mail_queue::is_addressable)
        .ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let nickname = checked_nickname(nickname)?;
    count_mail_request(app, from)?;
    let shown = token.map(|token| (token.to_owned(), digest_key(&digest(token))));
    let fresh = Token::fresh()?;
    let now = app.clock.unix_seconds();
    let turn = match has_begun(app, shown.as_ref().map(|(_, key)| *key), &email, now)? {
        true => None,
        false => take_mail_turn(app, "code", &email, from)?,
    };
    let gap = if is_used_up(app, shown.as_ref().map(|(_, key)| *key), &email)? && may_be_prompt(app, &email) {
        0
    } else {
        mail_queue::ONE_MAIL_IN_SECONDS
    };
    let kept = app.store.write(move |writer| {
        if accounts::by_email(writer, &email)?.is_some() {
            return Err(Error::Conflict(text::EMAIL_TAKEN));
        }
        if let Some((token, key)) = &shown {
            let old = writer.get::<RegistrationRecord>(*key)?;
            if let Some(old) = old.filter(|old| goes_on(old, &email, now)) {
                let nickname = nickname.clone();
                writer.put(*key, &RegistrationRecord { nickname, ..old })?;
                return Ok(token.clone());
            }
        }
        mail_queue::check_capacity(writer)?;
        if let Some((_, old)) = &shown {
            writer.remove::<RegistrationRecord>(*old)?;
        }
        let registration = digest_key(&fresh.digest());
        writer.put(
            registration,
            &RegistrationRecord {
                email: email.typed.clone(),
                nickname: nickname.clone(),
                code: None,
                created: now,
                tries: 0,
            },
        )?;
        // A network over its limit gets the usual answer, but no mail is sent.
        if let Some(turn) = turn {
            let place = Priority {
                line: Lane::Codes,
                turn,
            };
            mail_queue::put(writer, &email, QueuedMail::Code { registration }, place, now, gap)?;
        }
        Ok(fresh.as_str().to_owned())
    })?;
    app.mail_queued.notify_one();
    Ok(kept)
}

/// Returns whether the browser has a registration to continue.
///
/// # Errors
/// [`Error::Conflict`]: the address belongs to a user.
fn has_begun(app: &App, key: Option<(u128, u128)>, email: &Email, now: i64) -> Result<bool> {
    app.store.read(|data| {
        if accounts::by_email(data, email)?.is_some() {
            return Err(Error::Conflict(text::EMAIL_TAKEN));
        }
        let old = key.map(|key| data.get::<RegistrationRecord>(key)).transpose()?;
        Ok(old.flatten().is_some_and(|old| goes_on(&old, email, now)))
    })
}

/// Returns whether a registration is for this address and began within the last minute.
fn goes_on(old: &RegistrationRecord, email: &Email, now: i64) -> bool {
    is_open(old, now) && now - old.created < mail_queue::ONE_MAIL_IN_SECONDS && is_of(old, email)
}

fn is_used_up(app: &App, key: Option<(u128, u128)>, email: &Email) -> Result<bool> {
    let Some(key) = key else { return Ok(false) };
    let old = app.store.read(|data| data.get::<RegistrationRecord>(key))?;
    Ok(old.is_some_and(|old| old.tries >= MAX_TRIES && is_of(&old, email)))
}

fn may_be_prompt(app: &App, email: &Email) -> bool {
    let key = format!("prompt code {}", email.folded);
    // A dropped try counts.
    app.rate_limiter
        .begin(&[Limit::per_quarter_hour(&key, MAX_PROMPT_CODES)], Instant::now())
        .is_ok()
}

/// Completes a registration with its code: makes the user and logs the browser in.
///
/// # Errors
/// A wrong code; [`Error::Gone`] after five wrong ones, after 30 minutes, and for a browser without a registration;
/// [`Error::Conflict`] when the address was taken in the meantime.
pub fn finish(app: &App, token: Option<&str>, code: &str, from: &Browser) -> Result<Login> {
    let code: String = code.split_whitespace().collect();
    if code.is_empty() {
        return Err(Error::invalid("code", text::CODE_MISSING));
    }
    let gone = || Error::Gone(text::CODE_GONE);
    let key = digest_key(&digest(token.ok_or_else(gone)?));
    let now = app.clock.unix_seconds();
    // Removed before it is refused, so that it stays refused even if the clock is set back later.
    let old = app.store.read(|data| data.get::<RegistrationRecord>(key))?;
    if old.is_some_and(|old| old.created < now - VALID_SECONDS) {
        forget(&app.store, now)?;
    }
    // Counted before the code is compared, so that parallel tries all count.
    let tried = app.store.write(move |writer| {
        let mut registration = writer
            .get::<RegistrationRecord>(key)?
            .filter(|registration| is_open(registration, now))
            .ok_or(Error::Gone(text::CODE_GONE))?;
        registration.tries += 1;
        writer.put(key, &registration)?;
        Ok(registration)
    })?;
    if !app.hasher.verify(&code, tried.code.as_deref())? {
        access_log::log_wrong_guess("wrong code", None, from.address);
        return Err(Error::invalid("code", text::CODE_WRONG));
    }
    let email =
        Email::parse(&tried.email).ok_or_else(|| Error::Internal("a registration without address".to_owned()))?;
    let new = NewSession::prepare(app, from.remember, from)?;
    let rows = new.rows.clone();
    let id = UserId::fresh();
    let user = app.store.write(move |writer| {
        let registration = writer.get::<RegistrationRecord>(key)?;
        let registration = registration
            .filter(|registration| registration.code == tried.code)
            .ok_or(Error::Gone(text::CODE_GONE))?;
        let user = UserRecord {
            is_verified: true,
            ..UserRecord::new(&email, registration.nickname, now)
        };
        accounts::insert(writer, id, &email, &user)?;
        writer.remove::<RegistrationRecord>(key)?;
        rows.write(writer, id)
    })?;
    log_login(id, "registration", from);
    Ok(new.login(user))
}

/// Writes the mail with a new code; `None` when the registration has expired. The mail contains nothing that the
/// registrant typed, not even the nickname: the address may be a stranger's.
pub fn compose(app: &App, registration: (u128, u128), to: &str) -> Result<Option<Mail>> {
    let now = app.clock.unix_seconds();
    let is_good = move |record: &RegistrationRecord| is_open(record, now);
    let waiting = app.store.read(|data| data.get::<RegistrationRecord>(registration))?;
    if waiting.is_none_or(|record| !is_good(&record)) {
        return Ok(None);
    }
    let code = random_digits(CODE_DIGITS)?;
    let hash = app.hasher.hash(&code)?;
    let is_stored = app.store.write(move |writer| {
        let Some(record) = writer.get::<RegistrationRecord>(registration)?.filter(is_good) else {
            return Ok(false);
        };
        let code = Some(hash.clone());
        writer.put(registration, &RegistrationRecord { code, ..record })?;
        Ok(true)
    })?;
    Ok(is_stored.then(|| letter::CODE.to(to, &[("code", &code)])))
}

/// Removes expired registrations.
pub fn forget(store: &Store, now: i64) -> Result<()> {
    let is_over = move |_, registration: &RegistrationRecord| registration.created < now - VALID_SECONDS;
    store.remove_over(Task::Expired, is_over).map(drop)
}

/// Removes the registrations for the address of a deleted user.
pub fn forget_address(writer: &Writer<'_>, email: &Email) -> Result<()> {
    table::forget(writer, |registration| is_of(registration, email))
}

fn is_of(registration: &RegistrationRecord, email: &Email) -> bool {
    Email::parse(&registration.email).is_some_and(|other| other.folded == email.folded)
}

fn is_open(registration: &RegistrationRecord, now: i64) -> bool {
    (0..VALID_SECONDS).contains(&(now - registration.created)) && registration.tries < MAX_TRIES
}

#[cfg(test)]
mod tests;
