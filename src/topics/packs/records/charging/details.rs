//! Figures that a charger shows for a charging, beyond the required entries. No store, no web.

use serde::Serialize;

use crate::packs::records::readings::model::{MAX_LIST_CHARACTERS, check_values, read_cells, read_resistances};
use fluglog_base::coded;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, changes};
use fluglog_base::text;

const PURPOSE: Field<Purpose> = Field::integer("purpose", 0..=3, text::INVALID_INPUT);
const END_CELLS: Field<String> = Field::line("endCellVoltages", MAX_LIST_CHARACTERS);
const RESISTANCES: Field<String> = Field::line("resistances", MAX_LIST_CHARACTERS);
const CURRENT: Field<f64> = Field::number("current");
const CHARGER: Field<String> = Field::line("charger", MAX_TEXT_CHARACTERS);
const MEASURED: Field<f64> = Field::number("measuredCapacity");

/// Form fields.
pub(crate) const DETAILS: &[Declared] = &[
    PURPOSE.declared(),
    END_CELLS.declared(),
    RESISTANCES.declared(),
    CURRENT.declared(),
    CHARGER.declared(),
    MEASURED.declared(),
];

coded! {
    /// Program of the charger. The numbers are on disk and on the wire.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Purpose {
        Full = 0,
        Storage = 1,
        Discharge = 2,
        Balance = 3,
    }
}

/// Figures of a charger; all empty by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChargerFigures {
    pub purpose: Option<Purpose>,
    /// V, for each cell at the end; empty if unknown
    pub end_cells: Vec<f64>,
    /// mΩ, for each cell; empty if unknown
    pub resistances: Vec<f64>,
    /// A
    pub current: Option<f64>,
    pub charger: String,
    /// Measured capacity of the whole pack, mAh
    pub measured: Option<f64>,
}

changes! {
    /// Changes of the figures by a form.
    FigureChanges of ChargerFigures {
        purpose: Option<Purpose> = PURPOSE by Field::change,
        end_cells: Vec<f64> = END_CELLS by read_cells,
        resistances: Vec<f64> = RESISTANCES by read_resistances,
        current: Option<f64> = CURRENT by Field::change,
        charger: String = CHARGER by Field::change_or_default,
        measured: Option<f64> = MEASURED by Field::change,
    }
}

impl FigureChanges {
    /// Rejects lists whose length isn't the pack's number of cells.
    ///
    /// # Errors
    /// A list has the wrong length.
    pub(crate) fn check_cells(&self, cells: Option<u8>) -> Result<()> {
        check_values(&END_CELLS, &self.end_cells, cells)?;
        check_values(&RESISTANCES, &self.resistances, cells)
    }

    /// Returns the figures after the changes.
    #[must_use]
    pub(crate) fn applied_to(&self, mut before: ChargerFigures) -> ChargerFigures {
        self.apply(&mut before);
        // A measured capacity of 0 counts as none.
        before.measured = before.measured.filter(|measured| *measured > 0.0);
        before
    }
}

/// Figures of a charger for one charging.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ChargingDetails {
    /// 0 full, 1 storage voltage, 2 discharged, 3 balanced
    #[cfg_attr(feature = "schema", schema(maximum = 3))]
    pub purpose: Option<u8>,
    /// V, for each cell at the end; empty if unknown
    pub end_cell_voltages: Vec<f64>,
    /// mΩ, for each cell; empty if unknown
    pub resistances: Vec<f64>,
    /// A
    pub current: Option<f64>,
    pub charger: String,
    /// Measured capacity of the whole pack, mAh
    pub measured_capacity: Option<f64>,
}

impl ChargingDetails {
    /// Converts figures for the wire; `None` when all are empty.
    #[must_use]
    pub fn of(figures: ChargerFigures) -> Option<ChargingDetails> {
        (figures != ChargerFigures::default()).then(|| ChargingDetails {
            purpose: figures.purpose.map(Purpose::code),
            end_cell_voltages: figures.end_cells,
            resistances: figures.resistances,
            current: figures.current,
            charger: figures.charger,
            measured_capacity: figures.measured,
        })
    }
}
