//! Rules of logs and the types of the answers. Independent of storage and HTTP.

use serde::Serialize;

use crate::documents::model::StoredDocument;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_LONG_TEXT_CHARACTERS, Required};
use fluglog_base::id::{DocumentId, EquipmentId, FlightId, LogId};
use fluglog_base::input::Fields;
use fluglog_base::time::{Clock, WallTime};
use fluglog_base::{number, text};

/// The object that a log is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Equipment(EquipmentId),
    Flight(FlightId),
}

/// Fields of a log that the pilot enters.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntries {
    pub info: String,
    pub time: WallTime,
}

/// The id of a new log; `dpfId` is that of its subject.
pub(crate) const NEW_LOG: Field<LogId> = Field::new_id("log");
/// The last log of the previous page.
pub const BEFORE: Field<LogId> = Field::id("before");
pub const INFO: Required<String> = Field::lines("info", MAX_LONG_TEXT_CHARACTERS).required(text::LOG_INFO_MISSING);
pub const TIME: Required<WallTime> = Field::time("time").required(text::LOG_TIME_MISSING);

impl LogEntries {
    /// Reads the fields `info` and `time`.
    ///
    /// # Errors
    /// A field is missing or breaks its rule.
    pub fn read(fields: &Fields) -> Result<LogEntries> {
        Ok(LogEntries {
            info: INFO.read(fields)?,
            time: TIME.read(fields)?,
        })
    }
}

/// A log as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredLog {
    pub id: LogId,
    pub subject: Subject,
    pub entries: LogEntries,
    /// Unix seconds.
    pub created: i64,
    pub document: Option<DocumentId>,
}

/// A log.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Log {
    pub dpf_id: String,
    pub info: String,
    /// dd.MM.yyyy HH:mm
    pub time: String,
    /// dd.MM.yyyy HH:mm
    pub create_time: String,
    pub document_obj: Option<LogDocument>,
    /// Whether the pilot wrote it and may change it; only for an entry about an item of a space.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub mine: Option<bool>,
}

/// The document of a log.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LogDocument {
    pub dpf_id: String,
    pub name: String,
    /// Formatted: `1,4 MB`.
    pub size: String,
}

/// The logs of an item of equipment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct EquipmentLogs {
    /// The model, or else the name.
    pub name: String,
    pub equipment_name: String,
    pub logs: Vec<Log>,
}

/// The logs of a flight.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightLogs {
    /// The model of the copter, or else its name.
    pub name: String,
    pub logs: Vec<Log>,
}

impl Log {
    /// Formats a stored log with its document; the time of creation is in the server's time zone.
    #[must_use]
    pub fn new(log: StoredLog, document: Option<StoredDocument>, clock: &Clock) -> Log {
        Log {
            dpf_id: log.id.to_string(),
            info: log.entries.info,
            time: log.entries.time.to_string(),
            create_time: clock.wall_time_at(log.created).to_string(),
            document_obj: document.map(|document| LogDocument {
                dpf_id: document.id.to_string(),
                name: document.name,
                size: number::size(document.bytes),
            }),
            mine: None,
        }
    }
}

/// Returns the title of something with a model and a name, as shown in lists.
#[must_use]
pub fn title(model: &str, name: &str) -> String {
    if model.is_empty() { name } else { model }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_base::declared::Declared;
    use fluglog_base::error::Error;

    fn read(pairs: &[(&str, &str)]) -> Result<LogEntries> {
        let pairs = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        const DECLARED: &[Declared] = &[INFO.declared(), TIME.declared()];
        LogEntries::read(&Fields::from_pairs(pairs).unwrap().declared_as(DECLARED))
    }

    #[test]
    fn a_log_needs_a_text_and_a_time() {
        let entries = read(&[("info", "Propeller\r\ngetauscht \n"), ("time", "01.03.2026 09:05")]).unwrap();
        assert_eq!(entries.info, "Propeller\ngetauscht");
        for (pairs, field) in [
            (&[("info", " \n "), ("time", "01.03.2026 09:05")][..], "info"),
            (&[("time", "01.03.2026 09:05")], "info"),
            (&[("info", "a"), ("time", "31.02.2026 09:05")], "time"),
            (&[("info", "a")], "time"),
        ] {
            assert!(matches!(read(pairs), Err(Error::Invalid { field: Some(found), .. }) if found == field));
        }
    }
}
