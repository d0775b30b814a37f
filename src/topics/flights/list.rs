//! The list of flights: its pages, rows and paths, also those of one item.

use std::collections::HashSet;

use super::model::{FlightRow, StoredFlight};
use super::names::Names;
use super::reviews::{self, model::ReviewFilter};
use super::{images, origin, table};
use crate::equipment::{self, Pilot};
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::page;
use fluglog_base::time::{WallTime, minutes_of_year};
use fluglog_store::Snapshot;

/// A page of the list of flights.
pub struct Page {
    /// Only flights that began before this one; the latest of them.
    pub before: Option<FlightId>,
    /// Only flights that began after this one; without `before` the earliest of them.
    pub after: Option<FlightId>,
    /// Most flights; without it all, or a limited number if there is `before` or `after`.
    pub most: Option<usize>,
}

/// Returns the ids of one page of flights, optionally only those of an item, latest start first.
///
/// # Errors
/// [`Error::NotFound`] when the viewer doesn't have a flight that bounds the page, or the item.
pub fn ids(app: &App, viewer: &Viewer, item: Option<EquipmentId>, part: &Page) -> Result<Vec<FlightId>> {
    let owner = viewer.user();
    app.store.read(|data| {
        let bound = |id: Option<FlightId>| id.map(|id| table::find(data, owner, id)).transpose();
        let (before, after) = (bound(part.before)?, bound(part.after)?);
        let most = match (&before, &after) {
            (None, None) => part.most.unwrap_or(usize::MAX),
            _ => part.most.unwrap_or(page::MAX_PAGE as usize),
        };
        let [after, before] = [after, before].map(|flight| flight.as_ref().map(StoredFlight::place));
        let ids = match item {
            None if most == usize::MAX => return table::ids(data, owner),
            None => table::page(data, owner, before, after, most)?,
            Some(item) => with_item(data, viewer, item, after, before, most)?,
        };
        table::check_there(data, owner, &ids)?;
        Ok(ids)
    })
}

/// Returns the viewer's flights with an item, as [`equipment::flights_of`] does those of all pilots.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item for the viewer.
pub(super) fn with_item(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    item: EquipmentId,
    after: Option<(WallTime, FlightId)>,
    before: Option<(WallTime, FlightId)>,
    most: usize,
) -> Result<Vec<FlightId>> {
    let access = match equipment::access_to(data, viewer, item) {
        Err(refused @ (Error::NotFound | Error::Forbidden(_))) => {
            let flights = borrowing(data, viewer, item, refused)?;
            return Ok(between(flights, after, before, most));
        }
        access => access?,
    };
    let pilots = equipment::pilots_of(data, access.owner(), item)?;
    if access.is_own() && pilots.is_empty() {
        return equipment::flights_of(data, &access, item, after, before, most);
    }
    let mut flights = equipment::flights_of(data, &access, item, after, before, usize::MAX)?;
    flights.retain(|flight| match pilots.get(flight) {
        Some(pilot) => *pilot == Pilot::User(viewer.user()),
        None => access.is_own(),
    });
    keep_nearest(&mut flights, after.is_some() && before.is_none(), most);
    Ok(flights)
}

/// Keeps `most` of the flights, which are ordered latest first: the earliest or the latest ones.
fn keep_nearest<T>(flights: &mut Vec<T>, earliest: bool, most: usize) {
    match earliest {
        true => drop(flights.drain(..flights.len().saturating_sub(most))),
        false => flights.truncate(most),
    }
}

/// Returns the viewer's flights with an item to which the viewer has no access any more, latest start first.
///
/// # Errors
/// `refused` when there is none.
fn borrowing(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    item: EquipmentId,
    refused: Error,
) -> Result<Vec<(WallTime, FlightId)>> {
    let borrowed = table::borrowed::all(data, viewer.user())?.into_iter();
    let ids: Vec<_> = borrowed
        .filter(|(_, of, _)| *of == item)
        .map(|(flight, ..)| flight)
        .collect();
    if ids.is_empty() {
        return Err(refused);
    }
    let flights = table::load(data, viewer.user(), &ids)?.into_iter();
    let mut flights: Vec<_> = flights.map(|flight| (flight.entries.start, flight.id)).collect();
    flights.sort_unstable_by(|one, other| other.cmp(one));
    Ok(flights)
}

/// Returns the latest `most` flights between two positions, or the earliest ones if only `after` is given.
fn between(
    mut flights: Vec<(WallTime, FlightId)>,
    after: Option<(WallTime, FlightId)>,
    before: Option<(WallTime, FlightId)>,
    most: usize,
) -> Vec<FlightId> {
    flights.retain(|flight| after.is_none_or(|after| *flight > after) && before.is_none_or(|before| *flight < before));
    keep_nearest(&mut flights, after.is_some() && before.is_none(), most);
    flights.into_iter().map(|(_, id)| id).collect()
}

/// Checks that the viewer may see an item, or has flown with it.
///
/// # Errors
/// As [`equipment::access_to`].
pub(crate) fn check_known(data: &Snapshot<'_>, viewer: &Viewer, item: EquipmentId) -> Result<()> {
    match equipment::access_to(data, viewer, item) {
        Err(refused @ (Error::NotFound | Error::Forbidden(_))) => borrowing(data, viewer, item, refused).map(drop),
        access => access.map(drop),
    }
}

/// Returns the list rows of flights; those that don't exist are left out.
pub fn rows(data: &Snapshot<'_>, viewer: &Viewer, ids: &[FlightId]) -> Result<Vec<FlightRow>> {
    let flights = table::load(data, viewer.user(), ids)?;
    let names = Names::of(data, viewer, flights.iter().flat_map(StoredFlight::parts))?;
    let there: Vec<_> = flights.iter().map(|flight| flight.id).collect();
    let first_images = images::first_of_each(data, viewer, there.iter().copied())?;
    let paths = origin::paths(data, viewer, &there, origin::MAX_POINTS_OF_ROW)?;
    let rows = flights.into_iter().zip(first_images).zip(paths);
    let row = |((flight, first_image), path)| FlightRow::new(flight, first_image, path, |part| names.item(part));
    rows.map(row).collect()
}

/// Returns the paths of the longest flights of a review, and of its newest one.
pub(crate) fn review_paths(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    year: Option<u32>,
    of: ReviewFilter,
) -> Result<Vec<Vec<i32>>> {
    let mut ids = origin::with_track(data, viewer)?;
    if let Some(year) = year.filter(|_| !ids.is_empty()) {
        let of_year: HashSet<_> = table::ids_between(data, viewer.user(), minutes_of_year(year))?.collect();
        ids.retain(|id| of_year.contains(id));
    }
    let mut flights = table::load(data, viewer.user(), &ids)?;
    flights.retain(|flight| !flight.open && reviews::model::is_in(flight, of));
    origin::longest_paths(data, viewer, flights)
}
