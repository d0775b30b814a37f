//! The calls of the admin's page: HTTP in and out. Every deed is in the log. `calls.rs` says what each takes and
//! answers.

use std::io::Write;
use std::sync::Arc;

use warp::http::StatusCode;

use fluglog_accounts::access_log;
use fluglog_accounts::guard::Admin;
use fluglog_accounts::model::NICKNAME_MOST_CHARACTERS;
use fluglog_accounts::quotas::Quota;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required, TEXT_MOST_CHARACTERS};
use fluglog_base::id::UserId;
use fluglog_base::limits::downloads::{HANDOVER_WAIT, error_of};
use fluglog_base::text;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, download};

const EMAIL: Required<String> = Field::exact("email", 1..=TEXT_MOST_CHARACTERS).required(text::EMAIL_INVALID);
const TYPED: Required<String> = Field::exact("typed", 1..=TEXT_MOST_CHARACTERS).required(text::TYPED_ADDRESS_DIFFERS);
const NICKNAME: Field<String> = Field::line("nickname", NICKNAME_MOST_CHARACTERS);
const DAYS: Field<u32> = Field::integer("days", 1..=30, text::DAYS_INVALID);
const BY_MAIL: Field<bool> = Field::boolean("byMail");
const DISABLED: Field<bool> = Field::boolean("disabled");
const OPERATOR: Field<bool> = Field::boolean("operator");
/// A size such as `2 GB`; `0`: as much as there is; empty: as the settings give each.
const QUOTA: Field<String> = Field::line("quota", QUOTA_MOST_CHARACTERS);
const NAME: Required<String> = Field::line("name", TEXT_MOST_CHARACTERS).required(text::FIELD_MISSING);

const QUOTA_MOST_CHARACTERS: usize = 40;
/// How long an invitation is good unless somebody says otherwise.
const INVITATION_DAYS: u32 = 7;

/// The fields of `InviteAccount`.
pub const INVITE: &[Declared] = &[NICKNAME.declared(), DAYS.declared()];
/// The fields of `ResetAccount`.
pub const RESET: &[Declared] = &[EMAIL.declared(), BY_MAIL.declared()];
/// The fields of `ChangeAccount`.
pub const CHANGE: &[Declared] = &[EMAIL.declared(), DISABLED.declared(), OPERATOR.declared()];
/// The fields of `SaveQuota`.
pub const SAVE_QUOTA: &[Declared] = &[EMAIL.declared(), QUOTA.declared()];
/// The field of `LogOutAccount` and `SendTestMail`.
pub const ONE: &[Declared] = &[EMAIL.declared()];
/// The fields of `DeleteAccount`.
pub const DELETE: &[Declared] = &[EMAIL.declared(), TYPED.declared()];
/// The field of `CheckBackup`.
pub const ARCHIVE: &[Declared] = &[NAME.declared()];

fn log_action(admin: &Admin, request: &Request, what: &'static str, account: Option<UserId>) {
    access_log::log_admin_action(what, account, admin.viewer().user(), request.client.address);
}

pub fn get_admin_overview(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::overview(app, admin)?)
}

pub fn get_admin_accounts(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::accounts(app, admin)?)
}

pub fn invite_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let days = DAYS.read(&request.fields)?.unwrap_or(INVITATION_DAYS);
    let link = super::invite(app, admin, NICKNAME.read(&request.fields)?, days)?;
    log_action(admin, request, "invited somebody", None);
    Reply::json(StatusCode::CREATED, &link)
}

pub fn reset_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    let by_mail = BY_MAIL.read(&request.fields)?.unwrap_or_default();
    let link = super::reset(app, admin, email, by_mail)?;
    let what = match by_mail {
        true => "mailed a link to a new password",
        false => "made a link to a new password",
    };
    log_action(admin, request, what, Some(account));
    Reply::json(StatusCode::CREATED, &link)
}

pub fn change_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    let (is_disabled, is_operator) = (DISABLED.read(&request.fields)?, OPERATOR.read(&request.fields)?);
    super::change(app, admin, &email, is_disabled, is_operator)?;
    let disabled = is_disabled.map(|is| if is { "locked an account" } else { "unlocked an account" });
    let operator = is_operator.map(|is| {
        if is {
            "made an operator"
        } else {
            "took the right to run the server"
        }
    });
    for what in [disabled, operator].into_iter().flatten() {
        log_action(admin, request, what, Some(account));
    }
    Ok(Reply::empty(StatusCode::OK))
}

pub fn save_quota(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    let quota = QUOTA.read(&request.fields)?.unwrap_or_default();
    let quota = Quota::parse(&quota).ok_or_else(|| QUOTA.invalid(text::QUOTA_INVALID))?;
    super::save_quota(app, admin, email, quota)?;
    log_action(admin, request, "changed the room of an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

pub fn log_out_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    super::log_out(app, admin, email)?;
    log_action(admin, request, "ended every login of an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

pub fn delete_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    super::delete(app, admin, email, &TYPED.read(&request.fields)?)?;
    log_action(admin, request, "deleted an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

pub fn get_backups(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list_backups(app, admin)?)
}

pub fn make_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::begin_backup(app, admin)?;
    log_action(admin, request, "began a backup", None);
    get_backups(app, admin, request)
}

pub fn check_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::begin_check(app, admin, NAME.read(&request.fields)?)?;
    log_action(admin, request, "began to check a backup", None);
    get_backups(app, admin, request)
}

/// `DownloadBackup`. It is written while it is sent.
pub fn download_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let user = admin.viewer().user();
    let download = app.downloads.begin_within(HANDOVER_WAIT, user).map_err(error_of)?;
    log_action(admin, request, "began to download a backup", None);
    let (name, client) = (super::archive_name(app), request.client.address);
    let app = Arc::clone(app);
    let write = move |out: &mut dyn Write| {
        super::send_backup(&app, &mut download.metered(out))?;
        access_log::log_admin_action("has downloaded a backup", None, user, client);
        Ok(())
    };
    Ok(download::attachment(Reply::written(write), &name))
}

pub fn send_test_mail(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let to = EMAIL.read(&request.fields)?;
    let tested = super::test_mail(app, admin, to)?;
    log_action(admin, request, "sent a test mail", None);
    Reply::json(StatusCode::OK, &tested)
}

pub fn get_outbox(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::mails(app, admin)?)
}

pub fn resend_mails(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::resend_mails(app, admin)?;
    log_action(admin, request, "had mails tried again", None);
    Ok(Reply::empty(StatusCode::OK))
}

pub fn get_admin_feedback(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::feedback(app, admin)?)
}

pub fn get_admin_settings(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::settings(app, admin))
}

pub fn get_admin_log(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::log_lines(app, admin))
}
