//! Mails that wait: put there with the change that they belong to, sent by a task of their own, tried again until they are sent
//! or out of date. Knows no letter's text and no server.
//!
//! Only the kind of letter waits. The secret in a mail (a link, a code) is made when the mail is, so that the database holds
//! nothing but digests; within one run of the server a further try sends the same mail again.

pub mod model;
mod table;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::base::error::{Error, Result};
use crate::mail;
use crate::mail::address::Email;
use crate::mail::letter::Mail;
use crate::mail::outcome::{Failure, Sent};
use crate::store::findings::Findings;
use crate::store::{Snapshot, Writer};
use model::{CODE, Letter, MailKey};
use table::MailRecord;

/// An address gets at most one mail of a kind in this time; a second one waits.
pub const ONE_MAIL_IN_SECONDS: i64 = 60;
/// More addresses don't wait for a code: each registration brings one of its own choice.
const WAITING_MOST: usize = 500;
/// The longest wait between two tries.
const RETRY_MOST_SECONDS: f64 = 3600.0;
const HOUR_SECONDS: i64 = 60 * 60;
/// How long the database is left alone after it could not be read.
const PAUSE: Duration = Duration::from_secs(5);

/// Writes the mail of a letter to an address; `None` when it is out of date.
pub type Compose = fn(&App, &Letter, &str) -> Result<Option<Mail>>;

/// A mail that was not sent yet.
#[derive(Debug, Serialize, Deserialize)]
pub struct Waiting {
    pub to: String,
    /// Unix seconds.
    pub since: i64,
    pub attempts: u32,
    pub why: String,
}

/// Puts a letter where mails wait, in place of the one of its kind that waits for this address, `gap_seconds` after the last one. Ring
/// `App::mail_waits` after the commit.
pub fn put(writer: &Writer<'_>, email: &Email, letter: Letter, now: i64, gap_seconds: i64) -> Result<()> {
    let key = letter.key(email);
    let last_try = writer.get::<MailRecord>(key)?.and_then(|mail| mail.last_try);
    writer.put(
        key,
        &MailRecord {
            to: email.typed.clone(),
            letter: Some(letter),
            waiting_since: now,
            attempts: 0,
            next: last_try.map_or(now, |last| now.max(last + gap_seconds)),
            last_try,
            why: String::new(),
        },
    )
}

/// Refuses further codes while too many mails wait.
///
/// # Errors
/// [`Error::RateLimited`].
pub fn check_room(data: &Snapshot<'_>) -> Result<()> {
    let waiting = table::all(data)?
        .iter()
        .filter(|(_, mail)| mail.letter.is_some())
        .count();
    if waiting >= WAITING_MOST {
        return Err(Error::RateLimited {
            retry_after_seconds: HOUR_SECONDS.unsigned_abs(),
        });
    }
    Ok(())
}

/// The mails that were not sent yet, those that wait longest first.
pub fn waiting(app: &App) -> Result<Vec<Waiting>> {
    let mails = app.store.read(table::all)?.into_iter();
    Ok(mails
        .filter(|(_, mail)| mail.letter.is_some())
        .map(|(_, mail)| Waiting {
            to: mail.to,
            since: mail.waiting_since,
            attempts: mail.attempts,
            why: mail.why,
        })
        .collect())
}

/// Forgets to whom a mail went when that no longer matters.
pub fn forget(writer: &Writer<'_>, now: i64) -> Result<()> {
    table::forget(writer, now - ONE_MAIL_IN_SECONDS)
}

/// Forgets the address of a user who is deleted, and what waits for it.
pub fn forget_address(writer: &Writer<'_>, email: &Email) -> Result<()> {
    table::forget_address(writer, email)
}

/// Sends what waits, one mail after the other, for as long as the server runs.
pub async fn deliver(app: Arc<App>, compose: Compose) {
    let mut queue = Queue {
        compose,
        composed: HashMap::new(),
        sent: VecDeque::new(),
    };
    let mut stopping = app.stopping.subscribe();
    loop {
        let pause = match queue.round(&app).await {
            Ok(pause) => pause,
            Err(error) => {
                tracing::warn!("mails could not be looked at: {error:?}");
                PAUSE
            }
        };
        tokio::select! {
            () = app.mail_waits.notified() => {}
            () = tokio::time::sleep(pause) => {}
            _ = stopping.wait_for(|stopping| *stopping) => return,
        }
    }
}

/// State of the delivering task between two tries.
struct Queue {
    compose: Compose,
    /// Mails whose sending failed, with the letter that they were written for.
    composed: HashMap<MailKey, (Letter, Mail)>,
    /// When mails were sent in the last hour (unix seconds), and whether they brought a code. A restart forgets it.
    sent: VecDeque<(i64, bool)>,
}

impl Queue {
    /// Tries everything that is due; how long nothing else will be.
    async fn round(&mut self, app: &Arc<App>) -> Result<Duration> {
        let mails = blocking(app, |app| app.store.read(table::all)).await?;
        self.composed.retain(|key, (letter, _)| {
            mails
                .iter()
                .any(|(waiting, mail)| waiting == key && mail.letter.as_ref() == Some(letter))
        });
        let mut next = i64::MAX;
        // Somebody waits for a login right now.
        let (codes, logins): (Vec<_>, Vec<_>) = mails.into_iter().partition(|((_, _, kind), _)| *kind == CODE);
        for (key, mail) in logins.into_iter().chain(codes) {
            let Some(letter) = mail.letter.clone() else { continue };
            let now = app.clock.unix_seconds();
            let not_before = mail.next.max(self.room_at(app, &letter, now));
            if not_before > now {
                next = next.min(not_before);
            } else if let Some(again) = self.attempt(app, key, &mail, letter).await? {
                next = next.min(again);
            }
            if *app.stopping.borrow() {
                break;
            }
        }
        let seconds = next.saturating_sub(app.clock.unix_seconds()).clamp(0, HOUR_SECONDS);
        Ok(Duration::from_secs(seconds.unsigned_abs()))
    }

    /// When the limit of mails an hour lets this letter out. Codes, which strangers can ask for as often as they like, have half of
    /// it, so that pilots can still log in.
    fn room_at(&mut self, app: &App, letter: &Letter, now: i64) -> i64 {
        while self.sent.front().is_some_and(|(at, _)| now - at >= HOUR_SECONDS) {
            self.sent.pop_front();
        }
        let most = app.config.limits.mails_per_hour;
        let is_code = letter.is_code();
        let codes = self.sent.iter().filter(|(_, code)| *code).count();
        let is_full = self.sent.len() >= most || (is_code && codes >= most.div_ceil(2));
        match self.sent.front() {
            Some((oldest, _)) if is_full => oldest + HOUR_SECONDS,
            _ => now,
        }
    }

    /// One try; when the next one is due, if there is one.
    async fn attempt(
        &mut self,
        app: &Arc<App>,
        key: MailKey,
        record: &MailRecord,
        letter: Letter,
    ) -> Result<Option<i64>> {
        let composed = match self.composed.remove(&key) {
            Some((_, mail)) => Ok(Some(mail)),
            None => {
                let (compose, letter, to) = (self.compose, letter.clone(), record.to.clone());
                blocking(app, move |app| compose(app, &letter, &to)).await
            }
        };
        let sent = match composed {
            Ok(Some(mail)) => match app.mailer.send(&mail).await {
                Ok(sent) => Ok(sent),
                Err(failure) => {
                    self.composed.insert(key, (letter.clone(), mail));
                    Err(failure)
                }
            },
            Ok(None) => {
                blocking(app, move |app| settle(app, key, letter, Outcome::OutOfDate)).await?;
                return Ok(None);
            }
            // One letter that can't be written must not hold up the others.
            Err(error) => Err(Failure::Letter(error.sentence().to_owned())),
        };
        match sent {
            Ok(sent) => {
                let is_code = letter.is_code();
                self.sent.push_back((app.clock.unix_seconds(), is_code));
                match sent {
                    Sent::Taken(_) => tracing::info!("a mail was sent"),
                    Sent::Kept(path) => tracing::info!("a mail was written to {}", path.display()),
                }
                blocking(app, move |app| settle(app, key, letter, Outcome::Sent)).await?;
                Ok(None)
            }
            Err(failure) => {
                let why = failure.to_string();
                let wait = retry_seconds(app.config.smtp.retry_seconds, record.attempts);
                tracing::warn!("a mail could not be sent, next try in {wait} s: {why}");
                let again = app.clock.unix_seconds() + wait;
                blocking(app, move |app| settle(app, key, letter, Outcome::Failed { why, again })).await?;
                Ok(Some(again))
            }
        }
    }
}

#[derive(Clone)]
enum Outcome {
    Sent,
    OutOfDate,
    Failed { why: String, again: i64 },
}

/// Notes how a try ended. A newer letter that came in the meantime stays, but not within the same minute.
fn settle(app: &App, key: MailKey, letter: Letter, outcome: Outcome) -> Result<()> {
    let now = app.clock.unix_seconds();
    app.store.write(move |writer| {
        let Some(mut mail) = writer.get::<MailRecord>(key)? else {
            return Ok(());
        };
        let is_newer = mail.letter.as_ref() != Some(&letter);
        if !matches!(outcome, Outcome::OutOfDate) {
            mail.last_try = Some(now);
        }
        match &outcome {
            Outcome::OutOfDate if is_newer => {}
            _ if is_newer => mail.next = mail.next.max(now + ONE_MAIL_IN_SECONDS),
            Outcome::Sent | Outcome::OutOfDate => mail.letter = None,
            Outcome::Failed { why, again } => {
                mail.attempts += 1;
                mail.next = *again;
                mail.why.clone_from(why);
            }
        }
        writer.put(key, &mail)
    })
}

/// Doubles with every try that failed before.
fn retry_seconds(first: f64, attempts: u32) -> i64 {
    let seconds = (first * f64::from(1_u32 << attempts.min(16)))
        .min(RETRY_MOST_SECONDS)
        .round();
    // At most an hour, and never less than the second that the clock counts in.
    (seconds as i64).max(1)
}

async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let app = Arc::clone(app);
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    done.map_err(|panic| Error::Internal(format!("a panic while sending mail: {panic}")))?
}

/// Whether this address can be written to at all.
#[must_use]
pub fn is_addressable(email: &Email) -> bool {
    mail::is_addressable(&email.typed)
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_further_try_waits_twice_as_long_and_at_most_an_hour() {
        let waits: Vec<_> = (0..9).map(|tries| retry_seconds(30.0, tries)).collect();
        assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
        assert_eq!(retry_seconds(1.0, u32::MAX), 3600);
    }
}
