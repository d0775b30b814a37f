//! The types of the admin's page. Times are texts, empty if there is none; sizes are in bytes.

use serde::Serialize;

/// The state of the server and its problems.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminOverview {
    pub version: String,
    /// dd.MM.yyyy; empty if the version isn't a release.
    pub released: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub age_days: i64,
    /// The version that an upgrade of the system's packages would install; empty if no newer one is known.
    pub newer_version: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub uptime_seconds: u64,
    pub url: String,
    pub addresses: Vec<String>,
    pub https: bool,
    pub certificate_ends: String,
    pub data_dir: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub database_bytes: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub files: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub file_bytes: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub free_bytes: u64,
    pub users: Option<usize>,
    /// `host:port`; empty without a mail server: mails become files in the outbox.
    pub mail_server: String,
    pub mails_waiting: usize,
    #[cfg_attr(test, ts(type = "number"))]
    pub mails_in_outbox: u64,
    pub last_backup: String,
    /// Why the last backup failed; empty if it didn't.
    pub last_backup_failure: String,
    pub last_good_backup: String,
    pub last_check: String,
    pub last_check_failure: String,
    /// When an archive was last downloaded completely.
    pub last_download: String,
    pub backup_on_same_disk: bool,
    /// Settings that have changed since the server started; null if it couldn't start with them.
    pub changed_settings: Option<Vec<String>>,
    pub problems: Vec<AdminProblem>,
}

/// A problem of the server.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminProblem {
    /// One German sentence that leads up to the command.
    pub sentence: String,
    pub command: String,
    /// The part of the page that helps, too.
    pub helps: Option<AdminPart>,
}

/// A part of the admin's page.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub enum AdminPart {
    Accounts,
    Backups,
    Mails,
}

/// An account, without its content.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminAccount {
    pub email: String,
    pub nickname: String,
    pub disabled: bool,
    pub operator: bool,
    /// Whether the account is that of the operator who asks.
    pub own: bool,
    pub created: String,
    pub last_login: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub used_bytes: u64,
    /// The storage limit; null without one.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub quota_bytes: Option<u64>,
    /// Whether the limit is the account's own, not that of the settings.
    pub own_quota: bool,
}

/// A household or club, without its content.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminSpace {
    pub name: String,
    /// 1 a household, 2 a club.
    pub kind: u8,
    pub created: String,
    /// Number of members.
    pub members: usize,
    /// Number of items, retired ones included.
    pub items: usize,
    /// The nicknames of those who manage it.
    pub managers: Vec<String>,
    #[cfg_attr(test, ts(type = "number"))]
    pub used_bytes: u64,
    /// The storage limit; null without one.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub quota_bytes: Option<u64>,
}

/// A link to be passed on.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminLink {
    /// Empty if the link was mailed.
    pub url: String,
    pub ends: String,
}

/// The known backups, their folder and their targets.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub(crate) struct AdminBackups {
    /// The folder for backups; empty if none is known.
    pub folder: String,
    /// Why the folder can't be read; empty if it can.
    pub folder_failure: String,
    pub on_same_disk: bool,
    /// Whether a backup is being made or verified.
    pub busy: bool,
    /// The outcome of the last operation begun in the browser.
    pub outcome: Option<AdminOutcome>,
    pub last_backup: String,
    pub last_backup_failure: String,
    pub last_check: String,
    pub last_check_failure: String,
    pub last_download: String,
    /// The targets that each backup is sent to.
    pub targets: Vec<AdminTarget>,
    /// Newest first.
    pub archives: Vec<AdminArchive>,
}

/// A place that backups are sent to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub(crate) struct AdminTarget {
    pub name: String,
    pub place: String,
    /// Number of archives kept there; null for all.
    pub keep: Option<u32>,
    pub encrypted: bool,
    pub last: String,
    /// Why the last backup didn't reach the target; empty if it did.
    pub last_failure: String,
    pub last_good: String,
    #[cfg_attr(test, ts(type = "number | null"))]
    pub last_good_bytes: Option<u64>,
}

/// An archive in the folder for backups.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub(crate) struct AdminArchive {
    pub name: String,
    pub written: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
}

/// The outcome of a backup, of its check or of a test mail.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminOutcome {
    pub is_good: bool,
    pub sentence: String,
}

/// Mails that haven't been sent. Their texts aren't included: they are only for the recipients.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminMails {
    /// `host:port`; empty without a mail server: mails become files in the outbox.
    pub server: String,
    /// Longest waiting first.
    pub waiting: Vec<AdminWaitingMail>,
    /// Newest first.
    pub kept: Vec<AdminKeptMail>,
}

/// A mail that waits for the mail server.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminWaitingMail {
    pub to: String,
    pub since: String,
    pub attempts: u32,
    /// Why the last attempt failed; empty before the first.
    pub failure: String,
}

/// A mail kept as a file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminKeptMail {
    pub to: String,
    pub subject: String,
    pub written: String,
}

/// A pilot's feedback.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminFeedback {
    pub nickname: String,
    pub email: String,
    pub sent: String,
    pub rate: u8,
    pub message: String,
}

/// A setting in force.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminSetting {
    pub name: String,
    /// "…" in place of a secret.
    pub value: String,
    /// Where it comes from.
    pub source: String,
    pub is_default: bool,
}

/// A line of the log.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub(crate) struct AdminLogLine {
    pub time: String,
    pub kind: AdminLogKind,
    pub text: String,
    /// The address of the account that was refused or acted; empty if unknown.
    pub by: String,
    /// The address of the account concerned.
    pub account: String,
    /// The client's network address.
    pub client: String,
}

/// The kind of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub(crate) enum AdminLogKind {
    Refusal,
    Deed,
    Error,
}
