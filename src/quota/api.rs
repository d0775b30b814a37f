//! HTTP handler of the storage usage call. `calls.rs` declares what it takes and answers.

use warp::http::StatusCode;

use super::model::StorageUsage;
use crate::accounts::guard::Viewer;
use crate::accounts::quotas;
use crate::app::App;
use crate::base::error::Result;
use crate::web::Request;
use crate::web::reply::Reply;

/// `GetStorageUsage`.
pub fn get_storage_usage(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    let usage = StorageUsage {
        bytes: super::used(app, viewer)?,
        quota: quotas::limit(app, viewer)?,
    };
    Reply::json(StatusCode::OK, &usage)
}
