//! Uses of items: one for each item of a flight, written with the flight.

use super::model::StoredFlight;
use super::{reviews, table};
use crate::equipment;
use crate::equipment::model::Use;
use fluglog_base::error::Result;
use fluglog_store::Writer;
use fluglog_store::findings::Findings;

/// Returns an equal part of the consumption, rounded to thousandths.
fn share(consumed: f64, batteries: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a flight has few batteries")]
    let share = consumed / batteries as f64;
    (share * 1000.0).round() / 1000.0
}

/// Records equal parts of flights with several batteries, if the database is of an earlier version, which is the case
/// while there are no reviews. [`reviews::fill`] must follow.
pub(crate) fn fill_shares(writer: &Writer<'_>) -> Result<()> {
    if reviews::are_stored(writer)? {
        return Ok(());
    }
    let mut shared = Vec::new();
    table::check::check(writer, &mut Findings::default(), |_, _, pilot, flight| {
        let used = used(flight);
        if used.shared.is_some() {
            let parts = flight.parts();
            shared.extend(parts.filter_map(|part| Some((part.owner(pilot)?, part.id, used))));
        }
        Ok(())
    })?;
    shared
        .iter()
        .try_for_each(|(owner, item, used)| equipment::rewrite_use(writer, *owner, *item, used))
}

/// Returns the use of each of its items by a flight.
pub(super) fn used(flight: &StoredFlight) -> Use {
    let batteries = flight.batteries().count();
    let consumed = flight.entries.fields.consumed_capacity;
    Use {
        flight: flight.id,
        start: flight.entries.start,
        minutes: flight.entries.fields.minutes,
        start_voltage: flight.entries.fields.start_voltage,
        end_voltage: flight.entries.fields.end_voltage,
        consumed: consumed.filter(|_| batteries == 1),
        shared: consumed
            .filter(|_| batteries > 1)
            .map(|consumed| share(consumed, batteries)),
        open: flight.open,
    }
}
