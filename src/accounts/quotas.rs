//! Storage limits: `quota_per_pilot` from the settings, or a pilot's own.

use serde::{Deserialize, Serialize};

use super::guard::Viewer;
use super::table::{self, QuotaRecord};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::limits::usage::Reservation;
use fluglog_base::number;
use fluglog_base::text;
use fluglog_store::Writer;

/// The limit set for a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quota {
    /// `quota_per_pilot`.
    OfSettings,
    /// 0: unlimited.
    Bytes(u64),
}

impl Quota {
    /// Parses a size such as `2 GB`, or an empty text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Quota> {
        match text.trim() {
            "" => Some(Quota::OfSettings),
            size => number::bytes(size).map(Quota::Bytes),
        }
    }
}

/// Returns the limit of a pilot in bytes; `None`: unlimited. If the pilot's own limit can't be read, that of the
/// settings applies.
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
    Ok(effective_limit(app, own))
}

/// Returns the limit that applies to a user with this own limit; `None`: unlimited.
#[must_use]
pub fn effective_limit(app: &App, own: Option<u64>) -> Option<u64> {
    own.map_or(app.config.quota_per_pilot, |own| Some(own).filter(|bytes| *bytes > 0))
}

/// Returns the limit of every space in bytes; `None`: unlimited.
#[must_use]
pub fn limit_of_space(app: &App) -> Option<u64> {
    app.config.quota_per_space
}

/// Reserves more space within a call whose fields and uploads were reserved already: for sizes that only the call
/// learns, such as those of files that it unpacks.
///
/// # Errors
/// [`Error::QuotaUsedUp`].
pub fn reserve_more(app: &App, viewer: &Viewer, bytes: u64) -> Result<Option<Reservation>> {
    let Some(limit) = limit(app, viewer)? else {
        return Ok(None);
    };
    let full = (limit, text::QUOTA_USED_UP);
    let reserved = app
        .usage
        .reserve(viewer.user().into(), bytes, full, || Err(Error::QuotaUsedUp(full.1)));
    reserved.map(Some)
}

/// Sets or removes a user's own limit. Data beyond it stays.
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
