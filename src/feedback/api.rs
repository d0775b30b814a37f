//! HTTP handlers of the feedback calls, without rules. `calls.rs` declares what each call takes and answers.

use warp::http::StatusCode;

use super::Feedback;
use crate::accounts::operation::Operation;
use crate::app::App;
use crate::base::error::Result;
use crate::web::Request;
use crate::web::reply::Reply;

pub fn send_feedback(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::send(app, operation, Feedback::from_fields(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::CREATED))
}
