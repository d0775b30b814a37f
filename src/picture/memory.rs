//! The memory that running decodes share.

use fluglog_base::error::Result;
use fluglog_base::limits::permits::{Limits, Permit, Permits, Requester};

/// All of it, where the machine has enough for everything else too: the whole program stays below 256 MB.
const MOST_BYTES: u64 = 189 * 1024 * 1024;
/// Of it one pilot never has so much: an ordinary picture of somebody else fits beside the largest.
const OTHERS_BYTES: u64 = 30 * 1024 * 1024;
/// The need of the rest of the program: the database's cache, passwords' hashes, answers on their way out.
const REST_BYTES: u64 = 72 * 1024 * 1024;
/// The unit of what is taken.
const UNIT_BYTES: u64 = 1024;
/// More pictures than this don't wait, in all and of one pilot: each holds a thread that others need.
const WAITING_MOST: usize = 32;
const WAITING_OF_ONE_MOST: usize = 24;

pub struct Memory {
    bytes: u64,
    permits: Permits,
}

impl Memory {
    /// The memory for pictures of a process that may use so many bytes.
    #[must_use]
    pub fn of_process(bytes: u64) -> Memory {
        let bytes = bytes.saturating_sub(REST_BYTES).min(MOST_BYTES);
        Memory {
            bytes,
            permits: Permits::new(Limits {
                weight: units(bytes),
                of_one: 1,
                waiting: WAITING_MOST,
                waiting_of_one: WAITING_OF_ONE_MOST,
            }),
        }
    }

    /// The most that one picture may take: room is left for others, whatever one pilot uploads. No pilot has more at a
    /// time.
    pub(super) fn of_one(&self) -> u64 {
        self.bytes - OTHERS_BYTES.min(self.bytes / 16 * 3)
    }

    /// Waits until so many bytes are free, at most [`Memory::of_one`].
    pub(super) fn take(&self, requester: &Requester<'_>, bytes: u64) -> Result<Permit> {
        self.permits.acquire_blocking(requester, units(bytes))
    }
}

/// Rounded down, as the memory itself: what is at most that of one never takes more than all.
fn units(bytes: u64) -> u32 {
    u32::try_from(bytes / UNIT_BYTES).unwrap_or(u32::MAX)
}
