//! The first account: while there is none, the server prints a one-time URL that makes it. The token is kept in memory
//! only, so each start makes a new one.

use std::net::IpAddr;

use super::access_log;
use super::links::{NewAccount, make_account};
use super::sessions::{Browser, Login};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::secret::{Token, digest};
use fluglog_base::text;
use fluglog_store::{Snapshot, schema};
use fluglog_web::link_base;

/// How long a URL is valid.
const VALID_SECONDS: i64 = 24 * 60 * 60;

/// Makes the token for the first account, if there is no account.
pub fn begin(app: &App) -> Result<()> {
    if is_open(app)? {
        let ends = app.clock.unix_seconds() + VALID_SECONDS;
        app.setup_token.send_replace(Some((Token::fresh()?, ends)));
    }
    Ok(())
}

/// Returns the URL that makes the first account; `None` if there is an account or the token has expired.
pub fn url(app: &App) -> Result<Option<String>> {
    if !is_open(app)? {
        return Ok(None);
    }
    let now = app.clock.unix_seconds();
    let setup = app.setup_token.borrow();
    let token = setup.as_ref().filter(|(_, ends)| now < *ends).map(|(token, _)| token);
    Ok(token.map(|token| format!("{}/app/setup#{}", link_base::admin_base(app), token.as_str())))
}

/// Returns whether there is no account yet.
pub fn is_open(app: &App) -> Result<bool> {
    app.store.read(has_no_user)
}

fn has_no_user(data: &Snapshot<'_>) -> Result<bool> {
    Ok(data.count(&schema::USERS)? == 0)
}

/// Checks the token for the first account.
///
/// # Errors
/// [`Error::Gone`]: there is an account, or the token is expired or unknown.
pub fn check(app: &App, token: &str, from: IpAddr) -> Result<()> {
    let (now, shown) = (app.clock.unix_seconds(), digest(token));
    let is_good = app
        .setup_token
        .borrow()
        .as_ref()
        .is_some_and(|(good, ends)| good.digest() == shown && now < *ends);
    if !is_good || !is_open(app)? {
        access_log::log_wrong_guess("unknown address for the first account", None, from);
        return Err(Error::Gone(text::SETUP_GONE));
    }
    Ok(())
}

/// Makes the first account, an operator's, and logs in.
///
/// # Errors
/// [`Error::Gone`]: there is an account, or the token is expired or unknown. A malformed address or nickname, or a
/// password that breaks a rule.
pub fn create(app: &App, token: &str, email: &str, nickname: &str, password: &str, from: &Browser) -> Result<Login> {
    let new = NewAccount::checked(app, email, nickname, password)?;
    check(app, token, from.address)?;
    let new = new.with_password(app, password)?.verified();
    let login = make_account(app, new, from, "set-up address", |writer, _| {
        match has_no_user(writer)? {
            true => Ok(()),
            false => Err(Error::Gone(text::SETUP_GONE)),
        }
    })?;
    app.setup_token.send_replace(None);
    Ok(login)
}
