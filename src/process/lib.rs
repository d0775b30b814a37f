//! The process and its machine: log, service manager, memory, metrics. Knows no topic, no store and no web.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod log;
pub mod machine;
pub mod mounts;
pub mod metrics;
pub mod packages;
pub mod systemd;
