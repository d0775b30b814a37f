//! HTTP handlers of the reminder calls, without rules.

use warp::http::StatusCode;

use crate::accounts::guard::Viewer;
use crate::accounts::operation::Operation;
use crate::app::App;
use crate::base::declared::Declared;
use crate::base::error::Result;
use crate::base::field::{Field, Required};
use crate::base::text;
use crate::operations::model::Object;
use crate::web::Request;
use crate::web::reply::Reply;

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
