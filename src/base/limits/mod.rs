//! Limits on what one client or pilot takes from the others: connections, attempts, heavy work, processor time, disk
//! space. Knows no topic, no store and no web.

pub mod answers;
pub mod connections;
pub mod cpu_budget;
pub mod downloads;
pub mod keyed_lock;
pub mod permits;
pub mod rate_limit;
pub mod tasks;
pub mod usage;
