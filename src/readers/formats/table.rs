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
    let mut series = Series::default();
    let done = below_headings(source, &head, mapping, |row| {
        match rows.next(row) {
            row::Found::Flight(found) => {
                segmenter.count_row()?;
                series.take(&found);
                segmenter.flight(*found);
            }
            row::Found::NoTime => {
                segmenter.keep_untimed_beginning(|| row::beginning(row));
                segmenter.count_untimed_row()?;
            }
            row::Found::Nothing => segmenter.count_row()?,
        }
        Ok(())
    });
    segmenter.set_series(series.is_series());
    done
}

/// Rows without a duration that follow each other within this many seconds are values of the same flight.
const SERIES_SECONDS: f64 = 600.0;
/// Rows that follow each other within this many seconds are, whatever duration they have.
const ROW_SECONDS: f64 = 5.0;
const SERIES_ROWS: usize = 3;

/// Finds out whether the rows of a table are values during a flight rather than flights.
#[derive(Default)]
struct Series {
    rows: usize,
    /// The number of rows with a start, and of those that are close to the row before.
    started: usize,
    close: usize,
    last: Option<(f64, bool)>,
}

impl Series {
    fn take(&mut self, row: &FoundFlight) {
        self.rows += 1;
        let Some(start) = row.start else { return };
        self.started += 1;
        let next = (start, row.duration.is_some());
        if let Some(last) = self.last.replace(next) {
            let (earlier, later) = if last.0 <= next.0 { (last, next) } else { (next, last) };
            let close = if earlier.1 { ROW_SECONDS } else { SERIES_SECONDS };
            self.close += usize::from(later.0 - earlier.0 < close);
        }
    }

    fn is_series(&self) -> bool {
        self.rows >= SERIES_ROWS && self.started == self.rows && self.close * 2 >= self.rows
    }
}

#[cfg(test)]
mod tests;
