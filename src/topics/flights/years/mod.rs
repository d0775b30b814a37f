//! Sums of the finished flights of each year, for all flights of a pilot and for each item. Updated by every write of a
//! flight, so that the dashboard costs the same with many flights as with few.

pub mod model;
pub(super) mod table;

use std::collections::{BTreeMap, BTreeSet};

use crate::flights::model::StoredFlight;
use crate::flights::table as flights;
use fluglog_accounts::guard::Viewer;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, UserId};
use fluglog_base::time::{WallTime, minutes_of_year};
use fluglog_store::findings::{FindingKind, Findings};
use fluglog_store::open_flight;
use fluglog_store::{Snapshot, Writer, schema};
use model::{Year, month_in_year};
use table::Key;

/// Part of a key that stands for all flights. No item has this id.
const ALL_FLIGHTS: u128 = 0;

/// Returns the years with flights of the viewer, optionally with an item; oldest first.
pub fn of(data: &Snapshot<'_>, viewer: &Viewer, item: Option<EquipmentId>) -> Result<Vec<(u32, Year)>> {
    let owner = viewer.user();
    let Some((first, last)) = flights::span(data, owner)? else {
        return Ok(Vec::new());
    };
    let year = |minute| WallTime::from_minutes_clamped(minute).date().month().year_and_month().0;
    let of = item.map_or(ALL_FLIGHTS, EquipmentId::key);
    let years = table::load(data, (year(first)..=year(last)).map(|year| (owner.key(), year, of)))?;
    let is_open = || Ok::<_, Error>(first == last && open_flight::of(data, owner)?.is_some());
    if item.is_none() && years.is_empty() && !is_open()? {
        return Err(Error::Internal("flight_years: those of a pilot are missing".to_owned()));
    }
    Ok(years)
}

/// Updates the years after a flight changed from `before` to `now`; `None` before it existed, and after it is deleted.
pub fn update(
    writer: &Writer<'_>,
    viewer: &Viewer,
    before: Option<&StoredFlight>,
    now: Option<&StoredFlight>,
) -> Result<()> {
    let owner = viewer.user();
    let [before, now] = [before, now].map(|flight| flight.filter(|flight| !flight.open));
    let keys_of = |flight: Option<&StoredFlight>| flight.map(|flight| keys(owner, flight)).unwrap_or_default();
    let (keys_before, keys_now) = (keys_of(before), keys_of(now));
    if keys_before == keys_now
        && before
            .zip(now)
            .is_none_or(|(before, now)| model::contribute_equally(before, now))
    {
        return Ok(());
    }
    for key in &keys_before | &keys_now {
        let is_of_all = key.2 == ALL_FLIGHTS;
        let mut year = table::find(writer, key)?.unwrap_or_else(|| Year::empty(is_of_all));
        let before = before.filter(|_| keys_before.contains(&key));
        let now = now.filter(|_| keys_now.contains(&key));
        if !year.replace(before, now) {
            year = Year::empty(is_of_all);
            let flights = flights::between(writer, owner, minutes_of_year(key.1))?;
            for flight in flights.iter().filter(|flight| !flight.open) {
                year.replace(None, Some(flight));
            }
        }
        table::put(writer, key, &year)?;
    }
    Ok(())
}

/// Returns the keys of the years that a flight counts in.
fn keys(owner: UserId, flight: &StoredFlight) -> BTreeSet<Key> {
    let (year, _) = month_in_year(flight);
    let of = std::iter::once(ALL_FLIGHTS).chain(flight.parts().map(|part| part.id.key()));
    of.map(|of| (owner.key(), year, of)).collect()
}

/// Computes the years of all flights if none are stored, as in a database of an earlier version.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    if writer.count(&schema::FLIGHT_YEARS)? > 0 || writer.count(&schema::FLIGHTS)? == 0 {
        return Ok(());
    }
    let mut years = ExpectedYears::default();
    // An unreadable flight is reported by verification, and must not prevent the start.
    flights::check::check(writer, &mut Findings::default(), |_, _, owner, flight| {
        years.add(owner, flight);
        Ok(())
    })?;
    years
        .0
        .iter()
        .try_for_each(|(key, year)| table::put(writer, *key, year))
}

/// Expected years of all pilots.
#[derive(Default)]
pub struct ExpectedYears(BTreeMap<Key, Year>);

impl ExpectedYears {
    pub fn add(&mut self, owner: UserId, flight: &StoredFlight) {
        if flight.open {
            return;
        }
        for key in keys(owner, flight) {
            let year = self.0.entry(key).or_insert_with(|| Year::empty(key.2 == ALL_FLIGHTS));
            year.replace(None, Some(flight));
        }
    }
}

/// Verifies stored years against the expected ones.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings, mut years: ExpectedYears) -> Result<()> {
    let is_judged = findings.is_complete();
    table::check(data, findings, |key| years.0.remove(&key))?;
    if is_judged && findings.is_complete() {
        for (key, year) in years.0 {
            table::rewrite(findings, key, Some(year), FindingKind::FlightTotalsMissing);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
