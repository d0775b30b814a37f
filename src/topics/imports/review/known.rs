//! The pilot's flights and items, and what earlier imports said of them.

use std::collections::HashMap;

use crate::equipment;
use crate::equipment::model::{Item, Kind};
use crate::flights;
use crate::flights::model::StoredFlight;
use crate::flights::origin;
use crate::flights::origin::model::Source;
use crate::imports::copies::{CopiedFlight, CopiedItem, Copies};
use crate::imports::model::Shifts;
use crate::imports::table::{self, AliasRecord, CopyRecord, FileRecord, FoundFlightRecord};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::time::Clock;
use fluglog_store::Snapshot;
use fluglog_store::open_flight;

/// The pilot's flights and items, read once for each look at an import.
pub struct Known<'k> {
    pub(super) data: &'k Snapshot<'k>,
    pub(super) viewer: &'k Viewer,
    pub(super) clock: &'k Clock,
    pub(super) items: HashMap<EquipmentId, Item>,
    /// The latest start first.
    pub(super) flights: Vec<StoredFlight>,
    pub(super) sources: HashMap<FlightId, Source>,
    pub(super) open: Option<FlightId>,
    /// As the pilot wishes, instead of what was remembered.
    pub(super) shifts: Shifts,
    pub(super) copies: Copies,
    /// Names and serial numbers that the pilot confirmed since.
    learned: HashMap<(&'static str, String), AliasRecord>,
}

impl<'k> Known<'k> {
    /// Reads it. `copies` are those that the import keeps, `more` further items of its exports.
    pub fn new(
        data: &'k Snapshot<'k>,
        viewer: &'k Viewer,
        clock: &'k Clock,
        copies: &[((u32, u32), CopyRecord)],
        more: &[CopiedItem],
    ) -> Result<Known<'k>> {
        let items = equipment::all(data, &Access::own(viewer))?;
        let known = |id: EquipmentId| table::copied_item(data, viewer.user(), id);
        Ok(Known {
            copies: Copies::read(copies, more, &items, known)?,
            items,
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

    /// The same with the times of files moved.
    #[must_use]
    pub fn shifted(self, shifts: Shifts) -> Known<'k> {
        Known { shifts, ..self }
    }

    /// The flight of another Fluglog that this one is a copy of.
    pub fn copy(&self, flight: &FoundFlightRecord) -> Option<&CopiedFlight> {
        self.copies.of(flight)
    }

    /// The items of another Fluglog by the ids that they have there: those that are here, and those that aren't yet.
    pub fn into_items(self) -> (HashMap<EquipmentId, EquipmentId>, HashMap<EquipmentId, CopiedItem>) {
        let (own, new) = self.copies.into_items();
        (own, new.into_iter().map(|item| (item.id, item)).collect())
    }

    pub fn open_flight(&self) -> Option<FlightId> {
        self.open
    }

    /// The kind of an item.
    ///
    /// # Errors
    /// [`Error::NotYours`] when the pilot has no such item.
    pub fn kind(&self, id: EquipmentId) -> Result<Kind> {
        self.items.get(&id).map(|item| item.kind).ok_or(Error::NotYours)
    }

    /// The item behind a folded name or serial number.
    pub(super) fn alias(&self, kind: &'static str, folded: &str) -> Result<Option<AliasRecord>> {
        match self.learned.get(&(kind, folded.to_owned())) {
            Some(learned) => Ok(Some(learned.clone())),
            None => table::alias(self.data, self.viewer.user(), kind, folded),
        }
    }

    /// Goes by what the pilot confirmed.
    pub fn learn(&mut self, kind: &'static str, alias: AliasRecord) {
        self.learned.insert((kind, alias.text.clone()), alias);
    }

    /// The pilot's own item behind an id of another Fluglog.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.copies.own(id)
    }

    /// By what a flight is known again: the digest of its file and its place in that, or the id that it has in another
    /// Fluglog.
    pub fn source(&self, flight: &FoundFlightRecord, file: &FileRecord) -> (u128, u32) {
        let copy = self.copies.of(flight);
        copy.map_or((file.digest, flight.part), |copy| (copy.id.key(), 0))
    }
}
