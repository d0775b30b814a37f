//! The pilot's earlier imports: mappings of tables, and flights and assets that exist here already.

use std::collections::HashSet;

use super::belongings::Here;
use super::copies::{CopiedItem, Copies};
use super::table::{self, CopyRecord};
use crate::documents;
use crate::equipment;
use crate::flights::{self, images, origin};
use crate::logs;
use crate::packs::{charging, readings, sets};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::EquipmentId;
use fluglog_readers::formats::table::Mapping;

/// Queries about the viewer's earlier imports.
#[derive(Clone, Copy)]
pub struct History<'h> {
    pub app: &'h App,
    pub viewer: &'h Viewer,
}

impl History<'_> {
    /// Returns the mapping that was last chosen for these headings.
    pub fn mapping(&self, headings: &str) -> Result<Option<Mapping>> {
        let store = &self.app.store;
        let json = store.read(|data| table::mapping(data, self.viewer.user(), headings))?;
        let mapping = json.and_then(|json| serde_json::from_str(&json).ok());
        Ok(mapping.filter(Mapping::is_usable))
    }

    /// Returns the parts of a file, given by its digest, that became flights.
    pub fn parts(&self, digest: u128) -> Result<HashSet<u32>> {
        let parts = self.app.store.read(|data| origin::parts(data, self.viewer, digest))?;
        Ok(parts.into_iter().collect())
    }

    /// Returns the ids of the viewer's own flights, and of the foreign flights that were imported.
    pub fn flights(&self) -> Result<HashSet<u128>> {
        self.app.store.read(|data| {
            let sources = origin::all(data, self.viewer)?;
            let sources = sources.into_iter().map(|(_, source)| source.digest);
            let own = flights::all(data, self.viewer)?;
            let own = own.into_iter().map(|flight| flight.id.key());
            Ok(sources.chain(own).collect())
        })
    }

    /// Returns the ids of the viewer's assets, other than flights and items.
    pub fn belongings(&self) -> Result<Here> {
        self.app.store.read(|data| {
            let access = Access::own(self.viewer);
            let chargings = charging::ids(data, &access)?;
            let readings = readings::ids(data, &access)?;
            let sets = sets::all(data, &access)?;
            let logs = logs::all(data, &access)?;
            let documents = documents::all(data, self.viewer)?;
            let images = images::all(data, self.viewer)?;
            Ok(Here {
                chargings: chargings.into_iter().map(|id| id.key()).collect(),
                readings: readings.into_iter().map(|id| id.key()).collect(),
                sets: sets.into_iter().map(|set| set.id.key()).collect(),
                logs: logs.into_iter().map(|id| id.key()).collect(),
                documents: documents.into_iter().map(|document| document.id.key()).collect(),
                images: images.into_iter().map(|image| image.id.key()).collect(),
            })
        })
    }

    /// Returns the number of items that don't exist here and belong to none of these flights.
    pub fn new_items(&self, copies: &[CopyRecord], items: &[CopiedItem]) -> Result<usize> {
        let kept: Vec<_> = (0..)
            .zip(copies)
            .map(|(part, copy)| ((0, part), copy.clone()))
            .collect();
        self.app.store.read(|data| {
            let own = equipment::all(data, &Access::own(self.viewer))?;
            let new = |more: &[CopiedItem]| {
                let known = |id: EquipmentId| table::copied_item(data, self.viewer.user(), id);
                Copies::read(&kept, more, &own, known).map(|copies| copies.new_items().len())
            };
            Ok(new(items)?.saturating_sub(new(&[])?))
        })
    }
}
