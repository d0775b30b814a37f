//! The pilot's earlier imports: how tables were read, and which flights are here already.

use std::collections::HashSet;

use super::table;
use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
use crate::flights;
use crate::flights::origin;
use crate::readers::formats::table::Mapping;

/// The viewer's earlier imports.
#[derive(Clone, Copy)]
pub struct History<'h> {
    pub app: &'h App,
    pub viewer: &'h Viewer,
}

impl History<'_> {
    /// The mapping that was chosen for these headings last.
    pub fn mapping(&self, headings: &str) -> Result<Option<Mapping>> {
        let store = &self.app.store;
        let json = store.read(|data| table::mapping(data, self.viewer.user(), headings))?;
        let mapping = json.and_then(|json| serde_json::from_str(&json).ok());
        Ok(mapping.filter(Mapping::is_usable))
    }

    /// The parts of a file, by its digest, that flights were made of.
    pub fn parts(&self, digest: u128) -> Result<HashSet<u32>> {
        let parts = self.app.store.read(|data| origin::parts(data, self.viewer, digest))?;
        Ok(parts.into_iter().collect())
    }

    /// The ids of flights of other Fluglogs that were taken over, and of the viewer's own.
    pub fn flights(&self) -> Result<HashSet<u128>> {
        self.app.store.read(|data| {
            let sources = origin::all(data, self.viewer)?;
            let sources = sources.into_iter().map(|(_, source)| source.digest);
            let own = flights::all(data, self.viewer)?;
            let own = own.into_iter().map(|flight| flight.id.key());
            Ok(sources.chain(own).collect())
        })
    }
}
