//! Turns of requests in the mail queue: those of a browser that the pilot knows, those of strangers, and the block
//! after a login was denied.

use std::time::Instant;

use crate::devices;
use crate::sessions::{Browser, count_mail_request, take_mail_turn, take_mail_turn_of_known_device};
use crate::table as accounts;
use fluglog_app::App;
use fluglog_app::mail_queue::model::{Lane, Priority};
use fluglog_base::error::{Error, Result};
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::secret::digest_key;
use fluglog_mail::address::Email;

/// The place of a request's letter in the mail queue, and the device cookie by which the user knows the browser.
pub(super) struct QueuePlace {
    /// `None` if no mail is sent, because there were too many.
    pub(super) priority: Option<Priority>,
    pub(super) device: Option<(u128, u128)>,
}

pub(super) fn place(app: &App, email: &Email, from: &Browser) -> Result<QueuePlace> {
    let shown = from.device_digests();
    let known = app.store.read(|data| {
        let Some((user, _)) = accounts::by_email(data, email)? else {
            return Ok(None);
        };
        Ok(devices::known(data, user, &shown)?.map(|device| (user, device)))
    })?;
    if let Some((user, device)) = known {
        let line = Lane::KnownBrowsers;
        return Ok(QueuePlace {
            priority: take_mail_turn_of_known_device(app, user, device).map(|turn| Priority { line, turn }),
            device: Some(digest_key(device)),
        });
    }
    let priority = place_of_stranger(app, email, from)?;
    let device = None;
    Ok(QueuePlace { priority, device })
}

fn place_of_stranger(app: &App, email: &Email, from: &Browser) -> Result<Option<Priority>> {
    count_mail_request(app, from)?;
    if app
        .rate_limiter
        .count(&denied(&denied_key(email.key())), Instant::now())
        > 0
    {
        return Ok(None);
    }
    let line = Lane::UnknownBrowsers;
    match take_mail_turn(app, "login", email, from) {
        Ok(turn) => Ok(turn.map(|turn| Priority { line, turn })),
        // The browser doesn't learn it, like everything about an address.
        Err(Error::RateLimited { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Lifts the block that [`deny`] sets.
pub(crate) fn unblock(app: &App, email: &Email) {
    app.rate_limiter.clear(&denied_key(email.key()));
}

pub(super) fn denied_key((first, second): (u128, u128)) -> String {
    format!("denied {first:032x}{second:032x}")
}

pub(super) fn denied(key: &str) -> Limit<'_> {
    Limit::per_hour(key, 1)
}
