//! The shapes of the admin's page. Times are texts, empty when there is none; sizes are bytes.

use serde::Serialize;

/// How the server is, and what is wrong with it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminOverview {
    pub version: String,
    /// dd.MM.yyyy; empty: it isn't a release.
    pub released: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub age_days: i64,
    /// The version that an upgrade of the system's packages would bring; empty: nothing newer, as far as they know.
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
    /// `host:port`, or empty: mails become files in the outbox.
    pub mail_server: String,
    pub mails_waiting: usize,
    #[cfg_attr(test, ts(type = "number"))]
    pub mails_in_outbox: u64,
    pub last_backup: String,
    /// Why it failed.
    pub last_backup_failure: String,
    pub last_good_backup: String,
    pub last_check: String,
    pub last_check_failure: String,
    /// When an archive was last downloaded to its end.
    pub last_download: String,
    pub backup_on_same_disk: bool,
    /// Settings that are otherwise by now than the server has them; null: it couldn't start with them.
    pub changed_settings: Option<Vec<String>>,
    pub problems: Vec<AdminProblem>,
}

/// Something to be mended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminProblem {
    /// It leads to the command.
    pub sentence: String,
    pub command: String,
    /// The part of the page that helps as well.
    pub helps: Option<AdminPart>,
}

/// A part of the page.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub enum AdminPart {
    Accounts,
    Backups,
    Mails,
}

/// An account, without anything of what is in it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminAccount {
    pub email: String,
    pub nickname: String,
    pub disabled: bool,
    pub operator: bool,
    /// Whether it is that of the operator who asks.
    pub own: bool,
    pub created: String,
    pub last_login: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub used_bytes: u64,
    /// Null: as much as there is.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub quota_bytes: Option<u64>,
    /// Whether that is the account's own limit, and not that of the settings.
    pub own_quota: bool,
}

/// A link to be passed on.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminLink {
    /// Empty: it went by mail.
    pub url: String,
    pub ends: String,
}

/// The backups that are known.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminBackups {
    /// Where they go; empty: nobody knows.
    pub folder: String,
    /// Why the folder can't be read.
    pub folder_failure: String,
    pub on_same_disk: bool,
    /// Whether one is made or checked just now.
    pub busy: bool,
    /// How the last one went that was begun in the browser.
    pub outcome: Option<AdminOutcome>,
    pub last_backup: String,
    pub last_backup_failure: String,
    pub last_check: String,
    pub last_check_failure: String,
    pub last_download: String,
    /// Where each backup is sent to from the folder.
    pub targets: Vec<AdminTarget>,
    /// The newest first.
    pub archives: Vec<AdminArchive>,
}

/// A place that backups are sent to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminTarget {
    pub name: String,
    pub place: String,
    /// So many archives stay there; null: all.
    pub keep: Option<u32>,
    pub encrypted: bool,
    pub last: String,
    /// Why the last one didn't get there.
    pub last_failure: String,
    pub last_good: String,
    #[cfg_attr(test, ts(type = "number | null"))]
    pub last_good_bytes: Option<u64>,
}

/// An archive in the folder of the backups.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminArchive {
    pub name: String,
    pub written: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
}

/// How a backup or a check of one went.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminOutcome {
    pub is_good: bool,
    pub sentence: String,
}

/// Mails that have not left. Their texts are for those to whom they go.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminMails {
    /// `host:port`, or empty: mails become files in the outbox.
    pub server: String,
    /// Those that wait longest first.
    pub waiting: Vec<AdminWaitingMail>,
    /// The newest first.
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
    /// Why the last try failed.
    pub failure: String,
}

/// A mail that is a file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminKeptMail {
    pub to: String,
    pub subject: String,
    pub written: String,
}

/// The feedback of a pilot.
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
    /// "…" stands for a secret.
    pub value: String,
    /// Where it comes from.
    pub source: String,
    pub is_default: bool,
}

/// A line of the log.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminLogLine {
    pub time: String,
    pub kind: AdminLogKind,
    pub text: String,
    /// The address of the account of who was refused or did it; empty when nobody knows.
    pub by: String,
    /// The address of the account that it was done to.
    pub account: String,
    /// The address of the network.
    pub client: String,
}

/// A kind of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub enum AdminLogKind {
    Refusal,
    Deed,
    Error,
}
