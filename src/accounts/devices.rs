//! Device cookies (OWASP, "Device Cookies"). A browser that a user has logged in with before sends its cookie and has
//! rate limits of its own, so strangers' tries with the user's address never lock it out.

use super::table::{self, DeviceRecord};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::secret::{Digest, digest_key};
use fluglog_store::{Snapshot, Store, Writer};

/// The most known browsers of one user; the least recently seen are replaced.
const MAX_PER_USER: usize = 50;
/// Browsers keep a cookie no longer than this.
const KEPT_SECONDS: i64 = 400 * DAY_SECONDS;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Returns the first of the sent cookies by which the user knows the browser.
pub fn known<'d>(data: &Snapshot<'_>, user: UserId, shown: &'d [Digest]) -> Result<Option<&'d Digest>> {
    for device in shown {
        match table::device(data, user, digest_key(device)) {
            // On a lost page: the browser is one that nobody knows.
            Ok(None) | Err(Error::Internal(_)) => {}
            Ok(Some(_)) => return Ok(Some(device)),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The result of recording a login: the sent cookies that stay, and whether the browser gets a fresh one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RecordedLogin {
    pub kept: Vec<(u128, u128)>,
    pub is_fresh: bool,
}

/// Records a login with a browser: under the sent cookies that the user knows, else under a fresh one.
///
/// A cookie that the user doesn't know may belong to another user of the browser, or may be planted or copied. It keeps
/// its meaning for others and has none for this user.
pub(crate) fn record_login(
    writer: &Writer<'_>,
    user: UserId,
    shown: &[(u128, u128)],
    fresh: (u128, u128),
    now: i64,
) -> Result<RecordedLogin> {
    let mut is_fresh = true;
    for key in shown {
        is_fresh &= !renew(writer, user, *key, now)?;
    }
    if is_fresh {
        let device = DeviceRecord {
            created: now,
            last_seen: now,
        };
        table::put_device(writer, user, fresh, &device)?;
        table::forget_oldest_devices(writer, user, MAX_PER_USER)?;
    }
    let kept = match shown {
        [] => Vec::new(),
        shown => table::known_devices(writer, shown)?,
    };
    Ok(RecordedLogin { kept, is_fresh })
}

/// Updates when a browser was last seen. Returns whether the user knows it.
fn renew(writer: &Writer<'_>, user: UserId, key: (u128, u128), now: i64) -> Result<bool> {
    let Some(device) = table::device(writer, user, key)? else {
        return Ok(false);
    };
    let device = DeviceRecord {
        last_seen: now,
        ..device
    };
    table::put_device(writer, user, key, &device).map(|()| true)
}

/// Returns whether the browser's cookie may be renewed, which is so if the user knows it. Its use is stored once a day.
pub fn is_renewed(app: &App, data: &Snapshot<'_>, user: UserId, shown: &[Digest]) -> Result<bool> {
    let Some(key) = known(data, user, shown)?.map(digest_key) else {
        return Ok(false);
    };
    let now = app.clock.unix_seconds();
    let device = table::device(data, user, key)?;
    if device.is_some_and(|device| (now - device.last_seen).abs() >= DAY_SECONDS) {
        // Removed in the meantime, it stays removed.
        app.store
            .write_later(move |writer| renew(writer, user, key, now).map(drop));
    }
    Ok(true)
}

/// Removes browsers whose cookie has expired.
pub fn forget(store: &Store, now: i64) -> Result<()> {
    table::forget_devices(store, move |device| now - device.last_seen > KEPT_SECONDS)
}
