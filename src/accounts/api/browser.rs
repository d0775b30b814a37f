//! The browser that sends a request, and the cookies by which it is known again.

use warp::http::StatusCode;

use super::fields::REMEMBER;
use crate::sessions::{Browser, Login};
use fluglog_base::error::Result;
use fluglog_base::secret::digest;
use fluglog_web::Request;
use fluglog_web::cookies::Name;
use fluglog_web::reply::{self, Reply};

/// The most pilots who are remembered in one browser's device cookie.
const MAX_DEVICES_IN_COOKIE: usize = 8;
const DEVICE_SEPARATOR: &str = ".";

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

pub(super) fn logged_in(login: Login) -> Result<Reply> {
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

/// Clears the cache, too: images are cached without a check, and the browser's next user must not see them.
pub(super) fn logged_out() -> Reply {
    Reply::empty(StatusCode::OK)
        .without_cookie(Name::Session)
        .without_cookie(Name::Login)
        .with_header(reply::CLEAR_SITE_DATA, "\"cache\"")
}

/// Joins the device tokens of all pilots who have logged in with the browser into one cookie, newest first.
pub(super) fn device_cookie(devices: &[String]) -> String {
    let most = devices.iter().take(MAX_DEVICES_IN_COOKIE).map(String::as_str);
    most.collect::<Vec<_>>().join(DEVICE_SEPARATOR)
}

pub(super) fn devices_in(cookie: &str) -> Vec<String> {
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
