//! The shape of waiting mails in an earlier release.

use serde::{Deserialize, Serialize};

use super::{MailRecord, WaitingLetter};
use crate::mail_queue::model::QueuedMail;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// The record of version 1.3.0, with one letter per line.
#[derive(Serialize, Deserialize)]
pub(crate) struct MailRecord1 {
    to: String,
    letter: Option<QueuedMail>,
    waiting_since: i64,
    attempts: u32,
    next: i64,
    last_try: Option<i64>,
    why: String,
}

impl Initial for MailRecord1 {}

upgrade! {
    previous: MailRecord1 => MailRecord {
        letters: Vec::from_iter(previous.letter.map(|letter| WaitingLetter {
            letter,
            to: previous.to,
            since: previous.waiting_since,
            turn: 0,
        })),
        attempts, next, last_try, why,
    }
}
