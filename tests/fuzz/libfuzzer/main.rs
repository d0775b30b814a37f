//! Runs the target that `FUZZ_TARGET` names.

#![no_main]
// A finding is a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../targets.rs"]
mod targets;

use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names a target");
    let named = targets::ALL.iter().find(|(target, _)| *target == name);
    named.expect("a target of targets.rs").1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
