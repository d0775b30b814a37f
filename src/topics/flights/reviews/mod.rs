//! Yearly reviews, updated by every write of a flight, so that reading one costs the same with many flights as with
//! few.

pub mod model;
mod table;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::flights::model::StoredFlight;
use crate::flights::table as flights;
use fluglog_accounts::guard::Viewer;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{PlaceId, UserId};
use fluglog_base::time::minutes_of_year;
use fluglog_store::findings::{FindingKind, Findings};
use fluglog_store::open_flight;
use fluglog_store::{Snapshot, Writer, schema};
use model::{GroupBy, Review, ReviewFilter, ReviewShare, ShareId, day_in_year};
use table::{ReviewKey, ShareKey};

/// Returns the years with flights of the viewer, optionally with a copter or at a place; oldest first.
pub fn of(data: &Snapshot<'_>, viewer: &Viewer, of: ReviewFilter) -> Result<Vec<(u32, Review)>> {
    let owner = viewer.user();
    let years = table::all(data, owner, of)?;
    if of == ReviewFilter::All
        && years.is_empty()
        && let Some((first, last)) = flights::span(data, owner)?
        && (first != last || open_flight::of(data, owner)?.is_none())
    {
        return Err(Error::Internal(
            "flight_reviews: those of a pilot are missing".to_owned(),
        ));
    }
    Ok(years)
}

/// Returns the flights of some years counted by place, copter or battery, by the key of each.
pub fn shares(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    of: ReviewFilter,
    by: GroupBy,
    years: RangeInclusive<u32>,
) -> Result<BTreeMap<u128, ReviewShare>> {
    table::shares(data, viewer.user(), of, by, years)
}

/// Returns the name of a place, as its flights of a year have it.
pub fn place_name(data: &Snapshot<'_>, viewer: &Viewer, place: PlaceId, year: u32) -> Result<Option<String>> {
    let key = share_key(viewer.user(), year, (ReviewFilter::All, GroupBy::Place, place.key()));
    Ok(table::find_share(data, key)?.map(|share| share.name))
}

/// Updates the reviews after a flight changed from `before` to `now`; `None` before it existed, and after it is
/// deleted.
pub fn update(
    writer: &Writer<'_>,
    viewer: &Viewer,
    before: Option<&StoredFlight>,
    now: Option<&StoredFlight>,
) -> Result<()> {
    let owner = viewer.user();
    let [before, now] = [before, now].map(|flight| flight.filter(|flight| !flight.open));
    let is_alike = before
        .zip(now)
        .is_some_and(|(before, now)| model::contribute_equally(before, now));
    if is_alike {
        return Ok(());
    }
    count_in_reviews(writer, owner, before, now)?;
    count_in_shares(writer, owner, before, now)
}

fn count_in_reviews(
    writer: &Writer<'_>,
    owner: UserId,
    before: Option<&StoredFlight>,
    now: Option<&StoredFlight>,
) -> Result<()> {
    let [keys_before, keys_now] =
        [before, now].map(|flight| flight.map(|flight| review_keys(owner, flight)).unwrap_or_default());
    let mut years = BTreeMap::<u32, Vec<StoredFlight>>::new();
    for key in &keys_before | &keys_now {
        let mut review = table::find(writer, key)?.unwrap_or_default();
        let before = before.filter(|_| keys_before.contains(&key));
        let now = now.filter(|_| keys_now.contains(&key));
        if !review.replace(before, now) {
            let flights = match years.entry(key.2) {
                Entry::Occupied(read) => read.into_mut(),
                Entry::Vacant(unread) => unread.insert(flights::between(writer, owner, minutes_of_year(key.2))?),
            };
            review = Review::default();
            let counts = |flight: &&StoredFlight| !flight.open && review_keys(owner, flight).contains(&key);
            for flight in flights.iter().filter(counts) {
                review.replace(None, Some(flight));
            }
        }
        table::put(writer, key, &review)?;
    }
    Ok(())
}

fn count_in_shares(
    writer: &Writer<'_>,
    owner: UserId,
    before: Option<&StoredFlight>,
    now: Option<&StoredFlight>,
) -> Result<()> {
    let [shares_before, shares_now] =
        [before, now].map(|flight| flight.map(|flight| shares_of(owner, flight)).unwrap_or_default());
    let keys: BTreeSet<_> = shares_before.keys().chain(shares_now.keys()).copied().collect();
    for key in keys {
        let mut share = table::find_share(writer, key)?.unwrap_or_default();
        if let Some(before) = before.filter(|_| shares_before.contains_key(&key)) {
            share.flown.subtract(before);
        }
        if let Some((name, now)) = shares_now.get(&key).zip(now) {
            share.name.clone_from(name);
            share.flown.add(now);
        }
        table::put_share(writer, key, &share)?;
    }
    Ok(())
}

/// Returns the keys of the reviews that a flight counts in.
fn review_keys(owner: UserId, flight: &StoredFlight) -> BTreeSet<ReviewKey> {
    let (year, _) = day_in_year(flight);
    ReviewFilter::each(flight)
        .map(|of| (owner.key(), of.key(), year))
        .collect()
}

/// Returns the keys of the shares that a flight counts in, each with its label.
fn shares_of(owner: UserId, flight: &StoredFlight) -> BTreeMap<ShareKey, String> {
    let (year, _) = day_in_year(flight);
    let parts = model::parts(flight).into_iter();
    parts
        .map(|part| (share_key(owner, year, part), model::label(part, flight)))
        .collect()
}

const fn share_key(owner: UserId, year: u32, (of, by, id): ShareId) -> ShareKey {
    (owner.key(), of.key(), by.code(), year, id)
}

/// Returns whether reviews are stored, or not needed because there are no flights.
pub(crate) fn are_stored(data: &Snapshot<'_>) -> Result<bool> {
    Ok(data.count(&schema::FLIGHT_REVIEWS)? > 0 || data.count(&schema::FLIGHTS)? == 0)
}

/// Computes the reviews of all flights if none are stored, as in a database of an earlier version.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    if are_stored(writer)? {
        return Ok(());
    }
    let mut all = ExpectedReviews::default();
    // An unreadable flight is reported by verification, and must not prevent the start.
    flights::check::check(writer, &mut Findings::default(), |_, _, owner, flight| {
        all.add(owner, flight);
        Ok(())
    })?;
    for (key, review) in &all.reviews {
        table::put(writer, *key, review)?;
    }
    all.shares
        .iter()
        .try_for_each(|(key, share)| table::put_share(writer, *key, share))
}

/// Expected reviews and shares of all pilots.
#[derive(Default)]
pub struct ExpectedReviews {
    reviews: BTreeMap<ReviewKey, Review>,
    shares: BTreeMap<ShareKey, ReviewShare>,
}

impl ExpectedReviews {
    pub fn add(&mut self, owner: UserId, flight: &StoredFlight) {
        if flight.open {
            return;
        }
        for key in review_keys(owner, flight) {
            self.reviews.entry(key).or_default().replace(None, Some(flight));
        }
        for (key, name) in shares_of(owner, flight) {
            let share = self.shares.entry(key).or_default();
            share.name = name;
            share.flown.add(flight);
        }
    }
}

/// Verifies stored reviews and shares against the expected ones.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings, mut all: ExpectedReviews) -> Result<()> {
    let is_judged = findings.is_complete();
    table::check(data, findings, |key| all.reviews.remove(&key))?;
    table::check_shares(data, findings, |key| all.shares.remove(&key))?;
    if is_judged && findings.is_complete() {
        for (key, review) in all.reviews {
            table::rewrite(findings, key, Some(review), FindingKind::FlightTotalsMissing);
        }
        for (key, share) in all.shares {
            table::rewrite_share(findings, key, Some(share), FindingKind::FlightTotalsMissing);
        }
    }
    Ok(())
}
