//! The requests of an address: how long they are valid, and their numbers.

use super::table::{self, LoginRequestRecord};
use fluglog_base::error::Result;
use fluglog_mail::address::Email;
use fluglog_store::Snapshot;

/// How long a request waits for confirmation.
pub(crate) const VALID_SECONDS: i64 = 10 * 60;
/// Wrong numbers after which a request is no longer valid.
pub(super) const MAX_WRONG_NUMBERS: u8 = 3;
/// How many two-digit numbers there are.
pub(super) const NUMBERS: u32 = 100;

pub(super) fn is_too_old(request: &LoginRequestRecord, now: i64) -> bool {
    request.created < now - VALID_SECONDS
}

/// A clock that was set back doesn't extend a request.
pub(super) fn is_valid(request: &LoginRequestRecord, now: i64) -> bool {
    (0..VALID_SECONDS).contains(&(now - request.created)) && request.wrong_numbers < MAX_WRONG_NUMBERS
}

pub(super) fn is_waiting(request: &LoginRequestRecord, now: i64) -> bool {
    is_valid(request, now) && !request.confirmed
}

/// The numbers of the valid requests for an address.
pub(super) struct WaitingNumbers {
    pub(super) all: Vec<String>,
    /// Numbers of requests that can be confirmed.
    pub(super) with_user: Vec<String>,
}

pub(super) fn waiting_for(data: &Snapshot<'_>, email: &Email, now: i64) -> Result<WaitingNumbers> {
    let mut requests = table::of_email(data, email.key())?;
    requests.retain(|request| is_valid(request, now));
    let with_user = requests.iter().filter(|request| request.user.is_some());
    Ok(WaitingNumbers {
        with_user: with_user.map(|request| request.number.clone()).collect(),
        all: requests.into_iter().map(|request| request.number).collect(),
    })
}

impl WaitingNumbers {
    /// Returns a number that no other request for the address has: otherwise the number of one browser could confirm
    /// another's request. If all are taken, at least one that no confirmable request has.
    pub(super) fn free_number(&self, random: u32) -> String {
        let free = |taken: &[String]| -> Vec<String> {
            let numbers = (0..NUMBERS).map(|number| format!("{number:02}"));
            numbers.filter(|number| !taken.contains(number)).collect()
        };
        let mut numbers = free(&self.all);
        if numbers.is_empty() {
            numbers = free(&self.with_user);
        }
        let at = random as usize % numbers.len().max(1);
        numbers.get(at).cloned().unwrap_or_default()
    }
}
