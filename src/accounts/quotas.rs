//! How much room a pilot may have: what the settings give each (`quota_per_pilot`), or what was said about this one.

use serde::{Deserialize, Serialize};

use super::guard::Viewer;
use super::table::{self, QuotaRecord};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::limits::usage::Reservation;
use fluglog_base::number;
use fluglog_store::Writer;

/// How much room a user may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quota {
    /// As the settings give each.
    OfSettings,
    /// 0: as much as there is.
    Bytes(u64),
}

impl Quota {
    /// Reads a size such as `2 GB`, or nothing.
    #[must_use]
    pub fn parse(text: &str) -> Option<Quota> {
        match text.trim() {
            "" => Some(Quota::OfSettings),
            size => number::bytes(size).map(Quota::Bytes),
        }
    }
}

/// How much room a pilot may have, in bytes; `None`: as much as there is. A limit of its own that can't be read keeps
/// nobody from adding.
///
/// # Errors
/// [`Error::Busy`] when the database can't be used at all.
pub fn limit(app: &App, viewer: &Viewer) -> Result<Option<u64>> {
    let own = match app.store.read(|data| table::quota(data, viewer.user())) {
        Err(Error::Internal(cause)) => {
            tracing::error!("the room of a pilot is that of the settings: {cause}");
            None
        }
        read => read?,
    };
    Ok(in_force(app, own))
}

/// The limit of a user who has this one of its own; `None`: as much as there is.
#[must_use]
pub fn in_force(app: &App, own: Option<u64>) -> Option<u64> {
    own.map_or(app.config.quota_per_pilot, |own| Some(own).filter(|bytes| *bytes > 0))
}

/// Reserves more room for what a pilot adds, in a call for which the server has looked at the room already: for what
/// only this call knows, as the length of a file that it unpacks.
///
/// # Errors
/// [`Error::QuotaUsedUp`].
pub fn reserve_more(app: &App, viewer: &Viewer, bytes: u64) -> Result<Option<Reservation>> {
    let Some(limit) = limit(app, viewer)? else {
        return Ok(None);
    };
    let reserved = app
        .usage
        .reserve(viewer.user(), bytes, limit, || Err(Error::QuotaUsedUp));
    reserved.map(Some)
}

/// Gives a user another limit. Nothing is deleted that is beyond it.
pub(super) fn put(writer: &Writer<'_>, user: UserId, quota: Quota) -> Result<()> {
    match quota {
        Quota::OfSettings => writer.remove::<QuotaRecord>(user.key()),
        Quota::Bytes(bytes) => writer.put(user.key(), &QuotaRecord { bytes }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_a_size_or_nothing() {
        for (text, quota) in [
            ("", Some(Quota::OfSettings)),
            ("  ", Some(Quota::OfSettings)),
            ("0", Some(Quota::Bytes(0))),
            ("2GB", Some(Quota::Bytes(2 << 30))),
            ("1,5\u{a0}GB", Some(Quota::Bytes(3 << 29))),
            ("viel", None),
            ("-1 GB", None),
        ] {
            assert_eq!(Quota::parse(text), quota, "{text}");
        }
    }
}
