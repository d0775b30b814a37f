//! HTTP handlers of the account calls, without rules. `calls.rs` declares what each call takes and answers.

mod browser;
mod fields;
mod links;
mod login;

use warp::http::StatusCode;

use super::guard::{self, Operator, Viewer};
use super::model::{AdminProof, AdminState, LoginNumber};
use super::operation::Operation;
use super::profile::{self, PHOTO_FIELD, PhotoChange, ProfileChange};
use super::{
    access_tokens, confirmation, detailed_user, log_out_everywhere, logins, save_password as store_password,
    session_user,
};
use crate::call::{self, Answer, Call, Handler};
use browser::{browser, device_cookie, logged_out};
use fields::{
    CHANGE_EMAIL, CHECK_LOGIN_TOKEN, CONFIRM_ADMIN, CONFIRM_LOGIN, CONTACT, CREATE_ACCESS_TOKEN, DAYS,
    END_ACCESS_TOKEN, END_SESSION, FIRSTNAME, GET_LOGIN_REQUEST, GET_PHOTO, LASTNAME, LOG_IN, LOGIN_ID, MAY_WRITE,
    NEW_ACCOUNT, ONE_LINK, PHOTO_ID, REGISTER, REMOVE_PHOTO, RESET_PASSWORD, SAVE_CONTACT, SAVE_PASSWORD, SAVE_PROFILE,
    SESSION, SHOWN_PASSWORD, TOKEN_ID, TOKEN_NAME, VERIFY, new_password,
};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::input::Change;
use fluglog_base::limits::permits::Kind;
use fluglog_base::text;
use fluglog_picture::format::Format;
use fluglog_store::operations::model::Object;
use fluglog_web::cookies::Name;
use fluglog_web::multipart::{Files, Upload};
use fluglog_web::reply::Reply;
use fluglog_web::{Request, link_base};
use fluglog_web::{content::Content, download};
use links::{
    accept_invitation, change_email, check_setup_link, confirm_email, create_first_account, get_invitation,
    get_new_address, get_password_reset, get_setup_state, reset_password,
};
use login::{
    check_login_token, check_session, confirm_login, deny_login, get_login_request, log_in, log_out, register,
    show_session, verify,
};

pub(crate) use browser::{made, new_browser};
pub(crate) use fields::{EMAIL, LINK, NEW_PASSWORD, NICKNAME, REMEMBER};
pub(crate) use links::new_account;

/// The calls of accounts.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("Login",
        "Logs in with a password. Without one it sends a mail and answers the number that its reader has to type.",
        Handler::Anyone(log_in), LOG_IN,
        &[Answer::json(202, "LoggedIn"), Answer::json(200, "LoginNumber")], &[401, 429]).adds_nothing(),
    Call::post("CheckSession",
        "Who is logged in. Without a session a login token, from the field or the cookie, opens one, or a trusted \
         proxy that names the account.",
        Handler::AtOnce(show_session, check_session), SESSION,
        &[Answer::json(200, "CheckedSession")], &[401]).adds_nothing(),
    Call::post("Logout",
        "Ends this session and the login token, also when there is none.",
        Handler::Anyone(log_out), SESSION, &[Answer::empty(200)], &[]).adds_nothing(),
    Call::post("GetDetailedUser", "The profile.",
        Handler::Record(get_detailed_user), &[], &[Answer::json(200, "DetailedUser")], &[]),
    Call::post("CheckLoginToken",
        "Waits up to 25 seconds until a login by mail is confirmed: 204 while it isn't. A browser that never asked \
         for one asks with this call.",
        Handler::Waiting(check_login_token), CHECK_LOGIN_TOKEN,
        &[Answer::json(202, "LoggedIn"), Answer::empty(204)], &[410, 429]),
    Call::post("GetLoginRequest", "Which browser asked to be logged in by mail.",
        Handler::Anyone(get_login_request), GET_LOGIN_REQUEST,
        &[Answer::json(200, "LoginRequest")], &[410]).adds_nothing(),
    Call::post("ConfirmLogin", "Confirms a login by mail.",
        Handler::Anyone(confirm_login), CONFIRM_LOGIN, &[Answer::empty(200)], &[410]).adds_nothing(),
    Call::post("DenyLogin",
        "Ends every login by mail that waits for the same e-mail address. For an hour only browsers that its pilot \
         has logged in with can ask for one, but for those that had asked.",
        Handler::Anyone(deny_login), GET_LOGIN_REQUEST, &[Answer::empty(200)], &[410]).adds_nothing(),
    Call::post("RegistrationAndVerification",
        "Sends a mail with a code, which `Verification` takes from the same browser.",
        Handler::Anyone(register), REGISTER, &[Answer::empty(200)], &[409, 429]),
    Call::post("Verification", "Makes the account and logs in.",
        Handler::Anyone(verify), VERIFY, &[Answer::json(201, "SessionUser")], &[409, 410]),
    Call::get("GetSetupState",
        "Whether there is no account yet. The address that the server printed at its start makes the first.",
        Handler::Anyone(get_setup_state), &[], &[Answer::json(200, "SetupState")], &[]).adds_nothing(),
    Call::post("CheckSetupLink", "Whether a token makes the first account.",
        Handler::Anyone(check_setup_link), ONE_LINK, &[Answer::json(200, "SetupState")], &[410]).adds_nothing(),
    Call::post("CreateFirstAccount",
        "Makes the first account, that of an operator, and logs in. The token is that of the address that the server \
         printed.",
        Handler::Anyone(create_first_account), NEW_ACCOUNT, &[Answer::json(201, "SessionUser")], &[409, 410]),
    Call::post("GetInvitation", "What an invitation by the admin says.",
        Handler::Anyone(get_invitation), ONE_LINK, &[Answer::json(200, "Invitation")], &[410]).adds_nothing(),
    Call::post("AcceptInvitation", "Makes the account that an invitation is for, and logs in.",
        Handler::Anyone(accept_invitation), NEW_ACCOUNT, &[Answer::json(201, "SessionUser")], &[409, 410]),
    Call::post("GetPasswordReset", "Whose password a link of the admin sets.",
        Handler::Anyone(get_password_reset), ONE_LINK, &[Answer::json(200, "PasswordReset")], &[410]).adds_nothing(),
    Call::post("ResetPassword",
        "Sets the password by a link of the admin, ends every login and logs in.",
        Handler::Anyone(reset_password), RESET_PASSWORD, &[Answer::json(201, "SessionUser")], &[410]).adds_nothing(),
    Call::post("ChangeEmail",
        "Sends a mail to another address of the pilot. Its link changes the address.",
        Handler::EachTime(change_email), CHANGE_EMAIL, &[Answer::empty(200)], &[409, 429]).for_browsers(),
    Call::post("GetNewAddress", "The address that a mailed link is for.",
        Handler::Anyone(get_new_address), ONE_LINK, &[Answer::json(200, "NewAddress")], &[410]).adds_nothing(),
    Call::post("ConfirmEmail",
        "Changes the address of the pilot to the one that got the link.",
        Handler::EachTime(confirm_email), ONE_LINK, &[Answer::empty(200)], &[409, 410]).adds_nothing().for_browsers(),
    Call::post("SavePassword",
        "Sets the password and ends every other login, and what other browsers are known by.",
        Handler::EachTime(save_password), SAVE_PASSWORD, &[Answer::empty(200)], &[]).adds_nothing().for_browsers(),
    Call::post("LogOutFromEveryDevice", "Ends every login, this one too.",
        Handler::EachTime(log_out_from_every_device), &[], &[Answer::empty(200)], &[]).adds_nothing().for_browsers(),
    Call::post("GetLoginWays", "Whether the pilot has a password.",
        Handler::Record(get_login_ways), &[], &[Answer::json(200, "LoginWays")], &[]).for_browsers(),
    Call::post("GetSessions",
        "Where the pilot is logged in: this browser first, then the one that was seen last.",
        Handler::Pilot(get_sessions), &[], &[Answer::list(200, "DeviceSession")], &[]).for_browsers(),
    Call::post("EndSession",
        "Ends the login of one browser, and what all but this one are known by.",
        Handler::Change(end_session, call::nothing), END_SESSION,
        &[Answer::empty(200)], &[]).adds_nothing().for_browsers(),
    Call::post("GetAccessTokens",
        "The personal access tokens for scripts, the newest first.",
        Handler::Pilot(get_access_tokens), &[], &[Answer::list(200, "AccessToken")], &[]).for_browsers(),
    Call::post("CreateAccessToken",
        "Makes a personal access token, which is answered this once. A script sends it as `Authorization: Bearer …`.",
        Handler::EachTime(create_access_token), CREATE_ACCESS_TOKEN,
        &[Answer::json(201, "NewAccessToken")], &[409]).for_browsers(),
    Call::post("EndAccessToken", "Ends a personal access token.",
        Handler::Change(end_access_token, call::nothing), END_ACCESS_TOKEN,
        &[Answer::empty(200)], &[]).adds_nothing().for_browsers(),
    Call::post("SaveProfile",
        "Changes the names and the photo. What isn't sent stays, a name that is empty is cleared.",
        Handler::Upload(save_profile, PHOTO, profile_now), SAVE_PROFILE,
        &[Answer::json(201, "SessionUser")], &[]).adds_nothing().waits_for(&[Kind::Picture]),
    Call::post("SaveContact",
        "Says how finders of gear reach the pilot: on its stickers, and told to others who scan one. Empty: not at \
         all.",
        Handler::Change(save_contact, call::nothing), SAVE_CONTACT, &[Answer::empty(200)], &[]).adds_nothing(),
    Call::get("GetPhoto", "The photo.",
        Handler::Pilot(get_photo), GET_PHOTO, &[Answer::picture()], &[]),
    Call::post("GetAdminState",
        "Whether the pilot runs the server, and may do so in the browser now.",
        Handler::Pilot(get_admin_state), &[], &[Answer::json(200, "AdminState")], &[]).for_browsers(),
    Call::post("ConfirmAdmin",
        "Shows the password of who runs the server once more: for 15 minutes all calls of the admin's page work in \
         this session.",
        Handler::Operator(confirm_admin), CONFIRM_ADMIN, &[Answer::json(200, "AdminState")], &[409, 429]),
    Call::post("MailAdminNumber",
        "For an operator whose `proof` is a mail: it has a link, behind which this number is typed within 10 \
         minutes.",
        Handler::Operator(mail_admin_number), &[], &[Answer::json(200, "LoginNumber")], &[409, 429]),
    Call::post("CheckAdminNumber",
        "Whether the number was typed; once it was, the operator counts as confirmed as by `ConfirmAdmin`.",
        Handler::Operator(check_admin_number), &[], &[Answer::json(200, "AdminState")], &[409, 410]),
];

const MAX_PHOTO_BYTES: u64 = 52_428_800;

/// `SavePassword`. The browser stays logged in, with new cookies.
fn save_password(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let password = new_password(request)?;
    let login = store_password(app, operation, &password, &browser(request))?;
    let reply = Reply::empty(StatusCode::OK)
        .with_cookie(Name::Session, login.session.as_str())
        .with_cookie(Name::Device, &device_cookie(&login.devices));
    Ok(match &login.token {
        Some(token) => reply.with_cookie(Name::Login, token.as_str()),
        None => reply.without_cookie(Name::Login),
    })
}

fn get_admin_state(app: &App, _viewer: &Viewer, request: &Request) -> Result<Reply> {
    let operator = match guard::operator(app, &request.credentials) {
        Ok(operator) => Some(operator),
        Err(Error::NotFound) => None,
        Err(other) => return Err(other),
    };
    let seconds = operator.map_or(0, |operator| guard::confirmed_seconds(app, &operator));
    let proof = operator
        .map(|operator| confirmation::proof(app, &operator))
        .transpose()?;
    let state = AdminState {
        operator: operator.is_some(),
        admin_ui: app.config.admin_ui,
        confirmed_seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        proof: proof.unwrap_or(AdminProof::Password),
        sends_mail: app.config.smtp.is_set(),
    };
    Reply::json(StatusCode::OK, &state)
}

fn confirm_admin(app: &App, operator: &Operator, request: &Request) -> Result<Reply> {
    super::confirm_operator(app, operator, &SHOWN_PASSWORD.read(&request.fields)?, &browser(request))?;
    get_admin_state(app, &operator.viewer(), request)
}

/// `MailAdminNumber`.
fn mail_admin_number(app: &App, operator: &Operator, request: &Request) -> Result<Reply> {
    let base = link_base::base_for(app, &request.client);
    let shown = request.credentials.cookie(Name::LoginRequest);
    let begun = confirmation::begin(app, operator, shown, &browser(request), &base)?;
    let number = LoginNumber { number: begun.number };
    Ok(Reply::json(StatusCode::OK, &number)?.with_cookie(Name::LoginRequest, &begun.token))
}

/// `CheckAdminNumber`. The browser polls until the number is confirmed.
fn check_admin_number(app: &App, operator: &Operator, request: &Request) -> Result<Reply> {
    let token = request.credentials.cookie(Name::LoginRequest);
    let is_confirmed = confirmation::finish(app, operator, token, &browser(request))?;
    let reply = get_admin_state(app, &operator.viewer(), request)?;
    Ok(match is_confirmed {
        true => reply.without_cookie(Name::LoginRequest),
        false => reply,
    })
}

fn get_sessions(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &logins::list(app, viewer, &browser(request))?)
}

fn end_session(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    logins::end(app, operation, LOGIN_ID.read(&request.fields)?, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}

fn log_out_from_every_device(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    log_out_everywhere(app, operation, &browser(request))?;
    Ok(logged_out().without_cookie(Name::Device))
}

fn get_detailed_user(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &detailed_user(app, viewer)?)
}

fn get_login_ways(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::login_ways(app, viewer)?)
}

fn get_access_tokens(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &access_tokens::list(app, viewer)?)
}

fn create_access_token(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let name = TOKEN_NAME.read(fields)?;
    let may_write = MAY_WRITE.read(fields)?.unwrap_or_default();
    let made = access_tokens::make(app, operation, name, may_write, DAYS.read(fields)?, &browser(request))?;
    Reply::json(StatusCode::CREATED, &made)
}

fn end_access_token(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    access_tokens::end(app, operation, TOKEN_ID.read(&request.fields)?, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}

/// The file of `SaveProfile`.
const PHOTO: Files = Files {
    field: PHOTO_FIELD,
    missing: None,
    most: 1,
    too_many: text::TOO_MANY_FILES,
    most_bytes: MAX_PHOTO_BYTES,
    too_large: text::FILE_TOO_LARGE,
};

fn save_profile(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let fields = &request.fields;
    let removes = REMOVE_PHOTO.read(fields)?.unwrap_or_default();
    let change = ProfileChange {
        nickname: NICKNAME.change_or_default(fields)?,
        firstname: FIRSTNAME.change_or_default(fields)?,
        lastname: LASTNAME.change_or_default(fields)?,
        photo: match uploads.into_iter().next() {
            Some(upload) => PhotoChange::Replace(upload.content),
            None if removes => PhotoChange::Remove,
            None => PhotoChange::Keep,
        },
    };
    Reply::json(StatusCode::CREATED, &profile::save(app, operation, change)?)
}

/// The profile after `SaveProfile`.
fn profile_now(app: &App, viewer: &Viewer, _object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &session_user(app, viewer)?)
}

fn save_contact(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let Change::Set(contact) = CONTACT.change_or_default(&request.fields)? else {
        return Err(CONTACT.invalid(text::FIELD_MISSING));
    };
    profile::save_contact(app, operation, contact)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn get_photo(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let blob = PHOTO_ID.read(&request.fields)?;
    let photo = profile::photo(app, viewer, blob)?;
    let content = Content::verified(app.blobs.read_verified(&photo)?);
    Ok(download::picture(content, Format::Jpeg.media_type()))
}
