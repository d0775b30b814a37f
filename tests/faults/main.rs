//! Faults in the running program: killed, out of disk, out of descriptors, a failing disk, all users at once.
//!
//! The expectation is always that confirmed changes are present and equal, that unconfirmed ones are complete or
//! absent, and that during the fault the program works, answers with an error, or has ended with one.

// Tests fail by panicking, and remove their own files.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, clippy::disallowed_methods)]

#[path = "../harness/mod.rs"]
mod harness;

mod damage;
mod descriptors;
mod disk;
mod kill;
mod ledger;
mod lost_pages;
mod model;
mod saves;
mod soak;
