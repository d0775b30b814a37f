//! Opening sessions: who asks, what a login comes to, and what the log says of it.

use std::net::IpAddr;
use std::time::Instant;

use super::model::{self, LoggedIn, SessionUser};
use super::table::{self, LoginTokenRecord, SessionRecord, UserRecord};
use crate::app::App;
use crate::base::error::Result;
use crate::base::id::UserId;
use crate::base::places::network;
use crate::base::secret::{Digest, Token, digest_key};
use crate::open_flight;
use crate::store::{Snapshot, Writer};

/// Registrations and logins by mail that one network address may begin within 15 minutes.
const MAIL_REQUESTS_FROM_ADDRESS: usize = 200;

/// The browser that tries to log in.
pub struct Browser {
    pub address: IpAddr,
    /// The session that it shows, good or not.
    pub session: Option<Digest>,
    /// Its `User-Agent`.
    pub name: Option<String>,
}

/// A login that succeeded: what the browser gets.
pub struct Login {
    pub session: Token,
    /// The persistent token, if there is a new one.
    pub token: Option<Token>,
    pub user: SessionUser,
}

impl Login {
    /// The answer to the call that logged in.
    #[must_use]
    pub fn answer(self) -> LoggedIn {
        LoggedIn {
            token: self.token.map(|token| token.as_str().to_owned()).unwrap_or_default(),
            user: self.user,
        }
    }
}

/// A session that is about to be opened, and the one that it ends: what somebody planted or saw before the login is worth nothing after
/// it.
pub struct NewSession {
    pub session: Token,
    pub token: Option<Token>,
    pub rows: SessionRows,
}

/// The rows that a new session writes.
#[derive(Clone, Copy)]
pub struct SessionRows {
    pub session: (u128, u128),
    pub token: Option<(u128, u128)>,
    pub ended: Option<(u128, u128)>,
    pub now: i64,
}

impl NewSession {
    pub fn prepare(app: &App, remember: bool, from: &Browser) -> Result<NewSession> {
        let session = Token::fresh()?;
        let token = remember.then(Token::fresh).transpose()?;
        let rows = SessionRows {
            session: digest_key(&session.digest()),
            token: token.as_ref().map(|token| digest_key(&token.digest())),
            ended: from.session.as_ref().map(digest_key),
            now: app.clock.unix_seconds(),
        };
        Ok(NewSession { session, token, rows })
    }

    pub fn login(self, user: SessionUser) -> Login {
        Login {
            session: self.session,
            token: self.token,
            user,
        }
    }
}

impl SessionRows {
    pub fn write(&self, writer: &Writer<'_>, user: UserId) -> Result<SessionUser> {
        if let Some(ended) = self.ended {
            writer.remove::<SessionRecord>(ended)?;
        }
        let mut record = table::present(writer, user)?;
        record.last_login = Some(self.now);
        let generation = record.generation;
        let session = SessionRecord {
            user: user.key(),
            generation,
            last_seen: self.now,
        };
        writer.put(self.session, &session)?;
        if let Some(token) = self.token {
            let record = LoginTokenRecord {
                user: user.key(),
                generation,
                created: self.now,
            };
            writer.put(token, &record)?;
        }
        writer.put(user.key(), &record)?;
        shown(writer, user, &record)
    }
}

/// Counts a request that may make us write a mail, for where it comes from.
pub fn count_mail_request(app: &App, from: &Browser) -> Result<()> {
    let from_address = format!("mail {}", network(from.address));
    app.rate_limiter
        .begin(&[(&from_address, MAIL_REQUESTS_FROM_ADDRESS)], Instant::now())
        // Dropped, it counts: there is no outcome to wait for.
        .map(drop)
}

/// Logs a login, with the user's id and not the address: the log is read and kept elsewhere.
pub fn log_login(user: UserId, by: &str, from: &Browser) {
    tracing::info!("login of {user} from {} by {by}", from.address);
}

/// One line a failure, in one form: programs that lock out guessers read it.
pub fn log_failure(why: &str, from: &Browser) {
    tracing::warn!("login failed from {}: {why}", from.address);
}

pub fn shown(data: &Snapshot<'_>, id: UserId, user: &UserRecord) -> Result<SessionUser> {
    Ok(SessionUser {
        account: model::account(id),
        nickname: user.nickname.clone(),
        photo: model::photo_path(table::photo(data, id)?),
        open_flight: open_flight::of(data, id)?,
    })
}
