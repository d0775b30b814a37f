//! The pilot's earlier imports: mappings of tables, and parts of files that became flights.

use std::collections::HashSet;

use super::table;
use crate::flights::origin;
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_readers::formats::table::Mapping;

/// Queries about the viewer's earlier imports.
#[derive(Clone, Copy)]
pub(crate) struct History<'h> {
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
}
