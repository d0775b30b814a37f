//! The pilot's flights and items, and what earlier imports said of them.

use std::collections::HashMap;

use crate::accounts::guard::Viewer;
use crate::base::error::Result;
use crate::base::id::{EquipmentId, FlightId};
use crate::base::time::Clock;
use crate::equipment;
use crate::equipment::model::Item;
use crate::flights;
use crate::flights::model::StoredFlight;
use crate::flights::origin;
use crate::flights::origin::model::Source;
use crate::imports::copies::{CopiedFlight, CopiedItem, Copies};
use crate::imports::model::Shifts;
use crate::imports::table::{self, CopyRecord, FileRecord, FlightRecord};
use crate::open_flight;
use crate::store::Snapshot;

/// The kind of alias that an id of another Fluglog is.
pub const COPIED: &str = "fluglog";

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
}

impl<'k> Known<'k> {
    /// Reads it. `copies` are those that the import keeps.
    pub fn new(
        data: &'k Snapshot<'k>,
        viewer: &'k Viewer,
        clock: &'k Clock,
        copies: &[((u32, u32), CopyRecord)],
    ) -> Result<Known<'k>> {
        let items = equipment::all(data, viewer)?;
        let known = |id: EquipmentId| {
            let alias = table::alias(data, viewer.user(), COPIED, &id.to_string())?;
            Ok(alias.map(|alias| EquipmentId::from_key(alias.item)))
        };
        Ok(Known {
            copies: Copies::read(copies, &items, known)?,
            items,
            flights: flights::all(data, viewer)?,
            sources: origin::all(data, viewer)?.into_iter().collect(),
            open: open_flight::of(data, viewer.user())?,
            shifts: Shifts::new(),
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
    pub fn copy(&self, flight: &FlightRecord) -> Option<&CopiedFlight> {
        self.copies.of(flight)
    }

    /// The item of another Fluglog that isn't there yet, by the id that it has there.
    pub fn new_item(&self, id: EquipmentId) -> Option<&CopiedItem> {
        self.copies.new_items().iter().find(|item| item.id == id)
    }

    /// The pilot's own item behind an id of another Fluglog.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.copies.own(id)
    }

    /// By what a flight is known again: the digest of its file and its place in that, or the id that it has in another Fluglog.
    pub fn source(&self, flight: &FlightRecord, file: &FileRecord) -> (u128, u32) {
        let copy = self.copies.of(flight);
        copy.map_or((file.digest, flight.part), |copy| (copy.id.key(), 0))
    }
}
