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
use fluglog_accounts::spaces;
use fluglog_base::error::Result;
use fluglog_store::Snapshot;

/// Ids that exist here already; a move to another server keeps ids. What is recorded of an item is where the item is: it
/// may have moved to a space since the export was made.
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
        let sources = origin::all(data, viewer)?;
        let sources = sources.into_iter().map(|(_, source)| source.digest);
        let own = flights::all(data, viewer)?;
        let documents = documents::all(data, viewer)?;
        let images = images::all(data, viewer)?;
        let mut existing = ExistingIds {
            has_prior: !prior_flights::of_pilot(data, viewer)?.is_empty(),
            flights: sources.chain(own.into_iter().map(|flight| flight.id.key())).collect(),
            documents: documents.into_iter().map(|document| document.id.key()).collect(),
            images: images.into_iter().map(|image| image.id.key()).collect(),
            ..ExistingIds::default()
        };
        for access in spaces::accesses(data, viewer)? {
            existing.add_recorded(data, &access)?;
        }
        Ok(existing)
    }

    /// Adds what is recorded of an owner's items.
    fn add_recorded(&mut self, data: &Snapshot<'_>, access: &Access) -> Result<()> {
        let chargings = charging::ids(data, access)?.into_iter();
        self.chargings.extend(chargings.map(|id| id.key()));
        let readings = readings::ids(data, access)?.into_iter();
        self.readings.extend(readings.map(|id| id.key()));
        let sets = sets::all(data, access)?.into_iter();
        self.sets.extend(sets.map(|set| set.id.key()));
        let jobs = maintenance::all(data, access)?.into_iter();
        self.jobs.extend(jobs.map(|(job, _)| job.id.key()));
        let logs = logs::all(data, access)?.into_iter();
        self.logs.extend(logs.map(|id| id.key()));
        Ok(())
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
    let kinds = packs::kinds(data, viewer)?;
    let foreign_item = |id| table::foreign_item(data, viewer.user(), id);
    let rows = (0..).zip(foreign_flights);
    let rows: Vec<_> = rows.map(|(part, foreign)| ((0, part), foreign.clone())).collect();
    let new = |more: &[ForeignItem]| {
        let matched = ForeignFlights::read(&rows, more, &kinds, &own, foreign_item);
        matched.map(|matched| matched.new_items().len())
    };
    Ok(new(items)?.saturating_sub(new(&[])?))
}
