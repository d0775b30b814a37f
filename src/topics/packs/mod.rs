//! Battery packs: what pilots record of them, and what follows from it for the state and health of each.
//!
//! The modules stand in reading order, like those of the crate.

pub mod state;
pub mod voltages;
pub mod trend;
pub mod records;
pub mod hints;
pub mod compare;
pub mod shown;
pub mod attention;
pub mod charging;
pub mod readings;
pub mod sets;
pub mod passport;
pub mod api;
