//! Statistics and yearly reviews, computed from the sums that `flights` keeps. Has no table of its own.

pub mod api;
pub mod model;
pub mod review;

use std::collections::HashMap;

use crate::equipment;
use crate::equipment::model::Kind;
use crate::flights::reviews::model::{GroupBy, ReviewFilter};
use crate::flights::{self, reviews, years};
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::EquipmentId;
use model::{FlightMonth, Statistics};
use review::{Review, ReviewParts};

/// Returns the statistics of all finished flights of the viewer.
pub fn get(app: &App, viewer: &Viewer) -> Result<Statistics> {
    let years = app.store.read(|data| years::of(data, viewer, None))?;
    Ok(model::statistics(&years))
}

/// Returns the months from the viewer's first finished flight to the last, oldest first.
///
/// With an item, only flights that used it are counted.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`] for another user's item.
pub fn months(app: &App, viewer: &Viewer, item: Option<EquipmentId>) -> Result<Vec<FlightMonth>> {
    let years = app.store.read(|data| {
        if let Some(item) = item {
            flights::check_known(data, viewer, item)?;
        }
        years::of(data, viewer, item)
    })?;
    Ok(model::months(&years))
}

/// Returns the review of a year or of all time: of all flights, those with a copter or those at a place.
///
/// # Errors
/// [`Error::NotFound`] for another user's item, and for one that isn't a copter.
pub fn review(app: &App, viewer: &Viewer, year: Option<u32>, of: ReviewFilter) -> Result<Review> {
    app.store.read(|data| {
        let name = match of {
            ReviewFilter::Copter(copter) => match equipment::find_for(data, viewer, copter) {
                Ok((_, item)) if item.kind == Kind::Copter => item.details.name,
                Ok(_) => return Err(Error::NotFound),
                Err(_) => {
                    flights::check_known(data, viewer, copter)?;
                    let mut details = flights::details(data, viewer, std::iter::once(copter))?;
                    details.remove(&copter).ok_or(Error::NotFound)?.name
                }
            },
            _ => String::new(),
        };
        let years = reviews::of(data, viewer, of)?;
        let name = match (of, years.last()) {
            (ReviewFilter::Place(place), Some((year, _))) => {
                reviews::place_name(data, viewer, place, *year)?.unwrap_or_default()
            }
            _ => name,
        };
        let span = year.map_or(0..=u32::MAX, |year| year..=year);
        let parts = |by| {
            let shares = reviews::shares(data, viewer, of, by, span.clone())?;
            let items = shares.keys().map(|id| EquipmentId::from_key(*id));
            let details = match by {
                GroupBy::Place => HashMap::new(),
                GroupBy::Copter | GroupBy::Battery => flights::details(data, viewer, items)?,
            };
            Ok::<_, Error>(ReviewParts::of(by, shares, &details))
        };
        let best = review::best(&years, year);
        let flights: Vec<_> = best.iter().flatten().map(|largest| largest.flight).collect();
        let rows = flights::rows(data, viewer, &flights)?;
        let parts = [
            parts(GroupBy::Place)?,
            parts(GroupBy::Copter)?,
            parts(GroupBy::Battery)?,
        ];
        Ok(Review::new(
            name,
            &years,
            year,
            &review::with_flights(best, &rows),
            parts,
            flights::review_paths(data, viewer, year, of)?,
        ))
    })
}
