//! The pilot's flights and items, and what earlier imports learned about them.

use std::collections::HashMap;

use crate::equipment::model::{Item, Kind};
use crate::flights;
use crate::flights::model::StoredFlight;
use crate::flights::origin;
use crate::flights::origin::model::Source;
use crate::imports::copies::{CopiedFlight, CopiedItem, Copies};
use crate::imports::model::Shifts;
use crate::imports::table::{self, AliasRecord, CopyRecord, FileRecord, FoundFlightRecord};
use crate::packs;
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::time::Clock;
use fluglog_store::Snapshot;
use fluglog_store::open_flight;

/// The pilot's flights and items, read once for each review of an import.
pub struct Known<'k> {
    pub(super) data: &'k Snapshot<'k>,
    pub(super) viewer: &'k Viewer,
    pub(super) clock: &'k Clock,
    pub(super) items: HashMap<EquipmentId, Item>,
    /// Cells in series of batteries.
    pub(super) cells: HashMap<EquipmentId, u8>,
    /// Sorted by start, latest first.
    pub(super) flights: Vec<StoredFlight>,
    pub(super) sources: HashMap<FlightId, Source>,
    pub(super) open: Option<FlightId>,
    /// Shifts that the pilot chose; they override the remembered ones.
    pub(super) shifts: Shifts,
    pub(super) copies: Copies,
    /// Names and serial numbers confirmed by earlier choices of this import.
    learned: HashMap<(&'static str, String), AliasRecord>,
}

impl<'k> Known<'k> {
    /// Reads flights and items. `copies` are the foreign flights of the import, `more` further items of its exports.
    pub fn new(
        data: &'k Snapshot<'k>,
        viewer: &'k Viewer,
        clock: &'k Clock,
        copies: &[((u32, u32), CopyRecord)],
        more: &[CopiedItem],
    ) -> Result<Known<'k>> {
        let packs = packs::all(data, &Access::own(viewer))?;
        let cells = packs
            .iter()
            .filter_map(|pack| Some((pack.item.id, pack.cells()?)))
            .collect();
        let items = packs.into_iter().map(|pack| (pack.item.id, pack.item)).collect();
        let known = |id: EquipmentId| table::copied_item(data, viewer.user(), id);
        Ok(Known {
            copies: Copies::read(copies, more, &items, known)?,
            items,
            cells,
            flights: flights::all(data, viewer)?,
            sources: origin::all(data, viewer)?.into_iter().collect(),
            open: open_flight::of(data, viewer.user())?,
            shifts: Shifts::new(),
            learned: HashMap::new(),
            data,
            viewer,
            clock,
        })
    }

    /// Replaces the shifts of the files' times.
    #[must_use]
    pub fn shifted(self, shifts: Shifts) -> Known<'k> {
        Known { shifts, ..self }
    }

    /// Returns the foreign flight behind a flight of the import.
    pub fn copy(&self, flight: &FoundFlightRecord) -> Option<&CopiedFlight> {
        self.copies.of(flight)
    }

    /// Returns the foreign items by their ids in the source instance: those that exist here, and those that don't yet.
    pub fn into_items(self) -> (HashMap<EquipmentId, EquipmentId>, HashMap<EquipmentId, CopiedItem>) {
        let (own, new) = self.copies.into_items();
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

    /// Returns the item behind a normalized name or serial number.
    pub(super) fn alias(&self, kind: &'static str, folded: &str) -> Result<Option<AliasRecord>> {
        match self.learned.get(&(kind, folded.to_owned())) {
            Some(learned) => Ok(Some(learned.clone())),
            None => table::alias(self.data, self.viewer.user(), kind, folded),
        }
    }

    /// Adds an alias that the pilot confirmed.
    pub fn learn(&mut self, kind: &'static str, alias: AliasRecord) {
        self.learned.insert((kind, alias.text.clone()), alias);
    }

    /// Returns the pilot's own item behind an id of another Fluglog instance.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.copies.own(id)
    }

    /// Returns the identity of a flight: the digest of its file and its index in that, or its id in the source instance
    /// and 0.
    pub fn source(&self, flight: &FoundFlightRecord, file: &FileRecord) -> (u128, u32) {
        let copy = self.copies.of(flight);
        copy.map_or((file.digest, flight.part), |copy| (copy.id.key(), 0))
    }
}
