//! The memory budget shared by running decodes.

use fluglog_base::error::Result;
use fluglog_base::limits::permits::{Held, Kind, Limits, Permits, Requester};

/// Largest budget, on a machine with enough memory: the whole program stays below 256 MB.
const MAX_BYTES: u64 = 160 * 1024 * 1024;
/// Part of the budget that one pilot can't take: an ordinary picture of somebody else fits beside the largest.
const OTHERS_BYTES: u64 = 30 * 1024 * 1024;
/// Memory for the rest of the program: the database's cache, password hashes, outgoing answers.
const RESERVED_BYTES: u64 = 72 * 1024 * 1024;
/// Bytes per permit.
const UNIT_BYTES: u64 = 1024;
/// Most pictures that may wait, in total and of one pilot: each occupies a thread.
const MAX_WAITING: usize = 32;
const MAX_WAITING_PER_CLIENT: usize = 24;

pub struct MemoryBudget {
    bytes: u64,
    permits: Permits,
}

impl MemoryBudget {
    /// Creates the budget for a process that may use `bytes` of memory.
    #[must_use]
    pub fn of_process(bytes: u64) -> MemoryBudget {
        let bytes = bytes.saturating_sub(RESERVED_BYTES).min(MAX_BYTES);
        MemoryBudget {
            bytes,
            permits: Permits::new(Limits {
                kind: Kind::Picture,
                weight: units(bytes),
                per_pilot: 1,
                waiting: MAX_WAITING,
                waiting_per_pilot: MAX_WAITING_PER_CLIENT,
            }),
        }
    }

    /// Returns the most that one picture, and one pilot at a time, may take: the rest is left for others.
    pub(super) fn per_picture(&self) -> u64 {
        self.bytes - OTHERS_BYTES.min(self.bytes / 16 * 3)
    }

    /// Waits until `bytes` are free; must be at most [`MemoryBudget::per_picture`].
    pub(super) fn take(&self, requester: &Requester<'_>, bytes: u64) -> Result<Held> {
        self.permits.acquire_blocking(requester, units(bytes))
    }
}

/// Converts bytes to permits, rounding down as the total does, so that a picture at the limit never needs more than
/// all.
fn units(bytes: u64) -> u32 {
    u32::try_from(bytes / UNIT_BYTES).unwrap_or(u32::MAX)
}
