//! The list of a pilot's logins: each browser once, with its session, its persistent token or both.

use super::access::{self, AccessEnd};
use super::access_log;
use super::guard::{self, Viewer};
use super::model::DeviceSession;
use super::operation::{Operation, Outcome};
use super::sessions::Browser;
use super::table;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::LoginId;
use fluglog_base::secret::digest_key;
use fluglog_store::operations::model::Object;

/// The login of one browser.
struct Login {
    id: u128,
    browser: String,
    since: i64,
    last_seen: i64,
    is_current: bool,
    is_remembered: bool,
}

/// Returns the logins of the viewer: the current one first, then by last use.
pub fn list(app: &App, viewer: &Viewer, from: &Browser) -> Result<Vec<DeviceSession>> {
    let now = app.clock.unix_seconds();
    let shown = from.session.as_ref().map(digest_key);
    let (sessions, tokens) = app.store.read(|data| {
        let user = table::present(data, viewer.user())?;
        table::logins(data, viewer.user(), &user)
    })?;
    let mut logins: Vec<Login> = tokens
        .into_iter()
        .map(|(key, token)| Login {
            id: key.0,
            browser: token.browser,
            since: token.created,
            last_seen: token.last_seen,
            is_current: false,
            is_remembered: true,
        })
        .collect();
    for (key, session) in sessions
        .into_iter()
        .filter(|(_, session)| !guard::is_expired(session, now))
    {
        let id = session.login(key);
        let is_current = Some(key) == shown;
        match logins.iter_mut().find(|login| login.id == id) {
            Some(login) => {
                login.last_seen = login.last_seen.max(session.last_seen);
                login.is_current |= is_current;
            }
            None => logins.push(Login {
                id,
                browser: session.browser,
                since: session.since,
                last_seen: session.last_seen,
                is_current,
                is_remembered: false,
            }),
        }
    }
    logins.sort_by_key(|login| (!login.is_current, -login.last_seen));
    Ok(logins
        .into_iter()
        .map(|login| DeviceSession {
            dpf_id: LoginId::from_key(login.id),
            browser: login.browser,
            since: app.clock.wall_time_at(login.since).to_string(),
            last_seen: app.clock.wall_time_at(login.last_seen).to_string(),
            current: login.is_current,
            remembered: login.is_remembered,
        })
        .collect())
}

/// Ends a login of the viewer: its sessions and its persistent token. The device cookies of all other browsers end as
/// well, since whoever had the login may have copied one.
///
/// # Errors
/// [`Error::NotFound`]: another user's login, or one that has ended already.
pub fn end(app: &App, operation: Operation, id: LoginId, from: &Browser) -> Result<()> {
    let viewer = operation.viewer();
    let devices = from.keys().devices;
    operation.write(&app.store, move |writer| {
        let user = table::present(writer, viewer.user())?;
        let (sessions, tokens) = table::logins(writer, viewer.user(), &user)?;
        let sessions = sessions.iter().filter(|(key, session)| session.login(*key) == id.key());
        let tokens = tokens.iter().filter(|(key, _)| key.0 == id.key());
        let browser = access::BrowserKeys {
            sessions: sessions.map(|(key, _)| *key).collect(),
            tokens: tokens.map(|(key, _)| *key).collect(),
            devices: devices.clone(),
        };
        if browser.sessions.is_empty() && browser.tokens.is_empty() {
            return Err(Error::NotFound);
        }
        access::revoke(writer, AccessEnd::OneLogin, viewer.user(), &browser)?;
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    access_log::log_end("one login", viewer.user(), Some(from.address));
    Ok(())
}
