//! The alarms call: HTTP in and out, no rules.

use warp::http::StatusCode;

use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// The call of problems.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetServerProblems",
        "What is wrong with the server and what mends it; empty for those who don't run it.",
        Handler::Pilot(get_server_problems), &[], &[Answer::list(200, "ServerProblem")], &[]),
];

fn get_server_problems(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::problems_for(app, viewer)?)
}
