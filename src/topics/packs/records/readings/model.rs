//! Rules of readings of packs, and the types of their answers. No store, no web.

use serde::Serialize;

use crate::done_at::{INSTANT, TIME};
use crate::equipment::battery_profile::{MAX_CELL_VOLTS, MAX_CELLS};
use fluglog_base::coded;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_LONG_TEXT_CHARACTERS, MAX_TEXT_CHARACTERS, changes};
use fluglog_base::id::{EquipmentId, FlightId, ReadingId};
use fluglog_base::input::{Change, Fields};
use fluglog_base::time::WallTime;
use fluglog_base::{number, text};

/// mΩ
const MIN_RESISTANCE: f64 = 0.1;
const MAX_RESISTANCE: f64 = 500.0;
/// Lowest temperature, °C; a lower one comes from a broken sensor.
const COLDEST: f64 = -30.0;
/// Room for 14 values separated by `;`.
pub(crate) const MAX_LIST_CHARACTERS: usize = 200;

const KIND: Field<ReadingKind> = Field::integer("kind", 0..=3, text::INVALID_INPUT);
const VOLTAGE: Field<f64> = Field::number("voltage");
const CELL_VOLTAGES: Field<String> = Field::line("cellVoltages", MAX_LIST_CHARACTERS);
const RESISTANCES: Field<String> = Field::line("resistances", MAX_LIST_CHARACTERS);
const TEMPERATURE: Field<f64> = Field::degrees("temperature", 90, text::TEMPERATURE_OUT_OF_RANGE);
const CHARGER: Field<String> = Field::line("charger", MAX_TEXT_CHARACTERS);
const SWOLLEN: Field<bool> = Field::boolean("swollen");
const DAMAGED: Field<bool> = Field::boolean("damaged");
const INFO: Field<String> = Field::lines("info", MAX_LONG_TEXT_CHARACTERS);

/// Form fields.
pub(crate) const ENTRIES: &[Declared] = &[
    TIME.declared(),
    INSTANT.declared(),
    KIND.declared(),
    VOLTAGE.declared(),
    CELL_VOLTAGES.declared(),
    RESISTANCES.declared(),
    TEMPERATURE.declared(),
    CHARGER.declared(),
    SWOLLEN.declared(),
    DAMAGED.declared(),
    INFO.declared(),
];

coded! {
    /// What happened before the reading. The numbers are on disk and on the wire.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum ReadingKind {
        #[default]
        Rest = 0,
        Charged = 1,
        Landed = 2,
        Stored = 3,
    }
}

/// A reading of a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredReading {
    pub id: ReadingId,
    pub time: WallTime,
    pub kind: ReadingKind,
    /// V, as measured.
    pub voltage: Option<f64>,
    /// V, for each cell; empty if unknown.
    pub cell_voltages: Vec<f64>,
    /// mΩ, for each cell; empty if unknown.
    pub resistances: Vec<f64>,
    /// °C
    pub temperature: Option<f64>,
    pub charger: String,
    pub swollen: bool,
    pub damaged: bool,
    pub info: String,
    /// Whether it comes from the file of a flight, and not from a pilot.
    pub of_file: bool,
}

impl StoredReading {
    /// Creates an empty reading.
    #[must_use]
    pub fn new(id: ReadingId, time: WallTime) -> StoredReading {
        StoredReading {
            id,
            time,
            kind: ReadingKind::Rest,
            voltage: None,
            cell_voltages: Vec::new(),
            resistances: Vec::new(),
            temperature: None,
            charger: String::new(),
            swollen: false,
            damaged: false,
            info: String::new(),
            of_file: false,
        }
    }

    /// Creates a reading of the resting voltage in the file of a flight, with the flight's id.
    #[must_use]
    pub fn of_file(flight: FlightId, landing: WallTime, volts: f64) -> StoredReading {
        StoredReading {
            kind: ReadingKind::Landed,
            voltage: Some(volts),
            of_file: true,
            ..StoredReading::new(ReadingId::from_key(flight.key()), landing)
        }
    }

    /// Returns the voltage of the pack: as measured, else the sum of its cells.
    #[must_use]
    pub fn volts(&self) -> Option<f64> {
        let sum = (!self.cell_voltages.is_empty()).then(|| self.sum_of_cells());
        self.voltage.or(sum)
    }

    /// V
    #[must_use]
    pub(crate) fn sum_of_cells(&self) -> f64 {
        let sum: f64 = self.cell_voltages.iter().sum();
        (sum * 1000.0).round() / 1000.0
    }
}

changes! {
    /// Changes of a reading by a form.
    ReadingChanges of StoredReading {
        temperature: Option<f64> = TEMPERATURE by read_temperature,
        time: WallTime = TIME by read_time,
        kind: ReadingKind = KIND by Field::change_or_default,
        voltage: Option<f64> = VOLTAGE by Field::change,
        cell_voltages: Vec<f64> = CELL_VOLTAGES by read_cells,
        resistances: Vec<f64> = RESISTANCES by read_resistances,
        charger: String = CHARGER by Field::change_or_default,
        swollen: bool = SWOLLEN by Field::change_or_default,
        damaged: bool = DAMAGED by Field::change_or_default,
        info: String = INFO by Field::change_or_default,
    }
}

impl ReadingChanges {
    /// Rejects lists whose length isn't the pack's number of cells.
    ///
    /// # Errors
    /// A list has the wrong length.
    pub(crate) fn check_cells(&self, cells: Option<u8>) -> Result<()> {
        check_values(&CELL_VOLTAGES, &self.cell_voltages, cells)?;
        check_values(&RESISTANCES, &self.resistances, cells)
    }

    /// Returns the reading after the changes.
    ///
    /// # Errors
    /// The reading would be empty.
    pub(crate) fn applied_to(&self, mut reading: StoredReading) -> Result<StoredReading> {
        self.apply(&mut reading);
        reading.of_file = false;
        let has_numbers = reading.volts().is_some() || !reading.resistances.is_empty();
        match has_numbers || reading.swollen || reading.damaged || !reading.info.is_empty() {
            true => Ok(reading),
            false => Err(VOLTAGE.invalid(text::READING_EMPTY)),
        }
    }
}

fn read_temperature(field: &Field<f64>, fields: &Fields) -> Result<Change<Option<f64>>> {
    match field.change(fields)? {
        Change::Set(Some(degrees)) if degrees < COLDEST => Err(field.invalid(text::TEMPERATURE_OUT_OF_RANGE)),
        change => Ok(change),
    }
}

fn read_time(field: &Field<WallTime>, fields: &Fields) -> Result<Change<WallTime>> {
    field.replacement(fields, text::FIELD_MISSING)
}

/// Reads the voltages of cells, separated by `;`.
///
/// # Errors
/// A value is no number, or out of range.
pub(crate) fn read_cells(field: &Field<String>, fields: &Fields) -> Result<Change<Vec<f64>>> {
    list(field, fields, 0.0..=MAX_CELL_VOLTS, text::CELL_VOLTAGE_TOO_HIGH)
}

/// Reads the resistances of cells in mΩ, separated by `;`.
///
/// # Errors
/// A value is no number, or out of range.
pub(crate) fn read_resistances(field: &Field<String>, fields: &Fields) -> Result<Change<Vec<f64>>> {
    let range = MIN_RESISTANCE..=MAX_RESISTANCE;
    list(field, fields, range, text::RESISTANCE_OUT_OF_RANGE)
}

/// Rejects a list whose length isn't the pack's number of cells.
///
/// # Errors
/// The list has the wrong length.
pub(crate) fn check_values(field: &Field<String>, change: &Change<Vec<f64>>, cells: Option<u8>) -> Result<()> {
    match (change, cells) {
        (Change::Set(values), Some(cells)) if !values.is_empty() && values.len() != usize::from(cells) => {
            Err(Error::Invalid {
                field: Some(field.declared().name),
                sentence: text::values_of_cells(cells),
            })
        }
        _ => Ok(()),
    }
}

/// Reads numbers separated by `;`, each with a decimal comma or point.
fn list(
    field: &Field<String>,
    fields: &Fields,
    range: std::ops::RangeInclusive<f64>,
    out_of_range: &'static str,
) -> Result<Change<Vec<f64>>> {
    let Change::Set(sent) = field.change(fields)? else {
        return Ok(Change::Keep);
    };
    let mut values = Vec::new();
    for value in sent.iter().flat_map(|sent| sent.split(';')) {
        let value = number::parse(value).ok_or_else(|| field.invalid(text::INVALID_INPUT))?;
        if !range.contains(&value) {
            return Err(field.invalid(out_of_range));
        }
        values.push(value);
    }
    match values.len() > usize::from(MAX_CELLS) {
        true => Err(field.invalid(text::CELLS_OUT_OF_RANGE)),
        false => Ok(Change::Set(values)),
    }
}

/// A reading of a battery.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct BatteryReading {
    pub dpf_id: String,
    pub battery: String,
    pub time: String,
    /// 0 at rest, 1 after a charge, 2 after a flight, 3 stored
    #[cfg_attr(feature = "schema", schema(maximum = 3))]
    pub kind: u8,
    /// V, as measured
    pub voltage: Option<f64>,
    /// V, for each cell; empty if unknown
    pub cell_voltages: Vec<f64>,
    /// mΩ, for each cell; empty if unknown
    pub resistances: Vec<f64>,
    /// °C
    pub temperature: Option<f64>,
    pub charger: String,
    pub swollen: bool,
    pub damaged: bool,
    pub info: String,
    /// Whether it comes from the file of a flight
    pub of_file: bool,
    /// Whether the pilot wrote it and may change it; only for an entry about an item of a space.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub mine: Option<bool>,
}

impl BatteryReading {
    /// Creates the wire form of a reading of this battery.
    #[must_use]
    pub fn new(battery: EquipmentId, reading: StoredReading) -> BatteryReading {
        BatteryReading {
            dpf_id: reading.id.to_string(),
            battery: battery.to_string(),
            time: reading.time.to_string(),
            kind: reading.kind.code(),
            voltage: reading.voltage,
            cell_voltages: reading.cell_voltages,
            resistances: reading.resistances,
            temperature: reading.temperature,
            charger: reading.charger,
            swollen: reading.swollen,
            damaged: reading.damaged,
            info: reading.info,
            of_file: reading.of_file,
            mine: None,
        }
    }
}
