//! The admin's tasks in the browser: those of the shell, through the functions in `control/`, for an operator who has
//! entered the password recently. Nothing here reads flights, equipment, images, documents or positions.

mod accounts;
pub mod api;
mod backups;
mod lines;
pub mod model;
mod sentences;
mod shell;

use crate::alarms;
use crate::archive::last_backup;
use crate::control::mails::{Outbox, TestMail};
use crate::control::status::{Problem, ShowStatus};
use fluglog_accounts::guard::Admin;
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_base::error::Result;
use fluglog_base::time::Clock;
use fluglog_config::provenance::Source;
use fluglog_config::settings::Setting;
use fluglog_process::log;
use fluglog_topics::feedback::{self, FeedbackEntry, FeedbackKey};
use model::{
    AdminFeedback, AdminKeptMail, AdminLogLine, AdminMails, AdminOutcome, AdminOverview, AdminPart, AdminProblem,
    AdminSetting, AdminWaitingMail,
};
use shell::{at, perform, time_and_failure};

pub(crate) use accounts::save_quota;
pub use accounts::{account, accounts, change, delete, invite, log_out, reset, spaces, spaces_of_account};
pub(crate) use backups::{archive_name, begin_backup, begin_check, list_backups, send_backup};

/// Number of mails in the outbox that are shown.
const KEPT_MAILS_SHOWN: usize = 50;

/// The state of the server.
pub fn overview(app: &App, _admin: &Admin) -> Result<AdminOverview> {
    let status = perform(app, ShowStatus)?;
    let (last_backup, last_backup_failure) = time_and_failure(app, status.last_backup.as_ref());
    let (last_check, last_check_failure) = time_and_failure(app, status.last_check.as_ref());
    Ok(AdminOverview {
        released: status
            .released
            .map(|time| app.clock.wall_time_at(time).date().to_string())
            .unwrap_or_default(),
        age_days: status.age_days().unwrap_or_default(),
        newer_version: status.newer_version.unwrap_or_default(),
        version: status.version,
        uptime_seconds: status.uptime_seconds.unwrap_or_default(),
        url: status.url.unwrap_or_default(),
        addresses: status.addresses,
        https: status.https,
        certificate_ends: status.certificate_ends.map(|end| at(app, end)).unwrap_or_default(),
        data_dir: status.data_dir.display().to_string(),
        database_bytes: status.database_bytes,
        files: status.blobs,
        file_bytes: status.blob_bytes,
        free_bytes: status.free_bytes,
        users: status.users,
        mail_server: status.mail_server.unwrap_or_default(),
        mails_waiting: status.mails_waiting,
        mails_in_outbox: status.mails_in_outbox,
        last_backup,
        last_backup_failure,
        last_good_backup: time_and_failure(app, status.last_good_backup.as_ref()).0,
        last_check,
        last_check_failure,
        last_download: time_and_failure(app, last_backup::last_download(app)?.as_ref()).0,
        backup_on_same_disk: status.backup_on_same_disk,
        changed_settings: status.changed_settings,
        problems: status.problems.iter().map(|problem| explained(app, problem)).collect(),
    })
}

fn explained(app: &App, problem: &Problem) -> AdminProblem {
    let explanation = alarms::explain(problem, &app.clock, app.config.config_file.as_deref());
    AdminProblem {
        sentence: explanation.sentence,
        command: explanation.command,
        helps: match problem {
            Problem::NoBackup { .. }
            | Problem::BackupFailed { .. }
            | Problem::BackupOld { .. }
            | Problem::BackupUnsound { .. }
            | Problem::TargetFailed { .. }
            | Problem::TargetOld { .. } => Some(AdminPart::Backups),
            Problem::MailsNotSent(_) => Some(AdminPart::Mails),
            Problem::NoOperator => Some(AdminPart::Accounts),
            _ => None,
        },
    }
}

/// Sends a test mail with the settings that the file has now.
pub fn test_mail(app: &App, _admin: &Admin, to: String) -> Result<AdminOutcome> {
    let tested = perform(app, TestMail { to: to.clone() })?;
    let (is_good, sentence) = sentences::describe_test_mail(to.trim(), &tested);
    Ok(AdminOutcome { is_good, sentence })
}

/// Mails not yet sent, without their texts: a link in one gives access to an account.
pub fn mails(app: &App, _admin: &Admin) -> Result<AdminMails> {
    let mails = perform(app, Outbox { most: KEPT_MAILS_SHOWN })?;
    let smtp = &app.config.smtp;
    Ok(AdminMails {
        server: match smtp.is_set() {
            true => format!("{}:{}", smtp.host, smtp.effective_port()),
            false => String::new(),
        },
        waiting: mails
            .waiting
            .into_iter()
            .map(|mail| AdminWaitingMail {
                to: mail.to,
                since: at(app, mail.since),
                attempts: mail.attempts,
                failure: mail.why,
            })
            .collect(),
        kept: mails
            .kept
            .into_iter()
            .rev()
            .map(|mail| AdminKeptMail {
                to: mail.to,
                subject: mail.subject,
                written: at(app, mail.written),
            })
            .collect(),
    })
}

/// Retries the mails whose last attempt failed.
pub(crate) fn resend_mails(app: &App, _admin: &Admin) -> Result<()> {
    mail_queue::retry_now(app).map(drop)
}

/// The keys of all feedback, newest first.
pub(crate) fn feedback_keys(app: &App, _admin: &Admin) -> Result<Vec<FeedbackKey>> {
    let mut keys = feedback::keys(app)?;
    keys.reverse();
    Ok(keys)
}

pub(crate) fn shown_feedback(clock: &Clock, one: FeedbackEntry) -> AdminFeedback {
    AdminFeedback {
        nickname: one.nickname,
        email: one.email,
        sent: clock.wall_time_at(one.sent).to_string(),
        rate: one.feedback.rate,
        message: one.feedback.message,
    }
}

#[must_use]
pub fn settings(app: &App, _admin: &Admin) -> Vec<AdminSetting> {
    let shown = |setting: Setting| AdminSetting {
        name: setting.name.to_owned(),
        value: setting.value,
        is_default: setting.source == Source::Default,
        source: sentences::source(&setting.source),
    };
    app.config.settings().into_iter().map(shown).collect()
}

/// The last refusals, actions and errors, newest first.
#[must_use]
pub(crate) fn log_lines(app: &App, _admin: &Admin) -> Vec<AdminLogLine> {
    log::kept().iter().filter_map(|kept| lines::shown(app, kept)).collect()
}
