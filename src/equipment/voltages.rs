//! The voltages that a pack was seen with. Flights and chargings feed one list; its last voltage, its highest and the
//! one that tells its state follow from it. Knows no record.

use super::pack::Measured;
use crate::base::time::WallTime;

/// A voltage and when it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    pub time: WallTime,
    pub volts: f64,
}

/// What the pack did when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    TookOff,
    Landed,
    ChargingBegan,
    Charged,
}

/// A voltage in V, and what it was read at. The time is that of the reading, `None` when only the order is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    pub moment: Moment,
    pub time: Option<WallTime>,
    pub volts: f64,
}

impl Seen {
    #[must_use]
    pub fn at(moment: Moment, reading: Reading) -> Seen {
        Seen {
            moment,
            time: Some(reading.time),
            volts: reading.volts,
        }
    }
}

/// What is at hand of the voltages of one pack.
#[derive(Debug, Clone, Default)]
pub struct Voltages {
    seen: Vec<Seen>,
    flown: Option<WallTime>,
}

impl Voltages {
    /// Of a pack whose latest flight began at `flown`. Of two voltages of one minute the later in the list counts.
    #[must_use]
    pub fn new(flown: Option<WallTime>, seen: impl Iterator<Item = Seen>) -> Voltages {
        Voltages {
            seen: seen.collect(),
            flown,
        }
    }

    /// The one that was read last, in V.
    #[must_use]
    pub fn last(&self) -> Option<f64> {
        self.latest(|_| true).map(|seen| seen.volts)
    }

    /// The highest, in V.
    #[must_use]
    pub fn highest(&self) -> Option<f64> {
        self.seen.iter().map(|seen| seen.volts).max_by(f64::total_cmp)
    }

    /// The last one that tells the state of the pack: none that a flight or a charging began with, and none from before
    /// the latest flight.
    #[must_use]
    pub fn telling(&self) -> Option<Measured> {
        let telling = self.latest(|seen| match seen.moment {
            Moment::Landed => self.flown <= seen.time,
            Moment::Charged => self.flown.is_none() || self.flown < seen.time,
            Moment::TookOff | Moment::ChargingBegan => false,
        })?;
        Some(match telling.moment {
            Moment::Landed => Measured::Landed(telling.volts),
            _ => Measured::AtRest(telling.volts),
        })
    }

    fn latest(&self, counts: impl Fn(&Seen) -> bool) -> Option<&Seen> {
        let timed = self.seen.iter().filter(|seen| seen.time.is_some() && counts(seen));
        timed.max_by_key(|seen| seen.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moment, minute, volts.
    fn of(flown: Option<i64>, seen: &[(Moment, i64, f64)]) -> Voltages {
        let time = |minute| WallTime::from_minutes(minute).unwrap();
        let seen = seen.iter().map(|(moment, minute, volts)| {
            Seen::at(
                *moment,
                Reading {
                    time: time(*minute),
                    volts: *volts,
                },
            )
        });
        Voltages::new(flown.map(time), seen)
    }

    #[test]
    fn a_pack_that_nobody_saw_tells_nothing() {
        let none = of(Some(5), &[]);
        assert_eq!((none.last(), none.highest(), none.telling()), (None, None, None));
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
        // The pack is on the charger: what it was before tells its state no longer, but nobody asks for that then.
        assert_eq!(flown.telling(), Some(Measured::Landed(14.6)));
    }

    #[test]
    fn what_a_flight_began_with_and_what_was_before_it_tell_no_state() {
        let started = [(Moment::TookOff, 10, 16.7), (Moment::Charged, 9, 16.8)];
        assert_eq!(of(Some(10), &started).telling(), None);
        assert_eq!(of(None, &started).telling(), Some(Measured::AtRest(16.8)));
        // One that ended with the start was before it.
        assert_eq!(of(Some(9), &started).telling(), None);
        assert_eq!(of(Some(10), &[(Moment::Landed, 9, 14.4)]).telling(), None);
        assert_eq!(
            of(Some(10), &[(Moment::Landed, 10, 14.4)]).telling(),
            Some(Measured::Landed(14.4))
        );
    }

    #[test]
    fn a_charge_of_the_minute_of_the_landing_counts() {
        let both = of(Some(10), &[(Moment::Landed, 16, 14.6), (Moment::Charged, 16, 16.8)]);
        assert_eq!(
            (both.last(), both.telling()),
            (Some(16.8), Some(Measured::AtRest(16.8)))
        );
    }
}
