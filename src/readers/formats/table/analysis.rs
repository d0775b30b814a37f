//! Analyses each column over all its values: its decimal sign, the form of its durations, the order of its dates. What
//! can be read in two ways becomes a question.

mod dates;
mod durations;
mod numbers;
mod question;

use std::io::BufRead;

use super::cells::{clocks, moment_in};
use super::head::{Head, below_headings};
use super::mapping::{Mapping, Meaning};
use super::row::is_sum;
use crate::formats::lines::{Row, Utf8Reader};
use crate::samples::ReadError;
use dates::DateColumn;
use durations::DurationColumn;
use numbers::NumberColumn;
pub use question::{Example, Origin, Question, Subject, Value, Way};

/// A mapping that says how each column is read, and what it can't say.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    pub mapping: Mapping,
    pub questions: Vec<Question>,
}

/// Analyses the columns of a table. Years without a century or any year are proposed up to `this_year`.
///
/// # Errors
/// See [`ReadError`].
pub fn analyse(
    source: &mut dyn BufRead,
    head: &[u8],
    mapping: &Mapping,
    origin: Origin,
    this_year: i32,
) -> Result<Analysis, ReadError> {
    let source = Utf8Reader::new(source, head)?;
    let mut columns = Columns::new(mapping);
    below_headings(source, &Head::of(head), mapping, |row| {
        columns.take(row, mapping);
        Ok(())
    })?;
    Ok(columns.analysis(mapping, origin, this_year))
}

#[derive(Default)]
struct Columns {
    dates: Option<(u16, DateColumn)>,
    numbers: Vec<(u16, Meaning, NumberColumn)>,
    durations: Option<(u16, DurationColumn)>,
}

impl Columns {
    fn new(mapping: &Mapping) -> Columns {
        let date = mapping
            .column(Meaning::Date)
            .or_else(|| mapping.column(Meaning::DateTime));
        let numbers = mapping.columns.iter().filter(|(_, meaning)| meaning.is_number());
        let durations = mapping
            .columns
            .iter()
            .filter(|(_, meaning)| **meaning == Meaning::FlightTime);
        let durations: Vec<u16> = durations.map(|(index, _)| *index).collect();
        Columns {
            dates: date.map(|index| (index, DateColumn::default())),
            numbers: numbers
                .map(|(index, meaning)| (*index, *meaning, NumberColumn::new(*meaning, mapping.unit(*index))))
                .collect(),
            // A duration in two columns has a unit in each.
            durations: match durations.as_slice() {
                [index] => Some((*index, DurationColumn::default())),
                _ => None,
            },
        }
    }

    fn take(&mut self, row: Row<'_>, mapping: &Mapping) {
        let times = [Meaning::Date, Meaning::DateTime, Meaning::StartTime];
        let mut times = times.into_iter().filter_map(|meaning| mapping.column(meaning));
        // A sum below the flights says nothing about the columns.
        if is_sum(row) || times.all(|index| row.cell(usize::from(index)).is_empty()) {
            return;
        }
        if let Some((index, dates)) = &mut self.dates {
            dates.take(&row.cell(usize::from(*index)));
        }
        for (index, _, numbers) in &mut self.numbers {
            numbers.take(&row.cell(usize::from(*index)));
        }
        if let Some((index, durations)) = &mut self.durations {
            let cell = row.cell(usize::from(*index));
            durations.take(&cell, seconds_between(row, mapping));
        }
    }

    fn analysis(self, given: &Mapping, origin: Origin, this_year: i32) -> Analysis {
        let mut mapping = given.clone();
        let mut questions = Vec::new();
        if let Some((index, dates)) = self.dates {
            dates.settle(index, &mut mapping, origin, this_year, &mut questions);
        }
        let proven = numbers::proven(&self.numbers);
        for (index, _, numbers) in &self.numbers {
            numbers.settle(*index, &mut mapping, origin, proven, &mut questions);
        }
        if let Some((index, durations)) = self.durations {
            durations.settle(index, &mut mapping, origin, &mut questions);
        }
        Analysis { mapping, questions }
    }
}

/// Returns the seconds from the start to the end in a row.
fn seconds_between(row: Row<'_>, mapping: &Mapping) -> Option<f64> {
    let cell = |meaning| mapping.column(meaning).map(|index| row.cell(usize::from(index)));
    let time_of = |cell: &str| {
        let moment = || moment_in(cell, mapping.date_order, mapping.year.or(Some(2024)));
        clocks(cell).or_else(|| Some((moment()?.shown.rem_euclid(86_400.0), None)))
    };
    let start = cell(Meaning::StartTime).or_else(|| cell(Meaning::DateTime))?;
    let (start, end) = time_of(&start)?;
    let end = end.or_else(|| Some(time_of(&cell(Meaning::End)?)?.0))?;
    Some((end - start).rem_euclid(86_400.0))
}
