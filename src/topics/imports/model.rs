//! Rules of imports, and the types of their answers. No store, no web.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::flights::model::{FlightFields, Payload};
use crate::packs::wire::Equipment;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_LONG_TEXT_CHARACTERS, Required};
use fluglog_base::id::EquipmentId;
use fluglog_base::text;
use fluglog_readers::formats::table::Mapping;

/// Most flights proposed from one upload.
pub(crate) const MAX_PROPOSALS: usize = 200;
/// Most open imports of a pilot.
pub(crate) const MAX_OPEN: usize = 5;
/// Time during which an import can be accepted, in seconds.
pub(crate) const EXPIRES_SECONDS: i64 = 7 * 24 * 60 * 60;
/// Time after which the answer of an accepted import is forgotten, in seconds.
pub(crate) const FORGOTTEN_SECONDS: i64 = 2 * EXPIRES_SECONDS;
/// Shorter flights are proposed unticked, in seconds.
pub(crate) const SHORT_SECONDS: f64 = 20.0;
/// One choice for each flight, and for each export of another Fluglog instance.
const MAX_CHOICES: usize = MAX_PROPOSALS + 20;
/// Most characters of `choices`.
const MAX_CHOICES_CHARACTERS: usize = 900_000;

/// Room for a shift of each file of an archive.
const MAX_SHIFTS_CHARACTERS: usize = 5_000;

/// Choices of `AcceptImport`: a JSON array of [`Choice`].
pub(crate) const CHOICES: Required<String> =
    Field::lines("choices", MAX_CHOICES_CHARACTERS).required(text::FIELD_MISSING);
/// Mapping of `MapImportColumns`: JSON.
pub(crate) const MAPPING: Required<String> =
    Field::lines("mapping", MAX_LONG_TEXT_CHARACTERS).required(text::FIELD_MISSING);
/// Minutes by which `GetImport` shifts the times of files, without storing them: a JSON object of minutes by the index
/// of the file.
pub(crate) const SHIFTS: Field<String> = Field::lines("shifts", MAX_SHIFTS_CHARACTERS);
/// Index of a file in its import.
pub const FILE: Required<u32> = Field::integer("file", 0..=9999, text::INVALID_INPUT).required(text::FIELD_MISSING);

/// Minutes by which the times of files are shifted, by the index of the file.
pub(crate) type Shifts = HashMap<u32, i32>;

/// Parses the field `shifts`.
///
/// # Errors
/// `json` is no object of whole minutes.
pub(crate) fn shifts_of(json: Option<&str>) -> Result<Shifts> {
    let wrong = |_| Error::invalid("shifts", text::INVALID_INPUT);
    json.map_or_else(|| Ok(Shifts::new()), |json| serde_json::from_str(json).map_err(wrong))
}

/// Parses the field `mapping`.
///
/// # Errors
/// A required member is missing, or a value is impossible.
pub(crate) fn mapping_of(json: &str) -> Result<Mapping> {
    let wrong = |sentence| Error::invalid("mapping", sentence);
    let members: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    for (member, sentence) in [
        ("separator", text::IMPORT_SEPARATOR_MISSING),
        ("decimal", text::IMPORT_DECIMAL_MISSING),
        ("dateOrder", text::IMPORT_DATE_ORDER_MISSING),
    ] {
        if members.is_object() && members.get(member).is_none() {
            return Err(wrong(sentence));
        }
    }
    serde_json::from_value(members).map_err(|_| wrong(text::IMPORT_MAPPING_IMPOSSIBLE))
}

/// An import. Without an id nothing was found, and nothing is kept.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Import {
    pub dpf_id: Option<String>,
    /// dd.MM.yyyy HH:mm
    pub time: String,
    pub files: Vec<ImportFile>,
    pub proposals: Vec<Proposal>,
    /// Items of another Fluglog instance that don't exist here yet. Proposals and choices refer to them by these ids.
    /// An item is created with the first imported flight that was flown with it.
    pub new_items: Vec<Equipment>,
    /// What exports of another Fluglog instance hold beside their flights and doesn't exist here yet.
    pub belongings: Vec<Belongings>,
    pub omitted: Vec<OmittedPart>,
}

/// Numbers of what the export of another Fluglog instance holds beside its flights. A choice with this key and the
/// action `create` imports all of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Belongings {
    pub key: String,
    /// Index of its file.
    pub file: u32,
    /// Items with which none of the flights was flown.
    pub items: u32,
    pub chargings: u32,
    /// Readings of batteries.
    pub readings: u32,
    /// Sets of batteries.
    pub sets: u32,
    pub logs: u32,
    /// Documents of the document store; the documents of logs come with their logs.
    pub documents: u32,
    pub images: u32,
    /// Jobs of maintenance; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub jobs: Option<u32>,
    /// 1 for the pilot's flights and hours from before Fluglog; absent without.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub prior: Option<u32>,
    /// Entries beyond the limit: they come when the file is uploaded again after the import was accepted.
    pub left: u32,
}

/// Numbers of what was imported beside the flights of another Fluglog instance.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Moved {
    pub items: u32,
    pub chargings: u32,
    /// Readings of batteries.
    pub readings: u32,
    /// Sets of batteries.
    pub sets: u32,
    pub logs: u32,
    pub documents: u32,
    pub images: u32,
    /// Jobs of maintenance; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub jobs: Option<u32>,
    /// 1 for the pilot's flights and hours from before Fluglog; absent without.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub prior: Option<u32>,
    /// Files that couldn't be read.
    pub missing: u32,
}

/// An open import in the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ImportRow {
    pub dpf_id: String,
    /// dd.MM.yyyy HH:mm
    pub time: String,
    pub files: Vec<String>,
    pub flights: u32,
}

/// A file of an import, or a member of an archive.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ImportFile {
    pub name: String,
    /// For display: `1,4 MB`.
    pub size: String,
    /// Name of the format, such as `gpx` or `dji-txt`; empty when it is unknown.
    pub format: String,
    /// Why nothing or not everything was read; empty otherwise.
    pub message: String,
    /// New flights beyond the limit: they come when the file is uploaded again after the import was accepted.
    pub surplus: u32,
    /// Columns of a table, if their meaning can be chosen.
    pub columns: Option<Vec<ImportColumn>>,
    pub separator: String,
    /// Decimal separator.
    pub decimal: String,
    /// `dmy`, `mdy` or `ymd`
    pub date_order: String,
    /// Year of the first date, if the dates have none and it was chosen.
    pub year: Option<i32>,
    /// What is asked about a table that can be read in several ways. It is read when `MapImportColumns` answers.
    pub questions: Vec<ImportQuestion>,
}

/// A question about a column that can be read in several ways.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ImportQuestion {
    /// Member of the mapping that answers: `decimals` or `units`, with the column as key, `dateOrder` or `year`.
    pub member: String,
    /// Index of the column.
    pub column: u32,
    pub text: String,
    pub ways: Vec<ImportWay>,
}

/// A way to read a column.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ImportWay {
    /// Value in the mapping.
    pub value: String,
    pub text: String,
    pub examples: Vec<ImportExample>,
}

/// A cell, and how it would be read.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ImportExample {
    pub cell: String,
    pub read: String,
}

/// A column of a table.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ImportColumn {
    pub name: String,
    pub examples: Vec<String>,
    /// Meaning: a word of the mapping, or empty.
    pub guess: String,
    pub unit: String,
    /// Decimal separator, if it differs from the file's.
    pub decimal: String,
}

/// A flight found in a file.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Proposal {
    pub key: String,
    /// Index of its file.
    pub file: u32,
    /// dd.MM.yyyy HH:mm; empty when it isn't known.
    pub start_time: String,
    /// Time in the file, if it differs from `startTime`: `16:10 UTC`; empty otherwise.
    pub start_time_file: String,
    /// Minutes by which the file's time is already shifted.
    pub shift_minutes: i32,
    #[serde(flatten)]
    pub fields: FlightFields,
    pub payloads: Vec<Payload>,
    /// Id of the copter, if it is known.
    pub copter: Option<String>,
    /// Name of the copter in the file.
    pub copter_name: String,
    pub copter_model: String,
    /// Ids of the other items.
    pub equipments: Vec<String>,
    /// Names of packs in the file that none of the pilot's packs has.
    pub unknown_packs: Vec<String>,
    /// Existing flight that is a duplicate of this one.
    pub twin: Option<Twin>,
    /// Whether this is the flight that is open.
    pub open: bool,
    pub ticked: bool,
    pub hints: Vec<String>,
    /// Latitude and longitude of each point, in degrees.
    pub track: Vec<Vec<f64>>,
}

/// A flight that is or looks like a duplicate of a proposal.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Twin {
    /// `digest`: from the same file; `time`: at the same time; `zone`: whole hours apart, as with another time zone;
    /// `upload`: another proposal of this import.
    pub kind: String,
    pub dpf_id: Option<String>,
    /// Key of the other proposal, for `upload`.
    pub key: Option<String>,
    pub text: String,
}

/// A part of a file that gives no flight.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct OmittedPart {
    pub file: u32,
    pub part: String,
    pub reason: String,
}

/// Outcome of `AcceptImport`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Accepted {
    /// Ids of new flights.
    pub created: Vec<String>,
    /// Ids of existing flights that were completed.
    pub completed: Vec<String>,
    pub skipped: u32,
    pub moved: Moved,
    /// Flight time in min of the created and completed flights; flights without one count as 0.
    pub minutes: f64,
    /// km
    pub distance: f64,
    /// The tracks of these flights, as in `Review`.
    pub paths: Vec<Vec<i32>>,
}

/// The pilot's decision about a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Create,
    Fill,
    Finish,
    Skip,
}

/// A pilot's choice about one proposal.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Choice {
    pub key: String,
    pub action: Action,
    pub copter: Option<String>,
    pub equipments: Option<Vec<String>>,
    pub start_time: Option<String>,
    pub location: Option<String>,
    pub shift_minutes: Option<i32>,
    #[serde(default)]
    pub keep_file: bool,
    /// Other values of the flight, in the format of `SaveFlight`.
    pub flight: Option<Box<RawValue>>,
}

impl Choice {
    /// Parses the choices about an import.
    ///
    /// # Errors
    /// The JSON is no list of choices, is empty or too long, or names a proposal twice.
    pub fn read_all(json: &str) -> Result<Vec<Choice>> {
        let wrong = || Error::invalid("choices", text::IMPORT_CHOICES_WRONG);
        let choices: Vec<Choice> = serde_json::from_str(json).map_err(|_| wrong())?;
        let mut keys: Vec<&str> = choices.iter().map(|choice| choice.key.as_str()).collect();
        keys.sort_unstable();
        let twice = keys.windows(2).any(|pair| pair[0] == pair[1]);
        match choices.is_empty() || twice || choices.len() > MAX_CHOICES {
            true => Err(wrong()),
            false => Ok(choices),
        }
    }
}

/// Normalizes a name for comparison: case, blanks, dashes and underscores don't count.
#[must_use]
pub(crate) fn normalized(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|character| !character.is_whitespace() && !matches!(character, '-' | '_'));
    kept.flat_map(char::to_lowercase).collect()
}

/// Returns the number of cells of a pack with this voltage at the start: the smallest that fits.
#[must_use]
pub(crate) fn guess_cells(start_volts: f64) -> Option<u8> {
    (1..=14).find(|cells| (3.5..=4.37).contains(&(start_volts / f64::from(*cells))))
}

/// Time span of a flight, for the comparison with another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    /// Seconds since 1970 on the pilot's clock.
    pub start: f64,
    /// Seconds since 1970 in UTC, if known.
    pub utc: Option<f64>,
    /// Seconds
    pub duration: Option<f64>,
    pub copter: Option<EquipmentId>,
}

/// Why two flights are likely duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Similarity {
    Time,
    /// Whole hours apart, as between two time zones.
    Zone,
}

/// Tolerance for equal starts when a duration is unknown, and for clocks that differ by whole hours.
const SAME_START_SECONDS: f64 = 120.0;
const HOUR: f64 = 3600.0;
/// Greatest difference of two time zones, in hours.
const MAX_HOURS: f64 = 14.0;
/// Greatest relative difference between durations of the same flight.
const SAME_LENGTH: f64 = 0.05;

impl Span {
    /// Returns whether two flights are the same, judged by time and copter. Starts within a minute of each other alone
    /// prove nothing.
    #[must_use]
    pub(crate) fn similarity(&self, other: &Span) -> Option<Similarity> {
        if let (Some(own), Some(others)) = (self.copter, other.copter)
            && own != others
        {
            return None;
        }
        let both_utc = self.utc.zip(other.utc);
        let (start, others) = both_utc.unwrap_or((self.start, other.start));
        let apart = (start - others).abs();
        let (Some(length), Some(other_s)) = (self.duration, other.duration) else {
            return (apart <= SAME_START_SECONDS).then_some(Similarity::Time);
        };
        let overlap = (start + length).min(others + other_s) - start.max(others);
        if overlap > length.min(other_s) / 2.0 {
            return Some(Similarity::Time);
        }
        let hours = (apart / HOUR).round();
        let is_whole = (1.0..=MAX_HOURS).contains(&hours) && (apart - hours * HOUR).abs() <= SAME_START_SECONDS;
        let same_length = (length - other_s).abs() < SAME_LENGTH * length.max(other_s);
        (both_utc.is_none() && is_whole && same_length).then_some(Similarity::Zone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(start: f64, minutes: f64) -> Span {
        Span {
            start,
            utc: None,
            duration: Some(minutes * 60.0),
            copter: None,
        }
    }

    #[test]
    fn flights_are_the_same_when_they_overlap_by_more_than_half() {
        let flight = span(36_000.0, 7.0);
        for (start, minutes, similarity) in [
            (36_000.0, 7.0, Some(Similarity::Time)),
            (36_050.0, 6.0, Some(Similarity::Time)),
            (36_300.0, 7.0, None),
            (36_420.0, 7.0, None),
            (36_000.0 + 7200.0 + 60.0, 7.1, Some(Similarity::Zone)),
            (36_000.0 + 7200.0 + 60.0, 8.0, None),
            (36_000.0 + 5400.0, 7.0, None),
        ] {
            assert_eq!(
                flight.similarity(&span(start, minutes)),
                similarity,
                "{start} {minutes}"
            );
        }
    }

    #[test]
    fn two_short_flights_fifty_seconds_apart_are_two() {
        assert_eq!(span(36_000.0, 0.6).similarity(&span(36_050.0, 0.6)), None);
    }

    #[test]
    fn the_repeated_hour_and_another_copter_make_no_duplicate() {
        let utc = |utc: f64| Span {
            utc: Some(utc),
            ..span(7200.0, 7.0)
        };
        assert_eq!(utc(0.0).similarity(&utc(3600.0)), None);
        let flown_with = |id: u128| Span {
            copter: Some(EquipmentId::from_key(id)),
            ..span(0.0, 7.0)
        };
        assert_eq!(flown_with(1).similarity(&flown_with(2)), None);
        assert_eq!(flown_with(1).similarity(&span(0.0, 7.0)), Some(Similarity::Time));
    }

    #[test]
    fn names_are_compared_without_case_blanks_and_dashes() {
        assert_eq!(normalized("Mini 4-Pro "), normalized("MINI4 pro"));
        assert_eq!(
            (guess_cells(16.7), guess_cells(8.3), guess_cells(12.5), guess_cells(3.0)),
            (Some(4), Some(2), Some(3), None)
        );
    }

    proptest! {
        #[test]
        fn similarity_is_mutual(a in 0.0..1e6f64, b in 0.0..1e6f64, one in 0.1..60.0f64, other in 0.1..60.0f64) {
            let (a, b) = (span(a, one), span(b, other));
            prop_assert_eq!(a.similarity(&b), b.similarity(&a));
            prop_assert_eq!(a.similarity(&a), Some(Similarity::Time));
        }
    }
}
