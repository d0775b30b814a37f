//! The dashboard's figures: the last step from what flights add up to, to what the pilot sees. Owns no table.

pub mod api;
pub mod model;

use crate::accounts::guard::{Access, Viewer};
use crate::app::App;
use crate::base::error::Result;
use crate::base::id::EquipmentId;
use crate::equipment;
use crate::flights::years;
use model::{FlightMonth, Statistics};

/// The figures over all finished flights of the viewer.
pub fn get(app: &App, viewer: &Viewer) -> Result<Statistics> {
    let years = app.store.read(|data| years::of(data, viewer, None))?;
    Ok(model::statistics(&years))
}

/// The months from the viewer's first finished flight to the last, oldest first.
///
/// With an item, only the flights that it was on count.
///
/// # Errors
/// [`crate::base::error::Error::NotYours`] for an item of someone else.
pub fn months(app: &App, viewer: &Viewer, item: Option<EquipmentId>) -> Result<Vec<FlightMonth>> {
    let years = app.store.read(|data| {
        if let Some(item) = item {
            equipment::find(data, &Access::own(viewer), item)?;
        }
        years::of(data, viewer, item)
    })?;
    Ok(model::months(&years))
}
