//! What follows a new password: a mail to the user, and the lifting of rate limits.

use super::mail_login;
use super::model;
use super::sessions::Browser;
use super::table::{self, UserRecord};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{ChangedBy, Lane, Priority, QueuedMail};
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::Writer;

/// Returns the letter that says which browser changed a password.
pub(crate) fn password_changed_by(app: &App, user: UserId, from: &Browser) -> QueuedMail {
    QueuedMail::PasswordChanged {
        user: user.key(),
        time: app.clock.unix_seconds(),
        by: Some(ChangedBy {
            browser: model::browser_name(from.name.as_deref()),
            is_near: from.is_near,
        }),
    }
}

/// Lifts the rate limits that keep unknown browsers from logging in as the user of an address.
pub(crate) fn clear_rate_limits(app: &App, email: &str) {
    if let Some(email) = Email::parse(email) {
        app.rate_limiter.clear(&tries_key(&email));
        mail_login::unblock(app, &email);
    }
}

/// Queues the mail about a changed password.
pub(crate) fn queue_password_mail(writer: &Writer<'_>, user: &UserRecord, letter: QueuedMail) -> Result<()> {
    let email = table::address(user)?;
    let QueuedMail::PasswordChanged { time, .. } = letter else {
        return Ok(());
    };
    let place = Priority {
        line: Lane::Notices,
        turn: 0,
    };
    mail_queue::put(writer, &email, letter, place, time, 0)
}

/// Writes the mail about a changed password; `None` when the user is gone.
pub(crate) fn compose_password_changed(
    app: &App,
    user: UserId,
    time: i64,
    by: Option<&ChangedBy>,
    to: &str,
) -> Result<Option<Mail>> {
    let found = app.store.read(|data| data.get::<UserRecord>(user.key()))?;
    let by = by.map_or_else(
        || "vom Betreiber".to_owned(),
        |by| {
            format!(
                "{}, {}",
                model::with_browser(&by.browser),
                model::place_name(by.is_near)
            )
        },
    );
    Ok(found.map(|user| {
        letter::PASSWORD.to(
            to,
            &[
                ("nickname", &user.nickname),
                ("time", &app.clock.wall_time_at(time).to_string()),
                ("by", &by),
            ],
        )
    }))
}

/// Returns the rate limiter's key for wrong passwords from unknown browsers.
pub(crate) fn tries_key(email: &Email) -> String {
    format!("email {}", email.folded)
}
