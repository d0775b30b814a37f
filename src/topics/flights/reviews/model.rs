//! Yearly reviews: for each year the days, sums and records of all flights, of those with a copter and of those at a
//! place; and how many of them were at which place, with which copter and with which battery. No store.

use std::collections::{BTreeMap, BTreeSet};

use crate::equipment::model::Kind;
use crate::flights::model::StoredFlight;
use crate::flights::years::model::{self as years, Figures, FlightSum};
use fluglog_base::id::{EquipmentId, PlaceId};
use fluglog_base::secret::{digest, digest_key};

/// Most characters of a stored place name, which is only a label; the flight has the whole name.
const MAX_NAME_CHARACTERS: usize = 200;

/// Selection of flights that a review covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewFilter {
    All,
    Copter(EquipmentId),
    Place(PlaceId),
}

impl ReviewFilter {
    /// Returns its part of a key. No item or place has the id 0, and ids of items and places never coincide.
    #[must_use]
    pub const fn key(self) -> u128 {
        match self {
            ReviewFilter::All => 0,
            ReviewFilter::Copter(id) => id.key(),
            ReviewFilter::Place(id) => id.key(),
        }
    }

    /// Returns every selection that contains a flight.
    pub fn each(flight: &StoredFlight) -> impl Iterator<Item = ReviewFilter> {
        let place = place(flight).map(|(id, _)| ReviewFilter::Place(id));
        [ReviewFilter::All, ReviewFilter::Copter(flight.copter.id)]
            .into_iter()
            .chain(place)
    }
}

/// Property by which flights are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupBy {
    Place,
    Copter,
    Battery,
}

impl GroupBy {
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            GroupBy::Place => 0,
            GroupBy::Copter => 1,
            GroupBy::Battery => 2,
        }
    }
}

/// Flights of one year.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Review {
    /// By day of the year, counted from 0; only days with flights.
    pub days: BTreeMap<u16, FlightSum>,
    pub figures: Figures,
}

impl Review {
    /// Returns whether it covers no flight.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.days.is_empty()
    }

    /// Replaces a flight's contribution; both states are in this year. Returns `false` if the largest of some value is
    /// no longer known.
    pub fn replace(&mut self, before: Option<&StoredFlight>, now: Option<&StoredFlight>) -> bool {
        if let Some(before) = before {
            let day = self.days.entry(day_in_year(before).1).or_default();
            day.subtract(before);
        }
        if let Some(now) = now {
            self.days.entry(day_in_year(now).1).or_default().add(now);
        }
        self.days.retain(|_, day| day.flights > 0);
        years::replace(&mut self.figures, before, now)
    }
}

/// A part of a year's flights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReviewShare {
    /// Label of a place, possibly shortened; empty for items, which have names of their own.
    pub name: String,
    pub flown: FlightSum,
}

/// Key of a share: the selection, the property, and the id of a place or item.
pub(crate) type ShareId = (ReviewFilter, GroupBy, u128);

/// Returns the shares that a flight counts in.
#[must_use]
pub fn parts(flight: &StoredFlight) -> BTreeSet<ShareId> {
    let place = place(flight).map(|(id, _)| (GroupBy::Place, id.key()));
    let copter = (GroupBy::Copter, flight.copter.id.key());
    let batteries = flight.parts().filter(|part| part.kind == Kind::Battery);
    let batteries = batteries.map(|battery| (GroupBy::Battery, battery.id.key()));
    let by: Vec<_> = place.into_iter().chain([copter]).chain(batteries).collect();
    let of_each = ReviewFilter::each(flight).flat_map(|of| by.iter().map(move |(by, id)| (of, *by, *id)));
    of_each.filter(|(of, _, id)| of.key() != *id).collect()
}

/// Returns the label of a share according to a flight that counts in it.
#[must_use]
pub fn label((_, by, _): ShareId, flight: &StoredFlight) -> String {
    match (by, place(flight)) {
        (GroupBy::Place, Some((_, name))) => name.chars().take(MAX_NAME_CHARACTERS).collect(),
        _ => String::new(),
    }
}

/// Returns the place of a flight, if it has one.
fn place(flight: &StoredFlight) -> Option<(PlaceId, &str)> {
    let name = flight.entries.fields.location.as_str();
    let id = || PlaceId::of_digest(digest_key(&digest(name)).0);
    (!name.is_empty()).then(|| (id(), name))
}

/// Returns whether two states of a flight contribute equally. The items of a flight never change.
#[must_use]
pub(crate) fn contribute_equally(one: &StoredFlight, other: &StoredFlight) -> bool {
    let [one_place, other_place] = [one, other].map(|flight| &flight.entries.fields.location);
    years::contribute_equally(one, other) && one_place == other_place
}

/// Returns whether a selection contains a flight.
#[must_use]
pub(crate) fn is_in(flight: &StoredFlight, of: ReviewFilter) -> bool {
    ReviewFilter::each(flight).any(|own| own == of)
}

/// Returns the year of a flight and its day in that, counted from 0.
#[must_use]
pub(crate) fn day_in_year(flight: &StoredFlight) -> (u32, u16) {
    flight.entries.start.date().year_and_day()
}
