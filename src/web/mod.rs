//! HTTP as the topics see it: what a call gets, what it gives back. Knows no call, no user and no table.

pub mod accept;
pub mod assets;
pub mod client;
pub mod cookies;
pub mod download;
pub mod form;
pub mod multipart;
pub mod reply;

use crate::input::Fields;
use client::Client;
use cookies::Cookies;

/// What a call gets.
pub struct Request {
    pub fields: Fields,
    pub cookies: Cookies,
    pub client: Client,
}
