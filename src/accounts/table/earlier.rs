//! Shapes of the records in earlier releases.

use serde::{Deserialize, Serialize};

use super::{LoginTokenRecord, SessionRecord, UserRecord};
use crate::model::UNKNOWN_BROWSER;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// The record of release 1.4.0.
#[derive(Serialize, Deserialize)]
pub(crate) struct UserRecord2 {
    email: String,
    nickname: String,
    firstname: String,
    lastname: String,
    password: Option<String>,
    disabled: bool,
    created: i64,
    last_login: Option<i64>,
    generation: u32,
    operator: bool,
}

upgrade! {
    previous: UserRecord2 => UserRecord {
        // Without a password, mail was the only way in. With one, nothing tells how the account was made.
        is_verified: previous.password.is_none(),
        email, nickname, firstname, lastname, password, disabled, created, last_login, generation, operator,
    }
}

/// The record of release 1.3.0.
#[derive(Serialize, Deserialize)]
pub(crate) struct UserRecord1 {
    email: String,
    nickname: String,
    firstname: String,
    lastname: String,
    password: Option<String>,
    disabled: bool,
    created: i64,
    last_login: Option<i64>,
    generation: u32,
}

impl Initial for UserRecord1 {}

upgrade! {
    previous: UserRecord1 => UserRecord2 {
        operator: false,
        email, nickname, firstname, lastname, password, disabled, created, last_login, generation,
    }
}

/// The record of release 1.3.0.
#[derive(Serialize, Deserialize)]
pub(crate) struct SessionRecord1 {
    user: u128,
    generation: u32,
    last_seen: i64,
}

impl Initial for SessionRecord1 {}

upgrade! {
    previous: SessionRecord1 => SessionRecord {
        since: previous.last_seen,
        browser: UNKNOWN_BROWSER.to_owned(),
        of_token: None,
        user, generation, last_seen,
    }
}

/// The record of release 1.3.0.
#[derive(Serialize, Deserialize)]
pub(crate) struct LoginTokenRecord1 {
    user: u128,
    generation: u32,
    created: i64,
}

impl Initial for LoginTokenRecord1 {}

upgrade! {
    previous: LoginTokenRecord1 => LoginTokenRecord {
        last_seen: previous.created,
        browser: UNKNOWN_BROWSER.to_owned(),
        user, generation, created,
    }
}
