//! The program on the command line: effects, output and refusals of its commands, and their files.

// Tests fail by panicking, and remove their own files.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, clippy::disallowed_methods)]

#[path = "../harness/mod.rs"]
mod harness;

mod backup;
mod check;
mod compact;
mod configuration;
mod deletion;
mod demo;
mod documentation;
mod export;
mod feedback;
mod foreign;
mod import;
mod https;
mod init;
mod limits;
mod mail;
mod misplaced;
mod readme;
mod restore;
mod root;
mod secrets;
mod serve;
mod status;
mod stores;
mod systemd;
mod targets;
mod terminal;
mod tls;
mod users;
