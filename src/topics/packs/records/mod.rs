//! Stored data of packs: types, rules and tables of chargings, readings, sets and snoozes, and the health
//! derived from them.

pub mod readings;
pub mod charging;
pub mod sets;
pub mod health;
pub(crate) mod snoozes;
pub(crate) mod undo_records;
