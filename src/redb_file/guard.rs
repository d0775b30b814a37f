//! Panics as errors.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

thread_local! {
    static EXPECTING_PANICS: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs work that may panic, as redb does on some damaged files, and returns the panic as an error.
///
/// # Errors
/// Message and place of the panic, which is printed nowhere else.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| match EXPECTING_PANICS.get() {
            true => LAST_PANIC.set(message_of(panic)),
            false => usual(panic),
        }));
    });
    let before = EXPECTING_PANICS.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    EXPECTING_PANICS.set(before);
    result.map_err(|_| LAST_PANIC.take())
}

fn message_of(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    format!("{message} ({place})")
}
