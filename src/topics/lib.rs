//! The topics of the flight log, each in one folder from its calls down to its tables, and the list that enrols them.
//!
//! The modules stand in reading order: one uses only what stands above it.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod light;
mod done_at;
pub mod feedback;
pub mod documents;
pub mod equipment;
pub mod packs;
pub mod logs;
pub mod maintenance;
pub mod reminders;
pub mod flights;
pub mod imports;
pub mod statistics;
pub mod logbook;
pub mod registry;
pub mod quota;
pub mod transfers;
