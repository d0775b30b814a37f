//! The confirmation of an operator by a number from a mail: a login by mail, with its limits, that opens no session.
//! The session that asked counts as confirmed instead. A restart forgets it, as it does what was confirmed.

use std::sync::{MutexGuard, PoisonError};

use super::guard::{self, Operator};
use super::mail_login::{self, Begun};
use super::model::AdminProof;
use super::sessions::Browser;
use super::unproven::UnprovenRecord;
use super::{access_log, table, unproven};
use fluglog_app::{App, Confirmations};
use fluglog_base::error::{Error, Result};
use fluglog_base::secret::{Token, digest, digest_key};
use fluglog_base::text;

/// Has an operator written to. `shown` is the request that the browser shows already: it goes on when it is one of this
/// session. `base` is that of the link.
///
/// # Errors
/// As [`check`]; [`Error::RateLimited`] from this address of the network.
pub fn begin(app: &App, operator: &Operator, shown: Option<&str>, from: &Browser, base: &str) -> Result<Begun> {
    check(app, operator, AdminProof::Mail)?;
    let user = operator.viewer().user();
    let account = app.store.read(|data| table::present(data, user))?;
    let token = Token::fresh()?;
    let now = app.clock.unix_seconds();
    let shown = {
        let mut asked = asked(app);
        asked.retain(|_, (_, since)| now - *since < mail_login::VALID_SECONDS);
        // Before the mail is written: it says what is confirmed.
        asked.insert(digest_key(&token.digest()), (operator.session(), now));
        shown.filter(|shown| is_of(&asked, digest_key(&digest(shown)), operator))
    };
    mail_login::begin_as(app, token, &account.email, shown, from, base)
}

/// Confirms the operator when the number was typed, once; whether it was.
///
/// # Errors
/// As [`check`]; [`Error::Gone`]: expired, dead, used, unknown, or of another session.
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
            note(app, operator)?;
            access_log::administered("has typed the number of a mail", None, user, from.address);
            Ok(true)
        }
        other => other,
    }
}

/// The way in which an operator confirms.
///
/// # Errors
/// The account can't be read.
pub fn proof(app: &App, operator: &Operator) -> Result<AdminProof> {
    let user = operator.viewer().user();
    app.store.read(|data| {
        let unproven = unproven::of(data, user)?;
        let has_password = table::present(data, user)?.password.is_some();
        Ok(match (has_password && !unproven.password, unproven.email) {
            (true, _) => AdminProof::Password,
            (false, false) => AdminProof::Mail,
            (false, true) => AdminProof::Shell,
        })
    })
}

/// # Errors
/// [`Error::Conflict`]: the operator confirms with something else, and with what.
pub fn check(app: &App, operator: &Operator, shown: AdminProof) -> Result<()> {
    match proof(app, operator)? {
        proof if proof == shown => Ok(()),
        AdminProof::Password => Err(Error::Conflict(text::CONFIRM_BY_PASSWORD)),
        AdminProof::Mail => Err(Error::Conflict(text::CONFIRM_BY_MAIL)),
        AdminProof::Shell => Err(Error::Conflict(text::CONFIRM_BY_SHELL)),
    }
}

/// Notes that an operator has confirmed. Whatever this one had changed before is proven now.
///
/// # Errors
/// The database can't be written.
pub fn note(app: &App, operator: &Operator) -> Result<()> {
    let user = operator.viewer().user();
    if app.store.read(|data| unproven::of(data, user))? != UnprovenRecord::default() {
        app.store.write(move |writer| unproven::forget(writer, user))?;
    }
    guard::note_confirmed(app, operator);
    Ok(())
}

fn is_of(asked: &Confirmations, request: (u128, u128), operator: &Operator) -> bool {
    asked
        .get(&request)
        .is_some_and(|(session, _)| *session == operator.session())
}

fn asked(app: &App) -> MutexGuard<'_, Confirmations> {
    app.confirmations.lock().unwrap_or_else(PoisonError::into_inner)
}
