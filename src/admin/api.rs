//! The admin page's calls: HTTP in and out. Every action is logged. `calls.rs` declares fields and answers.

use std::io::Write;
use std::sync::Arc;

use warp::http::StatusCode;

use fluglog_accounts::access_log;
use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::Admin;
use fluglog_accounts::model::MAX_NICKNAME_CHARACTERS;
use fluglog_accounts::quotas::Quota;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::UserId;
use fluglog_base::limits::downloads::{HANDOVER_WAIT, error_of};
use fluglog_base::text;
use fluglog_topics::feedback;
use fluglog_web::listing::LazyList;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, download};

/// The calls of the admin's page.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetAdminOverview", "How the server is, and what is wrong with it.",
        Handler::Admin(get_admin_overview), &[], &[Answer::json(200, "AdminOverview")], &[]),
    Call::post("GetAdminAccounts",
        "All accounts, by address, with nothing of what is in them.",
        Handler::Admin(get_admin_accounts), &[], &[Answer::list(200, "AdminAccount")], &[]),
    Call::post("InviteAccount",
        "A link to make an account by, once, for 7 days unless `days` says otherwise.",
        Handler::Admin(invite_account), INVITE, &[Answer::json(201, "AdminLink")], &[]),
    Call::post("ResetAccount",
        "A link by which a user sets a password, once; with `byMail` it goes to the user.",
        Handler::Admin(reset_account), RESET, &[Answer::json(201, "AdminLink")], &[409]),
    Call::post("ChangeAccount",
        "Locks or unlocks an account; gives or takes the right to run the server.",
        Handler::Admin(change_account), CHANGE, &[Answer::empty(200)], &[409]),
    Call::post("SaveQuota",
        "How much room an account may have: a size such as `2 GB`, `0` without a limit, empty as the settings say.",
        Handler::Admin(save_quota), SAVE_QUOTA, &[Answer::empty(200)], &[409]),
    Call::post("LogOutAccount", "Ends every login of an account.",
        Handler::Admin(log_out_account), ONE, &[Answer::empty(200)], &[409]),
    Call::post("DeleteAccount",
        "Deletes an account with everything in it. `typed` is its e-mail address once more.",
        Handler::Admin(delete_account), DELETE, &[Answer::empty(200)], &[409]),
    Call::post("GetAdminSpaces", "All households and clubs, by name, with nothing of what is in them.",
        Handler::Admin(get_admin_spaces), &[], &[Answer::list(200, "AdminSpace")], &[]),
    Call::post("GetSpacesOfAccount",
        "The households and clubs of an account, and what becomes of each when the account is deleted.",
        Handler::Admin(get_spaces_of_account), ONE, &[Answer::list(200, "SpaceOfUser")], &[409]),
    Call::post("GetBackups",
        "Where backups go, those that lie there, and how the last ones went.",
        Handler::Admin(get_backups), &[], &[Answer::json(200, "AdminBackups")], &[]),
    Call::post("MakeBackup",
        "Begins a backup where the last one went; `busy` tells how long it takes.",
        Handler::Admin(make_backup), &[], &[Answer::json(200, "AdminBackups")], &[409]),
    Call::post("CheckBackup",
        "Begins to read an archive to its end; `busy` tells how long it takes.",
        Handler::Admin(check_backup), ARCHIVE, &[Answer::json(200, "AdminBackups")], &[409]),
    Call::get("DownloadBackup",
        "An archive of everything as it is now, as `fluglog backup` makes it.",
        Handler::Admin(download_backup), &[], &[Answer::file()], &[409]),
    Call::post("SendTestMail", "Sends a mail by the settings as they are in the file now.",
        Handler::Admin(send_test_mail), ONE, &[Answer::json(200, "AdminOutcome")], &[]),
    Call::post("GetOutbox",
        "Mails that wait for the mail server or lie in the outbox, without their texts.",
        Handler::Admin(get_outbox), &[], &[Answer::json(200, "AdminMails")], &[]),
    Call::post("ResendMails", "Has the mails tried again now whose last try failed.",
        Handler::Admin(resend_mails), &[], &[Answer::empty(200)], &[]),
    Call::post("GetAdminFeedback", "What pilots think of the program, the newest first.",
        Handler::Admin(get_admin_feedback), &[], &[Answer::list(200, "AdminFeedback")], &[]),
    Call::post("GetAdminSettings",
        "The settings in force, and where each comes from. Secrets are left out.",
        Handler::Admin(get_admin_settings), &[], &[Answer::list(200, "AdminSetting")], &[]),
    Call::post("GetAdminLog",
        "The last refusals, deeds of operators and errors since the start, the newest first.",
        Handler::Admin(get_admin_log), &[], &[Answer::list(200, "AdminLogLine")], &[]),
];

const EMAIL: Required<String> = Field::exact("email", 1..=MAX_TEXT_CHARACTERS).required(text::EMAIL_INVALID);
const TYPED: Required<String> = Field::exact("typed", 1..=MAX_TEXT_CHARACTERS).required(text::TYPED_ADDRESS_DIFFERS);
const NICKNAME: Field<String> = Field::line("nickname", MAX_NICKNAME_CHARACTERS);
const DAYS: Field<u32> = Field::integer("days", 1..=30, text::DAYS_INVALID);
const BY_MAIL: Field<bool> = Field::boolean("byMail");
const DISABLED: Field<bool> = Field::boolean("disabled");
const OPERATOR: Field<bool> = Field::boolean("operator");
/// A size such as `2 GB`; `0` for no limit; empty for the limit in the settings.
const QUOTA: Field<String> = Field::line("quota", MAX_QUOTA_CHARACTERS);
const NAME: Required<String> = Field::line("name", MAX_TEXT_CHARACTERS).required(text::FIELD_MISSING);

const MAX_QUOTA_CHARACTERS: usize = 40;
/// Days that an invitation is valid by default.
const INVITATION_DAYS: u32 = 7;

const INVITE: &[Declared] = &[NICKNAME.declared(), DAYS.declared()];
const RESET: &[Declared] = &[EMAIL.declared(), BY_MAIL.declared()];
const CHANGE: &[Declared] = &[EMAIL.declared(), DISABLED.declared(), OPERATOR.declared()];
const SAVE_QUOTA: &[Declared] = &[EMAIL.declared(), QUOTA.declared()];
/// The field of `LogOutAccount` and of `SendTestMail`.
const ONE: &[Declared] = &[EMAIL.declared()];
const DELETE: &[Declared] = &[EMAIL.declared(), TYPED.declared()];
const ARCHIVE: &[Declared] = &[NAME.declared()];

fn log_action(admin: &Admin, request: &Request, what: &'static str, account: Option<UserId>) {
    access_log::log_admin_action(what, account, admin.viewer().user(), request.client.address);
}

fn get_admin_overview(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::overview(app, admin)?)
}

fn get_admin_accounts(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::accounts(app, admin)?)
}

fn get_admin_spaces(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::spaces(app, admin)?)
}

fn get_spaces_of_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let spaces = super::spaces_of_account(app, admin, &EMAIL.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &spaces)
}

fn invite_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let days = DAYS.read(&request.fields)?.unwrap_or(INVITATION_DAYS);
    let link = super::invite(app, admin, NICKNAME.read(&request.fields)?, days)?;
    log_action(admin, request, "invited somebody", None);
    Reply::json(StatusCode::CREATED, &link)
}

fn reset_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
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

fn change_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
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

fn save_quota(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    let quota = QUOTA.read(&request.fields)?.unwrap_or_default();
    let quota = Quota::parse(&quota).ok_or_else(|| QUOTA.invalid(text::QUOTA_INVALID))?;
    super::save_quota(app, admin, email, quota)?;
    log_action(admin, request, "changed the room of an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

fn log_out_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    super::log_out(app, admin, email)?;
    log_action(admin, request, "ended every login of an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

fn delete_account(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let email = EMAIL.read(&request.fields)?;
    let account = super::account(app, &email)?;
    super::delete(app, admin, email, &TYPED.read(&request.fields)?)?;
    log_action(admin, request, "deleted an account", Some(account));
    Ok(Reply::empty(StatusCode::OK))
}

fn get_backups(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list_backups(app, admin)?)
}

fn make_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::begin_backup(app, admin)?;
    log_action(admin, request, "began a backup", None);
    get_backups(app, admin, request)
}

fn check_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::begin_check(app, admin, NAME.read(&request.fields)?)?;
    log_action(admin, request, "began to check a backup", None);
    get_backups(app, admin, request)
}

/// `DownloadBackup`. The archive is written during the transfer.
fn download_backup(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
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

fn send_test_mail(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    let to = EMAIL.read(&request.fields)?;
    let tested = super::test_mail(app, admin, to)?;
    log_action(admin, request, "sent a test mail", None);
    Reply::json(StatusCode::OK, &tested)
}

fn get_outbox(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::mails(app, admin)?)
}

fn resend_mails(app: &Arc<App>, admin: &Admin, request: &Request) -> Result<Reply> {
    super::resend_mails(app, admin)?;
    log_action(admin, request, "had mails tried again", None);
    Ok(Reply::empty(StatusCode::OK))
}

fn get_admin_feedback(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    let (clock, mut listed) = (
        app.clock.clone(),
        LazyList::of(&app.store, super::feedback_keys(app, admin)?),
    );
    Reply::json_list(&[(); 0], move |most| {
        let found = listed.next(most, feedback::load)?.into_iter();
        Ok(found.map(|one| super::shown_feedback(&clock, one)).collect())
    })
}

fn get_admin_settings(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::settings(app, admin))
}

fn get_admin_log(app: &Arc<App>, admin: &Admin, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::log_lines(app, admin))
}
