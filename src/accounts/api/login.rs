//! Logins, sessions and registrations.

use std::sync::Arc;

use warp::http::StatusCode;

use super::browser::{browser, device_cookie, logged_in, logged_out, made, new_browser};
use super::fields::{CODE, EMAIL, LINK, LOGIN_TOKEN, NICKNAME, NUMBER, PASSWORD, REMEMBER, email};
use crate::model::{CheckedSession, LoginNumber, SessionUser};
use crate::sessions::Browser;
use crate::{find_session, login, login_with_token, logout, mail_login, proxy_login, registration, user_of_token};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::secret::digest;
use fluglog_base::text;
use fluglog_web::cookies::Name;
use fluglog_web::reply::Reply;
use fluglog_web::{ReplyFuture, Request, link_base};

pub(super) fn log_in(app: &App, request: &Request) -> Result<Reply> {
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
pub(super) fn check_login_token(app: Arc<App>, request: Request) -> ReplyFuture {
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

pub(super) fn get_login_request(app: &App, request: &Request) -> Result<Reply> {
    let asked = mail_login::request_of_link(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &asked)
}

pub(super) fn confirm_login(app: &App, request: &Request) -> Result<Reply> {
    let number = NUMBER.read(&request.fields)?.unwrap_or_default();
    mail_login::confirm(app, &LINK.read(&request.fields)?, &number, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}

pub(super) fn deny_login(app: &App, request: &Request) -> Result<Reply> {
    mail_login::deny(app, &LINK.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

pub(super) fn register(app: &App, request: &Request) -> Result<Reply> {
    let nickname = NICKNAME.read(&request.fields)?.unwrap_or_default();
    let email = EMAIL.read(&request.fields)?.unwrap_or_default();
    let shown = request.credentials.cookie(Name::Registration);
    let token = registration::begin(app, &email, &nickname, shown, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK).with_cookie(Name::Registration, &token))
}

pub(super) fn verify(app: &App, request: &Request) -> Result<Reply> {
    let code = CODE.read(&request.fields)?.unwrap_or_default();
    let token = request.credentials.cookie(Name::Registration);
    let login = registration::finish(app, token, &code, &new_browser(request)?)?;
    Ok(made(&login)?.without_cookie(Name::Registration))
}

pub(super) fn begin_mail_login(app: &App, request: &Request, email: &str) -> Result<mail_login::StartedLogin> {
    let base = link_base::base_for(app, &request.client);
    let shown = request.credentials.cookie(Name::LoginRequest);
    mail_login::begin(app, email, shown, &browser(request), &base)
}

/// `CheckSession`. Without a valid session, the token in the field or in the cookie opens a new one. Valid cookies are
/// renewed: browsers drop them after 400 days.
pub(super) fn check_session(app: &App, request: &Request) -> Result<Reply> {
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
pub(super) fn show_session(app: &App, request: &Request) -> Result<Option<Reply>> {
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
pub(super) fn renewed(app: &App, request: &Request, from: &Browser, user: SessionUser) -> Result<Reply> {
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

pub(super) fn checked(app: &App, request: &Request, user: SessionUser, remembered: bool) -> Result<Reply> {
    let logout_url = Some(&app.config.auth.logout_url).filter(|url| !url.is_empty() && request.client.login.is_some());
    let session = CheckedSession {
        user,
        remembered,
        logout_url: logout_url.cloned(),
    };
    Reply::json(StatusCode::OK, &session)
}

pub(super) fn log_out(app: &App, request: &Request) -> Result<Reply> {
    let cookies = &request.credentials.cookies;
    let in_field = LOGIN_TOKEN.read(&request.fields)?;
    let tokens = [in_field.as_deref(), cookies.get(Name::Login)];
    let tokens: Vec<_> = tokens.into_iter().flatten().map(digest).collect();
    logout(app, &tokens, &browser(request))?;
    Ok(logged_out())
}
