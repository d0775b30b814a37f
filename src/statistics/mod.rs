//! The dashboard's figures: the last step from flights to what the pilot sees. Owns no table.

pub mod api;
pub mod model;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
use crate::base::id::EquipmentId;
use crate::flights;
use model::{FlightMonth, Statistics};

/// The figures over all finished flights of the viewer.
pub fn get(app: &App, viewer: &Viewer) -> Result<Statistics> {
    Ok(model::statistics(&flights::finished(app, viewer, None)?))
}

/// The months from the viewer's first finished flight to the last, oldest first. Summed up anew at each call: reading 5,000 flights
/// takes a few milliseconds, so that totals of their own, which every change of a flight would have to keep right, aren't worth it.
///
/// With an item, only the flights that it was on count.
///
/// # Errors
/// [`crate::base::error::Error::NotYours`] for an item of someone else.
pub fn months(app: &App, viewer: &Viewer, item: Option<EquipmentId>) -> Result<Vec<FlightMonth>> {
    Ok(model::months(&flights::finished(app, viewer, item)?))
}
