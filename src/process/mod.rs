//! The process and its machine: log, service manager, memory, metrics. Knows no topic, no store and no web.

pub mod log;
pub mod machine;
pub mod mounts;
pub mod metrics;
pub mod packages;
pub mod systemd;
