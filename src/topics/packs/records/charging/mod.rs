//! Chargings of batteries, and the figures that a charger shows for them.

pub mod details;
pub mod model;
pub(crate) mod table;
