//! A battery's chemistry, cells and connector, and the number of an item of any kind: one record, edited apart from the
//! item's details. A field of all kinds belongs in `model.rs`. No store, no web.

use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};

use fluglog_base::coded;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, changes};
use fluglog_base::input::{Change, Fields};
use fluglog_base::text;

/// Most cells in series.
pub const MAX_CELLS: u8 = 14;

/// Greatest voltage of a cell, V.
pub(crate) const MAX_CELL_VOLTS: f64 = 5.0;

/// Valid numbers of items.
pub const NUMBERS: RangeInclusive<u16> = 1..=999;

pub const NUMBER: Field<u16> = Field::integer("number", 1..=999, text::NUMBER_OUT_OF_RANGE);
const CHEMISTRY: Field<Chemistry> = Field::integer("chemistry", 0..=4, text::CHEMISTRY_UNKNOWN);
const CELLS: Field<u8> = Field::integer("cells", 1..=MAX_CELLS as u32, text::CELLS_OUT_OF_RANGE);
const PARALLEL: Field<u8> = Field::integer("parallel", 1..=8, text::PARALLEL_OUT_OF_RANGE);
const C_RATE: Field<f64> = Field::number("cRate");
const CONNECTOR: Field<String> = Field::line("connector", MAX_TEXT_CHARACTERS);
const SERIAL: Field<String> = Field::line("serial", MAX_TEXT_CHARACTERS);
const FULL_VOLTAGE: Field<f64> = Field::number("fullVoltage");
const STORAGE_VOLTAGE: Field<f64> = Field::number("storageVoltage");
const FULL_DAYS_SET: Field<u8> = Field::integer("fullDays", 0..=99, text::FULL_DAYS_OUT_OF_RANGE);

const MEMBERS: &[Declared] = &[
    CHEMISTRY.declared(),
    CELLS.declared(),
    PARALLEL.declared(),
    C_RATE.declared(),
    CONNECTOR.declared(),
    SERIAL.declared(),
    FULL_VOLTAGE.declared(),
    STORAGE_VOLTAGE.declared(),
    FULL_DAYS_SET.declared(),
];

/// Battery profile, as a JSON object.
pub const PROFILE: Field<Fields> = Field::object("profile", MEMBERS);

coded! {
    /// Chemistry of a pack. On the wire it is its code.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export, repr(enum)))]
    pub enum Chemistry {
        /// LiPo
        Polymer = 0,
        /// LiHV
        HighVoltage = 1,
        /// Li-Ion
        Ion = 2,
        /// With electronics that manage storage and balance, such as DJI's.
        Smart = 3,
        Other = 4,
    }
}

impl Serialize for Chemistry {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.code())
    }
}

/// Battery profile of a pack. Each value is unknown until the pilot states it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename = "BatteryProfile"),
    schema(as = BatteryProfile)
)]
pub struct Profile {
    /// Number on the sticker, unique among the owner's items; sent with the item instead.
    #[serde(skip)]
    pub number: Option<u16>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>, maximum = 4))]
    pub chemistry: Option<Chemistry>,
    /// In series
    pub cells: Option<u8>,
    pub parallel: Option<u8>,
    pub c_rate: Option<f64>,
    pub connector: String,
    pub serial: String,
    /// V, of a full cell
    pub full_voltage: Option<f64>,
    /// V, of a cell in storage
    pub storage_voltage: Option<f64>,
    /// Days that it may stay full; 0 for no limit
    pub full_days: Option<u8>,
}

changes! {
    /// Changes of a profile by a form: the members of `profile`, and the number.
    ProfileChanges of Profile {
        number: Option<u16> = NUMBER by not_a_member,
        chemistry: Option<Chemistry> = CHEMISTRY by Field::change,
        cells: Option<u8> = CELLS by Field::change,
        parallel: Option<u8> = PARALLEL by Field::change,
        c_rate: Option<f64> = C_RATE by Field::change,
        connector: String = CONNECTOR by Field::change_or_default,
        serial: String = SERIAL by Field::change_or_default,
        full_voltage: Option<f64> = FULL_VOLTAGE by cell_voltage,
        storage_voltage: Option<f64> = STORAGE_VOLTAGE by cell_voltage,
        full_days: Option<u8> = FULL_DAYS_SET by Field::change,
    }
}

/// The number is a field of the item's form.
fn not_a_member(_: &Field<u16>, _: &Fields) -> Result<Change<Option<u16>>> {
    Ok(Change::Keep)
}

impl ProfileChanges {
    /// Reads the fields of an item's form beyond its details: the number and, for a pack, `profile`.
    ///
    /// # Errors
    /// A value breaks its rule.
    pub fn of_form(is_pack: bool, form: &Fields) -> Result<ProfileChanges> {
        let members = if is_pack { PROFILE.read(form)? } else { None };
        Ok(ProfileChanges {
            number: NUMBER.change(form)?,
            ..members.map_or_else(
                || Ok(ProfileChanges::default()),
                |members| ProfileChanges::read(&members),
            )?
        })
    }
}

fn cell_voltage(field: &Field<f64>, members: &Fields) -> Result<Change<Option<f64>>> {
    match field.change(members)? {
        Change::Set(Some(volts)) if volts > MAX_CELL_VOLTS => Err(field.invalid(text::CELL_VOLTAGE_TOO_HIGH)),
        change => Ok(change),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<ProfileChanges> {
        ProfileChanges::read(&Fields::from_json(json).unwrap())
    }

    #[test]
    fn what_is_not_sent_stays_and_what_is_empty_is_cleared() {
        let mut profile = Profile::default();
        let all = r#"{"chemistry": 1, "cells": "6", "parallel": 2, "cRate": "95", "connector": "XT60", "serial": "A1",
            "fullVoltage": "4,35", "storageVoltage": 3.85, "fullDays": 5}"#;
        read(all).unwrap().apply(&mut profile);
        assert_eq!(
            (profile.chemistry, profile.cells),
            (Some(Chemistry::HighVoltage), Some(6))
        );
        assert_eq!((profile.full_voltage, profile.full_days), (Some(4.35), Some(5)));
        read(r#"{"cells": "", "connector": null, "fullDays": 0}"#)
            .unwrap()
            .apply(&mut profile);
        assert_eq!((profile.cells, profile.connector.as_str()), (None, ""));
        assert_eq!((profile.full_days, profile.serial.as_str()), (Some(0), "A1"));
    }

    #[test]
    fn a_value_out_of_its_range_is_refused_with_its_sentence() {
        for (json, sentence) in [
            (r#"{"cells": 0}"#, text::CELLS_OUT_OF_RANGE),
            (r#"{"cells": 15}"#, text::CELLS_OUT_OF_RANGE),
            (r#"{"cells": "4,5"}"#, text::CELLS_OUT_OF_RANGE),
            (r#"{"parallel": 9}"#, text::PARALLEL_OUT_OF_RANGE),
            (r#"{"chemistry": 5}"#, text::CHEMISTRY_UNKNOWN),
            (r#"{"fullVoltage": "5,01"}"#, text::CELL_VOLTAGE_TOO_HIGH),
            (r#"{"fullDays": 100}"#, text::FULL_DAYS_OUT_OF_RANGE),
        ] {
            let refused = read(json).unwrap_err();
            assert!(format!("{refused:?}").contains(sentence), "{json}: {refused:?}");
        }
    }
}
