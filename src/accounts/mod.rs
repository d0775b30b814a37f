//! Users, their logins and sessions. Knows no equipment and no flight but the id of the one that is open.

pub mod api;
pub mod guard;
pub mod model;
mod profile;
mod table;

use std::net::IpAddr;
use std::time::Instant;

use crate::app::App;
use crate::error::{Error, Result};
use crate::id::{FlightId, UserId};
use crate::input::{TEXT_MOST_CHARACTERS, one_line};
use crate::secret::{Digest, Token};
use crate::store::{Snapshot, Writer};
use crate::text;
use guard::Viewer;
use model::{DetailedUser, Email, LoggedIn, SessionUser};
use table::{LoginTokenRecord, SessionRecord, UserRecord, digest_key};

/// Failed logins within 15 minutes for one e-mail address, and from one network address.
const TRIES_FOR_EMAIL: usize = 5;
const TRIES_FROM_ADDRESS: usize = 20;

/// Who tries to log in.
pub struct Browser {
    pub address: IpAddr,
    /// The session that it shows, good or not.
    pub session: Option<Digest>,
}

/// A login that succeeded: what the browser gets.
pub struct Login {
    pub session: Token,
    /// The persistent token, if there is a new one.
    pub token: Option<Token>,
    pub user: SessionUser,
}

/// A user as the shell shows it.
pub struct ListedUser {
    pub email: String,
    pub nickname: String,
    pub disabled: bool,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_login: Option<i64>,
}

/// Adds a verified user.
///
/// # Errors
/// A malformed address or nickname, a password that is too short, or [`Error::Conflict`] for a taken address.
pub fn add_user(app: &App, email: &str, nickname: &str, password: Option<&str>) -> Result<UserId> {
    let email = Email::parse(email).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let nickname = one_line("nickname", nickname, TEXT_MOST_CHARACTERS)?;
    if nickname.is_empty() {
        return Err(Error::invalid("nickname", text::NICKNAME_MISSING));
    }
    if let Some(password) = password {
        model::check_new_password(password)?;
    }
    let user = UserRecord {
        email: email.typed.clone(),
        nickname,
        firstname: String::new(),
        lastname: String::new(),
        password: password.map(|password| app.hasher.hash(password)).transpose()?,
        disabled: false,
        created: app.clock.unix_seconds(),
        last_login: None,
        generation: 0,
    };
    let id = UserId::fresh();
    app.store
        .write(move |writer| table::insert(writer, id, &email, &user))?;
    Ok(id)
}

/// All users, by address.
///
/// # Errors
/// An unreadable database.
pub fn list_users(app: &App) -> Result<Vec<ListedUser>> {
    let users = app.store.read(table::all)?;
    Ok(users
        .into_iter()
        .map(|user| ListedUser {
            email: user.email,
            nickname: user.nickname,
            disabled: user.disabled,
            created: user.created,
            last_login: user.last_login,
        })
        .collect())
}

/// Whether the database answers.
///
/// # Errors
/// It doesn't.
pub fn can_be_read(app: &App) -> Result<()> {
    app.store.read(table::all).map(drop)
}

/// Logs in with a password. A wrong password, an unknown address, a user without password and a disabled one look alike, in
/// time too: one hash is computed in every case.
///
/// # Errors
/// [`Error::LoginRefused`], or [`Error::TooManyTries`] for this address of a user or of the network.
pub fn login(app: &App, email: &str, password: &str, remember: bool, from: &Browser) -> Result<Login> {
    let email = Email::parse(email).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    if password.chars().count() > *model::PASSWORD_CHARACTERS.end() {
        return Err(Error::invalid("password", text::PASSWORD_TOO_LONG));
    }
    let for_email = format!("email {}", email.folded);
    let from_address = format!("address {}", network(from.address));
    let this_try = app.tries.begin(
        &[(&for_email, TRIES_FOR_EMAIL), (&from_address, TRIES_FROM_ADDRESS)],
        Instant::now(),
    )?;
    let found = app.store.read(|data| table::by_email(data, &email))?;
    let stored = found
        .as_ref()
        .filter(|(_, user)| !user.disabled)
        .and_then(|(_, user)| user.password.as_deref());
    let right = app.hasher.verify(password, stored)?;
    let (Some((user, _)), true) = (found, right) else {
        return Err(Error::LoginRefused);
    };
    this_try.succeed();
    app.tries.clear(&for_email);
    let token = remember.then(Token::fresh).transpose()?;
    open_session(app, user, token, from)
}

/// Opens a new session with a persistent token.
///
/// # Errors
/// [`Error::NotLoggedIn`] when the token is nobody's.
pub fn login_with_token(app: &App, token: &str, from: &Browser) -> Result<Login> {
    let (user, _) = app.store.read(|data| guard::token_owner(data, token))?;
    open_session(app, user, None, from)
}

/// Whether a persistent token is still good.
///
/// # Errors
/// An unreadable database.
pub fn is_valid_token(app: &App, token: &str) -> Result<bool> {
    match app.store.read(|data| guard::token_owner(data, token)) {
        Ok(_) => Ok(true),
        Err(Error::NotLoggedIn) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Ends a session and a persistent token; unknown ones are ended already.
///
/// # Errors
/// An unwritable database.
pub fn logout(app: &App, session: Option<Digest>, token: Option<Digest>) -> Result<()> {
    app.store.write(move |writer| {
        if let Some(session) = session {
            writer.remove::<SessionRecord>(digest_key(&session))?;
        }
        if let Some(token) = token {
            writer.remove::<LoginTokenRecord>(digest_key(&token))?;
        }
        Ok(())
    })
}

/// The user of a session.
///
/// # Errors
/// An unreadable database.
pub fn session_user(app: &App, viewer: &Viewer) -> Result<SessionUser> {
    let user = viewer.user();
    app.store.read(|data| shown(data, user, &table::existing(data, user)?))
}

/// The profile.
///
/// # Errors
/// An unreadable database.
pub fn detailed_user(app: &App, viewer: &Viewer) -> Result<DetailedUser> {
    let id = viewer.user();
    app.store.read(|data| {
        let user = table::existing(data, id)?;
        Ok(DetailedUser {
            email: user.email,
            nickname: user.nickname,
            photo: profile::photo_path(data, id)?,
            firstname: user.firstname,
            lastname: user.lastname,
        })
    })
}

/// Whether a user is there and not disabled.
///
/// # Errors
/// An unreadable database.
pub fn is_active(data: &Snapshot<'_>, user: UserId) -> Result<bool> {
    Ok(data.get::<UserRecord>(user.key())?.is_some_and(|user| !user.disabled))
}

/// The flight that isn't finished yet.
///
/// # Errors
/// An unreadable database.
pub fn open_flight(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Option<FlightId>> {
    table::open_flight(data, viewer.user())
}

/// Says which flight isn't finished yet.
///
/// # Errors
/// An unwritable database.
pub fn set_open_flight(writer: &Writer<'_>, viewer: &Viewer, flight: Option<FlightId>) -> Result<()> {
    table::set_open_flight(writer, viewer.user(), flight)
}

/// Removes sessions that were idle too long.
///
/// # Errors
/// An unwritable database.
pub fn forget_ended_sessions(app: &App) -> Result<()> {
    let now = app.clock.unix_seconds();
    app.store.write(move |writer| {
        for (key, session) in writer.scan::<SessionRecord>(..)? {
            if guard::is_over(&session, now) {
                writer.remove::<SessionRecord>(key)?;
            }
        }
        Ok(())
    })
}

/// Opens a session and ends the one that the browser had: what somebody planted or saw before the login is worth nothing after it.
fn open_session(app: &App, user: UserId, token: Option<Token>, from: &Browser) -> Result<Login> {
    let ended = from.session.as_ref().map(digest_key);
    let session = Token::fresh()?;
    let session_key = digest_key(&session.digest());
    let token_key = token.as_ref().map(|token| digest_key(&token.digest()));
    let now = app.clock.unix_seconds();
    let shown = app.store.write(move |writer| {
        if let Some(ended) = ended {
            writer.remove::<SessionRecord>(ended)?;
        }
        let mut record = table::existing(writer, user)?;
        record.last_login = Some(now);
        let generation = record.generation;
        writer.put(
            session_key,
            &SessionRecord {
                user: user.key(),
                generation,
                last_seen: now,
            },
        )?;
        if let Some(token_key) = token_key {
            writer.put(
                token_key,
                &LoginTokenRecord {
                    user: user.key(),
                    generation,
                    created: now,
                },
            )?;
        }
        writer.put(user.key(), &record)?;
        shown(writer, user, &record)
    })?;
    Ok(Login {
        session,
        token,
        user: shown,
    })
}

fn shown(data: &Snapshot<'_>, id: UserId, user: &UserRecord) -> Result<SessionUser> {
    Ok(SessionUser {
        nickname: user.nickname.clone(),
        photo: profile::photo_path(data, id)?,
        open_flight: table::open_flight(data, id)?,
    })
}

/// What counts as one place in the network: an IPv4 address, or the /64 that one IPv6 household has.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
    }
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
