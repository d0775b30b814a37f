//! The dashboard's figures: the last step from flights to what the pilot sees. Owns no table.

pub mod api;
pub mod model;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::error::Result;
use crate::flights;
use model::Statistics;

/// The figures over all finished flights of the viewer.
///
/// # Errors
/// An unreadable database.
pub fn get(app: &App, viewer: &Viewer) -> Result<Statistics> {
    Ok(model::statistics(&flights::finished(app, viewer)?))
}
