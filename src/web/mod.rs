//! HTTP as the topics see it: what a call gets, what it gives back. Knows no call, no user and no table.

pub mod accept;
pub mod assets;
pub mod cookies;
pub mod form;
pub mod reply;

use std::net::IpAddr;

use crate::input::Fields;
use cookies::Cookies;

/// Where a connection comes from; put into every request by the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    pub address: IpAddr,
}

/// What a call gets.
pub struct Request {
    pub fields: Fields,
    pub cookies: Cookies,
    pub peer: Peer,
}
