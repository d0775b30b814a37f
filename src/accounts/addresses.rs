//! Changing a user's e-mail address.

use super::access::{self, AccessEnd};
use super::guard::Viewer;
use super::model;
use super::table::{self, UserRecord};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, Priority, QueuedMail};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::Writer;

/// Changes a user's address and notifies the old one. A placeholder account is unlocked by this: from now on it belongs
/// to the pilot with the new address.
///
/// # Errors
/// [`Error::Conflict`] when another user has the address.
pub fn change(writer: &Writer<'_>, viewer: &Viewer, email: &Email, now: i64) -> Result<()> {
    let id = viewer.user();
    if let Some((owner, _)) = table::by_email(writer, email)?
        && owner != id
    {
        return Err(Error::Conflict(text::EMAIL_TAKEN));
    }
    let mut user = access::revoke(writer, AccessEnd::NewAddress, id, &access::BrowserKeys::default())?;
    let old = table::address(&user)?;
    user.email.clone_from(&email.typed);
    // The link to this change came in a mail to the new address, or the admin set it.
    user.is_verified = true;
    let was_placeholder = model::is_placeholder(&old.typed);
    user.disabled &= !was_placeholder;
    table::put_with_new_email(writer, id, &old, email, &user)?;
    if was_placeholder {
        return Ok(());
    }
    let letter = QueuedMail::AddressChanged {
        user: id.key(),
        time: now,
    };
    let place = Priority {
        line: Lane::Notices,
        turn: 0,
    };
    mail_queue::put(writer, &old, letter, place, now, 0)
}

/// Writes the mail that tells the old address about the change; `None` when the user is gone.
pub(crate) fn compose_changed(app: &App, user: UserId, time: i64, to: &str) -> Result<Option<Mail>> {
    compose(app, &letter::ADDRESS_CHANGED, (user, None), time, to)
}

/// Writes the mail that tells the current address about a requested change; `None` when the user is gone.
pub(crate) fn compose_asked(app: &App, user: UserId, time: i64, email: &str, to: &str) -> Result<Option<Mail>> {
    compose(app, &letter::ADDRESS_REQUESTED, (user, Some(email)), time, to)
}

/// Writes a letter about the given address; about the user's current one without it.
fn compose(
    app: &App,
    letter: &letter::Template,
    (user, email): (UserId, Option<&str>),
    time: i64,
    to: &str,
) -> Result<Option<Mail>> {
    let found = app.store.read(|data| data.get::<UserRecord>(user.key()))?;
    Ok(found.map(|user| {
        let places = [
            ("nickname", &*user.nickname),
            ("time", &app.clock.wall_time_at(time).to_string()),
            ("email", email.unwrap_or(&user.email)),
        ];
        letter.to(to, &places)
    }))
}
