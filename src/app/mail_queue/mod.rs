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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_line_who_asked_less_often_comes_first_and_nobody_takes_another_s_place() {
        let directory = tempfile::tempdir().unwrap();
        let store = fluglog_store::Store::open(directory.path(), true).unwrap();
        let email = Email::parse("anna@example.org").unwrap();
        let code = |number: u128| QueuedMail::Code {
            registration: (number, number),
        };
        let (to, line) = (email.clone(), Lane::UnknownBrowsers);
        store
            .write(move |writer| {
                // One network asks three times, then another one, and then as often as a line is long.
                for (number, turn) in [(1, 0), (2, 1), (3, 2), (4, 0), (4, 0)] {
                    put(writer, &to, code(number), Priority { line, turn }, 100, 60)?;
                }
                (10..40).try_for_each(|number| put(writer, &to, code(number), Priority { line, turn: 3 }, 100, 60))
            })
            .unwrap();
        let mail = store
            .read(|data| data.get::<MailRecord>(line.key(&email)))
            .unwrap()
            .unwrap();
        let letters: Vec<_> = mail.letters.into_iter().map(|waiting| waiting.letter).collect();
        assert_eq!(letters.len(), MAX_LINE);
        assert_eq!(letters[..4], [code(1), code(4), code(2), code(3)]);
    }

    #[test]
    fn a_notice_that_comes_while_another_is_sent_goes_out_at_once_and_a_second_login_waits() {
        let directory = tempfile::tempdir().unwrap();
        let config = fluglog_config::Config::default();
        let store = fluglog_store::Store::open(directory.path(), true).unwrap();
        let app = App {
            clock: fluglog_base::time::Clock::fixed(100, config.time_zone),
            ..App::new(config, store)
        };
        let letter = |time| QueuedMail::AddressChanged { user: 1, time };
        let email = Email::parse("anna@example.org").unwrap();
        for (line, next) in [(Lane::Notices, 100), (Lane::UnknownBrowsers, 160)] {
            let to = email.clone();
            let both = move |writer: &Writer<'_>| {
                (0..2).try_for_each(|time| put(writer, &to, letter(time), Priority { line, turn: 0 }, 100, 0))
            };
            app.store.write(both).unwrap();
            record_outcome(&app, line.key(&email), letter(0), Outcome::Delivery).unwrap();
            let mail = app.store.read(|data| data.get::<MailRecord>(line.key(&email)));
            let mail = mail.unwrap().unwrap();
            assert_eq!((mail.letters.len(), mail.next), (1, next));
        }
    }

    /// Sends what the limit permits at once, of letters that are due in this order; returns which were sent.
    fn sent_of(queue: &mut Queue, most: usize, letters: &[(MailKey, u32)]) -> Vec<bool> {
        let mut went = Vec::new();
        for (key, turn) in letters {
            let goes = queue.permitted_at(most, *key, *turn, 100) == 100;
            if goes {
                queue.sent.push_back((100, *key));
            }
            went.push(goes);
        }
        went
    }

    fn queue() -> Queue {
        Queue {
            compose: |_, _, _| Ok(None),
            composed: HashMap::new(),
            sent: VecDeque::new(),
        }
    }

    fn key(line: Lane, address: u128) -> MailKey {
        (address, 0, line.number())
    }

    #[test]
    fn letters_for_one_address_leave_mails_to_other_addresses() {
        let mut queue = queue();
        // Five networks request a mail to one address, five times each.
        let asked: Vec<_> = (0..25).map(|at| (key(Lane::UnknownBrowsers, 1), at / 5)).collect();
        let went = sent_of(&mut queue, 20, &asked).into_iter().filter(|went| *went).count();
        assert!((6..=8).contains(&went), "{went} of 15");
        let others: Vec<_> = (2..6).map(|address| (key(Lane::UnknownBrowsers, address), 0)).collect();
        assert_eq!(sent_of(&mut queue, 20, &others), [true; 4]);
    }

    #[test]
    fn networks_that_ask_for_many_codes_leave_some_and_pilots_have_the_last_quarter() {
        let mut queue = queue();
        for network in 0..4 {
            let asked: Vec<_> = (0..5).map(|turn| (key(Lane::Codes, 10 * network + 1), turn)).collect();
            assert!(sent_of(&mut queue, 20, &asked)[0], "network {network}");
        }
        let logins: Vec<_> = (100..140)
            .map(|address| (key(Lane::UnknownBrowsers, address), 0))
            .collect();
        sent_of(&mut queue, 20, &logins);
        assert_eq!(queue.sent.len(), 15);
        let known: Vec<_> = (0..6).map(|_| (key(Lane::KnownBrowsers, 1), 0)).collect();
        assert_eq!(sent_of(&mut queue, 20, &known), [true, true, true, true, true, false]);
    }

    #[test]
    fn links_to_other_addresses_go_after_all_other_mails() {
        let mut lines: Vec<_> = (0..6).collect();
        lines.sort_by_key(|line| Lane::rank(*line));
        assert_eq!(lines.first(), Some(&Lane::KnownBrowsers.number()));
        assert_eq!(lines.last(), Some(&Lane::NewAddresses.number()));
    }
}
