//! Opening redb's file, which may be damaged.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// redb's page cache in bytes; its own default is 1 GiB, as much as a Pi has.
pub(super) const CACHE_BYTES: usize = 32 * 1024 * 1024;

/// Why a database can't be opened.
#[derive(Debug)]
pub enum OpenError {
    /// Another process holds it.
    Locked,
    /// A newer Fluglog wrote it.
    Newer { schema: u32, program: String },
    /// There is no database at this place.
    Missing,
    /// An older version wrote it, and before it is brought on a copy of this many bytes has to be kept: that failed.
    NotMigrated {
        from: u32,
        to: u32,
        bytes: u64,
        cause: String,
    },
    /// It can't be read or made; the text is for the log.
    Unusable(String),
}

thread_local! {
    static EXPECTING_PANICS: Cell<bool> = const { Cell::new(false) };
}

/// Runs work on data that may be damaged: redb panics on some of it. `None` when it did; nothing of it is printed.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !EXPECTING_PANICS.get() {
                usual(panic);
            }
        }));
    });
    let before = EXPECTING_PANICS.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    EXPECTING_PANICS.set(before);
    result.ok()
}
