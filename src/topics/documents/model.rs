//! Rules of documents and the types of the answers. Independent of storage and HTTP.

use serde::Serialize;

use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::{Blob, DocumentId};
use fluglog_base::time::Clock;
use fluglog_base::{number, text};

/// 50 MB.
pub(crate) const MAX_DOCUMENT_BYTES: u64 = 52_428_800;
/// How long a share lasts; it can't be extended. `lifetimeMs` of `useShare.ts` in the UI shows its end.
const SHARE_SECONDS: i64 = 60 * 60;
/// A small correction of the clock doesn't end a share.
const CLOCK_SLACK_SECONDS: i64 = 60;

/// A document as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDocument {
    pub id: DocumentId,
    pub name: String,
    pub bytes: u64,
    pub description: String,
    /// Unix seconds.
    pub uploaded: i64,
    pub blob: Blob,
    /// Whether it is in the document store; otherwise it is attached to a log.
    pub listed: bool,
}

pub const DESCRIPTION: Field<String> = Field::line("description", MAX_TEXT_CHARACTERS);
/// The description where it is required.
pub(crate) const NEW_DESCRIPTION: Required<String> = DESCRIPTION.required(text::DESCRIPTION_MISSING);

/// Returns whether a share that began at `created` is still valid; both in Unix seconds.
#[must_use]
pub(crate) fn is_share_valid(created: i64, now: i64) -> bool {
    (-CLOCK_SLACK_SECONDS..SHARE_SECONDS).contains(&(now - created))
}

/// A document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Document {
    pub dpf_id: String,
    pub name: String,
    /// Formatted: `1,4 MB`.
    pub size: String,
    pub description: String,
    /// dd.MM.yyyy HH:mm
    pub upload_time: String,
}

impl Document {
    /// Formats a stored document; its time is in the server's time zone.
    #[must_use]
    pub fn new(document: StoredDocument, clock: &Clock) -> Document {
        Document {
            dpf_id: document.id.to_string(),
            name: document.name,
            size: number::size(document.bytes),
            description: document.description,
            upload_time: clock.wall_time_at(document.uploaded).to_string(),
        }
    }
}

/// A document that is shared by a QR code.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Share {
    pub token: String,
    /// The QR code: a PNG in base64.
    pub img: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_holds_for_an_hour_and_not_before_it_began() {
        for (now, holds) in [
            (0, true),
            (3599, true),
            (3600, false),
            (-30, true),
            (-3600, false),
            (i64::from(i32::MAX), false),
        ] {
            assert_eq!(is_share_valid(1_000, 1_000 + now), holds, "{now}");
        }
    }
}
