//! Feedback calls: HTTP in and out, no rules.

use warp::http::StatusCode;

use super::Feedback;
use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
use crate::web::Request;
use crate::web::reply::Reply;

/// `SendFeedback`: version, message, rate → 201.
pub fn send_feedback(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    super::send(app, viewer, Feedback::from_fields(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::CREATED))
}
