//! The mail queue: letters are put into it in the transaction of the change that they report, sent by a task, and
//! retried until they are sent or obsolete. Knows no letter's text and no server.
//!
//! Only the kind of a letter is stored. The secret in a mail (a link, a code) is generated when the mail is composed,
//! so that the database contains only digests; within one run of the server, a retry sends an identical mail.

mod delivery;
pub mod model;
mod table;

use serde::{Deserialize, Serialize};

use crate::App;
use delivery::HOUR_SECONDS;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_mail::address::Email;
use fluglog_store::findings::Findings;
use fluglog_store::{Snapshot, Store, Writer};
pub use model::ONE_MAIL_IN_SECONDS;
use model::{Lane, Priority, QueuedMail};
use table::{MailRecord, WaitingLetter};

pub use delivery::deliver;

/// Most letters that may wait before further codes are refused: anyone can request a code for any address.
const MAX_WAITING: usize = 500;
/// Most letters in one line; those with the highest turns are dropped.
const MAX_LINE: usize = 20;

/// A mail that was not sent yet.
#[derive(Debug, Serialize, Deserialize)]
pub struct Waiting {
    pub to: String,
    /// Unix seconds.
    pub since: i64,
    pub attempts: u32,
    pub why: String,
}

/// Puts a letter into a line of an address, behind those with an earlier turn. The first letter is sent `gap_seconds`
/// after the last mail of the line. The caller must notify `App::mail_queued` after the commit.
pub fn put(
    writer: &Writer<'_>,
    email: &Email,
    letter: QueuedMail,
    place: Priority,
    now: i64,
    gap_seconds: i64,
) -> Result<()> {
    let key = place.line.key(email);
    let mut mail = writer.get::<MailRecord>(key)?.unwrap_or_default();
    if mail.letters.iter().any(|waiting| waiting.letter == letter) {
        return Ok(());
    }
    let next = mail.last_try.map_or(now, |last| now.max(last + gap_seconds));
    if mail.letters.is_empty() {
        mail = MailRecord {
            next,
            last_try: mail.last_try,
            ..MailRecord::default()
        };
    } else if mail.attempts == 0 {
        mail.next = mail.next.min(next);
    }
    let at = mail.letters.partition_point(|waiting| waiting.turn <= place.turn);
    let waiting = WaitingLetter {
        letter,
        to: email.typed.clone(),
        since: now,
        turn: place.turn,
    };
    mail.letters.insert(at, waiting);
    mail.letters.truncate(MAX_LINE);
    writer.put(key, &mail)
}

/// Returns whether a mail of a line was sent to an address after `since` (Unix seconds), or waits.
pub fn was_mailed_since(data: &Snapshot<'_>, line: Lane, email: &Email, since: i64) -> Result<bool> {
    let mail = data.get::<MailRecord>(line.key(email))?;
    Ok(mail.is_some_and(|mail| !mail.letters.is_empty() || mail.last_try.is_some_and(|last| last > since)))
}

/// Makes waiting letters refer to the login request that replaces `old`.
pub fn rename_request(writer: &Writer<'_>, email: &Email, old: (u128, u128), new: (u128, u128)) -> Result<()> {
    for line in [Lane::UnknownBrowsers, Lane::KnownBrowsers] {
        let Some(mut mail) = writer.get::<MailRecord>(line.key(email))? else {
            continue;
        };
        for waiting in &mut mail.letters {
            if let QueuedMail::Login { request, .. } = &mut waiting.letter
                && *request == old
            {
                *request = new;
            }
        }
        writer.put(line.key(email), &mail)?;
    }
    Ok(())
}

/// Drops waiting letters about logins for an address, given by its key.
pub fn forget_logins(writer: &Writer<'_>, (first, second): (u128, u128)) -> Result<()> {
    for line in [Lane::UnknownBrowsers, Lane::KnownBrowsers] {
        let key = (first, second, line.number());
        if let Some(mut mail) = writer.get::<MailRecord>(key)? {
            mail.letters.clear();
            writer.put(key, &mail)?;
        }
    }
    Ok(())
}

/// Drops waiting letters with which a user would confirm a new address.
pub fn forget_new_addresses(writer: &Writer<'_>, id: UserId) -> Result<()> {
    for (key, mut mail) in table::all(writer)? {
        let before = mail.letters.len();
        mail.letters
            .retain(|waiting| !matches!(waiting.letter, QueuedMail::NewAddress { user, .. } if user == id.key()));
        if mail.letters.len() < before {
            writer.put(key, &mail)?;
        }
    }
    Ok(())
}

/// Refuses further codes while too many letters wait.
///
/// # Errors
/// [`Error::RateLimited`].
pub fn check_capacity(data: &Snapshot<'_>) -> Result<()> {
    let waiting: usize = table::all(data)?.iter().map(|(_, mail)| mail.letters.len()).sum();
    if waiting >= MAX_WAITING {
        return Err(Error::RateLimited {
            retry_after_seconds: HOUR_SECONDS.unsigned_abs(),
        });
    }
    Ok(())
}

/// Returns the mails that were not sent yet, the oldest first.
pub fn unsent(app: &App) -> Result<Vec<Waiting>> {
    let mut waiting = Vec::new();
    for (_, mail) in app.store.read(table::all)? {
        // Attempts are counted for the first letter of a line.
        let (mut attempts, mut why) = (mail.attempts, mail.why);
        waiting.extend(mail.letters.into_iter().map(|letter| Waiting {
            to: letter.to,
            since: letter.since,
            attempts: std::mem::take(&mut attempts),
            why: std::mem::take(&mut why),
        }));
    }
    waiting.sort_by_key(|mail| mail.since);
    Ok(waiting)
}

/// Makes all mails due whose last attempt failed; returns their number.
pub fn retry_now(app: &App) -> Result<usize> {
    let now = app.clock.unix_seconds();
    let found = app.store.write(move |writer| {
        let mut found = 0;
        for (key, mail) in table::all(writer)? {
            if mail.attempts > 0 && !mail.letters.is_empty() {
                found += 1;
                writer.put(key, &MailRecord { next: now, ..mail })?;
            }
        }
        Ok(found)
    })?;
    app.mail_queued.notify_one();
    Ok(found)
}

/// Forgets past mails that no longer limit new ones.
pub fn forget(store: &Store, now: i64) -> Result<()> {
    table::forget(store, now)
}

/// Forgets the address of a deleted user, and the letters that wait for it.
pub fn forget_address(writer: &Writer<'_>, email: &Email) -> Result<()> {
    table::forget_address(writer, email)
}

/// Returns whether mails can be sent to this address at all.
#[must_use]
pub fn is_addressable(email: &Email) -> bool {
    fluglog_mail::is_addressable(&email.typed)
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}
