//! Calls of links: to the first account, from an invitation, for a new password, for a new address.

use warp::http::StatusCode;

use super::browser::{browser, made, new_browser};
use super::fields::{LINK, NEW_PASSWORD, NICKNAME, email, new_password};
use crate::model::SetupState;
use crate::operation::Operation;
use crate::{links, setup};
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, link_base};

pub(super) fn get_setup_state(app: &App, _request: &Request) -> Result<Reply> {
    let open = setup::is_open(app)?;
    Reply::json(StatusCode::OK, &SetupState { open })
}

pub(super) fn create_first_account(app: &App, request: &Request) -> Result<Reply> {
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

pub(super) fn check_setup_link(app: &App, request: &Request) -> Result<Reply> {
    setup::check(app, &LINK.read(&request.fields)?, request.client.address)?;
    Reply::json(StatusCode::OK, &SetupState { open: true })
}

pub(super) fn get_invitation(app: &App, request: &Request) -> Result<Reply> {
    let invitation = links::find_invitation(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &invitation)
}

pub(super) fn accept_invitation(app: &App, request: &Request) -> Result<Reply> {
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

pub(super) fn get_password_reset(app: &App, request: &Request) -> Result<Reply> {
    let reset = links::reset_for(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &reset)
}

pub(super) fn reset_password(app: &App, request: &Request) -> Result<Reply> {
    let token = LINK.read(&request.fields)?;
    let login = links::set_password(app, &token, &new_password(request)?, &browser(request))?;
    made(&login)
}

pub(super) fn change_email(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let base = link_base::base_for(app, &request.client);
    links::ask_for_email(app, operation, &email(request)?, &base, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}

pub(super) fn get_new_address(app: &App, request: &Request) -> Result<Reply> {
    let address = links::new_address(app, &LINK.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &address)
}

pub(super) fn confirm_email(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    links::confirm_email(app, operation, &LINK.read(&request.fields)?, &browser(request))?;
    Ok(Reply::empty(StatusCode::OK))
}
