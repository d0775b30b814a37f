//! The log of accesses: a line for each that is refused, that ends, or that takes all data of a pilot, always of one
//! form. Programs that lock out guessers read it (`packaging/fail2ban`), so the form stays.

use std::net::IpAddr;

use fluglog_base::id::UserId;

/// The module that the lines come from.
pub const TARGET: &str = module_path!();

/// A guess was wrong: of a password, a code, a number or a link.
pub fn guessed(what: &'static str, user: Option<UserId>, client: IpAddr) {
    refused(what, user, client);
}

/// Somebody asked for what isn't theirs, or another site's page did in the name of its visitor, who guessed nothing.
pub fn refused(what: &'static str, user: Option<UserId>, client: IpAddr) {
    let user = user.map_or_else(|| "unknown".to_owned(), |user| user.to_string());
    tracing::warn!("access refused: {what}; user {user}; client {client}");
}

/// Somebody who is logged in did what the pilot may want to know of one day.
pub fn used(what: &'static str, user: UserId, client: IpAddr) {
    tracing::info!("access used: {what}; user {user}; client {client}");
}

/// The beginning of the lines about what is done in the browser by those who run the server.
pub const DEED: &str = "access used: admin ";

/// Somebody who runs the server did this in the browser, perhaps to an account.
pub fn administered(what: &'static str, account: Option<UserId>, by: UserId, client: IpAddr) {
    let account = account.map_or_else(|| "none".to_owned(), |account| account.to_string());
    tracing::info!("{DEED}{what}; account {account}; user {by}; client {client}");
}

/// Logins of a user ended. Without a client the admin ended them.
pub fn ended(what: &'static str, user: UserId, client: Option<IpAddr>) {
    let client = client.map_or_else(|| "shell".to_owned(), |client| client.to_string());
    tracing::info!("access ended: {what}; user {user}; client {client}");
}
