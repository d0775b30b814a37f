//! The calls and pages of the running program, as browsers and scripts see them.

// Tests fail by panicking, and remove their own files.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, clippy::disallowed_methods)]

#[path = "../harness/mod.rs"]
mod harness;

mod abroad;
mod access_log;
mod account_links;
mod accounts;
mod admin;
mod alarms;
mod attention;
mod bad_flights;
mod bad_input;
mod chargings;
mod client_ids;
mod connections;
mod derived;
mod devices;
mod document;
mod documents;
mod ends;
mod equipment;
mod export;
mod exported_belongings;
mod exported_flights;
mod feedback;
mod flight_list;
mod first_account;
mod flights;
mod guessing;
mod hostile_files;
mod hostile_imports;
mod images;
mod import_kinds;
mod import_limits;
mod imports;
mod lists;
mod logs;
mod mail_encryption;
mod mail_links;
mod mail_login;
mod mail_server;
mod malformed;
mod matrix;
mod metrics;
mod nothing_twice;
mod packs;
mod pages;
mod password;
mod profile;
mod proxies;
mod refusal;
mod registration;
mod reminders;
mod requests;
mod review;
mod room;
mod sessions;
mod share;
mod slow_readers;
mod statistics;
mod stickers;
mod take_off;
mod together;
mod uploads;
mod voltages;
