//! Verification of a mailbox. Whoever accepts an invitation may type an address of somebody else's.

use super::access::{self, AccessEnd};
use super::table::{self, UserRecord};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, Priority, QueuedMail};
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::Writer;

/// Records that a mail to the user was read. The first time, all earlier ways in end, and if a password was among them
/// a mail says so.
pub fn note(writer: &Writer<'_>, user: UserId, now: i64) -> Result<()> {
    let before = table::present(writer, user)?;
    if before.is_verified {
        return Ok(());
    }
    let mut record = access::revoke(writer, AccessEnd::FirstProof, user, &access::BrowserKeys::default())?;
    record.is_verified = true;
    writer.put(user.key(), &record)?;
    if before.password.is_none() {
        return Ok(());
    }
    let letter = QueuedMail::PasswordEnded {
        user: user.key(),
        time: now,
    };
    let place = Priority {
        line: Lane::Notices,
        turn: 0,
    };
    mail_queue::put(writer, &table::address(&record)?, letter, place, now, 0)
}

/// Writes the mail about the ended password; `None` when the user is gone.
pub fn compose(app: &App, user: UserId, time: i64, to: &str) -> Result<Option<Mail>> {
    let found = app.store.read(|data| data.get::<UserRecord>(user.key()))?;
    Ok(found.map(|user| {
        let time = app.clock.wall_time_at(time).to_string();
        letter::PASSWORD_ENDED.to(to, &[("nickname", &user.nickname), ("time", &time)])
    }))
}
