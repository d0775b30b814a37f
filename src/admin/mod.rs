//! The admin's tasks in the browser: those of the shell, through the functions in `control/`, for an operator who has
//! entered the password recently. Nothing here reads flights, equipment, images, documents or positions.

pub mod api;
mod lines;
pub mod model;
mod sentences;

use std::io::{self, Write};
use std::sync::{Arc, MutexGuard, PoisonError};

use crate::alarms;
use crate::archive::folder;
use crate::archive::last_backup::{self, BackupRecord};
use crate::control::backups;
use crate::control::mails::{Outbox, TestMail};
use crate::control::spaces::{ListSpaces, ListedSpace};
use crate::control::status::{self, Problem, ShowStatus, TargetStatus};
use crate::control::task::Task;
use crate::control::users::{
    self, ChangeUser, DeleteUser, InviteUser, Link, ListUsers, RenameUser, ResetPassword, Room, ShowUser,
};
use fluglog_accounts::administration::{self, Change, ListedUser, UserChange};
use fluglog_accounts::guard::{self, Admin};
use fluglog_accounts::quotas::Quota;
use fluglog_accounts::spaces::model::{SpaceKind, SpaceOfUser};
use fluglog_app::mail_queue;
use fluglog_app::{App, ArchiveJob};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::text;
use fluglog_base::time::Clock;
use fluglog_config::provenance::Source;
use fluglog_config::settings::Setting;
use fluglog_mail::address::Email;
use fluglog_process::log;
use fluglog_topics::feedback::{self, FeedbackEntry, FeedbackKey};
use model::{
    AdminAccount, AdminArchive, AdminBackups, AdminFeedback, AdminKeptMail, AdminLink, AdminLogLine, AdminMails,
    AdminOutcome, AdminOverview, AdminPart, AdminProblem, AdminSetting, AdminSpace, AdminTarget, AdminWaitingMail,
};
use sentences::{error_of_refusal, of_backup_error};

/// Number of mails in the outbox that are shown.
const KEPT_MAILS_SHOWN: usize = 50;

fn perform<T: Task>(app: &App, task: T) -> Result<T::Outcome> {
    task.perform(app, &mut io::sink()).map_err(error_of_refusal)
}

fn at(app: &App, seconds: i64) -> String {
    app.clock.wall_time_at(seconds).to_string()
}

/// The time of a backup and its failure; both empty if there was none.
fn time_and_failure(app: &App, record: Option<&BackupRecord>) -> (String, String) {
    let result = record.map(|record| (at(app, record.finished), record.failure.clone()));
    result.unwrap_or_default()
}

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

/// All accounts, sorted by address.
pub fn accounts(app: &App, admin: &Admin) -> Result<Vec<AdminAccount>> {
    let listed = perform(app, ListUsers)?;
    let own = own_address(app, admin)?;
    let shown = |(user, room): (ListedUser, Room)| AdminAccount {
        own: user.email == own,
        created: at(app, user.created),
        last_login: user.last_login.map(|login| at(app, login)).unwrap_or_default(),
        used_bytes: room.used,
        quota_bytes: room.most,
        own_quota: user.own_quota.is_some(),
        email: user.email,
        nickname: user.nickname,
        disabled: user.disabled,
        operator: user.operator,
    };
    Ok(listed.into_iter().map(shown).collect())
}

/// All spaces, by name.
pub fn spaces(app: &App, _admin: &Admin) -> Result<Vec<AdminSpace>> {
    let listed = perform(app, ListSpaces)?;
    let shown = |space: ListedSpace| AdminSpace {
        kind: match space.details.is_household {
            true => SpaceKind::Household.code(),
            false => SpaceKind::Club.code(),
        },
        created: at(app, space.details.created),
        members: space.details.members.len(),
        managers: space.details.managers().map(|member| member.nickname.clone()).collect(),
        items: space.details.items,
        used_bytes: space.used,
        quota_bytes: space.most,
        name: space.details.name,
    };
    Ok(listed.into_iter().map(shown).collect())
}

/// The spaces of an account, with what becomes of each when the account is deleted.
pub fn spaces_of_account(app: &App, _admin: &Admin, email: &str) -> Result<Vec<SpaceOfUser>> {
    let email = email.to_owned();
    Ok(perform(app, ShowUser { email })?.spaces)
}

fn own_address(app: &App, admin: &Admin) -> Result<String> {
    let viewer = admin.viewer();
    app.store
        .read(|data| administration::address(data, &viewer))
        .map(|email| email.typed)
}

/// The account with this address, for the log.
///
/// # Errors
/// The address is malformed or has no account.
pub fn account(app: &App, email: &str) -> Result<UserId> {
    if Email::parse(email).is_none() {
        return Err(Error::invalid("email", text::EMAIL_INVALID));
    }
    let found = app.store.read(|data| guard::named_by_admin(data, email));
    found.map(|viewer| viewer.user()).map_err(|error| match error {
        Error::NotFound => Error::Conflict(text::ACCOUNT_GONE),
        other => other,
    })
}

/// Makes an invitation link.
pub fn invite(app: &App, _admin: &Admin, nickname: Option<String>, days: u32) -> Result<AdminLink> {
    let link = perform(app, InviteUser { nickname, days })?;
    Ok(shown_link(app, link))
}

/// Makes a link for a new password, or mails one.
pub fn reset(app: &App, _admin: &Admin, email: String, by_mail: bool) -> Result<AdminLink> {
    if !by_mail {
        let link = perform(app, ResetPassword { email })?;
        return Ok(shown_link(app, link));
    }
    if !app.config.smtp.is_set() {
        return Err(Error::Conflict(text::NO_MAIL_SERVER));
    }
    users::mail_reset(app, &email).map_err(error_of_refusal)?;
    Ok(AdminLink {
        url: String::new(),
        ends: String::new(),
    })
}

fn shown_link(app: &App, link: Link) -> AdminLink {
    AdminLink {
        ends: at(app, link.ends),
        url: link.url,
    }
}

/// Disables or enables an account, or grants or revokes the operator's right.
pub fn change(
    app: &App,
    _admin: &Admin,
    email: &str,
    is_disabled: Option<bool>,
    is_operator: Option<bool>,
) -> Result<()> {
    let email = email.to_owned();
    if is_operator.is_some() {
        let new = UserChange {
            operator: is_operator,
            ..UserChange::default()
        };
        let email = email.clone();
        perform(app, RenameUser { email, new })?;
    }
    match is_disabled {
        Some(true) => change_to(
            app,
            email,
            Change::Disable {
                even_last_operator: false,
            },
        ),
        Some(false) => change_to(app, email, Change::Enable),
        None => Ok(()),
    }
}

/// Sets an account's storage limit. Data beyond it aren't deleted.
pub(crate) fn save_quota(app: &App, _admin: &Admin, email: String, quota: Quota) -> Result<()> {
    let new = UserChange {
        quota: Some(quota),
        ..UserChange::default()
    };
    perform(app, RenameUser { email, new })
}

pub fn log_out(app: &App, _admin: &Admin, email: String) -> Result<()> {
    change_to(app, email, Change::LogOut)
}

fn change_to(app: &App, email: String, change: Change) -> Result<()> {
    perform(app, ChangeUser { email, change })
}

/// Deletes an account with everything in it. `typed` repeats its address as confirmation.
///
/// # Errors
/// `typed` is another address, or the account is the last operator's.
pub fn delete(app: &App, _admin: &Admin, email: String, typed: &str) -> Result<()> {
    let same = |text: &str| Email::parse(text).map(|email| email.folded);
    if same(&email) != same(typed) {
        return Err(Error::invalid("typed", text::TYPED_ADDRESS_DIFFERS));
    }
    let task = DeleteUser {
        email,
        even_last_operator: false,
    };
    perform(app, task).map(drop)
}

/// The known backups, their folder and their targets.
pub(crate) fn list_backups(app: &App, _admin: &Admin) -> Result<AdminBackups> {
    let folder = backups::folder(app).map_err(of_backup_error)?;
    let listed = folder.as_deref().map(backups::list).transpose();
    let (archives, folder_failure) = match listed {
        Ok(archives) => (archives.unwrap_or_default(), String::new()),
        Err(_) => (Vec::new(), text::BACKUP_FOLDER_UNREADABLE.to_owned()),
    };
    let (last_backup, last_backup_failure) = time_and_failure(app, last_backup::last_copy(app)?.as_ref());
    let (last_check, last_check_failure) = time_and_failure(app, last_backup::last_check(app)?.as_ref());
    let (busy, outcome) = {
        let archive_job = archive_job(app);
        let result = archive_job.result.clone();
        (
            archive_job.is_busy,
            result.map(|(is_good, sentence)| AdminOutcome { is_good, sentence }),
        )
    };
    Ok(AdminBackups {
        folder: folder.map(|folder| folder.display().to_string()).unwrap_or_default(),
        folder_failure,
        on_same_disk: status::has_backup_on_its_disk(app)?,
        busy,
        outcome,
        last_backup,
        last_backup_failure,
        last_check,
        last_check_failure,
        last_download: time_and_failure(app, last_backup::last_download(app)?.as_ref()).0,
        targets: status::targets(app)?
            .iter()
            .map(|target| shown_target(app, target))
            .collect(),
        archives: archives
            .into_iter()
            .map(|archive| AdminArchive {
                written: at(app, archive.written),
                name: archive.name,
                bytes: archive.bytes,
            })
            .collect(),
    })
}

fn shown_target(app: &App, target: &TargetStatus) -> AdminTarget {
    let (last, last_failure) = time_and_failure(app, target.last.as_ref());
    AdminTarget {
        name: target.name.clone(),
        place: target.place.clone(),
        keep: target.keep,
        encrypted: target.is_encrypted,
        last,
        last_failure,
        last_good: time_and_failure(app, target.last_good.as_ref()).0,
        last_good_bytes: target.last_good.as_ref().map(|good| good.bytes),
    }
}

/// Begins a backup into the folder of the last one.
///
/// # Errors
/// No folder is known, or another operation on archives is running.
pub(crate) fn begin_backup(app: &Arc<App>, _admin: &Admin) -> Result<()> {
    backups::folder(app)
        .map_err(of_backup_error)?
        .ok_or(Error::Conflict(text::BACKUP_FOLDER_UNKNOWN))?;
    start_archive_task(app, |app| {
        let made = backups::make(app, sentences::why_failed).map_err(of_backup_error)?;
        let is_good = made.damage_count == 0 && made.not_sent.is_empty();
        Ok((is_good, sentences::describe_backup(&made)))
    })
}

/// Begins to verify an archive.
///
/// # Errors
/// Another operation on archives is running.
pub(crate) fn begin_check(app: &Arc<App>, _admin: &Admin, name: String) -> Result<()> {
    start_archive_task(app, move |app| {
        let read = backups::check(app, &name, |refused| sentences::describe_refused(&name, refused))
            .map_err(of_backup_error)?;
        Ok(match read {
            Ok(contents) if contents.damage.is_empty() => {
                (true, sentences::describe_intact(&name, &contents, &app.clock))
            }
            Ok(contents) => (false, sentences::describe_damaged(&name, &contents)),
            Err(refused) => (false, sentences::describe_refused(&name, &refused)),
        })
    })
}

/// Runs an operation on archives in a thread of its own: it may outlast any request.
fn start_archive_task(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<(bool, String)> + Send + 'static,
) -> Result<()> {
    let mut archive_job = archive_job(app);
    if archive_job.is_busy {
        return Err(Error::Conflict(text::ARCHIVING));
    }
    *archive_job = ArchiveJob {
        is_busy: true,
        result: None,
    };
    let app = Arc::clone(app);
    tokio::task::spawn_blocking(move || {
        let done = fluglog_store::guarded(|| work(&app)).unwrap_or_else(|panic| Err(Error::Internal(panic)));
        if let Err(Error::Internal(cause) | Error::Busy(cause) | Error::DiskFull(cause)) = &done {
            tracing::error!("{cause}");
        }
        let result = done.unwrap_or_else(|error| (false, error.sentence().to_owned()));
        *self::archive_job(&app) = ArchiveJob {
            is_busy: false,
            result: Some(result),
        };
    });
    Ok(())
}

fn archive_job(app: &App) -> MutexGuard<'_, ArchiveJob> {
    app.archive_job.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of an archive made now.
#[must_use]
pub(crate) fn archive_name(app: &App) -> String {
    folder::name(&app.clock.file_stamp_at(app.clock.unix_seconds()))
}

/// Writes a new archive to a browser.
pub(crate) fn send_backup(app: &App, out: &mut dyn Write) -> Result<u64> {
    backups::send(app, out).map(|made| made.bytes).map_err(of_backup_error)
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
pub fn feedback_keys(app: &App, _admin: &Admin) -> Result<Vec<FeedbackKey>> {
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
