//! The shape of requests in an earlier release.

use serde::{Deserialize, Serialize};

use super::RequestRecord;
use crate::record::Initial;
use crate::upgrade;

/// The shape before version 1.5.0.
#[derive(Serialize, Deserialize)]
pub(crate) struct RequestRecord1 {
    call: String,
    time: i64,
    status: u16,
    object: (u128, u128),
    sequence: i64,
}

impl Initial for RequestRecord1 {}

upgrade! {
    previous: RequestRecord1 => RequestRecord {
        // The equipment was the pilot's own, and is found as such.
        owner: None,
        call, time, status, object, sequence,
    }
}
