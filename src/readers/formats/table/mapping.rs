//! The meaning of a table's columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The most columns of a mapping.
pub const COLUMNS_MOST: usize = 60;
/// The possible separators between cells, the most distinctive first.
pub(crate) const SEPARATORS: [char; 4] = [';', '\t', ',', '|'];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Meaning {
    Date,
    StartTime,
    DateTime,
    FlightTime,
    End,
    Copter,
    Battery,
    Location,
    Distance,
    MaximumAltitude,
    MaximumDistance,
    Speed,
    BatteryStartVoltage,
    BatteryEndVoltage,
    ConsumedCapacity,
    Notes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    Dmy,
    Mdy,
    Ymd,
}

/// How a table is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// Keyed by the index of the column.
    pub columns: BTreeMap<u16, Meaning>,
    #[serde(default)]
    pub units: BTreeMap<u16, String>,
    pub separator: char,
    pub decimal: char,
    pub date_order: DateOrder,
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
            .all(|meaning| has(*meaning) == 1 || *meaning == Meaning::Notes);
        dates == 1
            && is_single
            && self.columns.len() <= COLUMNS_MOST
            && self.units.len() <= COLUMNS_MOST
            && self.units.values().all(|unit| unit.len() <= 8)
            && SEPARATORS.contains(&self.separator)
            && matches!(self.decimal, ',' | '.')
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
