//! HTTP for the modules of calls: requests, replies, and the server itself. Knows no call, no user and no table.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod listing;
pub(crate) mod local_network;
pub mod client;
pub mod link_base;
pub mod content;
pub mod cookies;
pub mod credentials;
pub mod form;
pub mod multipart;
pub mod minimum_rate;
pub mod gzip;
mod streamed;
pub mod tls;
pub mod authority;
mod channel_body;
pub mod reply;
pub mod page;
pub mod assets;
pub mod deadlines;
pub mod accept;
pub mod download;

use std::pin::Pin;

use client::Client;
use credentials::Credentials;
use fluglog_base::error::Result;
use fluglog_base::input::Fields;
use reply::Reply;

/// A request as a handler receives it.
pub struct Request {
    pub fields: Fields,
    pub credentials: Credentials,
    pub client: Client,
    pub accepts_gzip: bool,
    /// Whether a browser opens the address and shows the answer by itself.
    pub wants_page: bool,
}

/// A reply that is awaited without blocking a thread.
pub type ReplyFuture = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;
