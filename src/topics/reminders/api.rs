//! HTTP handlers of the reminder calls, without rules.

use warp::http::StatusCode;

use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

const ON: Required<bool> = Field::boolean("on").required(text::FIELD_MISSING);

pub const SAVE: &[Declared] = &[ON.declared()];

pub fn get_reminder(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

pub fn save_reminder(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let reminder = super::save(app, operation, ON.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &reminder)
}

/// The reminder after `SaveReminder`.
pub fn reminder_now(app: &App, viewer: &Viewer, _object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}
