//! Browsers that a user has logged in with before. Such a browser shows the cookie that it got then, and has counts of
//! its own: what strangers try with the user's address never keeps it out (OWASP, "Device Cookies").

use super::table::{self, DeviceRecord};
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_base::secret::{Digest, digest_key};
use fluglog_store::{Snapshot, Writer};

/// A user's further browsers take the place of those that were seen longest ago.
const OF_USER_MOST: usize = 50;
/// Browsers themselves keep no cookie longer.
const KEPT_SECONDS: i64 = 400 * DAY_SECONDS;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// The first of the cookies that a browser shows by which a user knows it.
pub fn known<'d>(data: &Snapshot<'_>, user: UserId, shown: &'d [Digest]) -> Result<Option<&'d Digest>> {
    for device in shown {
        if table::device(data, user, digest_key(device))?.is_some() {
            return Ok(Some(device));
        }
    }
    Ok(None)
}

/// A login with a browser: which of the cookies that it shows it keeps, and whether it gets a fresh one.
#[derive(Debug, PartialEq, Eq)]
pub struct Noted {
    pub kept: Vec<(u128, u128)>,
    pub is_fresh: bool,
}

/// Notes a login with a browser: under the cookies that it shows if the user knows one, else under a fresh one.
///
/// A cookie that the user doesn't know may be somebody else's who uses the same browser, or was planted, or copied: it
/// stays what it is to others, and is worth nothing to this user.
pub fn note(writer: &Writer<'_>, user: UserId, shown: &[(u128, u128)], fresh: (u128, u128), now: i64) -> Result<Noted> {
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
        table::forget_oldest_devices(writer, user, OF_USER_MOST)?;
    }
    let kept = match shown {
        [] => Vec::new(),
        shown => table::known_devices(writer, shown)?,
    };
    Ok(Noted { kept, is_fresh })
}

/// Notes that a browser was seen; whether the user knows it.
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

/// Whether the browser of a session keeps its cookie for another while: the user knows it. Its use is written down once
/// a day.
pub fn is_renewed(app: &App, data: &Snapshot<'_>, user: UserId, shown: &[Digest]) -> Result<bool> {
    let Some(key) = known(data, user, shown)?.map(digest_key) else {
        return Ok(false);
    };
    let now = app.clock.unix_seconds();
    let device = table::device(data, user, key)?;
    if device.is_some_and(|device| (now - device.last_seen).abs() >= DAY_SECONDS) {
        // It may have been forgotten in the meantime; that stays so.
        app.store
            .write_later(move |writer| renew(writer, user, key, now).map(drop));
    }
    Ok(true)
}

/// Forgets browsers whose cookie is gone by itself.
pub fn forget(writer: &Writer<'_>, now: i64) -> Result<()> {
    table::forget_devices(writer, |device| now - device.last_seen > KEPT_SECONDS)
}
