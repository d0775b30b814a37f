//! Logins that a trusted proxy has made: it names the address of the account with each request. For whom it names no
//! account, Fluglog's own logins count.

use super::model::MAX_NICKNAME_CHARACTERS;
use super::sessions::{Browser, Login, NewSession};
use super::table::{self, UserRecord};
use super::{mailbox_verification, open_session, setup};
use fluglog_app::{App, mail_queue};
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_mail::address::Email;

/// Returns the account that the proxy names, unless it is disabled.
///
/// # Errors
/// The accounts can't be read.
pub(crate) fn named(app: &App, named: Option<&str>) -> Result<Option<UserId>> {
    Ok(account(app, named)?.map(|(user, _)| user))
}

/// Logs in to the account that the proxy names, which is made if the settings say so; `None` without an account.
///
/// # Errors
/// The session can't be opened.
pub(crate) fn login(app: &App, named: Option<&str>, from: &Browser) -> Result<Option<Login>> {
    let found = match account(app, named)? {
        None => make(app, named)?,
        Some((user, account)) if !account.is_verified => prove(app, user)?,
        found => found,
    };
    let Some((user, account)) = found else {
        return Ok(None);
    };
    let new = NewSession::prepare(app, false, from)?;
    open_session(app, user, account.generation, new, from, "proxy").map(Some)
}

fn account(app: &App, named: Option<&str>) -> Result<Option<(UserId, UserRecord)>> {
    let Some(email) = named.and_then(Email::parse) else {
        return Ok(None);
    };
    let found = app.store.read(|data| table::by_email(data, &email))?;
    Ok(found.filter(|(_, account)| !account.disabled))
}

/// Ends the ways of whoever made the account by an invitation with an address that may be somebody else's.
fn prove(app: &App, user: UserId) -> Result<Option<(UserId, UserRecord)>> {
    let now = app.clock.unix_seconds();
    let account = app.store.write(move |writer| {
        mailbox_verification::note(writer, user, now)?;
        table::present(writer, user)
    })?;
    app.mail_queued.notify_one();
    Ok(Some((user, account)))
}

/// Makes an account. The first one is made with the address that the server printed, which makes an operator.
fn make(app: &App, named: Option<&str>) -> Result<Option<(UserId, UserRecord)>> {
    let email = named.and_then(Email::parse).filter(mail_queue::is_addressable);
    let Some(email) = email.filter(|_| app.config.auth.creates_accounts) else {
        return Ok(None);
    };
    if setup::is_open(app)? {
        return Ok(None);
    }
    let before_the_at = email.typed.split('@').next().unwrap_or_default();
    let nickname = before_the_at.chars().take(MAX_NICKNAME_CHARACTERS).collect();
    let account = UserRecord {
        is_verified: true,
        ..UserRecord::new(&email, nickname, app.clock.unix_seconds())
    };
    let id = UserId::fresh();
    app.store.write(move |writer| match table::by_email(writer, &email)? {
        // Another request was faster, or the account is disabled.
        Some(found) => Ok(Some(found).filter(|(_, account)| !account.disabled)),
        None => {
            table::insert(writer, id, &email, &account)?;
            Ok(Some((id, account.clone())))
        }
    })
}
