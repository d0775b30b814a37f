//! The first account: while there is none, the address that the server prints makes it, once. Only the digest of its
//! token is kept, in memory: each start makes a new one.

use super::links::{NewAccount, make_account};
use super::sessions::{Browser, Login};
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::secret::{Token, digest};
use crate::base::text;
use crate::store::{Snapshot, schema};

/// How long an address is good.
const VALID_SECONDS: i64 = 24 * 60 * 60;

/// A token for the first account; `None` when there is one.
pub fn begin(app: &App) -> Result<Option<Token>> {
    if !is_open(app)? {
        return Ok(None);
    }
    let token = Token::fresh()?;
    let ends = app.clock.unix_seconds() + VALID_SECONDS;
    app.setup.send_replace(Some((token.digest(), ends)));
    Ok(Some(token))
}

/// Whether there is no account yet.
pub fn is_open(app: &App) -> Result<bool> {
    app.store.read(has_no_user)
}

fn has_no_user(data: &Snapshot<'_>) -> Result<bool> {
    Ok(data.count(&schema::USERS)? == 0)
}

/// Makes the first account, that of an operator, and logs in.
///
/// # Errors
/// [`Error::Gone`]: there is an account, or the token is too old or unknown. A malformed address or nickname, a
/// password that is refused.
pub fn create(app: &App, token: &str, email: &str, nickname: &str, password: &str, from: &Browser) -> Result<Login> {
    let now = app.clock.unix_seconds();
    let new = NewAccount::checked(app, email, nickname, password)?;
    let shown = digest(token);
    let is_good = app
        .setup
        .borrow()
        .is_some_and(|(good, ends)| good == shown && now < ends);
    if !is_good || !is_open(app)? {
        super::access_log::guessed("unknown address for the first account", None, from.address);
        return Err(Error::Gone(text::SETUP_GONE));
    }
    let new = new.with_password(app, password)?.of_operator();
    let login = make_account(app, new, from, "set-up address", |writer| match has_no_user(writer)? {
        true => Ok(()),
        false => Err(Error::Gone(text::SETUP_GONE)),
    })?;
    app.setup.send_replace(None);
    Ok(login)
}
