//! Personal access tokens: ways into an account for scripts. A pilot makes and ends them in the profile; each has a
//! name, an end, and says whether a script may change anything. The calls that decide who gets in refuse them.

pub mod model;
pub(crate) mod table;

use super::access_log;
use super::guard::Viewer;
use super::operation::{Operation, Outcome};
use super::sessions::Browser;
use super::table as users;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::AccessTokenId;
use fluglog_base::secret::{Token, digest, digest_key};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::credentials::TOKEN_PREFIX;
use model::{AccessToken, NewAccessToken};
use table::AccessTokenRecord;

/// Tokens of one pilot.
const MAX_PER_USER: usize = 20;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Returns the tokens of the viewer that haven't ended, the newest first.
pub(crate) fn list(app: &App, viewer: &Viewer) -> Result<Vec<AccessToken>> {
    let now = app.clock.unix_seconds();
    let mut tokens = app.store.read(|data| {
        let user = users::present(data, viewer.user())?;
        table::of(data, viewer.user(), &user)
    })?;
    tokens.retain(|(_, token)| token.ends > now);
    tokens.sort_by_key(|(_, token)| std::cmp::Reverse(token.made));
    let time = |seconds| app.clock.wall_time_at(seconds).to_string();
    Ok(tokens
        .into_iter()
        .map(|(key, token)| AccessToken {
            dpf_id: AccessTokenId::from_key(key.0),
            name: token.name,
            may_write: token.may_write,
            made: time(token.made),
            last_used: token.last_used.map(time),
            ends: time(token.ends),
        })
        .collect())
}

/// Makes a token that ends after `days` days. Its text is answered this once; the database has only its digest.
///
/// # Errors
/// [`Error::Conflict`]: the pilot has the most tokens that there may be.
pub(crate) fn make(
    app: &App,
    operation: Operation,
    name: String,
    may_write: bool,
    days: u32,
    from: &Browser,
) -> Result<NewAccessToken> {
    let user = operation.viewer().user();
    let token = format!("{TOKEN_PREFIX}{}", Token::fresh()?.as_str());
    let key = digest_key(&digest(&token));
    let now = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        let account = users::present(writer, user)?;
        table::forget(writer, user, |_, token| {
            token.ends <= now || token.generation != account.generation
        })?;
        if table::of(writer, user, &account)?.len() >= MAX_PER_USER {
            return Err(Error::Conflict(text::ACCESS_TOKENS_FULL));
        }
        let record = AccessTokenRecord {
            user: user.key(),
            generation: account.generation,
            name: name.clone(),
            may_write,
            made: now,
            ends: now + i64::from(days) * DAY_SECONDS,
            last_used: None,
        };
        writer.put(key, &record)?;
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    access_log::log_use("new access token", user, from.address);
    Ok(NewAccessToken { token })
}

/// Ends a token of the viewer.
///
/// # Errors
/// [`Error::NotFound`]: another user's token, or one that has ended already.
pub(crate) fn end(app: &App, operation: Operation, id: AccessTokenId, from: &Browser) -> Result<()> {
    let user = operation.viewer().user();
    operation.write(&app.store, move |writer| {
        let account = users::present(writer, user)?;
        let tokens = table::of(writer, user, &account)?;
        if !tokens.iter().any(|(key, _)| key.0 == id.key()) {
            return Err(Error::NotFound);
        }
        table::forget(writer, user, |key, _| key.0 == id.key())?;
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    access_log::log_end("access token", user, Some(from.address));
    Ok(())
}
