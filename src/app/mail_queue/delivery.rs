//! The task that sends what waits in the queue, and tries again.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::model::{Lane, MailKey, QueuedMail};
use super::table::{self, MailRecord, WaitingLetter};
use crate::App;
use crate::tasks;
use fluglog_base::error::Result;
use fluglog_base::limits::tasks::Task;
use fluglog_mail::letter::Mail;
use fluglog_mail::outcome::{Delivery, Failure};

/// Longest wait between two attempts.
const MAX_RETRY_SECONDS: f64 = 3600.0;
pub(super) const HOUR_SECONDS: i64 = 60 * 60;
/// Pause after the database could not be read.
const PAUSE: Duration = Duration::from_secs(5);

/// Composes the mail of a letter to an address; `None` if the letter is obsolete.
pub(crate) type Compose = fn(&App, &QueuedMail, &str) -> Result<Option<Mail>>;

/// Sends due mails one after another, for as long as the server runs.
pub async fn deliver(app: Arc<App>, compose: Compose) {
    let mut queue = Queue {
        compose,
        composed: HashMap::new(),
        sent: VecDeque::new(),
    };
    let mut stopping = app.stopping.subscribe();
    loop {
        let pause = match queue.send_due(&app).await {
            Ok(pause) => pause,
            Err(error) => {
                tracing::warn!("mails could not be looked at: {error:?}");
                PAUSE
            }
        };
        tokio::select! {
            () = app.mail_queued.notified() => {}
            () = tokio::time::sleep(pause) => {}
            _ = stopping.wait_for(|stopping| *stopping) => return,
        }
    }
}

/// State of the sending task between two rounds.
struct Queue {
    compose: Compose,
    /// Mails whose sending failed, with their letters.
    composed: HashMap<MailKey, (QueuedMail, Mail)>,
    /// Mails sent in the last hour: Unix seconds and line. Not kept across restarts.
    sent: VecDeque<(i64, MailKey)>,
}

impl Queue {
    /// Sends everything that is due; returns the time until the next letter is due.
    async fn send_due(&mut self, app: &Arc<App>) -> Result<Duration> {
        if app.store.is_read_only() {
            // Sent mails couldn't be recorded, and would be sent again.
            return Ok(Duration::from_secs(HOUR_SECONDS.unsigned_abs()));
        }
        let mut mails = blocking(app, |app| app.store.read(table::all)).await?;
        self.composed.retain(|key, (letter, _)| {
            let of_line = mails.iter().filter(|(line, _)| line == key);
            of_line
                .flat_map(|(_, mail)| &mail.letters)
                .any(|waiting| waiting.letter == *letter)
        });
        mails.sort_by_key(|((_, _, line), _)| Lane::rank(*line));
        let mut next = i64::MAX;
        for (key, mail) in mails {
            next = next.min(self.line(app, key, mail).await?);
            if *app.stopping.borrow() {
                break;
            }
        }
        let seconds = next.saturating_sub(app.clock.unix_seconds()).clamp(0, HOUR_SECONDS);
        Ok(Duration::from_secs(seconds.unsigned_abs()))
    }

    /// Sends the due letters at the front of a line; returns when the next one is due.
    async fn line(&mut self, app: &Arc<App>, key: MailKey, mut mail: MailRecord) -> Result<i64> {
        while let Some(waiting) = mail.letters.first().cloned() {
            let now = app.clock.unix_seconds();
            let most = app.config.limits.mails_per_hour;
            let not_before = mail.next.max(self.permitted_at(most, key, waiting.turn, now));
            if not_before > now {
                return Ok(not_before);
            }
            let outcome = self.attempt(app, key, mail.attempts, waiting).await?;
            match outcome {
                Outcome::Obsolete => drop(mail.letters.remove(0)),
                Outcome::Delivery => {
                    mail.letters.remove(0);
                    mail.attempts = 0;
                    mail.next = now + Lane::pause_seconds(key.2);
                }
                Outcome::Failed { again, .. } => return Ok(again),
            }
        }
        Ok(i64::MAX)
    }

    /// Returns when the limit of `most` mails per hour permits a letter. Codes may use half of it, and all letters that
    /// strangers can request three quarters, so that pilots can still log in.
    ///
    /// A stranger's letter is permitted while its network was sent fewer mails than half of what is left, and its
    /// address fewer than all of it: whoever requests many mails, or mails to one address from many networks, always
    /// leaves some to others.
    fn permitted_at(&mut self, most: usize, key: MailKey, turn: u32, now: i64) -> i64 {
        while self.sent.front().is_some_and(|(at, _)| now - at >= HOUR_SECONDS) {
            self.sent.pop_front();
        }
        let sent = |counts: &dyn Fn(&MailKey) -> bool| self.sent.iter().filter(|(_, key)| counts(key)).count();
        let is_of_strangers = |key: &MailKey| Lane::UNTRUSTED.contains(&key.2);
        let codes = Lane::Codes.number();
        let mut left = most.saturating_sub(self.sent.len());
        let mut before = 0;
        if is_of_strangers(&key) {
            let of_strangers = (3 * most).div_ceil(4);
            left = left.min(of_strangers.saturating_sub(sent(&is_of_strangers)));
            let to_address = sent(&|other| is_of_strangers(other) && (other.0, other.1) == (key.0, key.1));
            before = (turn as usize).max(to_address / 2);
        }
        if key.2 == codes {
            left = left.min(most.div_ceil(2).saturating_sub(sent(&|key| key.2 == codes)));
        }
        match self.sent.front() {
            Some((oldest, _)) if before >= left.div_ceil(2) => oldest + HOUR_SECONDS,
            _ => now,
        }
    }

    /// Makes one attempt; returns its outcome.
    async fn attempt(
        &mut self,
        app: &Arc<App>,
        key: MailKey,
        attempts: u32,
        waiting: WaitingLetter,
    ) -> Result<Outcome> {
        let WaitingLetter { letter, to, .. } = waiting;
        let composed = match self.composed.remove(&key) {
            Some((of, mail)) if of == letter => Ok(Some(mail)),
            _ => {
                let (compose, letter) = (self.compose, letter.clone());
                blocking(app, move |app| compose(app, &letter, &to)).await
            }
        };
        let sent = match composed {
            Ok(Some(mail)) => match app.mailer.send(&mail).await {
                Ok(sent) => Ok(Some(sent)),
                Err(failure) => {
                    self.composed.insert(key, (letter.clone(), mail));
                    Err(failure)
                }
            },
            Ok(None) => Ok(None),
            // A letter that can't be composed must not block the others.
            Err(error) => Err(Failure::Letter(error.sentence().to_owned())),
        };
        let outcome = match sent {
            Ok(None) => Outcome::Obsolete,
            Ok(Some(sent)) => {
                self.sent.push_back((app.clock.unix_seconds(), key));
                match sent {
                    Delivery::Accepted(_) => tracing::info!("a mail was sent"),
                    Delivery::Stored(path) => tracing::info!("a mail was written to {}", path.display()),
                }
                Outcome::Delivery
            }
            Err(failure) => {
                let why = failure.to_string();
                let wait = retry_seconds(app.config.smtp.retry_seconds, attempts);
                tracing::warn!("a mail could not be sent, next try in {wait} s: {why}");
                let again = app.clock.unix_seconds() + wait;
                Outcome::Failed { why, again }
            }
        };
        let noted = outcome.clone();
        blocking(app, move |app| record_outcome(app, key, letter, noted)).await?;
        Ok(outcome)
    }
}

#[derive(Clone)]
enum Outcome {
    Delivery,
    Obsolete,
    Failed { why: String, again: i64 },
}

/// Records the outcome of an attempt. Letters that were added meanwhile stay, and are sent after the line's pause.
fn record_outcome(app: &App, key: MailKey, letter: QueuedMail, outcome: Outcome) -> Result<()> {
    let now = app.clock.unix_seconds();
    app.store.write_task(Task::Mails, move |writer| {
        let Some(mut mail) = writer.get::<MailRecord>(key)? else {
            return Ok(());
        };
        let at = mail.letters.iter().position(|waiting| waiting.letter == letter);
        if !matches!(outcome, Outcome::Obsolete) {
            mail.last_try = Some(now);
            mail.next = now + Lane::pause_seconds(key.2);
        }
        match (&outcome, at) {
            (Outcome::Failed { why, again }, Some(_)) => {
                mail.attempts += 1;
                mail.next = *again;
                mail.why.clone_from(why);
            }
            (Outcome::Failed { .. }, None) => {}
            (Outcome::Delivery | Outcome::Obsolete, at) => {
                if let Some(at) = at {
                    mail.letters.remove(at);
                }
                mail.attempts = 0;
                mail.why.clear();
            }
        }
        writer.put(key, &mail)
    })
}

/// Returns the wait before the next attempt, which doubles with every failed one.
fn retry_seconds(first: f64, attempts: u32) -> i64 {
    let seconds = (first * f64::from(1_u32 << attempts.min(16)))
        .min(MAX_RETRY_SECONDS)
        .round();
    // Between one second, the clock's resolution, and an hour.
    (seconds as i64).max(1)
}

async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let app = Arc::clone(app);
    tasks::blocking(Task::Mails, move || work(&app)).await?
}

#[cfg(test)]
mod tests;
