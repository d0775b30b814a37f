//! The memory that running decodes share, and who gets it next.
//!
//! One pilot has one picture in it at a time, of at most [`Memory::of_one`]: room is left for others, whatever one uploads. Of those
//! who wait the first one whose picture fits is next.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::base::error::{Error, Result};
use crate::base::id::UserId;
use crate::base::waiting::Waiting;

/// All of it, where the machine has enough for everything else too: the whole program stays below 256 MB.
const MOST_BYTES: u64 = 192 * 1024 * 1024;
/// The need of the rest of the program: the database's cache, passwords' hashes, answers on their way out.
const REST_BYTES: u64 = 88 * 1024 * 1024;
/// More pictures than this don't wait, in all and of one pilot: each holds a thread that others need.
const WAITING_MOST: usize = 32;
const WAITING_OF_ONE_MOST: usize = 24;
/// How often one who waits looks whether somebody waits for him.
const LOOK_EVERY: Duration = Duration::from_millis(500);

pub struct Memory {
    bytes: u64,
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Default)]
struct Taken {
    bytes: u64,
    pilots: HashSet<UserId>,
    /// In the order in which they came.
    waiting: Vec<Ticket>,
    next_ticket: u64,
}

#[derive(Clone, Copy, PartialEq)]
struct Ticket {
    number: u64,
    pilot: UserId,
    bytes: u64,
}

/// A part of the memory, until it is dropped.
pub(super) struct Share<'m> {
    memory: &'m Memory,
    ticket: Ticket,
}

impl Memory {
    /// The memory for pictures of a process that may use so many bytes.
    #[must_use]
    pub fn of_process(bytes: u64) -> Memory {
        Memory {
            bytes: bytes.saturating_sub(REST_BYTES).min(MOST_BYTES),
            taken: Mutex::default(),
            freed: Condvar::new(),
        }
    }

    /// The most that one picture may take. No pilot has more at a time.
    pub(super) fn of_one(&self) -> u64 {
        self.bytes / 6 * 5
    }

    /// Waits until so much is free, at most [`Memory::of_one`].
    pub(super) fn take(&self, pilot: UserId, bytes: u64, waiting: &Waiting) -> Result<Share<'_>> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let of_pilot = taken.waiting.iter().filter(|ticket| ticket.pilot == pilot).count();
        if taken.waiting.len() >= WAITING_MOST || of_pilot >= WAITING_OF_ONE_MOST {
            return Err(Error::Crowded);
        }
        let ticket = Ticket {
            number: taken.next_ticket,
            pilot,
            bytes,
        };
        taken.next_ticket += 1;
        taken.waiting.push(ticket);
        while !self.is_next(&taken, ticket) && !waiting.is_over() {
            let (woken, _) = self
                .freed
                .wait_timeout(taken, LOOK_EVERY)
                .unwrap_or_else(PoisonError::into_inner);
            taken = woken;
        }
        taken.waiting.retain(|other| other.number != ticket.number);
        if waiting.is_over() {
            return Err(Error::Crowded);
        }
        taken.bytes += bytes;
        taken.pilots.insert(pilot);
        drop(taken);
        // The next one may fit as well.
        self.freed.notify_all();
        Ok(Share { memory: self, ticket })
    }

    fn is_next(&self, taken: &Taken, ticket: Ticket) -> bool {
        let fits = |ticket: &&Ticket| taken.bytes + ticket.bytes <= self.bytes && !taken.pilots.contains(&ticket.pilot);
        taken.waiting.iter().find(fits) == Some(&ticket)
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let mut taken = self.memory.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.bytes -= self.ticket.bytes;
        taken.pilots.remove(&self.ticket.pilot);
        drop(taken);
        self.memory.freed.notify_all();
    }
}
