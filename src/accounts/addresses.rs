//! Another e-mail address for a user.

use super::access::{self, Ending};
use super::guard::Viewer;
use super::model;
use super::table::{self, UserRecord};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Letter, Line, Priority};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::Writer;

/// Gives a user another address, and tells the old one. An account that stood in for a lost one is its pilot's from
/// then on, and no longer locked.
///
/// # Errors
/// [`Error::Conflict`] for a taken one.
pub fn change(writer: &Writer<'_>, viewer: &Viewer, email: &Email, now: i64) -> Result<()> {
    let id = viewer.user();
    if let Some((owner, _)) = table::by_email(writer, email)?
        && owner != id
    {
        return Err(Error::Conflict(text::EMAIL_TAKEN));
    }
    let mut user = access::end(writer, Ending::NewAddress, id, &access::Browser::default())?;
    let old = table::address(&user)?;
    user.email.clone_from(&email.typed);
    // A mail brought the link to it, or the admin named it.
    user.proved = true;
    let stood_in = model::is_stand_in(&old.typed);
    user.disabled &= !stood_in;
    table::put_under(writer, id, &old, email, &user)?;
    if stood_in {
        return Ok(());
    }
    let letter = Letter::AddressChanged {
        user: id.key(),
        time: now,
    };
    let place = Priority {
        line: Line::Notices,
        turn: 0,
    };
    mail_queue::put(writer, &old, letter, place, now, 0)
}

/// The mail that tells an old address of the new one; `None` when the user is gone.
pub fn compose_changed(app: &App, user: UserId, time: i64, to: &str) -> Result<Option<Mail>> {
    compose(app, &letter::ADDRESS_CHANGED, (user, None), time, to)
}

/// The mail that tells the address of an account that another one was asked for; `None` when the user is gone.
pub fn compose_asked(app: &App, user: UserId, time: i64, email: &str, to: &str) -> Result<Option<Mail>> {
    compose(app, &letter::ADDRESS_ASKED, (user, Some(email)), time, to)
}

/// A letter of another address: this one, or that of the user now.
fn compose(
    app: &App,
    letter: &letter::Letter,
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
