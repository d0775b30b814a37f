//! What follows from the chargings and readings of a pack and is kept beside it, so that a list of packs reads none of
//! them. Pure: [`Health::of`] is the whole truth, [`Health::with`] its quick way.

use super::charging::model::StoredCharging;
use super::voltages::{Moment, Reading, Seen};

/// So many voltages tell how long a state lasts: more between two flights are a pilot's who measures all day.
const RECENT_MOST: usize = 16;

/// What the records of a pack beside its flights tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Health {
    /// Its latest voltages, the oldest first.
    pub recent: Vec<Told>,
}

/// A voltage that a charging ended with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    pub reading: Reading,
    pub by: By,
}

/// What was recorded. The numbers are on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Charging = 0,
}

impl By {
    const ALL: [By; 1] = [By::Charging];

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
        }
    }
}

impl Health {
    /// Of a pack with these records.
    #[must_use]
    pub fn of(chargings: &[StoredCharging]) -> Health {
        let mut recent: Vec<_> = chargings.iter().filter_map(told).collect();
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

/// By time; of one minute the higher voltage last, which is that of the charger.
fn order(one: &Told, other: &Told) -> std::cmp::Ordering {
    let time = one.reading.time.cmp(&other.reading.time);
    time.then(one.reading.volts.total_cmp(&other.reading.volts))
}
