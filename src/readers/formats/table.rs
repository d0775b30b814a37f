//! Any other CSV table with one flight per row. The meaning of its columns is guessed, and then chosen by the pilot.

mod analysis;
mod cells;
mod guess;
mod head;
mod mapping;
mod row;

use super::lines::Utf8Reader;
use crate::samples::{FoundFlight, ReadResult};
use crate::segmenter::Segmenter;
pub use analysis::{Analysis, Example, Origin, Question, Subject, Value, Way, analyse};
pub use guess::layout;
use head::{Head, below_headings};
pub use mapping::{Column, DateOrder, Layout, Mapping, Meaning};
use row::Rows;

/// Reads a table according to a mapping.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub(crate) fn read(source: Utf8Reader<'_>, head: &[u8], mapping: &Mapping, segmenter: &mut Segmenter) -> ReadResult {
    let head = Head::of(head);
    let mut rows = Rows::new(mapping, head.names(mapping));
    below_headings(source, &head, mapping, |row| {
        match rows.next(row) {
            row::Found::Flight(found) => {
                segmenter.count_row()?;
                segmenter.flight(*found);
            }
            row::Found::NoTime => segmenter.count_untimed_row()?,
            row::Found::Nothing => segmenter.count_row()?,
        }
        Ok(())
    })
}

/// Rows without a duration that follow each other within this many seconds are values of the same flight.
const SERIES_SECONDS: f64 = 600.0;
/// Rows that follow each other within this many seconds are, whatever duration they have.
const ROW_SECONDS: f64 = 5.0;
const SERIES_ROWS: usize = 3;

/// Returns whether the rows are values during a flight rather than flights.
#[must_use]
pub fn is_series(rows: &[FoundFlight]) -> bool {
    let mut starts: Vec<(f64, Option<f64>)> = rows.iter().filter_map(|row| Some((row.start?, row.duration))).collect();
    if rows.len() < SERIES_ROWS || starts.len() < rows.len() {
        return false;
    }
    starts.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let close = starts.windows(2).filter(|pair| {
        let apart = pair[1].0 - pair[0].0;
        apart
            < if pair[0].1.is_some() {
                ROW_SECONDS
            } else {
                SERIES_SECONDS
            }
    });
    close.count() * 2 >= rows.len()
}

#[cfg(test)]
mod tests;
