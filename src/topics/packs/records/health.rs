//! Health of a pack: values derived from its chargings, readings and flights and stored beside them, so that a list of
//! packs with their hints needn't read those. Pure: [`Health::of`] computes everything, [`Health::with`] and
//! [`Health::with_flight`] update it incrementally.

pub(crate) mod table;

use super::charging::model::StoredCharging;
use super::readings::condition::PackCondition;
use super::readings::model::{ReadingKind, StoredReading};
use crate::equipment::model::{Discharge, TimedVoltage};
use crate::packs::aging::{Aging, Charge};
use crate::packs::voltages::{Moment, VoltageSample};
use fluglog_base::coded;
use fluglog_base::time::WallTime;

/// Most voltages that are kept to tell how long a state has lasted. Only a pilot who measures all day takes more
/// between two flights.
const MAX_RECENT: usize = 16;

/// Values derived from a pack's records.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Health {
    /// Latest voltages except those of flights, oldest first.
    pub recent: Vec<VoltageAt>,
    pub condition: PackCondition,
    pub aging: Aging,
}

/// All records of a pack: readings oldest first, the others in any order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Records<'r> {
    pub chargings: &'r [StoredCharging],
    pub readings: &'r [StoredReading],
    pub flights: &'r [Discharge],
}

/// A voltage from the end of a charging, or from a reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoltageAt {
    pub reading: TimedVoltage,
    pub by: RecordKind,
}

coded! {
    /// Kind of record that a voltage comes from. The numbers are on disk.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RecordKind {
        Charging = 0,
        Reading = 1,
        ReadingAfterFlight = 2,
    }
}

impl RecordKind {
    const fn moment(self) -> Moment {
        match self {
            RecordKind::Charging => Moment::Charged,
            RecordKind::Reading => Moment::Rested,
            RecordKind::ReadingAfterFlight => Moment::Landed,
        }
    }
}

impl Health {
    /// Computes the health of a pack from all records.
    #[must_use]
    pub fn of(records: Records<'_>) -> Health {
        let charged = records.chargings.iter().filter_map(voltage_at);
        let mut recent: Vec<_> = charged.chain(records.readings.iter().filter_map(read)).collect();
        recent.sort_by(order);
        recent.drain(..recent.len().saturating_sub(MAX_RECENT));
        let charges: Vec<_> = records.chargings.iter().filter_map(charge).collect();
        Health {
            recent,
            condition: PackCondition::of(records.readings),
            aging: Aging::of(&charges, records.flights),
        }
    }

    /// Adds a charging, before which the pack last landed at `landed`. `None` when the health must be computed from all
    /// records.
    #[must_use]
    pub fn with(mut self, charging: &StoredCharging, landed: Option<WallTime>) -> Option<Health> {
        if let Some(charge) = charge(charging) {
            self.aging = self.aging.with(&charge, landed)?;
        }
        if let Some(voltage_at) = voltage_at(charging) {
            let place = self.recent.partition_point(|other| order(other, &voltage_at).is_le());
            self.recent.insert(place, voltage_at);
            let too_many = self.recent.len().saturating_sub(MAX_RECENT);
            self.recent.drain(..too_many);
        }
        Some(self)
    }

    /// Like [`Aging::with_flight`].
    #[must_use]
    pub fn with_flight(self, start: WallTime, before: Option<f64>, now: Option<f64>) -> Option<Health> {
        let aging = self.aging.with_flight(start, before, now)?;
        Some(Health { aging, ..self })
    }

    /// Returns the voltages known from these records.
    pub(crate) fn voltage_samples(&self) -> impl Iterator<Item = VoltageSample> {
        self.recent
            .iter()
            .map(|voltage_at| VoltageSample::at(voltage_at.by.moment(), voltage_at.reading))
    }
}

/// Returns a charging that is finished and raised the voltage.
#[must_use]
pub fn charge(charging: &StoredCharging) -> Option<Charge> {
    Some(Charge {
        start: charging.start,
        end: charging.end.filter(|_| charging.is_charge())?,
        from: charging.from_voltage.unwrap_or_default(),
        to: charging.to_voltage.unwrap_or_default(),
        charged: charging.charged,
        measured: charging.figures.measured,
    })
}

fn voltage_at(charging: &StoredCharging) -> Option<VoltageAt> {
    let (time, volts) = charging.end.zip(charging.to_voltage)?;
    Some(VoltageAt {
        reading: TimedVoltage { time, volts },
        by: RecordKind::Charging,
    })
}

fn read(reading: &StoredReading) -> Option<VoltageAt> {
    let (time, volts) = (reading.time, reading.volts()?);
    Some(VoltageAt {
        reading: TimedVoltage { time, volts },
        by: match reading.kind {
            ReadingKind::Landed => RecordKind::ReadingAfterFlight,
            ReadingKind::Rest | ReadingKind::Charged | ReadingKind::Stored => RecordKind::Reading,
        },
    })
}

/// Sorts by time; within a minute the higher voltage comes last, since it is the charger's.
fn order(one: &VoltageAt, other: &VoltageAt) -> std::cmp::Ordering {
    let time = one.reading.time.cmp(&other.reading.time);
    let volts = one.reading.volts.total_cmp(&other.reading.volts);
    time.then(volts).then(one.by.code().cmp(&other.by.code()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::packs::records::charging::details::ChargerFigures;
    use fluglog_base::id::{ChargingId, ReadingId};

    fn time(minute: i64) -> WallTime {
        WallTime::from_minutes(minute).unwrap()
    }

    fn charging(id: u128, minute: i64, volts: Option<f64>, charged: Option<f64>) -> StoredCharging {
        StoredCharging {
            id: ChargingId::from_key(id),
            start: time(minute - 5),
            end: volts.map(|_| time(minute)),
            from_voltage: Some(15.0),
            to_voltage: volts,
            from_cell_voltage: None,
            to_cell_voltage: None,
            charged,
            flight: None,
            figures: ChargerFigures::default(),
        }
    }

    fn reading(id: u128, minute: i64, volts: f64) -> StoredReading {
        StoredReading {
            voltage: Some(volts),
            ..StoredReading::new(ReadingId::from_key(id), time(minute))
        }
    }

    fn flight(minute: i64, consumed: Option<f64>) -> Discharge {
        Discharge {
            start: time(minute),
            landing: time(minute + 3),
            consumed,
            is_shared: false,
        }
    }

    #[test]
    fn only_the_latest_voltages_are_kept() {
        let chargings: Vec<_> = (0..40).map(|at| charging(1, 100 + at, Some(16.0), None)).collect();
        let health = Health::of(Records {
            chargings: &chargings,
            readings: &[reading(1, 139, 16.7)],
            flights: &[],
        });
        let minutes: Vec<_> = health
            .recent
            .iter()
            .map(|voltage_at| voltage_at.reading.time.minutes())
            .collect();
        assert_eq!((minutes.len(), minutes[0], minutes[15]), (16, 125, 139));
        assert_eq!(health.recent[15].by, RecordKind::Reading);
    }

    /// Returns the landing of the flight that began last before a charging.
    fn landed(flights: &[Discharge], charging: &StoredCharging) -> Option<WallTime> {
        let before = flights.iter().filter(|flight| flight.start < charging.start);
        before
            .max_by_key(|flight| (flight.start, flight.landing))
            .map(|flight| flight.landing)
    }

    #[test]
    fn the_next_charging_and_the_next_flight_cost_no_look_at_those_before() {
        let chargings: Vec<_> = (0..40).map(|at| charging(1, 100 + at, Some(16.0), Some(9.0))).collect();
        let health = Health::of(Records {
            chargings: &chargings,
            ..Records::default()
        });
        let flown = health
            .with_flight(time(150), None, Some(700.0))
            .expect("after all chargings");
        let charged = flown.with(&charging(2, 200, Some(16.8), Some(700.0)), Some(time(153)));
        assert_eq!(charged.expect("the latest one").aging.charged, 40 * 9_000 + 700_000);
    }

    proptest! {
        #[test]
        fn health_after_each_step_equals_health_computed_from_all_records(
            steps in proptest::collection::vec((any::<bool>(), 10..300_i64, proptest::option::of(14.0..17.0_f64),
                proptest::option::of(0.0..900.0_f64)), 0..60),
            read in proptest::collection::vec((10..60_i64, 14.0..17.0_f64), 0..10),
        ) {
            let mut readings: Vec<_> = read.iter().map(|(minute, volts)| reading(1, *minute, *volts)).collect();
            readings.sort_by_key(|reading| reading.time);
            let (mut chargings, mut flights) = (Vec::new(), Vec::<Discharge>::new());
            let anew = |chargings: &[StoredCharging], flights: &[Discharge]| Health::of(
                Records { chargings, readings: &readings, flights });
            let mut health = anew(&[], &[]);
            for (is_flight, minute, volts, amount) in steps {
                let quick = if is_flight {
                    // Some steps change an existing flight.
                    let there = flights.iter().position(|flight| flight.start == time(minute / 2));
                    let before = there.map(|at| flights.swap_remove(at));
                    flights.push(flight(minute / 2, amount));
                    health.with_flight(time(minute / 2), before.and_then(|before| before.consumed), amount)
                } else {
                    let new = charging(chargings.len() as u128, minute, volts, amount);
                    let landed = landed(&flights, &new);
                    chargings.push(new.clone());
                    health.with(&new, landed)
                };
                let whole = anew(&chargings, &flights);
                if let Some(quick) = quick {
                    prop_assert_eq!(&quick, &whole);
                }
                health = whole;
            }
        }
    }
}
