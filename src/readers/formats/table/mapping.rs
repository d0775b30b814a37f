//! The meaning of a table's columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The most columns of a mapping.
pub const MAX_COLUMNS: usize = 60;
/// The possible separators between cells, the most distinctive first.
pub(crate) const SEPARATORS: [char; 4] = [';', '\t', ',', '|'];
/// The years that a table without years may be of.
const YEARS: std::ops::RangeInclusive<i32> = 1970..=2200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Meaning {
    Date,
    StartTime,
    DateTime,
    FlightTime,
    End,
    Copter,
    CopterSerial,
    Battery,
    BatterySerial,
    Location,
    StartLatitude,
    StartLongitude,
    EndLatitude,
    EndLongitude,
    /// Latitude and longitude in one cell.
    StartPosition,
    EndPosition,
    Distance,
    MaximumAltitude,
    MaximumDistance,
    Speed,
    BatteryStartVoltage,
    BatteryEndVoltage,
    ConsumedCapacity,
    FlightMode,
    Weather,
    Purpose,
    Weight,
    Notes,
}

impl Meaning {
    /// Returns whether several columns may have this meaning. Hours and minutes of a duration may stand in two columns.
    #[must_use]
    pub fn may_repeat(self) -> bool {
        matches!(self, Meaning::Notes | Meaning::Battery | Meaning::FlightTime)
    }

    /// Returns whether the cells are numbers that are read by the decimal sign of their column.
    pub(crate) fn is_number(self) -> bool {
        matches!(
            self,
            Meaning::FlightTime
                | Meaning::Distance
                | Meaning::MaximumAltitude
                | Meaning::MaximumDistance
                | Meaning::Speed
                | Meaning::BatteryStartVoltage
                | Meaning::BatteryEndVoltage
                | Meaning::ConsumedCapacity
                | Meaning::Weight
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    Dmy,
    Mdy,
    Ymd,
}

impl DateOrder {
    pub(crate) const ALL: [DateOrder; 3] = [DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd];

    /// The name in API calls.
    pub(crate) fn word(self) -> &'static str {
        match self {
            DateOrder::Dmy => "dmy",
            DateOrder::Mdy => "mdy",
            DateOrder::Ymd => "ymd",
        }
    }
}

/// How a table is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// Keyed by the index of the column.
    pub columns: BTreeMap<u16, Meaning>,
    /// Units of numbers, and forms of durations.
    #[serde(default)]
    pub units: BTreeMap<u16, String>,
    pub separator: char,
    pub decimal: char,
    /// Decimal signs of the columns that differ from `decimal` or are ambiguous by themselves.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decimals: BTreeMap<u16, char>,
    pub date_order: DateOrder,
    /// The year of the first date, if the dates have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
}

impl Mapping {
    /// Returns whether a column tells how long the flights are.
    #[must_use]
    pub fn has_durations(&self) -> bool {
        let of_duration = |meaning: &Meaning| matches!(meaning, Meaning::FlightTime | Meaning::End);
        self.columns.values().any(of_duration)
    }

    /// Returns whether the mapping has exactly one date column, no meaning twice and only allowed values.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        let has = |wanted: Meaning| self.columns.values().filter(|meaning| **meaning == wanted).count();
        let dates = has(Meaning::Date) + has(Meaning::DateTime);
        let is_single = self
            .columns
            .values()
            .all(|meaning| has(*meaning) == 1 || meaning.may_repeat());
        let is_sign = |sign: char| matches!(sign, ',' | '.');
        dates == 1
            && is_single
            && self.columns.len() <= MAX_COLUMNS
            && self.units.len() <= MAX_COLUMNS
            && self.units.values().all(|unit| unit.len() <= 8)
            && self.decimals.len() <= MAX_COLUMNS
            && self.decimals.values().all(|sign| is_sign(*sign))
            && self.year.is_none_or(|year| YEARS.contains(&year))
            && SEPARATORS.contains(&self.separator)
            && is_sign(self.decimal)
    }

    pub(crate) fn unit(&self, column: u16) -> &str {
        self.units.get(&column).map_or("", String::as_str)
    }

    /// Returns the decimal sign of a column.
    pub(crate) fn sign(&self, column: u16) -> char {
        self.decimals.get(&column).copied().unwrap_or(self.decimal)
    }

    /// Returns the first column with this meaning.
    pub(crate) fn column(&self, wanted: Meaning) -> Option<u16> {
        let found = self.columns.iter().find(|(_, meaning)| **meaning == wanted);
        found.map(|(index, _)| *index)
    }
}

/// A column as offered for choosing its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub examples: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub columns: Vec<Column>,
    pub guess: Mapping,
    /// Whether any heading matched; otherwise the pilot is asked.
    pub has_known_headings: bool,
}

impl Layout {
    /// Returns the headings as one text, the key under which a mapping is remembered.
    #[must_use]
    pub fn headings(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| column.name.as_str()).collect();
        format!("{}{}", self.guess.separator, names.join("\n"))
    }
}
