//! HTTP handler of the storage usage call. `calls.rs` declares what it takes and answers.

use warp::http::StatusCode;

use super::model::StorageUsage;
use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetStorageUsage",
        "How many bytes the pilot's records and files have, and how many they may have.",
        Handler::Pilot(get_storage_usage), &[], &[Answer::json(200, "StorageUsage")], &[]),
];

/// `GetStorageUsage`.
fn get_storage_usage(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    let usage = StorageUsage {
        bytes: super::storage_of(app, viewer)?,
        quota: quotas::limit(app, viewer)?,
    };
    Reply::json(StatusCode::OK, &usage)
}
