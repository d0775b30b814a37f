//! HTTP for the modules of calls: requests, replies, and the server itself. Knows no call, no user and no table.

pub mod accept;
pub mod assets;
pub mod authority;
pub mod link_base;
pub mod listing;
pub mod local_network;
pub mod client;
pub mod content;
pub mod cookies;
pub mod deadlines;
pub mod download;
pub mod form;
pub mod multipart;
pub mod pace;
pub mod packing;
mod pieces;
pub mod reply;
pub mod tls;
mod written;

use std::pin::Pin;

use crate::base::error::Result;
use crate::base::input::Fields;
use client::Client;
use cookies::Cookies;
use reply::Reply;

/// A request as a handler receives it.
pub struct Request {
    pub fields: Fields,
    pub cookies: Cookies,
    pub client: Client,
    pub takes_gzip: bool,
}

/// A reply that is awaited without blocking a thread.
pub type Answering = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;
