//! What is stored of packs: the types, rules and tables of chargings, readings, sets and snoozes, and the health derived
//! from them.

pub mod charging;
pub mod health;
pub mod readings;
pub mod sets;
pub(crate) mod snoozes;
pub(crate) mod undos;
