//! The admin page's calls: HTTP in and out. Every action is logged. `calls.rs` declares fields and answers.

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
use fluglog_base::limits::downloads::{PATIENCE, refused};
use fluglog_base::text;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, download};

const EMAIL: Required<String> = Field::exact("email", 1..=TEXT_MOST_CHARACTERS).required(text::EMAIL_INVALID);
const TYPED: Required<String> = Field::exact("typed", 1..=TEXT_MOST_CHARACTERS).required(text::TYPED_ADDRESS_DIFFERS);
const NICKNAME: Field<String> = Field::line("nickname", NICKNAME_MOST_CHARACTERS);
const DAYS: Field<u32> = Field::integer("days", 1..=30, text::DAYS_ODD);
const BY_MAIL: Field<bool> = Field::boolean("byMail");
const DISABLED: Field<bool> = Field::boolean("disabled");
const OPERATOR: Field<bool> = Field::boolean("operator");
/// A size such as `2 GB`; `0` for no limit; empty for the limit in the settings.
const QUOTA: Field<String> = Field::line("quota", QUOTA_MOST_CHARACTERS);
const NAME: Required<String> = Field::line("name", TEXT_MOST_CHARACTERS).required(text::FIELD_MISSING);

const QUOTA_MOST_CHARACTERS: usize = 40;
/// Days that an invitation is valid by default.
const INVITATION_DAYS: u32 = 7;

pub const INVITE: &[Declared] = &[NICKNAME.declared(), DAYS.declared()];
pub const RESET: &[Declared] = &[EMAIL.declared(), BY_MAIL.declared()];
pub const CHANGE: &[Declared] = &[EMAIL.declared(), DISABLED.declared(), OPERATOR.declared()];
pub const SAVE_QUOTA: &[Declared] = &[EMAIL.declared(), QUOTA.declared()];
/// The field of `LogOutAccount` and of `SendTestMail`.
pub const ONE: &[Declared] = &[EMAIL.declared()];
pub const DELETE: &[Declared] = &[EMAIL.declared(), TYPED.declared()];
pub const ARCHIVE: &[Declared] = &[NAME.declared()];

fn note(admin: &Admin, request: &Request, what: &'static str, account: Option<UserId>) {
    access_log::administered(what, account, admin.viewer().user(), request.client.address);
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
    note(admin, request, "invited somebody", None);
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
    note(admin, request, what, Some(account));
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
        note(admin, request, what, Some(account));
    }
    Ok(Reply::empty(StatusCode::OK))
}

pub fn save_quota(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    let quota = QUOTA.read(&request.fields)?.unwrap_or_default();
    let quota = Quota::parse(&quota).ok_or_else(|| QUOTA.invalid(text::QUOTA_ODD))?;
    super::save_quota(app, admin, email, quota)?;
    note(admin, request, "changed the room of an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

pub fn log_out_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    super::log_out(app, admin, email)?;
    note(admin, request, "ended every login of an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

pub fn delete_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    super::delete(app, admin, email, &TYPED.read(&request.fields)?)?;
    note(admin, request, "deleted an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

pub fn get_backups(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list_backups(app, admin)?)
}

pub fn make_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::begin_backup(app, admin)?;
    note(admin, request, "began a backup", None);
    get_backups(app, admin, request)
}

pub fn check_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::begin_check(app, admin, NAME.read(&request.fields)?)?;
    note(admin, request, "began to check a backup", None);
    get_backups(app, admin, request)
}

/// `DownloadBackup`. The archive is written during the transfer.
pub fn download_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let user = admin.viewer().user();
    let download = app.downloads.begin_within(PATIENCE, user).map_err(refused)?;
    note(admin, request, "began to download a backup", None);
    let (name, client) = (super::archive_name(app), request.client.address);
    let app = Arc::clone(app);
    let write = move |out: &mut dyn Write| {
        super::send_backup(&app, &mut download.through(out))?;
        access_log::administered("has downloaded a backup", None, user, client);
        Ok(())
    };
    Ok(download::attachment(Reply::written(write), &name))
}

pub fn send_test_mail(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let to = EMAIL.read(&request.fields)?;
    let tested = super::test_mail(app, admin, to)?;
    note(admin, request, "sent a test mail", None);
    Reply::json(StatusCode::OK, &tested)
}

pub fn get_outbox(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::mails(app, admin)?)
}

pub fn resend_mails(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::resend_mails(app, admin)?;
    note(admin, request, "had mails tried again", None);
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
