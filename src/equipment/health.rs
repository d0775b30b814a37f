//! The latest voltages of a pack's chargings and readings, kept beside it, so that a list of packs reads none of
//! them. Pure: [`Health::of`] is the whole truth, [`Health::with`] its quick way.

use super::charging::model::StoredCharging;
use super::readings::model::{ReadingKind, StoredReading};
use super::voltages::{Moment, Reading, Seen};

/// So many voltages tell how long a state lasts: more between two flights are a pilot's who measures all day.
const RECENT_MOST: usize = 16;

/// The tale of a pack's records beside its flights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Health {
    /// Its latest voltages, the oldest first.
    pub recent: Vec<Told>,
}

/// A voltage that a charging ended with, or of a reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    pub reading: Reading,
    pub by: By,
}

/// The kind of record. The numbers are on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Charging = 0,
    Reading = 1,
    ReadingAfterFlight = 2,
}

impl By {
    const ALL: [By; 3] = [By::Charging, By::Reading, By::ReadingAfterFlight];

    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    #[must_use]
    pub fn from_code(code: u8) -> Option<By> {
        By::ALL.into_iter().find(|by| by.code() == code)
    }

    const fn moment(self) -> Moment {
        match self {
            By::Charging => Moment::Charged,
            By::Reading => Moment::Rested,
            By::ReadingAfterFlight => Moment::Landed,
        }
    }
}

impl Health {
    /// Of a pack with these records.
    #[must_use]
    pub fn of(chargings: &[StoredCharging], readings: &[StoredReading]) -> Health {
        let charged = chargings.iter().filter_map(told);
        let mut recent: Vec<_> = charged.chain(readings.iter().filter_map(read)).collect();
        recent.sort_by(order);
        recent.drain(..recent.len().saturating_sub(RECENT_MOST));
        Health { recent }
    }

    /// The same with one more charging.
    #[must_use]
    pub fn with(mut self, charging: &StoredCharging) -> Health {
        if let Some(told) = told(charging) {
            let place = self.recent.partition_point(|other| order(other, &told).is_le());
            self.recent.insert(place, told);
            let too_many = self.recent.len().saturating_sub(RECENT_MOST);
            self.recent.drain(..too_many);
        }
        self
    }

    /// The voltages that it tells.
    pub fn seen(&self) -> impl Iterator<Item = Seen> {
        self.recent.iter().map(|told| Seen::at(told.by.moment(), told.reading))
    }
}

fn told(charging: &StoredCharging) -> Option<Told> {
    let (time, volts) = charging.end.zip(charging.to_voltage)?;
    Some(Told {
        reading: Reading { time, volts },
        by: By::Charging,
    })
}

fn read(reading: &StoredReading) -> Option<Told> {
    let (time, volts) = (reading.time, reading.volts()?);
    Some(Told {
        reading: Reading { time, volts },
        by: match reading.kind {
            ReadingKind::Landed => By::ReadingAfterFlight,
            ReadingKind::Rest | ReadingKind::Charged | ReadingKind::Stored => By::Reading,
        },
    })
}

/// By time; of one minute the higher voltage last, which is that of the charger.
fn order(one: &Told, other: &Told) -> std::cmp::Ordering {
    let time = one.reading.time.cmp(&other.reading.time);
    let volts = one.reading.volts.total_cmp(&other.reading.volts);
    time.then(volts).then(one.by.code().cmp(&other.by.code()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::id::{ChargingId, ReadingId};
    use crate::base::time::WallTime;

    fn time(minute: i64) -> WallTime {
        WallTime::from_minutes(minute).unwrap()
    }

    fn charging(id: u128, minute: i64, volts: Option<f64>) -> StoredCharging {
        StoredCharging {
            id: ChargingId::from_key(id),
            start: time(minute - 5),
            end: volts.map(|_| time(minute)),
            from_voltage: Some(15.0),
            to_voltage: volts,
            from_cell_voltage: None,
            to_cell_voltage: None,
            charged: None,
            flight: None,
        }
    }

    fn reading(id: u128, minute: i64, volts: f64) -> StoredReading {
        StoredReading {
            voltage: Some(volts),
            ..StoredReading::new(ReadingId::from_key(id), time(minute))
        }
    }

    #[test]
    fn only_the_latest_voltages_are_kept() {
        let chargings: Vec<_> = (0..40).map(|at| charging(1, 100 + at, Some(16.0))).collect();
        let health = Health::of(&chargings, &[reading(1, 139, 16.7)]);
        let minutes: Vec<_> = health.recent.iter().map(|told| told.reading.time.minutes()).collect();
        assert_eq!((minutes.len(), minutes[0], minutes[15]), (16, 125, 139));
        assert_eq!(health.recent[15].by, By::Reading);
    }

    proptest! {
        #[test]
        fn one_charging_more_is_as_all_of_them_anew(
            charged in proptest::collection::vec((10..60_i64, proptest::option::of(14.0..17.0_f64)), 0..40),
            read in proptest::collection::vec((10..60_i64, 14.0..17.0_f64), 0..10),
        ) {
            let readings: Vec<_> = read.iter().map(|(minute, volts)| reading(1, *minute, *volts)).collect();
            let mut chargings = Vec::new();
            let mut health = Health::of(&chargings, &readings);
            for (minute, volts) in charged {
                let new = charging(chargings.len() as u128, minute, volts);
                health = health.with(&new);
                chargings.push(new);
                prop_assert_eq!(&health, &Health::of(&chargings, &readings));
            }
        }
    }
}
