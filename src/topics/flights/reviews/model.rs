//! What one looks back on: of each year the days, sums and records of all flights, of those with a copter and of those
//! at a place; and how many of them were at which place, with which copter and with which battery. No store.

use std::collections::{BTreeMap, BTreeSet};

use crate::equipment::model::Kind;
use crate::flights::model::StoredFlight;
use crate::flights::years::model::{self as years, Figures, Flown};
use fluglog_base::id::{EquipmentId, PlaceId};
use fluglog_base::secret::{digest, digest_key};

/// A name of a place is kept up to here: it is a label, and the flight has all of it.
const NAME_MOST_CHARACTERS: usize = 200;

/// What flights have in common that are looked back on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    All,
    Copter(EquipmentId),
    Place(PlaceId),
}

impl Of {
    /// Its part of a key. No item and no place has the id 0, and no item that of a place.
    #[must_use]
    pub const fn key(self) -> u128 {
        match self {
            Of::All => 0,
            Of::Copter(id) => id.key(),
            Of::Place(id) => id.key(),
        }
    }

    /// Everything that a flight counts in.
    pub fn each(flight: &StoredFlight) -> impl Iterator<Item = Of> {
        let place = place(flight).map(|(id, _)| Of::Place(id));
        [Of::All, Of::Copter(flight.copter.id)].into_iter().chain(place)
    }
}

/// What flights are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    Place,
    Copter,
    Battery,
}

impl By {
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            By::Place => 0,
            By::Copter => 1,
            By::Battery => 2,
        }
    }
}

/// The flights of one year.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Review {
    /// By the day of the year, from 0. Days without a flight aren't there.
    pub days: BTreeMap<u16, Flown>,
    pub figures: Figures,
}

impl Review {
    /// Whether no flight is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.days.is_empty()
    }

    /// Puts a flight in the place of what it was; both of this year. `false`: one of the largest values is no longer
    /// known.
    pub fn exchange(&mut self, before: Option<&StoredFlight>, now: Option<&StoredFlight>) -> bool {
        if let Some(before) = before {
            let day = self.days.entry(day_in_year(before).1).or_default();
            day.take(before);
        }
        if let Some(now) = now {
            self.days.entry(day_in_year(now).1).or_default().add(now);
        }
        self.days.retain(|_, day| day.flights > 0);
        years::exchange(&mut self.figures, before, now)
    }
}

/// Some of the flights of a year.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Share {
    /// Of a place: its name, or as much of it as a label needs. That of an item is its own.
    pub name: String,
    pub flown: Flown,
}

/// A share of the flights of something.
pub type Part = (Of, By, u128);

/// The shares that a flight counts in.
#[must_use]
pub fn parts(flight: &StoredFlight) -> BTreeSet<Part> {
    let place = place(flight).map(|(id, _)| (By::Place, id.key()));
    let copter = (By::Copter, flight.copter.id.key());
    let batteries = flight.parts().filter(|part| part.kind == Kind::Battery);
    let batteries = batteries.map(|battery| (By::Battery, battery.id.key()));
    let by: Vec<_> = place.into_iter().chain([copter]).chain(batteries).collect();
    let of_each = Of::each(flight).flat_map(|of| by.iter().map(move |(by, id)| (of, *by, *id)));
    of_each.filter(|(of, _, id)| of.key() != *id).collect()
}

/// The label that a share has by a flight that counts in it.
#[must_use]
pub fn label((_, by, _): Part, flight: &StoredFlight) -> String {
    match (by, place(flight)) {
        (By::Place, Some((_, name))) => name.chars().take(NAME_MOST_CHARACTERS).collect(),
        _ => String::new(),
    }
}

/// Where a flight was, if it says so.
fn place(flight: &StoredFlight) -> Option<(PlaceId, &str)> {
    let name = flight.entries.fields.location.as_str();
    let id = || PlaceId::of_digest(digest_key(&digest(name)).0);
    (!name.is_empty()).then(|| (id(), name))
}

/// Whether two states of a flight count alike. Its items are the same for ever.
#[must_use]
pub fn count_alike(one: &StoredFlight, other: &StoredFlight) -> bool {
    let [one_place, other_place] = [one, other].map(|flight| &flight.entries.fields.location);
    years::count_alike(one, other) && one_place == other_place
}

/// The year that a flight counts in, and which of its days, from 0.
#[must_use]
pub fn day_in_year(flight: &StoredFlight) -> (u32, u16) {
    flight.entries.start.date().in_year()
}
