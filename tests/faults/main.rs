//! Faults done to the running program: killed, out of disk, out of descriptors, a disk that fails, everybody at once.
//!
//! What is asked afterwards is always the same. What was confirmed is there and equal; what wasn't is there as a whole or not at all;
//! while the fault lasts the program works, says that it can't, or has ended with an error.

// A test that can't go on says so by panicking.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

#[path = "../harness/mod.rs"]
mod harness;

mod descriptors;
mod disk;
mod kill;
mod ledger;
mod model;
