//! Permits for one kind of heavy work, shared fairly among pilots. Knows no work.
//!
//! A pilot may run only a limited number of pieces at a time, and only those queue for the permits of all, in order of
//! arrival. So however many requests one pilot sends, at most that many are ahead of another pilot's.
//!
//! A thread that holds a permit waits only for permits of a later [`Kind`]: otherwise two threads could wait for each
//! other, and everybody behind them.

use std::cell::Cell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_executor::block_on;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};
use crate::id::UserId;
use crate::text;

/// Number of pilots from which on those without work are forgotten.
const MANY_PILOTS: usize = 64;

/// The pilot whom work is for, and its cancellation.
#[derive(Clone, Copy)]
pub struct Requester<'a> {
    pub pilot: UserId,
    pub cancellation: &'a CancellationToken,
}

/// Kinds of heavy work, in the order in which a thread may wait for their permits. Connection, request id and thread
/// come before all of them, the writer's turn after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Form,
    Evaluation,
    Picture,
    Answer,
    Gzip,
}

impl Kind {
    #[cfg(test)]
    const ALL: [Kind; 5] = [Kind::Form, Kind::Evaluation, Kind::Picture, Kind::Answer, Kind::Gzip];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

thread_local! {
    /// The kinds of which this thread holds a permit, as bits.
    static HELD: Cell<u8> = const { Cell::new(0) };
    /// The kinds for which this thread may wait, as bits.
    static ALLOWED: Cell<u8> = const { Cell::new(u8::MAX) };
}

/// Does work that may wait for permits of these kinds only.
pub fn within<T>(kinds: &[Kind], work: impl FnOnce() -> T) -> T {
    /// Restores the previously allowed kinds when dropped.
    struct Reset(u8);
    impl Drop for Reset {
        fn drop(&mut self) {
            ALLOWED.set(self.0);
        }
    }
    let allowed = kinds.iter().fold(0, |bits, kind| bits | kind.bit());
    let _reset = Reset(ALLOWED.replace(allowed));
    work()
}

/// The account of a thread that it holds a permit of a kind. Never leaves the thread.
struct Mark(u8, PhantomData<*const ()>);

impl Mark {
    /// # Errors
    /// The thread holds a permit of this kind or a later one, or its work may not wait for this kind.
    fn set(kind: Kind) -> Result<Mark> {
        if ALLOWED.get() & kind.bit() == 0 {
            return Err(Error::Internal(format!("{kind:?} is not in the budget of this work")));
        }
        let before = HELD.get();
        if before >= kind.bit() {
            return Err(Error::Internal(format!(
                "{kind:?} is waited for while something later is held"
            )));
        }
        HELD.set(before | kind.bit());
        Ok(Mark(kind.bit(), PhantomData))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        HELD.set(HELD.get() & !self.0);
    }
}

/// The limits for one kind of work.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub kind: Kind,
    /// Total weight of the work that runs at a time.
    pub weight: u32,
    /// Pieces of one pilot that run at a time.
    pub per_pilot: usize,
    /// Pieces that may wait, in total and of one pilot. Each may block a thread.
    pub waiting: usize,
    pub waiting_per_pilot: usize,
}

/// All permits for one kind of work.
pub struct Permits {
    limits: Limits,
    all: Arc<Semaphore>,
    waiting: Semaphore,
    pilots: Mutex<HashMap<UserId, Weak<PilotPermits>>>,
}

struct PilotPermits {
    free: Arc<Semaphore>,
    waiting: Semaphore,
}

/// Permission to do some work; released when dropped.
pub struct Permit {
    kind: Kind,
    _of_all: OwnedSemaphorePermit,
    _of_pilot: OwnedSemaphorePermit,
    /// Keeps the pilot's entry in `Permits::pilots` alive.
    pilot: Arc<PilotPermits>,
}

impl Permit {
    /// Does the work, and accounts that this thread holds the permit meanwhile.
    ///
    /// # Errors
    /// The error of `work`; [`Error::Internal`] if the thread holds a permit of the same or a later kind.
    pub fn hold<T>(self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let _mark = Mark::set(self.kind)?;
        work()
    }
}

/// A permit that the current thread holds.
pub struct Held {
    permit: Permit,
    _mark: Mark,
}

/// Why work can't begin now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LimitReached {
    /// The pilot has reached the limit per pilot.
    PerPilot,
    Total,
}

impl Permits {
    #[must_use]
    pub fn new(limits: Limits) -> Permits {
        Permits {
            limits,
            all: Arc::new(Semaphore::new(limits.weight as usize)),
            waiting: Semaphore::new(limits.waiting),
            pilots: Mutex::default(),
        }
    }

    /// Takes a permit for work of this weight if it can begin now.
    ///
    /// # Errors
    /// [`LimitReached`] says whose limit is reached.
    pub fn try_acquire(&self, pilot: UserId, weight: u32) -> std::result::Result<Permit, LimitReached> {
        let pilot = self.of_pilot(pilot);
        let of_pilot = Arc::clone(&pilot.free).try_acquire_owned();
        let of_pilot = of_pilot.map_err(|_| LimitReached::PerPilot)?;
        let of_all = Arc::clone(&self.all).try_acquire_many_owned(weight);
        Ok(Permit {
            kind: self.limits.kind,
            _of_all: of_all.map_err(|_| LimitReached::Total)?,
            _of_pilot: of_pilot,
            pilot,
        })
    }

    /// Waits for a permit for work of this weight, which must not exceed [`Limits::weight`].
    ///
    /// # Errors
    /// [`Error::ResourceBusy`] if too many wait already.
    pub async fn acquire(&self, pilot: UserId, weight: u32) -> Result<Permit> {
        if let Ok(permit) = self.try_acquire(pilot, weight) {
            return Ok(permit);
        }
        let pilot = self.of_pilot(pilot);
        let occupied = |sentence| move |_| Error::ResourceBusy(sentence);
        let _waiting = (
            pilot.waiting.try_acquire().map_err(occupied(text::PILOT_CROWDED))?,
            self.waiting.try_acquire().map_err(occupied(text::OTHERS_CROWDED))?,
        );
        self.admitted(&pilot, weight).await
    }

    async fn admitted(&self, pilot: &Arc<PilotPermits>, weight: u32) -> Result<Permit> {
        // The semaphores are never closed.
        let closed = |_| Error::TooManyRequests;
        let of_pilot = Arc::clone(&pilot.free).acquire_owned().await.map_err(closed)?;
        let of_all = Arc::clone(&self.all).acquire_many_owned(weight).await;
        Ok(Permit {
            kind: self.limits.kind,
            _of_all: of_all.map_err(closed)?,
            _of_pilot: of_pilot,
            pilot: Arc::clone(pilot),
        })
    }

    /// Like [`Permits::acquire`], but blocks the thread and ends on cancellation.
    ///
    /// # Errors
    /// As for [`Permits::acquire`]; [`Error::TooManyRequests`] on cancellation; [`Error::Internal`] if the thread holds
    /// a permit of the same or a later kind.
    pub fn acquire_blocking(&self, requester: &Requester<'_>, weight: u32) -> Result<Held> {
        self.block(requester, self.acquire(requester.pilot, weight))
    }

    /// Lets those who wait go first, if there are any, and takes a permit of this weight again.
    ///
    /// # Errors
    /// [`Error::TooManyRequests`] on cancellation.
    pub fn give_way(&self, held: Held, requester: &Requester<'_>, weight: u32) -> Result<Held> {
        let pilot = Arc::clone(&held.permit.pilot);
        drop(held);
        self.block(requester, self.admitted(&pilot, weight))
    }

    fn block(&self, requester: &Requester<'_>, permit: impl Future<Output = Result<Permit>>) -> Result<Held> {
        let mark = Mark::set(self.limits.kind)?;
        let permit = requester.cancellation.run_until_cancelled(permit);
        let permit = block_on(permit).ok_or(Error::TooManyRequests)??;
        match requester.cancellation.is_cancelled() {
            true => Err(Error::TooManyRequests),
            false => Ok(Held { permit, _mark: mark }),
        }
    }

    fn of_pilot(&self, pilot: UserId) -> Arc<PilotPermits> {
        let mut pilots = self.pilots.lock().unwrap_or_else(PoisonError::into_inner);
        if pilots.len() >= MANY_PILOTS {
            pilots.retain(|_, of_pilot| of_pilot.strong_count() > 0);
        }
        let known = pilots.entry(pilot).or_default();
        known.upgrade().unwrap_or_else(|| {
            let new = Arc::new(PilotPermits {
                free: Arc::new(Semaphore::new(self.limits.per_pilot)),
                waiting: Semaphore::new(self.limits.waiting_per_pilot),
            });
            *known = Arc::downgrade(&new);
            new
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        kind: Kind::Evaluation,
        weight: 2,
        per_pilot: 1,
        waiting: 3,
        waiting_per_pilot: 2,
    };

    fn pilot(key: u128) -> UserId {
        UserId::from_key(key)
    }

    /// Polls a future once.
    fn begins<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        block_on(std::future::poll_fn(|context| {
            std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        }))
    }

    #[test]
    fn a_pilot_has_one_permit_at_a_time_and_a_pilot_without_one_is_next() {
        let permits = Permits::new(LIMITS);
        let first = permits.try_acquire(pilot(1), 1).map_err(drop).unwrap();
        assert_eq!(permits.try_acquire(pilot(1), 1).err(), Some(LimitReached::PerPilot));
        let second = permits.try_acquire(pilot(2), 1).map_err(drop).unwrap();
        assert_eq!(permits.try_acquire(pilot(3), 1).err(), Some(LimitReached::Total));
        let mut again = Box::pin(permits.acquire(pilot(1), 1));
        let mut other = Box::pin(permits.acquire(pilot(3), 1));
        assert!(begins(&mut again).is_none() && begins(&mut other).is_none());
        // The first pilot asked earlier, but is at the limit.
        drop(second);
        assert!(begins(&mut again).is_none());
        let other = begins(&mut other).unwrap().unwrap();
        drop(first);
        let again = begins(&mut again).unwrap().unwrap();
        drop((other, again));
        assert!(permits.try_acquire(pilot(1), 2).is_ok());
    }

    #[test]
    fn a_request_with_a_permit_waits_only_for_permits_of_later_kinds() {
        let of = |kind| Permits::new(Limits { kind, ..LIMITS });
        let cancellation = CancellationToken::new();
        let requester = Requester {
            pilot: pilot(1),
            cancellation: &cancellation,
        };
        for held in Kind::ALL {
            for wanted in Kind::ALL {
                let first = of(held).acquire_blocking(&requester, 1).map_err(drop).unwrap();
                let second = of(wanted).acquire_blocking(&requester, 1).map(drop);
                assert_eq!(
                    second.is_ok(),
                    held < wanted,
                    "{wanted:?} while {held:?} is held: {second:?}"
                );
                drop(first);
                let permit = of(held).try_acquire(pilot(1), 1).map_err(drop).unwrap();
                let within = permit.hold(|| of(wanted).acquire_blocking(&requester, 1).map(drop));
                assert_eq!(within, second);
            }
        }
        // Nothing is held any more.
        let evaluation = || of(Kind::Evaluation).acquire_blocking(&requester, 1).map(drop);
        assert_eq!(evaluation(), Ok(()));
        assert_eq!(within(&[Kind::Evaluation], evaluation), Ok(()));
        assert!(within(&[Kind::Picture], evaluation).is_err());
        assert_eq!(evaluation(), Ok(()));
    }

    #[test]
    fn a_permit_given_away_goes_to_whoever_waits_and_comes_back() {
        let permits = Permits::new(LIMITS);
        let cancellation = CancellationToken::new();
        let requester = Requester {
            pilot: pilot(1),
            cancellation: &cancellation,
        };
        let held = permits.acquire_blocking(&requester, 2).map_err(drop).unwrap();
        let mut other = Box::pin(permits.acquire(pilot(2), 2));
        assert!(begins(&mut other).is_none());
        std::thread::scope(|scope| {
            let other = scope.spawn(move || block_on(other).map(drop));
            assert!(permits.give_way(held, &requester, 2).is_ok());
            assert_eq!(other.join().unwrap(), Ok(()));
        });
    }

    #[test]
    fn waiting_requests_are_limited_in_all_and_for_each_pilot() {
        let permits = Permits::new(LIMITS);
        let _all = permits.try_acquire(pilot(9), 2).map_err(drop).unwrap();
        let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(permits.acquire(pilot(1), 1))).collect();
        assert!(waiting.iter_mut().all(|waiting| begins(waiting).is_none()));
        assert!(matches!(
            begins(&mut Box::pin(permits.acquire(pilot(1), 1))),
            Some(Err(Error::ResourceBusy(text::PILOT_CROWDED)))
        ));
        waiting.push(Box::pin(permits.acquire(pilot(2), 1)));
        assert!(begins(&mut waiting[2]).is_none());
        assert!(matches!(
            begins(&mut Box::pin(permits.acquire(pilot(3), 1))),
            Some(Err(Error::ResourceBusy(text::OTHERS_CROWDED)))
        ));
        // A pilot who gives up makes room.
        waiting.clear();
        assert!(begins(&mut Box::pin(permits.acquire(pilot(3), 1))).is_none());
    }

    #[test]
    fn work_that_nobody_waits_for_gets_no_permit() {
        let permits = Permits::new(LIMITS);
        let cancellation = CancellationToken::new();
        let requester = Requester {
            pilot: pilot(1),
            cancellation: &cancellation,
        };
        assert!(permits.acquire_blocking(&requester, 1).is_ok());
        let all = permits.try_acquire(pilot(2), 2).map_err(drop).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| permits.acquire_blocking(&requester, 1).map(drop));
            cancellation.cancel();
            assert_eq!(waiting.join().unwrap(), Err(Error::TooManyRequests));
        });
        drop(all);
        assert_eq!(
            permits.acquire_blocking(&requester, 1).map(drop),
            Err(Error::TooManyRequests)
        );
    }
}
