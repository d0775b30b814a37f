//! Shapes of a login request in earlier releases.

use serde::{Deserialize, Serialize};

use super::LoginRequestRecord;
use crate::model::UNKNOWN_BROWSER;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// The record of release 1.4.0.
#[derive(Serialize, Deserialize)]
pub(crate) struct LoginRequestRecord2 {
    email: (u128, u128),
    user: Option<u128>,
    generation: u32,
    number: String,
    browser: String,
    is_near: bool,
    created: i64,
    wrong_numbers: u8,
    confirmed: bool,
}

upgrade! {
    previous: LoginRequestRecord2 => LoginRequestRecord {
        device: None,
        email, user, generation, number, browser, is_near, created, wrong_numbers, confirmed,
    }
}

/// The record of release 1.3.0; `browser` was the name that the browser sent.
#[derive(Serialize, Deserialize)]
pub(crate) struct LoginRequestRecord1 {
    email: (u128, u128),
    user: Option<u128>,
    generation: u32,
    number: String,
    browser: String,
    created: i64,
    wrong_numbers: u8,
    confirmed: bool,
}

impl Initial for LoginRequestRecord1 {}

upgrade! {
    previous: LoginRequestRecord1 => LoginRequestRecord2 {
        browser: UNKNOWN_BROWSER.to_owned(),
        is_near: false,
        email, user, generation, number, created, wrong_numbers, confirmed,
    }
}
