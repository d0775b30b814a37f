//! Log lines for the admin's page.

use super::model::{AdminLogKind, AdminLogLine};
use fluglog_accounts::access_log;
use fluglog_app::App;
use fluglog_base::id::UserId;
use fluglog_process::log::LogLine;

const REFUSAL: &str = "access refused: ";

/// The parts of a log line about an access.
#[derive(Debug, PartialEq, Eq)]
struct Parts<'l> {
    what: &'l str,
    account: &'l str,
    user: &'l str,
    client: &'l str,
}

/// A line for the page; `None` if it isn't a refusal, an action or an error.
pub fn shown(app: &App, kept: &LogLine) -> Option<AdminLogLine> {
    let time = app.clock.wall_time_at(kept.time).to_string();
    let (kind, parts) = match (
        kept.text.strip_prefix(REFUSAL),
        kept.text.strip_prefix(access_log::ADMIN_ACTION),
    ) {
        (Some(rest), _) => (AdminLogKind::Refusal, parts(rest)?),
        (_, Some(rest)) => (AdminLogKind::Deed, parts(rest)?),
        _ if kept.is_error => {
            return Some(AdminLogLine {
                time,
                kind: AdminLogKind::Error,
                text: kept.text.clone(),
                by: String::new(),
                account: String::new(),
                client: String::new(),
            });
        }
        _ => return None,
    };
    Some(AdminLogLine {
        time,
        kind,
        text: parts.what.to_owned(),
        by: address(app, parts.user),
        account: address(app, parts.account),
        client: parts.client.to_owned(),
    })
}

/// Splits the end of a line: what was accessed, possibly an account, by whom and from where.
fn parts(rest: &str) -> Option<Parts<'_>> {
    let (before, client) = rest.rsplit_once("; client ")?;
    let (before, user) = before.rsplit_once("; user ")?;
    let (what, account) = before.rsplit_once("; account ").unwrap_or((before, ""));
    Some(Parts {
        what,
        account,
        user,
        client,
    })
}

/// The address of an account, if it still exists.
fn address(app: &App, id: &str) -> String {
    let user = UserId::parse(id);
    let found = user.and_then(|user| app.store.read(|data| fluglog_accounts::names(data, user)).ok());
    found.map(|(email, _)| email).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_is_split_into_action_and_account() {
        assert_eq!(
            parts("wrong password; user unknown; client 203.0.113.1"),
            Some(Parts {
                what: "wrong password",
                account: "",
                user: "unknown",
                client: "203.0.113.1"
            })
        );
        assert_eq!(
            parts("locked an account; account 1; user 2; client ::1"),
            Some(Parts {
                what: "locked an account",
                account: "1",
                user: "2",
                client: "::1"
            })
        );
        assert_eq!(parts("something else"), None);
    }
}
