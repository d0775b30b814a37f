//! What an import is compared with: the pilot's flights and items, and what earlier imports learned about them.

use std::collections::HashMap;

use crate::equipment::model::{Item, Kind};
use crate::flights;
use crate::flights::model::StoredFlight;
use crate::flights::origin;
use crate::flights::origin::model::Source;
use crate::imports::logbook::foreign::{ForeignFlight, ForeignFlights, ForeignItem};
use crate::imports::model::Shifts;
use crate::imports::table::{self, AliasRecord, Aliases, FoundFlightRecord, ImportDraft};
use crate::packs;
use fluglog_accounts::guard::Viewer;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::time::Clock;
use fluglog_store::Snapshot;
use fluglog_store::open_flight;

/// An import beside the pilot's flights and items, all of them in memory.
pub struct Matcher<'m> {
    pub(super) draft: &'m ImportDraft,
    pub(super) clock: &'m Clock,
    pub(super) items: HashMap<EquipmentId, Item>,
    /// Cells in series of batteries.
    pub(super) cells: HashMap<EquipmentId, u8>,
    /// Sorted by start, latest first.
    pub(super) flights: Vec<StoredFlight>,
    pub(super) sources: HashMap<FlightId, Source>,
    /// The first flight of each part of a file and when it was added, by the file's digest and the part.
    pub(super) imported: HashMap<(u128, u32), (FlightId, i64)>,
    pub(super) open: Option<FlightId>,
    /// Shifts that the pilot chose; they override the remembered ones.
    pub(super) shifts: Shifts,
    pub(super) foreign: ForeignFlights,
    /// What names and serial numbers stood for in earlier imports, or stand for by earlier choices of this one.
    pub(super) aliases: Aliases,
}

impl<'m> Matcher<'m> {
    /// Reads flights and items. `more` are further items of the import's exports.
    pub fn new(
        data: &Snapshot<'_>,
        viewer: &Viewer,
        clock: &'m Clock,
        draft: &'m ImportDraft,
        more: &[ForeignItem],
    ) -> Result<Matcher<'m>> {
        let packs = packs::usable(data, viewer)?;
        let cells = packs
            .iter()
            .filter_map(|pack| Some((pack.item.id, pack.cells()?)))
            .collect();
        let items = packs.into_iter().map(|pack| (pack.item.id, pack.item)).collect();
        let flights = draft.record.flights.iter();
        let names = flights.flat_map(|FoundFlightRecord { about, .. }| {
            let battery = about.battery_names();
            about.copter_names().into_iter().chain(battery)
        });
        let aliases = table::aliases(data, viewer.user(), names)?;
        let foreign_item = |id| table::foreign_item(data, viewer.user(), id);
        let sources = origin::all(data, viewer)?;
        let mut imported = HashMap::new();
        for (flight, source) in &sources {
            let part = imported.entry((source.digest, source.part));
            part.or_insert((*flight, source.added));
        }
        Ok(Matcher {
            foreign: ForeignFlights::read(
                &draft.foreign_flights,
                more,
                &packs::kinds(data, viewer)?,
                &items,
                foreign_item,
            )?,
            items,
            cells,
            flights: flights::all(data, viewer)?,
            sources: sources.into_iter().collect(),
            imported,
            open: open_flight::of(data, viewer.user())?,
            shifts: Shifts::new(),
            aliases,
            draft,
            clock,
        })
    }

    /// Replaces the shifts of the files' times.
    #[must_use]
    pub(crate) fn shifted(self, shifts: Shifts) -> Matcher<'m> {
        Matcher { shifts, ..self }
    }

    /// Returns the foreign flight behind a flight of the import.
    pub fn foreign(&self, flight: &FoundFlightRecord) -> Option<&ForeignFlight> {
        self.foreign.of(flight)
    }

    /// Returns whether a part of a file, given by its digest, became a flight.
    pub fn is_imported(&self, part: (u128, u32)) -> bool {
        self.imported.contains_key(&part)
    }

    /// Returns the foreign items by their ids in the source instance: those that exist here, and those that don't yet.
    pub(crate) fn into_items(self) -> (HashMap<EquipmentId, EquipmentId>, HashMap<EquipmentId, ForeignItem>) {
        let (own, new) = self.foreign.into_items();
        (own, new.into_iter().map(|item| (item.id, item)).collect())
    }

    pub fn open_flight(&self) -> Option<FlightId> {
        self.open
    }

    /// Returns the kind of an item.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pilot has no such item.
    pub fn kind(&self, id: EquipmentId) -> Result<Kind> {
        self.items.get(&id).map(|item| item.kind).ok_or(Error::NotFound)
    }

    /// Adds an alias that the pilot confirmed.
    pub(crate) fn learn(&mut self, kind: &'static str, alias: AliasRecord) {
        self.aliases.learn(kind, alias);
    }

    /// Returns the pilot's own item behind an id of another Fluglog instance.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.foreign.own(id)
    }
}
