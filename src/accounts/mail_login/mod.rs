//! Login by mail: a browser makes a request, its user opens the link in the mail and types the number that the browser
//! shows, and only that browser is logged in. Independent of cookies.
//!
//! The answers never reveal whether an address has a user: a request is made for any address, in the same time, and one
//! without a user, or over the rate limit, is never confirmed. Requests by strangers never use up the limits of a
//! browser that the pilot has logged in with before.

mod requests;
pub(super) mod table;
mod turns;

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::access::{self, AccessEnd};
use super::model::{LoginRequest, browser_name, place_name};
use super::sessions::{Browser, Login, NewSession, log_login};
use super::{access_log, guard, mailbox_verification, table as accounts};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, Priority, QueuedMail};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::{Digest, Token, digest, digest_key, random_digits};
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::{Snapshot, Store, Writer};
use requests::{is_too_old, is_valid, is_waiting, waiting_for};
use table::{LoginLinkRecord, LoginRequestRecord};
use turns::{QueuePlace, denied, denied_key, place};

pub(super) use requests::VALID_SECONDS;
pub(crate) use turns::unblock;

/// A browser that asks again continues its request while it is younger than this, so that enough time is left to read
/// the mail.
const RENEWED_AFTER_SECONDS: i64 = VALID_SECONDS / 2;
/// The most requests by strangers that wait for one address, so that a known browser still finds a free number.
const MAX_OF_STRANGERS: usize = 50;

/// A new request: the token that the browser keeps, and the number that it shows.
pub struct StartedLogin {
    pub token: String,
    pub number: String,
}

/// Makes a request for a browser and queues the mail. `token` is that of a request that the browser already shows: for
/// the same address it is continued, but under a new token, since an attacker may have planted the old one. `base` is
/// the base URL of the link.
///
/// # Errors
/// A malformed address, or [`Error::RateLimited`] for the network address.
pub fn begin(app: &App, email: &str, token: Option<&str>, from: &Browser, base: &str) -> Result<StartedLogin> {
    let of_login = |token: &&str| !is_confirmation(app, digest_key(&digest(token)));
    begin_with_token(app, Token::fresh()?, email, token.filter(of_login), from, base)
}

/// Like [`begin`], but under a token made by the caller. `shown` is the token of the request to continue.
pub(super) fn begin_with_token(
    app: &App,
    token: Token,
    email: &str,
    shown: Option<&str>,
    from: &Browser,
    base: &str,
) -> Result<StartedLogin> {
    let email = Email::parse(email).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let QueuePlace {
        priority: place,
        device,
    } = place(app, &email, from)?;
    let old = shown.map(|token| digest_key(&digest(token)));
    let key = digest_key(&token.digest());
    let random = random_digits(6)?.parse().unwrap_or_default();
    let browser = browser_name(from.name.as_deref());
    let (base, is_near) = (base.to_owned(), from.is_near);
    let now = app.clock.unix_seconds();
    let number = app.store.write(move |writer| {
        let user = accounts::by_email(writer, &email)?.filter(|(_, user)| !user.disabled);
        let others = waiting_for(writer, &email, now)?;
        let is_full =
            |place: &Priority| place.line == Lane::UnknownBrowsers && others.with_user.len() >= MAX_OF_STRANGERS;
        let place = place.filter(|place| !is_full(place));
        let goes_on = |request: &LoginRequestRecord| {
            request.email == email.key() && is_waiting(request, now) && now - request.created < RENEWED_AFTER_SECONDS
        };
        let request = match (old, old.map(|old| table::take(writer, old)).transpose()?.flatten()) {
            (Some(old), Some(request)) if goes_on(&request) => {
                table::repoint_links(writer, old, key)?;
                mail_queue::rename_request(writer, &email, old, key)?;
                request
            }
            _ => {
                // Without a priority no mail is written, so nobody can confirm the request.
                let user = user.as_ref().filter(|_| place.is_some());
                LoginRequestRecord {
                    email: email.key(),
                    user: user.map(|(id, _)| id.key()),
                    generation: user.map_or(0, |(_, user)| user.generation),
                    number: others.free_number(random),
                    browser: browser.clone(),
                    is_near,
                    created: now,
                    wrong_numbers: 0,
                    confirmed: false,
                    device,
                }
            }
        };
        // Written in every case, so that an address without a user takes the same time.
        writer.put(key, &request)?;
        if let (Some(_), Some((_, user)), Some(place)) = (request.user, user, place) {
            let letter = QueuedMail::Login {
                request: key,
                base: base.clone(),
            };
            // Sent to the address as the pilot registered it, not as typed now.
            let email = Email::parse(&user.email).unwrap_or_else(|| email.clone());
            mail_queue::put(writer, &email, letter, place, now, mail_queue::ONE_MAIL_IN_SECONDS)?;
        }
        Ok(request.number)
    })?;
    app.mail_queued.notify_one();
    Ok(StartedLogin {
        token: token.as_str().to_owned(),
        number,
    })
}

/// Denies a login: ends all requests for the address, and the device cookies of the browsers that made them. For an
/// hour only browsers that the pilot has logged in with can make requests.
///
/// # Errors
/// [`Error::Gone`]: used, expired, blocked or unknown.
pub(crate) fn deny(app: &App, link: &str) -> Result<()> {
    let link = digest_key(&digest(link));
    let now = app.clock.unix_seconds();
    remove_expired(app, now)?;
    let email = app.store.write(move |writer| {
        let (_, request) = confirmable(writer, link, now)?.ok_or(Error::Gone(text::LINK_GONE))?;
        if let Some(user) = request.user.map(UserId::from_key) {
            let asked = table::of_email(writer, request.email)?.into_iter();
            let browser = access::BrowserKeys {
                devices: asked.filter_map(|request| request.device).collect(),
                ..access::BrowserKeys::default()
            };
            access::revoke(writer, AccessEnd::Denied, user, &browser)?;
        }
        Ok(request.email)
    })?;
    // A dropped try counts.
    drop(app.rate_limiter.begin(&[denied(&denied_key(email))], Instant::now()));
    app.logins_settled.send_modify(|count| *count = count.wrapping_add(1));
    Ok(())
}

/// Waits until a browser's request is confirmed, then logs the browser in, once. `None` after `login_wait_seconds`
/// without confirmation, or when the server is stopping.
///
/// # Errors
/// [`Error::Gone`]: expired, blocked, used, unknown or for another address.
pub async fn wait(app: Arc<App>, email: &str, token: &str, remember: bool, from: Browser) -> Result<Option<Login>> {
    let email = Email::parse(email).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let request = digest(token);
    let from = Arc::new(from);
    let mut settled = app.logins_settled.subscribe();
    let mut stopping = app.stopping.subscribe();
    let limit = tokio::time::sleep(Duration::from_secs_f64(app.config.limits.login_wait_seconds));
    let mut limit = std::pin::pin!(limit);
    loop {
        settled.mark_unchanged();
        let (asked, email, from) = (Arc::clone(&app), email.clone(), Arc::clone(&from));
        let claimed = tokio::task::spawn_blocking(move || claim(&asked, &email, &request, remember, &from)).await;
        let claimed = claimed.map_err(|panic| Error::Internal(format!("a panic while logging in: {panic}")))??;
        if claimed.is_some() {
            return Ok(claimed);
        }
        tokio::select! {
            // Never an error: `app` holds the sender.
            _ = settled.changed() => {}
            () = &mut limit => return Ok(None),
            _ = stopping.wait_for(|stopping| *stopping) => return Ok(None),
        }
    }
}

/// Logs the browser in if its request is confirmed; `None` while it waits.
fn claim(app: &App, email: &Email, request: &Digest, remember: bool, from: &Browser) -> Result<Option<Login>> {
    let key = digest_key(request);
    let address = email.key();
    let now = app.clock.unix_seconds();
    remove_expired(app, now)?;
    if is_confirmation(app, key) {
        return Err(Error::Gone(text::LOGIN_GONE));
    }
    let check = move |data: &Snapshot<'_>| confirmed(data, key, address, now);
    if app.store.read(check)?.is_none() {
        return Ok(None);
    }
    let new = NewSession::prepare(app, remember, from)?;
    let rows = new.rows.clone();
    let claimed = app.store.write(move |writer| match check(writer)? {
        Some(user) => {
            writer.remove::<LoginRequestRecord>(key)?;
            mailbox_verification::note(writer, user, now)?;
            Ok(Some((user, rows.write(writer, user)?)))
        }
        None => Ok(None),
    })?;
    app.mail_queued.notify_one();
    Ok(claimed.map(|(user, shown)| {
        log_login(user, "mail", from);
        new.login(shown)
    }))
}

/// Returns the user of a confirmed request; `None` while it waits.
fn confirmed(data: &Snapshot<'_>, key: (u128, u128), email: (u128, u128), now: i64) -> Result<Option<UserId>> {
    let request = data
        .get::<LoginRequestRecord>(key)?
        .filter(|request| request.email == email && is_valid(request, now))
        .ok_or(Error::Gone(text::LOGIN_GONE))?;
    let Some(user) = request.user.map(UserId::from_key) else {
        return Ok(None);
    };
    if !guard::is_generation_current(data, user, request.generation)? {
        return Err(Error::Gone(text::LOGIN_GONE));
    }
    Ok(request.confirmed.then_some(user))
}

/// Removes a user's request if it is confirmed, so that it counts once. Returns whether it was.
///
/// # Errors
/// [`Error::Gone`]: expired, blocked, used, unknown or another user's.
pub(super) fn take_confirmed(app: &App, user: UserId, key: (u128, u128)) -> Result<bool> {
    let now = app.clock.unix_seconds();
    remove_expired(app, now)?;
    let check = move |data: &Snapshot<'_>| {
        let email = accounts::address(&accounts::present(data, user)?)?.key();
        Ok(confirmed(data, key, email, now)? == Some(user))
    };
    if !app.store.read(check)? {
        return Ok(false);
    }
    app.store.write(move |writer| {
        let is_confirmed = check(writer)?;
        if is_confirmed {
            writer.remove::<LoginRequestRecord>(key)?;
        }
        Ok(is_confirmed)
    })
}

/// Returns which browser made the request that a link confirms, and when.
///
/// # Errors
/// [`Error::Gone`]: used, expired, blocked or unknown.
pub(crate) fn request_of_link(app: &App, link: &str) -> Result<LoginRequest> {
    let now = app.clock.unix_seconds();
    remove_expired(app, now)?;
    let (key, request) = app
        .store
        .read(|data| confirmable(data, digest_key(&digest(link)), now))?
        .ok_or(Error::Gone(text::LINK_GONE))?;
    Ok(LoginRequest {
        admin: is_confirmation(app, key),
        browser: request.browser,
        from: place_name(request.is_near).to_owned(),
        time: app.clock.wall_time_at(request.created).to_string(),
    })
}

/// Confirms a request with the number that its browser shows.
///
/// # Errors
/// A wrong number; [`Error::Gone`] after three wrong ones, and for a link that is used, expired or unknown.
pub fn confirm(app: &App, link: &str, number: &str, from: &Browser) -> Result<()> {
    let number = number.trim().to_owned();
    if number.is_empty() {
        return Err(Error::invalid("number", text::NUMBER_MISSING));
    }
    let link = digest_key(&digest(link));
    let now = app.clock.unix_seconds();
    remove_expired(app, now)?;
    let (is_right, user) = app.store.write(move |writer| {
        let (key, mut request) = confirmable(writer, link, now)?.ok_or(Error::Gone(text::LINK_GONE))?;
        let is_right = request.number == number;
        if is_right {
            request.confirmed = true;
        } else {
            request.wrong_numbers += 1;
        }
        writer.put(key, &request)?;
        Ok((is_right, request.user))
    })?;
    app.logins_settled.send_modify(|count| *count = count.wrapping_add(1));
    if is_right {
        Ok(())
    } else {
        access_log::log_wrong_guess("wrong number", user.map(UserId::from_key), from.address);
        Err(Error::invalid("number", text::NUMBER_WRONG))
    }
}

/// Returns the request of a link if it can still be confirmed.
fn confirmable(
    data: &Snapshot<'_>,
    link: (u128, u128),
    now: i64,
) -> Result<Option<((u128, u128), LoginRequestRecord)>> {
    let Some((key, request)) = table::of_link(data, link)?.filter(|(_, request)| is_waiting(request, now)) else {
        return Ok(None);
    };
    let Some(user) = request.user.map(UserId::from_key) else {
        return Ok(None);
    };
    Ok(guard::is_generation_current(data, user, request.generation)?.then_some((key, request)))
}

/// Writes the mail with a new confirmation link; `None` when the request can't be confirmed any more.
pub fn compose(app: &App, request: (u128, u128), base: &str, to: &str) -> Result<Option<Mail>> {
    let token = Token::fresh()?;
    let link = digest_key(&token.digest());
    let now = app.clock.unix_seconds();
    let written = app.store.write(move |writer| {
        let Some(record) = writer
            .get::<LoginRequestRecord>(request)?
            .filter(|record| is_waiting(record, now))
        else {
            return Ok(None);
        };
        let Some(user) = record.user.map(UserId::from_key) else {
            return Ok(None);
        };
        if !guard::is_generation_current(writer, user, record.generation)? {
            return Ok(None);
        }
        writer.put(link, &LoginLinkRecord { request })?;
        Ok(Some((accounts::existing(writer, user)?.nickname, record)))
    })?;
    Ok(written.map(|(nickname, record)| {
        let letter = match is_confirmation(app, request) {
            true => letter::ADMIN,
            false => letter::LOGIN,
        };
        letter.to(
            to,
            &[
                ("nickname", &nickname),
                ("time", &app.clock.wall_time_at(record.created).to_string()),
                ("browser", &record.browser),
                ("from", place_name(record.is_near)),
                ("link", &format!("{base}/app/loginConfirmation#{}", token.as_str())),
            ],
        )
    }))
}

/// Returns whether a request confirms an operator instead of opening a session.
fn is_confirmation(app: &App, request: (u128, u128)) -> bool {
    let asked = app.confirmations.lock().unwrap_or_else(PoisonError::into_inner);
    asked.contains_key(&request)
}

/// Removes expired requests.
pub fn forget(writer: &Writer<'_>, now: i64) -> Result<()> {
    table::forget(writer, |request| is_too_old(request, now))
}

/// Like [`forget`], for the task that does so.
pub fn forget_old(store: &Store, now: i64) -> Result<()> {
    let removed = store.remove_over::<LoginRequestRecord>(Task::Expired, move |_, request| is_too_old(request, now))?;
    match removed {
        0 => Ok(()),
        _ => store.write_task(Task::Expired, table::forget_links),
    }
}

/// Removes expired requests before they are refused, so that they stay refused even if the clock is set back later.
fn remove_expired(app: &App, now: i64) -> Result<()> {
    match app
        .store
        .read(|data| table::has(data, |request| is_too_old(request, now)))?
    {
        true => app.store.write(move |writer| forget(writer, now)),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests;
