//! Faults in the running program: killed, out of disk, out of descriptors, a failing disk, all users at once.
//!
//! The expectation is always the same. Confirmed changes are there and equal; others are there completely or not at
//! all; during the fault the program works, answers an error, or has ended with one.

// A test fails by panicking, and removes what it made.
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
