//! The access log: one line for each refused access, each ended login and each export of a pilot's data. Tools such as
//! fail2ban parse the lines (`packaging/fail2ban`), so their format is fixed.

use std::net::IpAddr;

use fluglog_base::id::UserId;

/// The `tracing` target of the lines.
pub const TARGET: &str = module_path!();

/// Logs a wrong guess of a password, a code, a number or a link.
pub(crate) fn log_wrong_guess(what: &'static str, user: Option<UserId>, client: IpAddr) {
    log_refusal(what, user, client);
}

/// Logs a refused access without a guess: another user's data, or a cross-site request in the visitor's name.
pub fn log_refusal(what: &'static str, user: Option<UserId>, client: IpAddr) {
    let user = user.map_or_else(|| "unknown".to_owned(), |user| user.to_string());
    tracing::warn!("access refused: {what}; user {user}; client {client}");
}

/// Logs an action of a logged-in user that the pilot may want to trace later.
pub fn log_use(what: &'static str, user: UserId, client: IpAddr) {
    tracing::info!("access used: {what}; user {user}; client {client}");
}

/// The prefix of the lines about actions of operators in the browser.
pub const ADMIN_ACTION: &str = "access used: admin ";

/// Logs an action of an operator in the browser; `account` is the account that it changed, if any.
pub fn log_admin_action(what: &'static str, account: Option<UserId>, by: UserId, client: IpAddr) {
    let account = account.map_or_else(|| "none".to_owned(), |account| account.to_string());
    tracing::info!("{ADMIN_ACTION}{what}; account {account}; user {by}; client {client}");
}

/// Logs that logins of a user ended; `client` is `None` if the admin ended them at the shell.
pub fn log_end(what: &'static str, user: UserId, client: Option<IpAddr>) {
    let client = client.map_or_else(|| "shell".to_owned(), |client| client.to_string());
    tracing::info!("access ended: {what}; user {user}; client {client}");
}
