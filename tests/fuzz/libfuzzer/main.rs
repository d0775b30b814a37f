//! Runs the target that `FUZZ_TARGET` names.

#![no_main]
// A finding is a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../targets.rs"]
mod targets;

use std::panic;
use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names a target");
    let named = targets::ALL.iter().find(|(target, _)| *target == name);
    named.expect("a target of targets.rs").1
});

/// Source folder of the crate that sends mail. It panics on a line of white space in the answer to EHLO; the program
/// sends on a thread of its own and reports a failure when that thread panics.
const CONTAINED: &str = "/lettre-";

libfuzzer_sys::fuzz_target!(
    init: {
        let abort = panic::take_hook();
        panic::set_hook(Box::new(move |info| match info.location() {
            Some(location) if location.file().contains(CONTAINED) => {}
            _ => abort(info),
        }));
    },
    |data: &[u8]| {
        // Other panics have aborted the process in the hook.
        let _ = panic::catch_unwind(|| TARGET(data));
    }
);
