//! Confirmation of an operator (sudo) by a number from a mail. Works like a login by mail, with its rate limits, but
//! opens no session: the requesting session counts as confirmed. Requests and confirmations are in memory only and lost
//! on a restart.

use std::sync::{MutexGuard, PoisonError};

use super::guard::{self, Operator};
use super::mail_login::{self, StartedLogin};
use super::model::AdminProof;
use super::sessions::Browser;
use super::unverified::UnverifiedRecord;
use super::{access_log, table, unverified};
use fluglog_app::{AdminConfirmations, App};
use fluglog_base::error::{Error, Result};
use fluglog_base::secret::{Token, digest, digest_key};
use fluglog_base::text;

/// Mails the operator a confirmation link. `shown` is the token of a request that the browser already shows; it is
/// continued if it belongs to this session. `base` is the base URL of the link.
///
/// # Errors
/// As [`check`]; [`Error::RateLimited`] for the network address.
pub fn begin(app: &App, operator: &Operator, shown: Option<&str>, from: &Browser, base: &str) -> Result<StartedLogin> {
    check(app, operator, AdminProof::Mail)?;
    let user = operator.viewer().user();
    let account = app.store.read(|data| table::present(data, user))?;
    let token = Token::fresh()?;
    let now = app.clock.unix_seconds();
    let shown = {
        let mut asked = asked(app);
        asked.retain(|_, (_, since)| now - *since < mail_login::VALID_SECONDS);
        // Registered before the mail is written, whose text depends on what is confirmed.
        asked.insert(digest_key(&token.digest()), (operator.session(), now));
        shown.filter(|shown| is_of(&asked, digest_key(&digest(shown)), operator))
    };
    mail_login::begin_with_token(app, token, &account.email, shown, from, base)
}

/// Confirms the operator if the request's number was typed; each request counts once. Returns whether it was.
///
/// # Errors
/// As [`check`]; [`Error::Gone`] for a request that is expired, blocked, used, unknown or of another session.
pub fn finish(app: &App, operator: &Operator, token: Option<&str>, from: &Browser) -> Result<bool> {
    check(app, operator, AdminProof::Mail)?;
    let gone = || Error::Gone(text::CONFIRMATION_GONE);
    let key = digest_key(&digest(token.ok_or_else(gone)?));
    if !is_of(&asked(app), key, operator) {
        return Err(gone());
    }
    let user = operator.viewer().user();
    match mail_login::take_confirmed(app, user, key) {
        Err(Error::Gone(_)) => Err(gone()),
        Ok(true) => {
            asked(app).remove(&key);
            mark_confirmed(app, operator)?;
            access_log::log_admin_action("has typed the number of a mail", None, user, from.address);
            Ok(true)
        }
        other => other,
    }
}

/// Returns how the operator has to confirm.
///
/// # Errors
/// The account can't be read.
pub fn proof(app: &App, operator: &Operator) -> Result<AdminProof> {
    let user = operator.viewer().user();
    app.store.read(|data| {
        let unverified = unverified::of(data, user)?;
        let has_password = table::present(data, user)?.password.is_some();
        Ok(match (has_password && !unverified.password, unverified.email) {
            (true, _) => AdminProof::Password,
            (false, false) => AdminProof::Mail,
            (false, true) => AdminProof::Shell,
        })
    })
}

/// Checks that the operator confirms in the required way.
///
/// # Errors
/// [`Error::Conflict`] otherwise, naming the required way.
pub fn check(app: &App, operator: &Operator, shown: AdminProof) -> Result<()> {
    match proof(app, operator)? {
        proof if proof == shown => Ok(()),
        AdminProof::Password => Err(Error::Conflict(text::CONFIRM_BY_PASSWORD)),
        AdminProof::Mail => Err(Error::Conflict(text::CONFIRM_BY_MAIL)),
        AdminProof::Shell => Err(Error::Conflict(text::CONFIRM_BY_SHELL)),
    }
}

/// Records that an operator has confirmed, which also verifies a password or an address that the operator set before.
///
/// # Errors
/// The database can't be written.
pub(crate) fn mark_confirmed(app: &App, operator: &Operator) -> Result<()> {
    let user = operator.viewer().user();
    if app.store.read(|data| unverified::of(data, user))? != UnverifiedRecord::default() {
        app.store.write(move |writer| unverified::forget(writer, user))?;
    }
    guard::mark_confirmed(app, operator);
    Ok(())
}

fn is_of(asked: &AdminConfirmations, request: (u128, u128), operator: &Operator) -> bool {
    asked
        .get(&request)
        .is_some_and(|(session, _)| *session == operator.session())
}

fn asked(app: &App) -> MutexGuard<'_, AdminConfirmations> {
    app.confirmations.lock().unwrap_or_else(PoisonError::into_inner)
}
