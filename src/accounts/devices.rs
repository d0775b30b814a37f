//! Browsers that a user has logged in with before. Such a browser shows the cookie that it got then, and has counts of
//! its own: what strangers try with the user's address never keeps it out (OWASP, "Device Cookies").

use super::table::{self, DeviceRecord};
use crate::app::App;
use crate::base::error::Result;
use crate::base::id::UserId;
use crate::base::secret::{Digest, digest_key};
use crate::store::{Snapshot, Writer};

/// A user's further browsers take the place of those that were seen longest ago.
const OF_USER_MOST: usize = 50;
/// Browsers themselves keep no cookie longer.
const KEPT_SECONDS: i64 = 400 * DAY_SECONDS;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Whether a user has logged in with the browser that shows this cookie.
pub fn is_known(data: &Snapshot<'_>, user: UserId, device: Option<&Digest>) -> Result<bool> {
    Ok(match device {
        Some(device) => table::device(data, user, digest_key(device))?.is_some(),
        None => false,
    })
}

/// Notes a login with a browser: under the cookie that it shows if the user knows it, else under a fresh one. Whether
/// the shown one stays.
///
/// A cookie that the user doesn't know may have been planted. What other users know by it goes on under the fresh one.
pub fn note(
    writer: &Writer<'_>,
    user: UserId,
    shown: Option<(u128, u128)>,
    fresh: (u128, u128),
    now: i64,
) -> Result<bool> {
    if let Some(shown) = shown {
        if let Some(device) = table::device(writer, user, shown)? {
            let device = DeviceRecord {
                last_seen: now,
                ..device
            };
            table::put_device(writer, user, shown, &device)?;
            return Ok(true);
        }
        for (owner, device) in table::take_devices(writer, shown)? {
            table::put_device(writer, owner, fresh, &device)?;
        }
    }
    let device = DeviceRecord {
        created: now,
        last_seen: now,
    };
    table::put_device(writer, user, fresh, &device)?;
    table::forget_oldest_devices(writer, user, OF_USER_MOST)?;
    Ok(false)
}

/// Whether the browser of a session keeps its cookie for another while: the user knows it. Its use is written down once
/// a day.
pub fn is_renewed(app: &App, data: &Snapshot<'_>, user: UserId, device: Option<&Digest>) -> Result<bool> {
    let Some(key) = device.map(digest_key) else {
        return Ok(false);
    };
    let Some(device) = table::device(data, user, key)? else {
        return Ok(false);
    };
    let now = app.clock.unix_seconds();
    if (now - device.last_seen).abs() >= DAY_SECONDS {
        app.store.write_later(move |writer| {
            // It may have been forgotten in the meantime; that stays so.
            match table::device(writer, user, key)? {
                Some(device) => table::put_device(
                    writer,
                    user,
                    key,
                    &DeviceRecord {
                        last_seen: now,
                        ..device
                    },
                ),
                None => Ok(()),
            }
        });
    }
    Ok(true)
}

/// Forgets browsers whose cookie is gone by itself.
pub fn forget(writer: &Writer<'_>, now: i64) -> Result<()> {
    table::forget_devices(writer, |device| now - device.last_seen > KEPT_SECONDS)
}
