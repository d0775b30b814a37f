//! Opening sessions: the requesting browser, the result of a login, and its log line.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use super::access;
use super::devices::{self, RecordedLogin};
use super::guard;
use super::model::{self, LoggedIn, SessionUser};
use super::spaces;
use super::table::{self, LoginTokenRecord, SessionRecord, UserRecord};
use fluglog_app::{App, SessionUses};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::limits::connections::{network, wider_networks};
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::secret::{Digest, Token, digest, digest_key};
use fluglog_mail::address::Email;
use fluglog_store::open_flight;
use fluglog_store::{Snapshot, Writer, owned_by, schema};

/// Registrations and logins by mail per network address within 15 minutes.
const MAIL_REQUESTS_FROM_ADDRESS: usize = 200;
/// Mails to one e-mail address that one network address may cause within an hour.
const MAILS_FOR_EMAIL_FROM_ADDRESS: usize = 5;
/// Sessions of one user; beyond that the least recently used end.
const MAX_PER_USER: usize = 50;
/// Sessions kept in memory while the database is read-only; beyond that the oldest end.
const MAX_KEPT: usize = 10_000;
/// Open sessions of one persistent login, so that whoever has its token can't push out other logins.
const MAX_PER_TOKEN: usize = 10;
/// Divisor: one network address gets at most this fraction of the server's mails per hour.
const PART_OF_MAILS: usize = 4;

/// The browser that tries to log in.
pub struct Browser {
    pub address: IpAddr,
    /// The digest of its session cookie, valid or not.
    pub session: Option<Digest>,
    /// The digest of its persistent token, valid or not.
    pub token: Option<Digest>,
    /// The browser's device cookies, one for each pilot who has logged in with it, valid or not.
    pub devices: Vec<String>,
    /// Whether the browser is in a network of this machine.
    pub is_near: bool,
    /// `User-Agent` of the browser.
    pub name: Option<String>,
    /// Whether the browser gets a persistent token with the account that the call makes.
    pub remember: bool,
}

impl Browser {
    /// Returns the digests of the device cookies, as stored.
    #[must_use]
    pub(crate) fn device_digests(&self) -> Vec<Digest> {
        self.devices.iter().map(|device| digest(device)).collect()
    }

    /// Returns the keys of all cookies that it sent.
    #[must_use]
    pub fn keys(&self) -> access::BrowserKeys {
        access::BrowserKeys {
            sessions: self.session.iter().map(digest_key).collect(),
            tokens: self.token.iter().map(digest_key).collect(),
            devices: self.device_digests().iter().map(digest_key).collect(),
        }
    }
}

/// A successful login, with the cookies for the browser.
pub struct Login {
    pub session: Token,
    /// The new persistent token, if one was requested.
    pub token: Option<Token>,
    /// The device cookies from now on.
    pub devices: Vec<String>,
    pub user: SessionUser,
}

impl Login {
    /// Returns the answer to the login call.
    #[must_use]
    pub fn answer(self) -> LoggedIn {
        LoggedIn {
            token: self.token.map(|token| token.as_str().to_owned()).unwrap_or_default(),
            user: self.user,
        }
    }
}

/// A session that is about to be opened. It ends the browser's current one, so that a session cookie planted or seen
/// before the login is worthless after it (session fixation).
pub(crate) struct NewSession {
    session: Token,
    token: Option<Token>,
    device: Token,
    shown_devices: Vec<String>,
    pub rows: SessionRows,
}

/// What the transaction that opened a session returns.
pub struct Opened {
    user: SessionUser,
    devices: RecordedLogin,
}

/// The rows that a new session writes.
#[derive(Clone)]
pub(crate) struct SessionRows {
    session: (u128, u128),
    /// The new persistent token, if one was requested.
    token: Option<(u128, u128)>,
    /// The persistent token that was used to log in.
    used_token: Option<(u128, u128)>,
    ended: Option<(u128, u128)>,
    /// The persistent token that the new one replaces.
    ended_token: Option<(u128, u128)>,
    browser: String,
    device: (u128, u128),
    shown_devices: Vec<(u128, u128)>,
    uses: SessionUses,
    now: i64,
}

impl NewSession {
    pub fn prepare(app: &App, remember: bool, from: &Browser) -> Result<NewSession> {
        let session = Token::fresh()?;
        let token = remember.then(Token::fresh).transpose()?;
        let device = Token::fresh()?;
        let rows = SessionRows {
            session: digest_key(&session.digest()),
            token: token.as_ref().map(|token| digest_key(&token.digest())),
            used_token: None,
            ended: from.session.as_ref().map(digest_key),
            ended_token: from.token.as_ref().map(digest_key).filter(|_| remember),
            browser: model::browser_name(from.name.as_deref()),
            device: digest_key(&device.digest()),
            shown_devices: from.device_digests().iter().map(digest_key).collect(),
            uses: Arc::clone(&app.session_uses),
            now: app.clock.unix_seconds(),
        };
        Ok(NewSession {
            session,
            token,
            device,
            shown_devices: from.devices.clone(),
            rows,
        })
    }

    /// Prepares a session that a persistent token opens.
    pub(crate) fn with_token(app: &App, token: &Digest, from: &Browser) -> Result<NewSession> {
        let mut new = NewSession::prepare(app, false, from)?;
        new.rows.used_token = Some(digest_key(token));
        Ok(new)
    }

    pub fn login(self, opened: Opened) -> Login {
        let RecordedLogin { kept, is_fresh } = opened.devices;
        let fresh = is_fresh.then(|| self.device.as_str().to_owned());
        let shown = self.shown_devices.into_iter();
        let shown = shown.filter(|device| kept.contains(&digest_key(&digest(device))));
        Login {
            session: self.session,
            token: self.token,
            devices: fresh.into_iter().chain(shown).collect(),
            user: opened.user,
        }
    }
}

impl NewSession {
    /// Opens the session in memory only, while it can't be stored: without a persistent token, and with the device
    /// cookies unchanged.
    ///
    /// # Errors
    /// [`Error::NotLoggedIn`]: the user's logins have been ended since.
    pub(crate) fn open_in_memory(mut self, app: &App, user: UserId, generation: u32) -> Result<Login> {
        let shown = app.store.read(|data| {
            if !guard::is_generation_current(data, user, generation)? {
                return Err(Error::NotLoggedIn);
            }
            session_user_of(data, user, &table::present(data, user)?)
        })?;
        let mut sessions = app.in_memory_sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ended) = self.rows.ended {
            sessions.remove(&ended);
        }
        if sessions.len() >= MAX_KEPT {
            let oldest = sessions
                .iter()
                .min_by_key(|(_, (.., since))| *since)
                .map(|(key, _)| *key);
            oldest.and_then(|key| sessions.remove(&key));
        }
        sessions.insert(self.rows.session, (user.key(), generation, self.rows.now));
        drop(sessions);
        self.token = None;
        let devices = RecordedLogin {
            kept: self.rows.shown_devices.clone(),
            is_fresh: false,
        };
        Ok(self.login(Opened { user: shown, devices }))
    }
}

impl SessionRows {
    pub fn write(&self, writer: &Writer<'_>, user: UserId) -> Result<Opened> {
        if let Some(ended) = self.ended {
            writer.remove::<SessionRecord>(ended)?;
        }
        if let Some(ended) = self.ended_token {
            writer.remove::<LoginTokenRecord>(ended)?;
        }
        if let Some(used) = self.used_token
            && let Some(token) = writer.get::<LoginTokenRecord>(used)?
        {
            let token = LoginTokenRecord {
                last_seen: self.now,
                browser: self.browser.clone(),
                ..token
            };
            writer.put(used, &token)?;
        }
        let mut record = table::present(writer, user)?;
        record.last_login = Some(self.now);
        let generation = record.generation;
        let session = SessionRecord {
            user: user.key(),
            generation,
            last_seen: self.now,
            since: self.now,
            browser: self.browser.clone(),
            of_token: self.token.or(self.used_token).map(|key| key.0),
        };
        writer.put(self.session, &session)?;
        let uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let used = |key, session: &SessionRecord| {
            uses.get(&key)
                .map_or(session.last_seen, |used| session.last_seen.max(*used))
        };
        if let Some(token) = session.of_token {
            let of_token = |other: &SessionRecord| other.of_token == Some(token);
            table::forget_oldest_sessions(writer, self.session, MAX_PER_TOKEN, of_token, used)?;
        }
        table::forget_oldest_sessions(
            writer,
            self.session,
            MAX_PER_USER,
            |other| other.user == user.key(),
            used,
        )?;
        if let Some(token) = self.token {
            let record = LoginTokenRecord {
                user: user.key(),
                generation,
                created: self.now,
                last_seen: self.now,
                browser: self.browser.clone(),
            };
            writer.put(token, &record)?;
        }
        writer.put(user.key(), &record)?;
        Ok(Opened {
            devices: devices::record_login(writer, user, &self.shown_devices, self.device, self.now)?,
            user: session_user_of(writer, user, &record)?,
        })
    }
}

/// Counts a request that may cause a mail, by network address.
pub(crate) fn count_mail_request(app: &App, from: &Browser) -> Result<()> {
    let from_address = format!("mail {}", network(from.address));
    app.rate_limiter
        .begin(
            &[Limit::per_quarter_hour(&from_address, MAIL_REQUESTS_FROM_ADDRESS)],
            Instant::now(),
        )
        // A dropped try counts: there is no outcome to wait for.
        .map(drop)
}

/// Counts a mail requested by an unknown browser. Returns its turn in the queue: the number of mails that the network
/// address, or its share of a wider network, caused before. `None` if there were too many for this e-mail address.
///
/// # Errors
/// [`Error::RateLimited`]: the network has used up its share of the server's mails.
pub(crate) fn take_mail_turn(app: &App, kind: &str, email: &Email, from: &Browser) -> Result<Option<u32>> {
    let network = network(from.address);
    let most = app.config.limits.mails_per_hour;
    let now = Instant::now();
    let for_email = format!("{kind} for {} from {network}", email.folded);
    let for_email = Limit::per_hour(&for_email, MAILS_FOR_EMAIL_FROM_ADDRESS);
    if app.rate_limiter.count(&for_email, now) >= MAILS_FOR_EMAIL_FROM_ADDRESS {
        return Ok(None);
    }
    let wider = wider_networks(from.address).into_iter();
    let wider = wider.map(|(wider, times)| (format!("mails around {wider}"), most, times));
    let keys: Vec<_> = std::iter::once((format!("mails {network}"), most.div_ceil(PART_OF_MAILS), 1))
        .chain(wider)
        .collect();
    let limits: Vec<_> = keys.iter().map(|(key, most, _)| Limit::per_hour(key, *most)).collect();
    let before = limits.iter().zip(&keys);
    let before = before.map(|(limit, (_, _, times))| app.rate_limiter.count(limit, now) as u32 / times);
    let turn = before.max().unwrap_or_default();
    // Dropped tries count.
    drop(app.rate_limiter.begin(&limits, now)?);
    Ok(app.rate_limiter.begin(&[for_email], now).is_ok().then_some(turn))
}

/// Like [`take_mail_turn`] for a browser that the pilot has logged in with; it has a limit of its own: strangers can't
/// use it up.
pub(crate) fn take_mail_turn_of_known_device(app: &App, user: UserId, device: &Digest) -> Option<u32> {
    let key = device_limit_key("mail", user, device);
    let limit = Limit::per_hour(&key, MAILS_FOR_EMAIL_FROM_ADDRESS);
    app.rate_limiter.begin(&[limit], Instant::now()).is_ok().then_some(0)
}

/// Returns the rate limiter's key for a browser that the pilot has logged in with.
pub(crate) fn device_limit_key(what: &str, user: UserId, device: &Digest) -> String {
    let (first, second) = digest_key(device);
    format!("{what} {user} {first:032x}{second:032x}")
}

/// Logs a login with the user's id instead of the address, since the log may be stored and read elsewhere.
pub(crate) fn log_login(user: UserId, by: &str, from: &Browser) {
    tracing::info!("login of {user} from {} by {by}", from.address);
}

pub(crate) fn session_user_of(data: &Snapshot<'_>, id: UserId, user: &UserRecord) -> Result<SessionUser> {
    // A damaged table of proofs keeps nobody from a login.
    let proofs = data.keys_ascending(&schema::PROOFS, owned_by(id), 1);
    let has_proofs = proofs.is_ok_and(|proofs| !proofs.is_empty());
    Ok(SessionUser {
        account: model::account(id),
        nickname: user.nickname.clone(),
        photo: model::photo_path(table::photo(data, id)?),
        open_flight: open_flight::of(data, id)?,
        has_proofs: has_proofs.then_some(true),
        spaces: spaces::of_session(data, id)?,
    })
}
