//! HTTP handlers of the feedback calls, without rules. `calls.rs` declares what each call takes and answers.

use warp::http::StatusCode;

use super::Feedback;
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("SendFeedback", "Tells the admin what a pilot thinks of the program.",
        Handler::Change(send_feedback, call::nothing), super::FIELDS, &[Answer::empty(201)], &[409, 429]),
];

fn send_feedback(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::send(app, operation, Feedback::from_fields(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::CREATED))
}
