//! Tests of the running program, in one binary: each is linked and its dependencies are compiled once.

// Tests fail by panicking, and remove their own files.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, clippy::disallowed_methods)]

mod api;
mod architecture;
mod budgets;
mod cli;
mod faults;
mod harness;
mod upgrade;
