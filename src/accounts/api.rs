//! HTTP handlers of the account calls, without rules. `calls.rs` declares what each call takes and answers.

use std::sync::Arc;

use warp::http::StatusCode;

use super::guard::{self, Operator, Viewer};
use super::model::{
    AdminProof, AdminState, CheckedSession, LoginNumber, MAX_NICKNAME_CHARACTERS, PASSWORD_CHARACTERS, SessionUser,
    SetupState,
};
use super::operation::Operation;
use super::profile::{self, PHOTO_FIELD, PhotoChange, ProfileChange};
use super::sessions::{Browser, Login};
use super::{
    access_tokens, confirmation, detailed_user, find_session, links, log_out_everywhere, login, login_with_token,
    logins, logout, mail_login, proxy_login, registration, save_password as store_password, session_user, setup,
    user_of_token,
};
use crate::call::{self, Answer, Call, Handler};
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::{AccessTokenId, BlobId, LoginId};
use fluglog_base::input::Change;
use fluglog_base::limits::permits::Kind;
use fluglog_base::secret::digest;
use fluglog_base::text;
use fluglog_picture::format::Format;
use fluglog_store::operations::model::Object;
use fluglog_web::cookies::Name;
use fluglog_web::multipart::{Files, Upload};
use fluglog_web::reply::{self, Reply};
use fluglog_web::{ReplyFuture, Request, link_base};
use fluglog_web::{content::Content, download};

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

/// The most pilots who are remembered in one browser's device cookie.
const MAX_DEVICES_IN_COOKIE: usize = 8;
const DEVICE_SEPARATOR: &str = ".";
const MAX_PHOTO_BYTES: u64 = 52_428_800;

pub(crate) const EMAIL: Field<String> = Field::exact("email", 1..=MAX_TEXT_CHARACTERS);
const PASSWORD: Field<String> = Field::exact("password", 1..=*PASSWORD_CHARACTERS.end());
pub(crate) const REMEMBER: Field<bool> = Field::boolean("rememberMe");
/// The number that the browser shows and the reader of the mail types.
const NUMBER: Field<String> = Field::token("number");
pub(crate) const LINK: Required<String> = Field::token("token").required(text::FIELD_MISSING);
const LOGIN_TOKEN: Field<String> = Field::token("token");
pub(crate) const NICKNAME: Field<String> = Field::exact("nickname", 1..=MAX_NICKNAME_CHARACTERS);
const CODE: Field<String> = Field::token("code");
pub(crate) const NEW_PASSWORD: Required<String> =
    Field::exact("password", PASSWORD_CHARACTERS).required(text::NEW_PASSWORD_MISSING);
const SHOWN_PASSWORD: Required<String> =
    Field::exact("password", 1..=*PASSWORD_CHARACTERS.end()).required(text::PASSWORD_MISSING);
const REPEATED_PASSWORD: Required<String> =
    Field::exact("repeatPassword", PASSWORD_CHARACTERS).required(text::PASSWORDS_DIFFER);
const FIRSTNAME: Field<String> = Field::line("firstname", MAX_TEXT_CHARACTERS);
const LASTNAME: Field<String> = Field::line("lastname", MAX_TEXT_CHARACTERS);
/// The longest text that fits beside a QR code.
const CONTACT: Field<String> = Field::line("text", 60);
const REMOVE_PHOTO: Field<bool> = Field::boolean("removePhoto");
const PHOTO_ID: Required<BlobId> = Field::id("uuid").required(text::FIELD_MISSING);

const LOGIN_ID: Required<LoginId> = Field::id("dpfId").required(text::FIELD_MISSING);

const TOKEN_ID: Required<AccessTokenId> = Field::id("dpfId").required(text::FIELD_MISSING);
const TOKEN_NAME: Required<String> = Field::line("name", 60).required(text::FIELD_MISSING);
const MAY_WRITE: Field<bool> = Field::boolean("mayWrite");
/// The end of a token, from now.
const DAYS: Required<u32> = Field::integer("days", 1..=366, text::ACCESS_TOKEN_DAYS).required(text::ACCESS_TOKEN_DAYS);

const CREATE_ACCESS_TOKEN: &[Declared] = &[TOKEN_NAME.declared(), MAY_WRITE.declared(), DAYS.declared()];
const END_ACCESS_TOKEN: &[Declared] = &[TOKEN_ID.declared()];
const END_SESSION: &[Declared] = &[LOGIN_ID.declared()];
const LOG_IN: &[Declared] = &[EMAIL.declared().required(), PASSWORD.declared(), REMEMBER.declared()];
const CHECK_LOGIN_TOKEN: &[Declared] = &[EMAIL.declared().required(), REMEMBER.declared(), NUMBER.declared()];
/// Fields of `GetLoginRequest` and `DenyLogin`.
const GET_LOGIN_REQUEST: &[Declared] = &[LINK.declared()];
const CONFIRM_LOGIN: &[Declared] = &[LINK.declared(), NUMBER.declared().required()];
/// Fields of `CreateFirstAccount` and `AcceptInvitation`.
const NEW_ACCOUNT: &[Declared] = &[
    LINK.declared(),
    EMAIL.declared().required(),
    NICKNAME.declared().required(),
    NEW_PASSWORD.declared(),
    REMEMBER.declared(),
];
/// Fields of `GetInvitation`, `GetPasswordReset`, `GetNewAddress` and `ConfirmEmail`.
const ONE_LINK: &[Declared] = &[LINK.declared()];
const RESET_PASSWORD: &[Declared] = &[LINK.declared(), NEW_PASSWORD.declared(), REPEATED_PASSWORD.declared()];
const CHANGE_EMAIL: &[Declared] = &[EMAIL.declared().required()];
/// Fields of `RegistrationAndVerification`.
const REGISTER: &[Declared] = &[EMAIL.declared().required(), NICKNAME.declared().required()];
/// Fields of `Verification`.
const VERIFY: &[Declared] = &[CODE.declared().required(), REMEMBER.declared()];
const SAVE_PASSWORD: &[Declared] = &[NEW_PASSWORD.declared(), REPEATED_PASSWORD.declared()];
/// Fields of `CheckSession` and `Logout`.
const SESSION: &[Declared] = &[LOGIN_TOKEN.declared()];
const CONFIRM_ADMIN: &[Declared] = &[SHOWN_PASSWORD.declared()];
const SAVE_PROFILE: &[Declared] = &[
    NICKNAME.declared(),
    FIRSTNAME.declared(),
    LASTNAME.declared(),
    REMOVE_PHOTO.declared(),
];
const SAVE_CONTACT: &[Declared] = &[CONTACT.declared()];
const GET_PHOTO: &[Declared] = &[PHOTO_ID.declared()];

fn log_in(app: &App, request: &Request) -> Result<Reply> {
    let email = email(request)?;
    let remember = REMEMBER.read(&request.fields)?.unwrap_or_default();
    let Some(password) = PASSWORD.read(&request.fields)? else {
        let begun = begin_mail_login(app, request, &email)?;
        let number = LoginNumber { number: begun.number };
        return Ok(Reply::json(StatusCode::OK, &number)?.with_cookie(Name::LoginRequest, &begun.token));
    };
    logged_in(login(app, &email, &password, remember, &browser(request))?)
}

/// `CheckLoginToken`. The first call of a browser makes the request. A browser that already shows a number but sends no
/// request cookie is refused: it would make a new request each time, and a confirmation would never reach it.
fn check_login_token(app: Arc<App>, request: Request) -> ReplyFuture {
    Box::pin(async move {
        let Some(token) = request.credentials.cookie(Name::LoginRequest) else {
            if NUMBER.read(&request.fields)?.is_some() {
                return Err(NUMBER.invalid(text::COOKIE_NOT_KEPT));
            }
            let begun = tokio::task::spawn_blocking(move || begin_mail_login(&app, &request, &email(&request)?)).await;
            let begun = begun.map_err(|panic| Error::Internal(format!("a panic while logging in: {panic}")))??;
            return Ok(Reply::empty(StatusCode::NO_CONTENT).with_cookie(Name::LoginRequest, &begun.token));
        };
        let remember = REMEMBER.read(&request.fields)?.unwrap_or_default();
        match mail_login::wait(app, &email(&request)?, token, remember, browser(&request)).await? {
            Some(login) => Ok(logged_in(login)?.without_cookie(Name::LoginRequest)),
            None => Ok(Reply::empty(StatusCode::NO_CONTENT)),
        }
    })
}

fn get_login_request(app: &App, request: &Request) -> Result<Reply> {
    let asked = mail_login::request_of_link(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &asked)
}

fn confirm_login(app: &App, request: &Request) -> Result<Reply> {
    let number = NUMBER.read(&request.fields)?.unwrap_or_default();
    mail_login::confirm(app, &LINK.read(&request.fields)?, &number, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}

fn deny_login(app: &App, request: &Request) -> Result<Reply> {
    mail_login::deny(app, &LINK.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn register(app: &App, request: &Request) -> Result<Reply> {
    let nickname = NICKNAME.read(&request.fields)?.unwrap_or_default();
    let email = EMAIL.read(&request.fields)?.unwrap_or_default();
    let shown = request.credentials.cookie(Name::Registration);
    let token = registration::begin(app, &email, &nickname, shown, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK).with_cookie(Name::Registration, &token))
}

fn verify(app: &App, request: &Request) -> Result<Reply> {
    let code = CODE.read(&request.fields)?.unwrap_or_default();
    let token = request.credentials.cookie(Name::Registration);
    let login = registration::finish(app, token, &code, &new_browser(request)?)?;
    Ok(made(&login)?.without_cookie(Name::Registration))
}

/// Answers a call that made an account or set a password, and logged the browser in.
pub(crate) fn made(login: &Login) -> Result<Reply> {
    let reply = Reply::json(StatusCode::CREATED, &login.user)?
        .with_cookie(Name::Session, login.session.as_str())
        .with_cookie(Name::Device, &device_cookie(&login.devices));
    Ok(match &login.token {
        Some(token) => reply.with_cookie(Name::Login, token.as_str()),
        None => reply,
    })
}

fn get_setup_state(app: &App, _request: &Request) -> Result<Reply> {
    let open = setup::is_open(app)?;
    Reply::json(StatusCode::OK, &SetupState { open })
}

fn create_first_account(app: &App, request: &Request) -> Result<Reply> {
    let (token, email, nickname, password) = new_account(request)?;
    made(&setup::create(
        app,
        &token,
        &email,
        &nickname,
        &password,
        &new_browser(request)?,
    )?)
}

fn check_setup_link(app: &App, request: &Request) -> Result<Reply> {
    setup::check(app, &LINK.read(&request.fields)?, request.client.address)?;
    Reply::json(StatusCode::OK, &SetupState { open: true })
}

fn get_invitation(app: &App, request: &Request) -> Result<Reply> {
    let invitation = links::find_invitation(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &invitation)
}

fn accept_invitation(app: &App, request: &Request) -> Result<Reply> {
    let (token, email, nickname, password) = new_account(request)?;
    made(&links::accept(
        app,
        &token,
        &email,
        &nickname,
        &password,
        &new_browser(request)?,
    )?)
}

/// Reads token, address, nickname and password.
pub(crate) fn new_account(request: &Request) -> Result<(String, String, String, String)> {
    let fields = &request.fields;
    Ok((
        LINK.read(fields)?,
        email(request)?,
        NICKNAME.read(fields)?.unwrap_or_default(),
        NEW_PASSWORD.read(fields)?,
    ))
}

fn get_password_reset(app: &App, request: &Request) -> Result<Reply> {
    let reset = links::reset_for(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &reset)
}

fn reset_password(app: &App, request: &Request) -> Result<Reply> {
    let token = LINK.read(&request.fields)?;
    let login = links::set_password(app, &token, &new_password(request)?, &browser(request))?;
    made(&login)
}

fn change_email(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let base = link_base::base_for(app, &request.client);
    links::ask_for_email(app, operation, &email(request)?, &base, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}

fn get_new_address(app: &App, request: &Request) -> Result<Reply> {
    let address = links::new_address(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &address)
}

fn confirm_email(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    links::confirm_email(app, operation, &LINK.read(&request.fields)?, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}

/// Reads the new password, which has to be typed twice.
fn new_password(request: &Request) -> Result<String> {
    let password = NEW_PASSWORD.read(&request.fields)?;
    if REPEATED_PASSWORD.read(&request.fields)? != password {
        return Err(REPEATED_PASSWORD.invalid(text::PASSWORDS_DIFFER));
    }
    Ok(password)
}

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

fn email(request: &Request) -> Result<String> {
    let email = EMAIL.read(&request.fields)?;
    email.ok_or_else(|| EMAIL.invalid(text::EMAIL_INVALID))
}

fn begin_mail_login(app: &App, request: &Request, email: &str) -> Result<mail_login::StartedLogin> {
    let base = link_base::base_for(app, &request.client);
    let shown = request.credentials.cookie(Name::LoginRequest);
    mail_login::begin(app, email, shown, &browser(request), &base)
}

fn logged_in(login: Login) -> Result<Reply> {
    let (session, device) = (login.session.as_str().to_owned(), device_cookie(&login.devices));
    let answer = login.answer();
    let reply = Reply::json(StatusCode::ACCEPTED, &answer)?
        .with_cookie(Name::Session, &session)
        .with_cookie(Name::Device, &device);
    Ok(if answer.token.is_empty() {
        reply
    } else {
        reply.with_cookie(Name::Login, &answer.token)
    })
}

/// `CheckSession`. Without a valid session, the token in the field or in the cookie opens a new one. Valid cookies are
/// renewed: browsers drop them after 400 days.
fn check_session(app: &App, request: &Request) -> Result<Reply> {
    if let Some(reply) = show_session(app, request)? {
        return Ok(reply);
    }
    let from = browser(request);
    if let Some(login) = proxy_login::login(app, request.client.login.as_deref(), &from)? {
        // Another pilot may have logged in before with the browser.
        return Ok(checked(app, request, login.user, false)?
            .with_cookie(Name::Session, login.session.as_str())
            .with_cookie(Name::Device, &device_cookie(&login.devices))
            .without_cookie(Name::Login));
    }
    let in_field = LOGIN_TOKEN.read(&request.fields)?;
    let token = in_field.as_deref().or(request.credentials.cookie(Name::Login));
    let login = login_with_token(app, token.ok_or(Error::NotLoggedIn)?, &from)?;
    Ok(renewed(app, request, &from, login.user)?
        .with_cookie(Name::Session, login.session.as_str())
        .with_cookie(Name::Device, &device_cookie(&login.devices)))
}

/// `CheckSession` with a valid session, the usual case.
fn show_session(app: &App, request: &Request) -> Result<Option<Reply>> {
    let from = browser(request);
    let found = match find_session(app, &from) {
        Ok(found) => found,
        Err(Error::NotLoggedIn) => return Ok(None),
        Err(other) => return Err(other),
    };
    // In a browser that another pilot has used before, the proxy's word counts.
    if proxy_login::named(app, request.client.login.as_deref())?.is_some_and(|named| named != found.id) {
        return Ok(None);
    }
    let reply = renewed(app, request, &from, found.user)?;
    Ok(Some(match request.credentials.cookie(Name::Device) {
        Some(device) if found.is_known_device => reply.with_cookie(Name::Device, device),
        _ => reply,
    }))
}

/// Answers `CheckSession`, renewing a valid login token.
fn renewed(app: &App, request: &Request, from: &Browser, user: SessionUser) -> Result<Reply> {
    let token = match request.credentials.cookie(Name::Login) {
        Some(token) if user_of_token(app, from)?.is_some() => Some(token),
        _ => None,
    };
    let reply = checked(app, request, user, token.is_some())?;
    Ok(match token {
        Some(token) => reply.with_cookie(Name::Login, token),
        None => reply,
    })
}

fn checked(app: &App, request: &Request, user: SessionUser, remembered: bool) -> Result<Reply> {
    let logout_url = Some(&app.config.auth.logout_url).filter(|url| !url.is_empty() && request.client.login.is_some());
    let session = CheckedSession {
        user,
        remembered,
        logout_url: logout_url.cloned(),
    };
    Reply::json(StatusCode::OK, &session)
}

/// Joins the device tokens of all pilots who have logged in with the browser into one cookie, newest first.
fn device_cookie(devices: &[String]) -> String {
    let most = devices.iter().take(MAX_DEVICES_IN_COOKIE).map(String::as_str);
    most.collect::<Vec<_>>().join(DEVICE_SEPARATOR)
}

fn devices_in(cookie: &str) -> Vec<String> {
    let devices = cookie.split(DEVICE_SEPARATOR).filter(|device| !device.is_empty());
    devices.take(MAX_DEVICES_IN_COOKIE).map(str::to_owned).collect()
}

pub(crate) fn browser(request: &Request) -> Browser {
    Browser {
        address: request.client.address,
        session: request.credentials.cookie(Name::Session).map(digest),
        token: request.credentials.cookie(Name::Login).map(digest),
        devices: devices_in(request.credentials.cookie(Name::Device).unwrap_or_default()),
        is_near: request.client.is_local(),
        name: request.client.browser.clone(),
        remember: false,
    }
}

/// The browser of a call that makes an account.
pub(crate) fn new_browser(request: &Request) -> Result<Browser> {
    let remember = REMEMBER.read(&request.fields)?.unwrap_or_default();
    Ok(Browser {
        remember,
        ..browser(request)
    })
}

fn log_out(app: &App, request: &Request) -> Result<Reply> {
    let cookies = &request.credentials.cookies;
    let in_field = LOGIN_TOKEN.read(&request.fields)?;
    let tokens = [in_field.as_deref(), cookies.get(Name::Login)];
    let tokens: Vec<_> = tokens.into_iter().flatten().map(digest).collect();
    logout(app, &tokens, &browser(request))?;
    Ok(logged_out())
}

/// Clears the cache, too: images are cached without a check, and the browser's next user must not see them.
fn logged_out() -> Reply {
    Reply::empty(StatusCode::OK)
        .without_cookie(Name::Session)
        .without_cookie(Name::Login)
        .with_header(reply::CLEAR_SITE_DATA, "\"cache\"")
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
