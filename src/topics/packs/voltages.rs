//! Voltages that a pack has shown, collected from flights, chargings and readings. The last and the highest voltage,
//! the one that tells its state, and the start of that state follow from them. Knows no record.

use super::state::{Measured, PackState};
use crate::equipment::model::TimedVoltage;
use fluglog_base::time::WallTime;

/// What the pack was doing when a voltage was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    TookOff,
    Landed,
    ChargingBegan,
    Charged,
    /// Long after a flight or charging.
    Rested,
}

/// A voltage in V, and when it was read; `time` is `None` when only the order is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoltageSample {
    pub moment: Moment,
    pub time: Option<WallTime>,
    pub volts: f64,
}

impl VoltageSample {
    #[must_use]
    pub fn at(moment: Moment, reading: TimedVoltage) -> VoltageSample {
        VoltageSample {
            moment,
            time: Some(reading.time),
            volts: reading.volts,
        }
    }
}

/// Known voltages of one pack.
#[derive(Debug, Clone, Default)]
pub struct Voltages {
    seen: Vec<VoltageSample>,
    flown: Option<WallTime>,
    /// State after a charging without a final voltage.
    stated: Option<(WallTime, PackState)>,
}

impl Voltages {
    /// Creates the voltages of a pack whose latest flight began at `flown`. Of two voltages in the same minute the
    /// later one in the list counts.
    #[must_use]
    pub fn new(flown: Option<WallTime>, seen: impl Iterator<Item = VoltageSample>) -> Voltages {
        Voltages {
            seen: seen.collect(),
            flown,
            stated: None,
        }
    }

    /// Adds the state that the pilot stated last.
    #[must_use]
    pub(crate) fn with_stated(self, stated: Option<(WallTime, PackState)>) -> Voltages {
        Voltages { stated, ..self }
    }

    /// Returns the latest voltage, in V.
    #[must_use]
    pub fn last(&self) -> Option<f64> {
        self.latest(|_| true).map(|seen| seen.volts)
    }

    /// Returns the highest voltage, in V.
    #[must_use]
    pub fn highest(&self) -> Option<f64> {
        self.seen.iter().map(|seen| seen.volts).max_by(f64::total_cmp)
    }

    /// Returns the latest voltage that tells the state of the pack: not one at the start of a flight or charging, and
    /// none from before the latest flight.
    #[must_use]
    pub(crate) fn state_voltage(&self) -> Option<Measured> {
        self.state_voltages().last().map(|(_, measured)| *measured)
    }

    /// Returns since when the voltages have shown the current state. A flight starts over.
    #[must_use]
    pub fn since<State: PartialEq>(&self, state: impl Fn(Measured) -> State) -> Option<WallTime> {
        let telling = self.state_voltages();
        let now = state(telling.last()?.1);
        let same = telling.iter().rev().take_while(|(_, measured)| state(*measured) == now);
        same.last().map(|(time, _)| *time)
    }

    /// Returns the voltages that tell the state, oldest first.
    fn state_voltages(&self) -> Vec<(WallTime, Measured)> {
        let tells = |seen: &VoltageSample| {
            let measured = match seen.moment {
                Moment::Landed => Measured::Landed(seen.volts),
                Moment::Charged | Moment::Rested => Measured::AtRest(seen.volts),
                Moment::TookOff | Moment::ChargingBegan => return None,
            };
            let time = seen.time?;
            let is_since = match measured {
                Measured::Landed(_) => self.flown <= Some(time),
                Measured::AtRest(_) | Measured::Stated(_) => self.is_after_flight(time),
            };
            is_since.then_some((time, measured))
        };
        let stated = self.stated.filter(|(time, _)| self.is_after_flight(*time));
        let stated = stated.map(|(time, state)| (time, Measured::Stated(state)));
        let mut telling: Vec<_> = self.seen.iter().filter_map(tells).chain(stated).collect();
        telling.sort_by_key(|(time, _)| *time);
        telling
    }

    fn is_after_flight(&self, time: WallTime) -> bool {
        self.flown.is_none_or(|flown| flown < time)
    }

    fn latest(&self, counts: impl Fn(&VoltageSample) -> bool) -> Option<&VoltageSample> {
        let timed = self.seen.iter().filter(|seen| seen.time.is_some() && counts(seen));
        timed.max_by_key(|seen| seen.time)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Creates voltages from (moment, minute, volts).
    fn of(flown: Option<i64>, seen: &[(Moment, i64, f64)]) -> Voltages {
        let time = |minute| WallTime::from_minutes(minute).unwrap();
        let seen = seen.iter().map(|(moment, minute, volts)| {
            VoltageSample::at(
                *moment,
                TimedVoltage {
                    time: time(*minute),
                    volts: *volts,
                },
            )
        });
        Voltages::new(flown.map(time), seen)
    }

    #[test]
    fn a_pack_without_readings_has_no_voltage() {
        let none = of(Some(5), &[]);
        assert_eq!((none.last(), none.highest(), none.state_voltage()), (None, None, None));
    }

    #[test]
    fn the_last_voltage_is_that_of_the_latest_reading_whoever_read_it() {
        let flown = of(
            Some(10),
            &[
                (Moment::Landed, 16, 14.6),
                (Moment::Charged, 9, 16.8),
                (Moment::ChargingBegan, 20, 14.9),
            ],
        );
        assert_eq!((flown.last(), flown.highest()), (Some(14.9), Some(16.8)));
        // While the pack is charging its state isn't taken from a voltage.
        assert_eq!(flown.state_voltage(), Some(Measured::Landed(14.6)));
    }

    #[test]
    fn voltages_at_and_before_the_start_of_a_flight_give_no_state() {
        let started = [(Moment::TookOff, 10, 16.7), (Moment::Charged, 9, 16.8)];
        assert_eq!(of(Some(10), &started).state_voltage(), None);
        assert_eq!(of(None, &started).state_voltage(), Some(Measured::AtRest(16.8)));
        // A charging that ended in the minute of the start was before the flight.
        assert_eq!(of(Some(9), &started).state_voltage(), None);
        assert_eq!(of(Some(10), &[(Moment::Landed, 9, 14.4)]).state_voltage(), None);
        assert_eq!(
            of(Some(10), &[(Moment::Landed, 10, 14.4)]).state_voltage(),
            Some(Measured::Landed(14.4))
        );
    }

    #[test]
    fn a_charge_of_the_minute_of_the_landing_counts() {
        let both = of(Some(10), &[(Moment::Landed, 16, 14.6), (Moment::Charged, 16, 16.8)]);
        assert_eq!(
            (both.last(), both.state_voltage()),
            (Some(16.8), Some(Measured::AtRest(16.8)))
        );
    }

    #[test]
    fn a_state_lasts_since_the_first_voltage_that_tells_it_and_a_flight_ends_it() {
        use Moment::{Charged, Landed, Rested};
        let is_full = |measured| matches!(measured, Measured::AtRest(volts) if volts >= 24.6);
        for (flown, seen, since) in [
            (None, &[][..], None),
            (None, &[(Charged, 9, 25.2)], Some(9)),
            // Read twice, in any order of the list.
            (
                None,
                &[(Rested, 30, 25.0), (Charged, 9, 25.2), (Rested, 20, 25.1)],
                Some(9),
            ),
            (
                None,
                &[(Charged, 5, 22.9), (Charged, 9, 25.2), (Rested, 30, 25.1)],
                Some(9),
            ),
            (
                None,
                &[(Charged, 5, 25.2), (Rested, 9, 22.9), (Rested, 30, 22.8)],
                Some(9),
            ),
            // Voltages from before the flight don't count.
            (Some(10), &[(Charged, 9, 25.2), (Charged, 20, 25.2)], Some(20)),
            (Some(10), &[(Landed, 15, 21.6), (Charged, 9, 25.2)], Some(15)),
            (Some(10), &[(Landed, 15, 21.6), (Rested, 60, 22.0)], Some(15)),
            (Some(10), &[(Landed, 15, 21.6), (Rested, 60, 24.7)], Some(60)),
            (Some(10), &[(Charged, 9, 25.2)], None),
        ] {
            let since = since.map(|minute| WallTime::from_minutes(minute).unwrap());
            assert_eq!(of(flown, seen).since(is_full), since, "{seen:?}");
        }
    }

    proptest! {
        #[test]
        fn a_state_never_began_before_the_latest_flight_nor_after_its_last_voltage(
            flown in proptest::option::of(0..50_i64),
            seen in proptest::collection::vec((0..5_usize, 0..60_i64, 3.0..4.3_f64), 0..12),
        ) {
            let moments = [
                Moment::TookOff, Moment::Landed, Moment::ChargingBegan, Moment::Charged, Moment::Rested,
            ];
            let named = |(moment, minute, volts)| (moments[moment], minute, volts);
            let seen: Vec<_> = seen.into_iter().map(named).collect();
            let voltages = of(flown, &seen);
            let since = voltages.since(|measured| matches!(measured, Measured::AtRest(volts) if volts > 3.8));
            prop_assert_eq!(since.is_some(), voltages.state_voltage().is_some());
            if let Some(since) = since {
                prop_assert!(flown.is_none_or(|flown| flown <= since.minutes()));
                prop_assert!(seen.iter().any(|(_, minute, _)| *minute >= since.minutes()));
            }
        }
    }
}
