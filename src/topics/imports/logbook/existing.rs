//! What the pilot has already of what an export may hold.

use std::collections::HashSet;

use super::foreign::{ForeignFlights, ForeignItem};
use crate::documents;
use crate::equipment::prior_flights;
use crate::flights::{self, images, origin};
use crate::imports::table::{self, ForeignFlightRecord};
use crate::logs;
use crate::maintenance;
use crate::packs::{self, charging, readings, sets};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_base::error::Result;
use fluglog_store::Snapshot;

/// Ids that exist here already; a move to another server keeps ids.
#[derive(Default)]
pub(crate) struct ExistingIds {
    /// The viewer's own flights, and the foreign flights that were imported.
    pub flights: HashSet<u128>,
    pub chargings: HashSet<u128>,
    pub readings: HashSet<u128>,
    pub sets: HashSet<u128>,
    pub jobs: HashSet<u128>,
    pub logs: HashSet<u128>,
    pub documents: HashSet<u128>,
    pub images: HashSet<u128>,
    /// Whether something from before Fluglog is entered.
    pub has_prior: bool,
}

impl ExistingIds {
    pub fn read(data: &Snapshot<'_>, viewer: &Viewer) -> Result<ExistingIds> {
        let access = Access::own(viewer);
        let sources = origin::all(data, viewer)?;
        let sources = sources.into_iter().map(|(_, source)| source.digest);
        let own = flights::all(data, viewer)?;
        let chargings = charging::ids(data, &access)?;
        let readings = readings::ids(data, &access)?;
        let sets = sets::all(data, &access)?;
        let jobs = maintenance::all(data, &access)?;
        let logs = logs::all(data, &access)?;
        let documents = documents::all(data, viewer)?;
        let images = images::all(data, viewer)?;
        Ok(ExistingIds {
            has_prior: !prior_flights::of_pilot(data, viewer)?.is_empty(),
            flights: sources.chain(own.into_iter().map(|flight| flight.id.key())).collect(),
            chargings: chargings.into_iter().map(|id| id.key()).collect(),
            readings: readings.into_iter().map(|id| id.key()).collect(),
            sets: sets.into_iter().map(|set| set.id.key()).collect(),
            jobs: jobs.into_iter().map(|(job, _)| job.id.key()).collect(),
            logs: logs.into_iter().map(|id| id.key()).collect(),
            documents: documents.into_iter().map(|document| document.id.key()).collect(),
            images: images.into_iter().map(|image| image.id.key()).collect(),
        })
    }
}

/// Returns the number of items that don't exist here and belong to none of these flights.
pub(crate) fn new_items(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    foreign_flights: &[ForeignFlightRecord],
    items: &[ForeignItem],
) -> Result<usize> {
    let own = packs::usable(data, viewer)?.into_iter();
    let own = own.map(|pack| (pack.item.id, pack.item)).collect();
    let foreign_item = |id| table::foreign_item(data, viewer.user(), id);
    let rows = (0..).zip(foreign_flights);
    let rows: Vec<_> = rows.map(|(part, foreign)| ((0, part), foreign.clone())).collect();
    let new = |more: &[ForeignItem]| {
        let matched = ForeignFlights::read(&rows, more, &own, foreign_item);
        matched.map(|matched| matched.new_items().len())
    };
    Ok(new(items)?.saturating_sub(new(&[])?))
}
