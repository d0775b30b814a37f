//! Rules of chargings, and the types of their answers. No store, no web.

use serde::Serialize;

use super::details::{ChargerFigures, ChargingDetails, FigureChanges, Purpose};
use crate::equipment::model::{TimedVoltage, Use};
use crate::packs::state::PackState;
use crate::packs::voltages::{Moment, VoltageSample};
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::Field;
use fluglog_base::id::{ChargingId, EquipmentId, FlightId};
use fluglog_base::input::{Change, Fields};
use fluglog_base::secret::digest;
use fluglog_base::text;
use fluglog_base::time::{WallTime, Zone};

const START: Field<WallTime> = Field::time("chargeStartTime");
const END: Field<WallTime> = Field::time("chargeEndTime");
const FROM_VOLTAGE: Field<f64> = Field::number("fromVoltage");
const TO_VOLTAGE: Field<f64> = Field::number("toVoltage");
const FROM_CELL_VOLTAGE: Field<f64> = Field::number("fromCellVoltage");
const TO_CELL_VOLTAGE: Field<f64> = Field::number("toCellVoltage");
const CHARGED: Field<f64> = Field::number("charged");

/// Form fields.
pub(crate) const ENTRIES: &[Declared] = &[
    START.declared(),
    END.declared(),
    FROM_VOLTAGE.declared(),
    TO_VOLTAGE.declared(),
    FROM_CELL_VOLTAGE.declared(),
    TO_CELL_VOLTAGE.declared(),
    CHARGED.declared(),
];

/// Form of a charging. The form of an existing one keeps what isn't sent, and finishes an open charging, unless it
/// changes only the start.
#[derive(Debug, Clone, PartialEq)]
pub struct ChargingForm {
    start: Change<WallTime>,
    from_voltage: Change<Option<f64>>,
    from_cell_voltage: Change<Option<f64>>,
    end: Change<Option<WallTime>>,
    to_voltage: Change<Option<f64>>,
    to_cell_voltage: Change<Option<f64>>,
    charged: Change<Option<f64>>,
    figures: FigureChanges,
    zone: Option<Zone>,
}

impl ChargingForm {
    /// Reads the form of a charging, with the figures of the charger.
    ///
    /// # Errors
    /// The start was sent empty, or a value breaks its rule.
    pub fn read(fields: &Fields) -> Result<ChargingForm> {
        Ok(ChargingForm {
            figures: FigureChanges::read(fields)?,
            start: START.replacement(fields, text::CHARGING_START_MISSING)?,
            from_voltage: FROM_VOLTAGE.change(fields)?,
            from_cell_voltage: FROM_CELL_VOLTAGE.change(fields)?,
            end: END.change(fields)?,
            to_voltage: TO_VOLTAGE.change(fields)?,
            to_cell_voltage: TO_CELL_VOLTAGE.change(fields)?,
            charged: CHARGED.change(fields)?,
            zone: fields.zone(),
        })
    }

    /// Rejects lists whose length isn't the pack's number of cells.
    ///
    /// # Errors
    /// A list has the wrong length.
    pub(crate) fn check_cells(&self, cells: Option<u8>) -> Result<()> {
        self.figures.check_cells(cells)
    }

    /// Returns a charging after the form: a new one, or the one stored as `before`. Without any field of its end, a new
    /// one is open.
    ///
    /// # Errors
    /// The start or the voltage is missing, or the end is incomplete or before the start. What a quick action left open
    /// may stay open.
    pub fn charging(&self, id: ChargingId, before: Option<&StoredCharging>) -> Result<StoredCharging> {
        let old = |value: fn(&StoredCharging) -> Option<f64>| before.and_then(value);
        let start = self.start.set().or(before.map(|before| before.start));
        let charging = StoredCharging {
            id,
            start: start.ok_or_else(|| START.invalid(text::CHARGING_START_MISSING))?,
            end: self.end.or(before.and_then(|before| before.end)),
            from_voltage: self.from_voltage.or(old(|old| old.from_voltage)),
            to_voltage: self.to_voltage.or(old(|old| old.to_voltage)),
            from_cell_voltage: self.from_cell_voltage.or(old(|old| old.from_cell_voltage)),
            to_cell_voltage: self.to_cell_voltage.or(old(|old| old.to_cell_voltage)),
            charged: self.charged.or(old(|old| old.charged)),
            flight: None,
            figures: self
                .figures
                .applied_to(before.map(|before| before.figures.clone()).unwrap_or_default()),
        };
        let may_lack = |value: fn(&StoredCharging) -> Option<f64>| {
            before.is_some_and(|before| before.end.is_some() && value(before).is_none())
        };
        if charging.from_voltage.is_none() && !may_lack(|before| before.from_voltage) {
            return Err(FROM_VOLTAGE.invalid(text::CHARGING_FROM_MISSING));
        }
        let numbers = charging.to_voltage.or(charging.to_cell_voltage).or(charging.charged);
        let stays_open = match before {
            None => charging.end.is_none() && numbers.is_none(),
            Some(before) => before.end.is_none() && self.is_about_start(),
        };
        if !stays_open {
            self.check_end(&charging, may_lack)?;
        }
        Ok(charging)
    }

    /// Returns the charging of another Fluglog instance, which has ended.
    ///
    /// # Errors
    /// Like [`ChargingForm::charging`].
    pub(crate) fn finished(&self, id: ChargingId) -> Result<StoredCharging> {
        let start = self.start.set();
        let start = start.ok_or_else(|| START.invalid(text::CHARGING_START_MISSING))?;
        self.charging(id, Some(&StoredCharging::unmeasured(id, start)))
    }

    fn check_end(
        &self,
        charging: &StoredCharging,
        may_lack: impl Fn(fn(&StoredCharging) -> Option<f64>) -> bool,
    ) -> Result<()> {
        if charging.to_voltage.is_none() && !may_lack(|before| before.to_voltage) {
            return Err(TO_VOLTAGE.invalid(text::CHARGING_TO_MISSING));
        }
        let end = charging.end.ok_or_else(|| END.invalid(text::CHARGING_END_MISSING))?;
        if charging.charged.is_none() && !may_lack(|before| before.charged) {
            return Err(CHARGED.invalid(text::CHARGING_AMOUNT_MISSING));
        }
        let ends_before = match self.zone {
            Some(zone) => end.is_before(charging.start, zone),
            None => end < charging.start,
        };
        match ends_before {
            true => Err(END.invalid(text::CHARGING_ENDS_BEFORE_START)),
            false => Ok(()),
        }
    }

    fn is_about_start(&self) -> bool {
        let keeps_end =
            self.end == Change::Keep && [&self.to_voltage, &self.to_cell_voltage, &self.charged] == [&Change::Keep; 3];
        let keeps_start =
            self.start == Change::Keep && self.from_voltage == Change::Keep && self.from_cell_voltage == Change::Keep;
        keeps_end && !keeps_start
    }
}

/// A charging as stored, or as derived from a flight.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCharging {
    pub id: ChargingId,
    pub start: WallTime,
    /// `None` while the charging is open.
    pub end: Option<WallTime>,
    /// V
    pub from_voltage: Option<f64>,
    /// V
    pub to_voltage: Option<f64>,
    /// V
    pub from_cell_voltage: Option<f64>,
    /// V
    pub to_cell_voltage: Option<f64>,
    /// mAh
    pub charged: Option<f64>,
    /// Flight from which it is derived.
    pub flight: Option<FlightId>,
    /// Empty in [`ChargingTotals::open`].
    pub figures: ChargerFigures,
}

impl StoredCharging {
    /// Creates a charging of a moment, without any figure.
    #[must_use]
    pub(crate) fn unmeasured(id: ChargingId, time: WallTime) -> StoredCharging {
        StoredCharging {
            id,
            start: time,
            end: Some(time),
            from_voltage: None,
            to_voltage: None,
            from_cell_voltage: None,
            to_cell_voltage: None,
            charged: None,
            flight: None,
            figures: ChargerFigures::default(),
        }
    }

    /// Returns the history entry of a flight of a battery, if it is finished and has a voltage.
    #[must_use]
    pub fn of_flight(battery: EquipmentId, used: &Use) -> Option<StoredCharging> {
        let has_voltage = used.start_voltage.or(used.end_voltage).is_some();
        (has_voltage && !used.open).then(|| StoredCharging {
            id: id_of_flight(battery, used.flight),
            start: used.start,
            end: Some(used.landing()),
            from_voltage: used.start_voltage,
            to_voltage: used.end_voltage,
            from_cell_voltage: None,
            to_cell_voltage: None,
            charged: used.consumed,
            flight: Some(used.flight),
            figures: ChargerFigures::default(),
        })
    }

    /// Returns whether it raised the voltage, and so counts as a cycle of the battery. Without its voltages the purpose
    /// tells.
    #[must_use]
    pub(crate) fn is_charge(&self) -> bool {
        self.end.is_some()
            && match (self.from_voltage, self.to_voltage) {
                (Some(from), Some(to)) => from < to,
                _ => self.figures.purpose == Some(Purpose::Full),
            }
    }

    /// Returns whether it lowered the voltage.
    #[must_use]
    pub fn is_discharge(&self) -> bool {
        matches!((self.from_voltage, self.to_voltage), (Some(from), Some(to)) if from > to)
    }

    /// Returns the state after it, if its purpose tells that and its voltage doesn't.
    fn stated(&self) -> Option<StatedEnd> {
        let (time, purpose) = self.end.zip(self.figures.purpose)?;
        self.to_voltage.is_none().then_some(StatedEnd { time, purpose })
    }

    fn reading(&self) -> Option<TimedVoltage> {
        let (time, volts) = match self.end {
            Some(end) => (end, self.to_voltage),
            None => (self.start, self.from_voltage),
        };
        volts.map(|volts| TimedVoltage { time, volts })
    }
}

/// Returns the charging without the charger's figures.
fn without_figures(charging: &StoredCharging) -> StoredCharging {
    StoredCharging {
        figures: ChargerFigures::default(),
        ..charging.clone()
    }
}

/// Returns the id of the history entry of a flight for one of its batteries: stable and unique.
#[must_use]
pub(crate) fn id_of_flight(battery: EquipmentId, flight: FlightId) -> ChargingId {
    let mut bits = [0; 16];
    bits.copy_from_slice(&digest(&format!("{battery} {flight}"))[..16]);
    ChargingId::from_key(u128::from_be_bytes(bits))
}

/// End of a charging whose final voltage is unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StatedEnd {
    pub time: WallTime,
    pub purpose: Purpose,
}

/// Totals of a battery's recorded chargings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChargingTotals {
    /// Number of chargings that raised the voltage.
    pub count: u32,
    /// Latest end of a charging that raised the voltage.
    pub last_end: Option<WallTime>,
    /// End of the finished charging that ended last, whether or not it raised the voltage.
    pub last_finished: Option<TimedVoltage>,
    pub last_stated: Option<StatedEnd>,
    pub open: Option<StoredCharging>,
}

impl ChargingTotals {
    /// Computes the totals of all chargings.
    #[must_use]
    pub fn of(chargings: &[StoredCharging]) -> ChargingTotals {
        let charges = || chargings.iter().filter(|charging| charging.is_charge());
        let finished = chargings.iter().filter(|charging| charging.end.is_some());
        ChargingTotals {
            count: u32::try_from(charges().count()).unwrap_or(u32::MAX),
            last_end: charges().filter_map(|charging| charging.end).max(),
            last_finished: finished
                .filter_map(StoredCharging::reading)
                .max_by_key(|reading| reading.time),
            last_stated: chargings
                .iter()
                .filter_map(StoredCharging::stated)
                .max_by_key(|stated| stated.time),
            open: chargings
                .iter()
                .find(|charging| charging.end.is_none())
                .map(without_figures),
        }
    }

    /// Returns whether [`ChargingTotals::after`] is right for this change. Otherwise the totals must be computed from
    /// all chargings: when the one that ended last changes its end, or two end in the same minute.
    #[must_use]
    pub fn follow(&self, before: Option<&StoredCharging>, now: &StoredCharging) -> bool {
        let was_last = before.is_some_and(|before| {
            before.end.is_some()
                && (before.end >= self.last_end
                    || before.end >= self.last_finished.map(|reading| reading.time)
                    || before.stated().is_some())
        });
        let ended = now.reading().filter(|_| now.end.is_some());
        let is_as_late = ended
            .zip(self.last_finished)
            .is_some_and(|(ended, last)| ended.time == last.time)
            || now
                .stated()
                .zip(self.last_stated)
                .is_some_and(|(now, last)| now.time == last.time);
        let opens_another = now.end.is_none() && self.open.as_ref().is_some_and(|open| open.id != now.id);
        !was_last && !is_as_late && !opens_another
    }

    /// Returns the totals after a charging changed from `before` to `now`.
    #[must_use]
    pub fn after(&self, before: Option<&StoredCharging>, now: &StoredCharging) -> ChargingTotals {
        let ended = now.reading().filter(|_| now.end.is_some());
        let was_charge = before.is_some_and(StoredCharging::is_charge);
        ChargingTotals {
            count: self
                .count
                .saturating_sub(u32::from(was_charge))
                .saturating_add(u32::from(now.is_charge())),
            last_end: self.last_end.max(now.end.filter(|_| now.is_charge())),
            last_finished: match (ended, self.last_finished) {
                (Some(ended), Some(last)) if ended.time < last.time => Some(last),
                (Some(ended), _) => Some(ended),
                (None, last) => last,
            },
            last_stated: match (now.stated(), self.last_stated) {
                (Some(now), Some(last)) if now.time < last.time => Some(last),
                (Some(now), _) => Some(now),
                (None, last) => last,
            },
            open: match now.end {
                None => Some(without_figures(now)),
                Some(_) => self.open.clone().filter(|open| open.id != now.id),
            },
        }
    }

    /// Returns the state that the latest charging without a final voltage led to, and since when.
    pub(crate) fn stated_state(&self) -> Option<(WallTime, PackState)> {
        let StatedEnd { time, purpose } = self.last_stated?;
        let state = match purpose {
            Purpose::Full | Purpose::Balance => PackState::Full,
            Purpose::Storage => PackState::Storage,
            Purpose::Discharge => PackState::Empty,
        };
        Some((time, state))
    }

    /// Returns the voltages known from chargings.
    pub(crate) fn voltage_samples(&self) -> impl Iterator<Item = VoltageSample> {
        let began = self.open.as_ref().and_then(StoredCharging::reading);
        let charged = self
            .last_finished
            .map(|reading| VoltageSample::at(Moment::Charged, reading));
        charged
            .into_iter()
            .chain(began.map(|reading| VoltageSample::at(Moment::ChargingBegan, reading)))
    }
}

/// A charging.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Charging {
    pub dpf_id: String,
    pub battery: String,
    pub charge_start_time: String,
    pub charge_end_time: String,
    /// V
    pub from_voltage: Option<f64>,
    /// V
    pub to_voltage: Option<f64>,
    /// V
    pub from_cell_voltage: Option<f64>,
    /// V
    pub to_cell_voltage: Option<f64>,
    /// mAh
    pub charged: Option<f64>,
    pub flight: Option<String>,
    /// Figures shown by the charger
    pub details: Option<ChargingDetails>,
    /// Pilot of the flight; only for an item of a space. Others' flights have no `flight`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub pilot: Option<String>,
    /// Whether the pilot wrote it and may change it; only for an entry about an item of a space.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub mine: Option<bool>,
}

impl Charging {
    /// Creates the wire form of a charging of this battery.
    #[must_use]
    pub fn new(battery: EquipmentId, charging: StoredCharging) -> Charging {
        Charging {
            dpf_id: charging.id.to_string(),
            battery: battery.to_string(),
            charge_start_time: charging.start.to_string(),
            charge_end_time: charging.end.map(|end| end.to_string()).unwrap_or_default(),
            from_voltage: charging.from_voltage,
            to_voltage: charging.to_voltage,
            from_cell_voltage: charging.from_cell_voltage,
            to_cell_voltage: charging.to_cell_voltage,
            charged: charging.charged,
            flight: charging.flight.map(|flight| flight.to_string()),
            details: ChargingDetails::of(charging.figures),
            pilot: None,
            mine: None,
        }
    }
}

/// History of a battery's chargings.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Chargings {
    pub equipment_name: String,
    pub chargings: Vec<Charging>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use fluglog_base::error::Error;

    fn read(json: &str) -> Result<StoredCharging> {
        ChargingForm::read(&Fields::from_json(json).unwrap())?.charging(ChargingId::fresh(), None)
    }

    fn edit(edited: &StoredCharging, json: &str) -> Result<StoredCharging> {
        ChargingForm::read(&Fields::from_json(json).unwrap())?.charging(edited.id, Some(edited))
    }

    fn stored(json: &str) -> StoredCharging {
        read(json).unwrap()
    }

    const OPEN: &str = r#"{"chargeStartTime": "01.03.2026 10:00", "fromVoltage": "21,6"}"#;
    const FINISHED: &str = r#"{"chargeStartTime": "01.03.2026 08:00", "fromVoltage": 21.6,
        "chargeEndTime": "01.03.2026 09:00", "toVoltage": 25.2, "charged": 1100}"#;
    const DISCHARGED: &str = r#"{"chargeStartTime": "02.03.2026 08:00", "fromVoltage": 25.2,
        "chargeEndTime": "02.03.2026 09:00", "toVoltage": 23.1, "charged": 500}"#;

    #[test]
    fn a_charging_is_open_until_something_of_its_end_is_said() {
        assert_eq!(read(OPEN).unwrap().end, None);
        assert_eq!(read(FINISHED).unwrap().charged, Some(1100.0));
        let half = r#"{"chargeStartTime": "01.03.2026 10:00", "fromVoltage": 21.6, "charged": 5}"#;
        assert_eq!(read(half), Err(Error::invalid("toVoltage", text::CHARGING_TO_MISSING)));
        // Correcting the start alone leaves a charging open; any other change finishes it.
        let corrected = edit(&stored(OPEN), r#"{"fromVoltage": 21.8}"#).unwrap();
        assert_eq!((corrected.from_voltage, corrected.end), (Some(21.8), None));
        for incomplete in [
            "{}",
            r#"{"fromVoltage": 21.8, "toVoltage": ""}"#,
            r#"{"toVoltage": ""}"#,
        ] {
            assert_eq!(
                edit(&stored(OPEN), incomplete),
                Err(Error::invalid("toVoltage", text::CHARGING_TO_MISSING)),
                "{incomplete}"
            );
        }
    }

    #[test]
    fn an_end_may_be_the_start_but_not_before_it() {
        let ending = |end: &str| {
            read(&format!(
                r#"{{"chargeStartTime": "01.03.2026 10:00", "fromVoltage": 1,
                    "chargeEndTime": "{end}", "toVoltage": 2, "charged": 3}}"#
            ))
        };
        assert!(ending("01.03.2026 10:00").is_ok());
        assert_eq!(
            ending("01.03.2026 09:59"),
            Err(Error::invalid("chargeEndTime", text::CHARGING_ENDS_BEFORE_START))
        );
    }

    #[test]
    fn only_what_raised_the_voltage_counts_as_a_charge() {
        let totals = ChargingTotals::of(&[stored(FINISHED), stored(DISCHARGED), stored(OPEN)]);
        assert_eq!(totals.count, 1);
        assert_eq!(totals.last_end.unwrap().to_string(), "01.03.2026 09:00");
        assert_eq!(totals.last_finished.unwrap().volts, 23.1);
        assert!(totals.open.is_some());
    }

    /// Generates chargings with few ids, so that some are changed: the id, the minute of the start, and for finished
    /// ones the duration in minutes and a voltage, or instead of 0 the purpose.
    fn written() -> impl Strategy<Value = (u128, i64, Option<(i64, u8)>)> {
        (
            0..6_u128,
            0..20_i64,
            proptest::option::weighted(0.8, (0..10_i64, 0..4_u8)),
        )
    }

    proptest! {
        #[test]
        fn totals_that_each_write_changes_are_those_of_all_chargings(
            writes in proptest::collection::vec(written(), 1..40),
        ) {
            let mut chargings = BTreeMap::new();
            let mut totals = ChargingTotals::default();
            for (id, start, ended) in writes {
                let is_open = |charging: &StoredCharging| charging.end.is_none() && charging.id.key() != id;
                // At most one charging is open, and a finished one never opens again.
                let before: Option<StoredCharging> = chargings.get(&id).cloned();
                let reopens = before.as_ref().is_some_and(|before| before.end.is_some());
                if ended.is_none() && (reopens || chargings.values().any(is_open)) {
                    continue;
                }
                let time = |minute| WallTime::from_minutes(minute).unwrap();
                let now = StoredCharging {
                    id: ChargingId::from_key(id),
                    start: time(start),
                    end: ended.map(|(minutes, _)| time(start + minutes)),
                    from_voltage: Some(15.0),
                    to_voltage: ended.filter(|(_, volts)| *volts > 0).map(|(_, volts)| 14.0 + f64::from(volts)),
                    from_cell_voltage: None,
                    to_cell_voltage: None,
                    charged: ended.map(|_| 900.0),
                    flight: None,
                    figures: ChargerFigures {
                        purpose: ended.map(|(minutes, _)| [Purpose::Full, Purpose::Storage][usize::from(minutes > 4)]),
                        ..ChargerFigures::default()
                    },
                };
                chargings.insert(id, now.clone());
                let all: Vec<_> = chargings.values().cloned().collect();
                totals = match totals.follow(before.as_ref(), &now) {
                    true => totals.after(before.as_ref(), &now),
                    false => ChargingTotals::of(&all),
                };
                prop_assert_eq!(&totals, &ChargingTotals::of(&all));
            }
        }
    }

    #[test]
    fn the_next_charging_costs_no_look_at_those_before() {
        let first = stored(FINISHED);
        let totals = ChargingTotals::of(std::slice::from_ref(&first));
        let open = stored(OPEN);
        assert!(totals.follow(None, &open), "a new one");
        let with_open = totals.after(None, &open);
        let ended = edit(
            &open,
            r#"{"chargeEndTime": "01.03.2026 11:00", "toVoltage": 25.2, "charged": 900}"#,
        )
        .unwrap();
        assert!(with_open.follow(Some(&open), &ended), "the end of the open one");
        let after = with_open.after(Some(&open), &ended);
        assert_eq!(after, ChargingTotals::of(&[first, ended]));
    }

    #[test]
    fn the_entry_of_a_flight_has_its_own_lasting_id() {
        let [one, other] = [EquipmentId::fresh(), EquipmentId::fresh()];
        let flight = FlightId::fresh();
        assert_eq!(id_of_flight(one, flight), id_of_flight(one, flight));
        assert_ne!(id_of_flight(one, flight), id_of_flight(other, flight));
    }
}
