//! The logbook of another Fluglog instance: reads its export, or the table of its flights, matches its items with the
//! pilot's, and brings the files of its assets to disk. Knows no transaction.

pub mod assets;
pub mod existing;
mod flights;
pub mod foreign;
mod reader;
pub mod staged;

use std::collections::HashSet;

use super::table::ForeignFlightRecord;
use assets::{Assets, KnownFlights};
use existing::ExistingIds;
use flights::ExportFlights;
pub(crate) use flights::read_table;
use fluglog_base::time::Zone;
use fluglog_readers::samples::ReadError;
use fluglog_readers::segmenter::Segmented;
use foreign::ForeignItem;
pub use reader::Reader;

/// What an export holds that can be imported, within the limits.
pub struct Contents {
    pub outcome: Segmented,
    /// In the order of `outcome.found`.
    pub foreign_flights: Vec<ForeignFlightRecord>,
    pub assets: Assets,
    pub items: Vec<ForeignItem>,
}

/// Reads an export.
///
/// # Errors
/// See [`ReadError`].
pub fn read(reader: &mut Reader<'_>, existing: &ExistingIds, zone: Zone) -> Result<Contents, ReadError> {
    let ExportFlights {
        mut outcome,
        foreign_flights,
        all,
    } = flights::read(reader, &existing.flights)?;
    let coming = foreign_flights.iter().map(|foreign| foreign.id);
    let flights = KnownFlights {
        available: &existing.flights.iter().copied().chain(coming).collect(),
        eventual: &existing.flights.union(&all).copied().collect::<HashSet<_>>(),
    };
    let assets = assets::read(reader, existing, &flights, zone)?;
    let (items, broken) = assets::items(reader)?;
    for reason in assets.omitted(broken) {
        flights::omit(&mut outcome, None, &reason);
    }
    Ok(Contents {
        outcome,
        foreign_flights,
        assets,
        items,
    })
}
