//! The meaning of a table's columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Columns that can be chosen.
pub const COLUMNS_MOST: usize = 60;
/// The signs between cells, the most telling ones first.
pub const SEPARATORS: [char; 4] = [';', '\t', ',', '|'];

/// The meaning of a column.
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

/// The order of a date's parts.
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
    /// By the index of the column.
    pub columns: BTreeMap<u16, Meaning>,
    #[serde(default)]
    pub units: BTreeMap<u16, String>,
    pub separator: char,
    pub decimal: char,
    pub date_order: DateOrder,
}

impl Mapping {
    /// Whether it says when a flight was, and names nothing twice or impossible.
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

/// A column, as it is shown to be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub examples: Vec<String>,
}

/// A table whose columns can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub columns: Vec<Column>,
    pub guess: Mapping,
    /// Whether any heading says what it means; else the pilot is asked.
    pub is_sure: bool,
}

impl Layout {
    /// The headings in one text, by which the table is known again.
    #[must_use]
    pub fn headings(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| column.name.as_str()).collect();
        format!("{}{}", self.guess.separator, names.join("\n"))
    }
}
