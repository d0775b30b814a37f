//! Faults in the running program: killed, out of disk, out of descriptors, a failing disk, all users at once.
//!
//! The expectation is always that confirmed changes are present and equal, that unconfirmed ones are complete or
//! absent, and that during the fault the program works, answers with an error, or has ended with one.

mod damage;
mod descriptors;
mod disk;
mod kill;
mod ledger;
mod lost_pages;
mod model;
mod restore;
mod saves;
mod soak;
