//! The segmenter: splits the samples of a file into flights, one sample at a time. Memory use doesn't grow with the
//! file.

mod figures;
mod part;
mod plausible;
mod run;
mod ways;

use std::collections::HashSet;

use super::samples::{FoundFlight, Metadata, ReadError, ReadResult, Sample, SkippedPart};
pub use figures::metres;
use fluglog_base::text;
use part::{Flights, Part};
use plausible::{sanitized, sanitized_figures};

/// The most rows of one file.
const MAX_ROWS: u64 = 5_000_000;
/// The most flights and omitted parts of one file. The first flights that weren't imported before are kept; further
/// ones are only counted.
pub const MAX_FLIGHTS: usize = 200;
const MAX_OMITTED: usize = 50;
/// The most rows without a time whose beginnings are kept.
const MAX_BEGINNINGS: usize = 3;

/// Splits samples into flights.
#[derive(Default)]
pub struct Segmenter {
    part: Option<Part>,
    rows: u64,
    /// The numbers of the file's parts that were imported before.
    imported_parts: HashSet<u32>,
    parts: u32,
    found: Vec<FoundFlight>,
    found_imported: Vec<FoundFlight>,
    surplus: u32,
    omitted: Vec<SkippedPart>,
    untimed: u64,
    untimed_beginnings: Vec<String>,
    is_series: bool,
}

/// The result of reading a file.
#[derive(Debug, Default)]
pub struct Segmented {
    pub found: Vec<FoundFlight>,
    /// Number of new flights over [`MAX_FLIGHTS`].
    pub surplus: u32,
    pub omitted: Vec<SkippedPart>,
    /// Rows without a valid time.
    pub untimed: u64,
    /// The beginnings of the first of these rows, where a pilot wrote them.
    pub untimed_beginnings: Vec<String>,
    /// Whether the rows of a table are values during a flight rather than flights.
    pub is_series: bool,
}

impl Segmenter {
    /// Makes a segmenter for a file some of whose parts were imported before: those only fill the slots that new
    /// flights leave free.
    #[must_use]
    pub fn with_imported(imported_parts: HashSet<u32>) -> Segmenter {
        Segmenter {
            imported_parts,
            ..Segmenter::default()
        }
    }

    /// Begins an independent series of samples, such as another log or track. Ends the one before.
    pub fn begin(&mut self, metadata: Metadata) {
        self.end_part();
        self.part = Some(Part::new(metadata));
    }

    /// Adds the next sample of the current series.
    ///
    /// # Errors
    /// [`ReadError::LimitExceeded`] after 5 million rows.
    pub fn sample(&mut self, sample: &Sample) -> ReadResult {
        self.count_row()?;
        let sample = sanitized(sample);
        let Some(part) = &mut self.part else { return Ok(()) };
        if let Some(next) = part.next(&sample) {
            self.end_part();
            self.part = Some(next);
        }
        if let Some(part) = &mut self.part {
            part.take(&sample);
        }
        Ok(())
    }

    /// Returns the metadata of the current series for changing; changes also apply to its earlier samples.
    pub fn metadata(&mut self) -> Option<&mut Metadata> {
        self.part.as_mut().map(|part| &mut part.metadata)
    }

    /// Adds a flight that the file describes by summary figures only.
    pub fn flight(&mut self, mut found: FoundFlight) {
        found.part = self.parts;
        found.is_imported = self.imported_parts.contains(&found.part);
        self.parts += 1;
        let list = match found.is_imported {
            true => &mut self.found_imported,
            false => &mut self.found,
        };
        if list.len() == MAX_FLIGHTS {
            self.surplus += u32::from(!found.is_imported);
            return;
        }
        found.figures = sanitized_figures(found.figures);
        found.start = found.start.filter(|start| start.is_finite() && start.abs() < 1e11);
        found.duration = found.duration.filter(|seconds| (0.0..=1e6).contains(seconds));
        list.push(found);
    }

    pub(crate) fn set_series(&mut self, is_series: bool) {
        self.is_series = is_series;
    }

    /// Counts a row without a readable time, which gives no sample.
    ///
    /// # Errors
    /// As [`Segmenter::sample`].
    pub(crate) fn count_untimed_row(&mut self) -> ReadResult {
        self.untimed += 1;
        self.count_row()
    }

    /// Keeps the beginning of a row without a readable time, which the pilot can look for in the file.
    pub(crate) fn keep_untimed_beginning(&mut self, row: impl FnOnce() -> String) {
        if self.untimed_beginnings.len() < MAX_BEGINNINGS {
            self.untimed_beginnings.push(row());
        }
    }

    /// Counts a row without values of a flight.
    ///
    /// # Errors
    /// As [`Segmenter::sample`].
    pub(crate) fn count_row(&mut self) -> ReadResult {
        self.rows += 1;
        match self.rows {
            ..=MAX_ROWS => Ok(()),
            _ => Err(ReadError::LimitExceeded),
        }
    }

    /// Number of rows so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Records a part of the file that gives no flight.
    pub fn skip(&mut self, omitted: SkippedPart) {
        if self.omitted.len() < MAX_OMITTED {
            self.omitted.push(omitted);
        }
    }

    /// Ends the file and returns the flights found.
    pub fn finish(mut self) -> Segmented {
        self.end_part();
        self.found_imported.truncate(MAX_FLIGHTS - self.found.len());
        self.found.append(&mut self.found_imported);
        self.found.sort_by_key(|found| found.part);
        Segmented {
            found: self.found,
            surplus: self.surplus,
            omitted: self.omitted,
            untimed: self.untimed,
            untimed_beginnings: self.untimed_beginnings,
            is_series: self.is_series,
        }
    }

    fn end_part(&mut self) {
        let Some(part) = self.part.take() else { return };
        let (from, clock) = part.start();
        let (metadata, flights) = part.end();
        match flights {
            Flights::None => {}
            Flights::Disarmed => self.skip(SkippedPart {
                from: whole(from),
                clock,
                reason: text::IMPORT_NEVER_ARMED.to_owned(),
            }),
            Flights::Some(runs, live) => {
                for run in runs {
                    self.flight(run.found(metadata.clone(), live));
                }
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float is cut to the nearest whole number there is"
)]
fn whole(seconds: Option<f64>) -> Option<i64> {
    seconds.map(|seconds| seconds as i64)
}

#[cfg(test)]
mod tests;
