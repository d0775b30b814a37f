//! From samples to flights, one sample at a time: memory doesn't grow with the file.

mod figures;
mod part;
mod plausible;
mod run;

use std::collections::HashSet;

use super::samples::{About, Fault, Found, Omitted, ReadOutcome, Sample};
pub use figures::metres;
use fluglog_base::text;
use part::{Flights, Part};
use plausible::{plausible, plausible_figures};

/// Rows of one file.
const ROWS_MOST: u64 = 5_000_000;
/// Flights and omitted parts of one file. Of more flights the first that weren't taken over yet are kept, the others
/// are counted only.
pub const FLIGHTS_MOST: usize = 200;
const OMITTED_MOST: usize = 50;

/// Makes flights of samples.
#[derive(Default)]
pub struct Fold {
    part: Option<Part>,
    rows: u64,
    /// The parts of the file that were taken over before.
    taken: HashSet<u32>,
    parts: u32,
    found: Vec<Found>,
    found_again: Vec<Found>,
    surplus: u32,
    omitted: Vec<Omitted>,
    untimed: u64,
}

/// Everything that a file gave.
#[derive(Debug, Default)]
pub struct Outcome {
    pub found: Vec<Found>,
    /// Flights over [`FLIGHTS_MOST`] that weren't taken over before.
    pub surplus: u32,
    pub omitted: Vec<Omitted>,
    /// Rows without a valid time.
    pub untimed: u64,
}

impl Fold {
    /// A fold over a file of which these parts were taken over before: they fill the room that the others leave.
    #[must_use]
    pub fn of_rest(taken: HashSet<u32>) -> Fold {
        Fold {
            taken,
            ..Fold::default()
        }
    }

    /// Begins what belongs together: samples of another log, another track.
    pub fn begin(&mut self, about: About) {
        self.end_part();
        self.part = Some(Part::new(about));
    }

    /// Takes the next sample of what was begun.
    ///
    /// # Errors
    /// [`Fault::TooMuch`] after 5 million rows.
    pub fn sample(&mut self, sample: &Sample) -> ReadOutcome {
        self.count_row()?;
        let sample = plausible(sample);
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

    /// Changes what is known about the samples that follow and came since [`Fold::begin`].
    pub fn about(&mut self) -> Option<&mut About> {
        self.part.as_mut().map(|part| &mut part.about)
    }

    /// Takes a flight of which the file knows the figures alone.
    pub fn flight(&mut self, mut found: Found) {
        found.part = self.parts;
        found.is_taken = self.taken.contains(&found.part);
        self.parts += 1;
        let list = match found.is_taken {
            true => &mut self.found_again,
            false => &mut self.found,
        };
        if list.len() == FLIGHTS_MOST {
            self.surplus += u32::from(!found.is_taken);
            return;
        }
        found.figures = plausible_figures(found.figures);
        found.start = found.start.filter(|start| start.is_finite() && start.abs() < 1e11);
        found.duration = found.duration.filter(|seconds| (0.0..=1e6).contains(seconds));
        list.push(found);
    }

    /// Counts a row that gives no sample, because its time can't be read.
    ///
    /// # Errors
    /// As [`Fold::sample`].
    pub fn untimed(&mut self) -> ReadOutcome {
        self.untimed += 1;
        self.count_row()
    }

    /// Counts a row that says nothing about a flight.
    ///
    /// # Errors
    /// As [`Fold::sample`].
    pub fn count_row(&mut self) -> ReadOutcome {
        self.rows += 1;
        match self.rows {
            ..=ROWS_MOST => Ok(()),
            _ => Err(Fault::TooMuch),
        }
    }

    /// Rows until now.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Notes a part that gives no flight.
    pub fn omit(&mut self, omitted: Omitted) {
        if self.omitted.len() < OMITTED_MOST {
            self.omitted.push(omitted);
        }
    }

    /// The flights of everything that came.
    pub fn finish(mut self) -> Outcome {
        self.end_part();
        self.found_again.truncate(FLIGHTS_MOST - self.found.len());
        self.found.append(&mut self.found_again);
        self.found.sort_by_key(|found| found.part);
        Outcome {
            found: self.found,
            surplus: self.surplus,
            omitted: self.omitted,
            untimed: self.untimed,
        }
    }

    fn end_part(&mut self) {
        let Some(part) = self.part.take() else { return };
        let (from, clock) = part.start();
        let (about, flights) = part.end();
        match flights {
            Flights::None => {}
            Flights::Disarmed => self.omit(Omitted {
                from: whole(from),
                clock,
                reason: text::IMPORT_NEVER_ARMED.to_owned(),
            }),
            Flights::Some(runs) => {
                for run in runs {
                    self.flight(run.found(about.clone()));
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
