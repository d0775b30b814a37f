//! The unit or form of a column of durations.

use super::question::{EXAMPLES, Example, Origin, Question, Subject, Value, Way, example};
use crate::formats::table::cells::{Duration, LONG_SECONDS, duration_of, unit_word};
use crate::formats::table::mapping::Mapping;

/// Two times of day in whole minutes may differ from a duration by this much.
const TOLERANCE_SECONDS: f64 = 90.0;
/// The part of the rows with an end that has to agree with a form.
const AGREEING: f64 = 0.8;

/// The forms of a number, in the order in which they are offered.
const NUMBERS: [&str; 3] = ["min", "s", "h"];
/// The forms of `7.30`.
const DOTTED: [&str; 2] = ["min", "mm:ss"];
/// The forms of `7:30`.
const PAIRS: [&str; 2] = ["mm:ss", "h:mm"];
/// The forms of `07:30:00`: a spreadsheet makes it of 7:30.
const TRIPLES: [&str; 2] = ["h:mm:ss", "mm:ss:00"];

/// The durations of a column, read in one form.
#[derive(Debug, Clone, Copy, Default)]
struct Form {
    long: u32,
    below_a_minute: u32,
    /// The number of rows whose start and end agree.
    agreeing: u32,
}

/// The durations of one kind in a column, in each of their forms.
#[derive(Debug, Default)]
struct Kind {
    count: u32,
    forms: [Form; 3],
    /// Cells with their seconds in each form; the longest duration is the last one.
    examples: Vec<(String, [f64; 3])>,
}

impl Kind {
    fn take(&mut self, cell: &str, seconds: [f64; 3], between: Option<f64>) {
        self.count += 1;
        for (form, seconds) in self.forms.iter_mut().zip(seconds) {
            form.long += u32::from(seconds > LONG_SECONDS);
            form.below_a_minute += u32::from(seconds < 60.0);
            form.agreeing += u32::from(between.is_some_and(|between| (between - seconds).abs() <= TOLERANCE_SECONDS));
        }
        let is_longest = self.examples.last().is_some_and(|(_, longest)| seconds[0] > longest[0]);
        if self.examples.iter().any(|(known, _)| known == cell) {
            return;
        }
        if self.examples.len() < EXAMPLES {
            self.examples.push((cell.to_owned(), seconds));
        } else if let (true, Some(last)) = (is_longest, self.examples.last_mut()) {
            *last = (cell.to_owned(), seconds);
        }
    }

    /// Returns the only form with which nearly all of the `compared` rows agree.
    fn agreed(&self, compared: u32, forms: &[&'static str]) -> Option<&'static str> {
        let needed = f64::from(compared) * AGREEING;
        let agrees = |form: &Form| compared > 0 && f64::from(form.agreeing) >= needed;
        let mut agreed = forms.iter().zip(&self.forms).filter(|(_, form)| agrees(form));
        let first = agreed.next().map(|(form, _)| *form);
        first.filter(|_| agreed.next().is_none())
    }

    fn question(&self, column: u16, forms: &[&str]) -> Question {
        let examples = |at: usize| -> Vec<Example> {
            let examples = self.examples.iter();
            examples
                .map(|(cell, seconds)| example(cell, Value::Seconds(seconds[at])))
                .collect()
        };
        let ways = forms.iter().enumerate().map(|(at, form)| Way {
            value: (*form).to_owned(),
            examples: examples(at),
        });
        Question {
            subject: Subject::Unit,
            column,
            ways: ways.collect(),
        }
    }
}

/// Evidence from the cells of a column of durations for their unit or form.
#[derive(Debug, Default)]
pub(super) struct DurationColumn {
    numbers: Kind,
    /// The numbers with two decimals that may be seconds.
    dotted: Kind,
    /// The number of numbers with decimals.
    fractions: u32,
    pairs: Kind,
    triples: Kind,
    /// The number of rows with a start and an end.
    compared: u32,
    /// The number of pairs whose first part is 0, is at least 4, and of those whose second part is above 30.
    from_zero: u32,
    from_four: u32,
    above_thirty: u32,
    /// The number of triples with seconds, of those from 1:00:00, and of long ones without seconds.
    with_seconds: u32,
    from_one: u32,
    long_without_seconds: u32,
}

impl DurationColumn {
    pub fn take(&mut self, cell: &str, between: Option<f64>) {
        let Some(duration) = Duration::parse(cell) else { return };
        self.compared += u32::from(between.is_some());
        let seconds = |form: &str| duration_of(duration, form, '.');
        match duration {
            Duration::Seconds(_) => {}
            Duration::Number(number) | Duration::Dotted(number, ..) => {
                self.fractions += u32::from(number.value.fract() != 0.0);
                if number.value.fract() != 0.0 && matches!(duration, Duration::Dotted(..)) {
                    self.dotted.take(cell, [seconds("min"), seconds("mm:ss"), 0.0], between);
                }
                let factors = [60.0, 1.0, 3600.0];
                self.numbers
                    .take(cell, factors.map(|factor| number.value * factor), between);
            }
            Duration::Pair(first, second) => {
                self.from_zero += u32::from(first < 1.0);
                self.from_four += u32::from(first >= 4.0);
                self.above_thirty += u32::from(second > 30.0);
                self.pairs.take(cell, [seconds("mm:ss"), seconds("h:mm"), 0.0], between);
            }
            Duration::Triple(first, _, third) => {
                let in_hours = seconds("h:mm:ss");
                self.with_seconds += u32::from(third != 0.0);
                self.from_one += u32::from(first >= 1.0);
                self.long_without_seconds += u32::from(third == 0.0 && in_hours > LONG_SECONDS);
                self.triples.take(cell, [in_hours, seconds("mm:ss:00"), 0.0], between);
            }
        }
    }

    /// Sets the unit or form of the column, or asks for it.
    pub fn settle(&self, index: u16, mapping: &mut Mapping, origin: Origin, questions: &mut Vec<Question>) {
        let given = unit_word(mapping.unit(index));
        let settled = match (self.numbers.count, self.pairs.count, self.triples.count) {
            (_, 1.., _) => self
                .form_of_pairs(given, origin)
                .map_err(|()| (&self.pairs, PAIRS.as_slice())),
            (_, 0, 1..) => self
                .form_of_triples(given, origin)
                .map_err(|()| (&self.triples, TRIPLES.as_slice())),
            (1.., 0, 0) if self.may_be_dotted(given) => self
                .form_of_dotted(given, origin)
                .map_err(|()| (&self.dotted, DOTTED.as_slice())),
            (1.., 0, 0) => self
                .unit_of_numbers(given, origin)
                .map_err(|()| (&self.numbers, NUMBERS.as_slice())),
            (0, 0, 0) => return,
        };
        match settled {
            Ok(form) => drop(mapping.units.insert(index, form.to_owned())),
            Err((kind, forms)) => questions.push(kind.question(index, forms)),
        }
    }

    fn form_of_pairs(&self, given: Option<&str>, origin: Origin) -> Result<&'static str, ()> {
        let chosen = PAIRS.into_iter().find(|form| given == Some(form));
        if let (Some(chosen), Origin::Chosen) = (chosen, origin) {
            return Ok(chosen);
        }
        if let Some(agreed) = self.pairs.agreed(self.compared, &PAIRS) {
            return Ok(agreed);
        }
        let [in_minutes, in_hours, _] = self.pairs.forms;
        let is_common = |count: u32| count * 2 >= self.pairs.count;
        match (chosen, given) {
            (Some("mm:ss"), _) if in_minutes.long == 0 => Ok("mm:ss"),
            (Some("h:mm"), _) | (None, Some("h")) if in_hours.long == 0 => Ok("h:mm"),
            (Some(_), _) | (None, Some("h" | "s")) => Err(()),
            // Hours would be four and more: no copter flies so long.
            (None, Some("min")) if self.from_zero == 0 && in_minutes.long == 0 => Ok("mm:ss"),
            _ if self.from_zero == 0 && is_common(self.from_four) && in_minutes.long == 0 => Ok("mm:ss"),
            // Minutes would be none: no flight is so short.
            _ if self.from_zero == self.pairs.count && !is_common(self.above_thirty) => Ok("h:mm"),
            _ => Err(()),
        }
    }

    fn form_of_triples(&self, given: Option<&str>, origin: Origin) -> Result<&'static str, ()> {
        if let (Some(chosen), Origin::Chosen) = (TRIPLES.into_iter().find(|form| given == Some(form)), origin) {
            return Ok(chosen);
        }
        if let Some(agreed) = self.triples.agreed(self.compared, &TRIPLES) {
            return Ok(agreed);
        }
        match given {
            Some("mm:ss") if self.with_seconds == 0 && self.from_one > 0 => Ok("mm:ss:00"),
            Some("mm:ss") if self.with_seconds == 0 => Err(()),
            _ if self.long_without_seconds > 0 => Err(()),
            Some("h:mm:ss" | "h:mm" | "h") => Ok("h:mm:ss"),
            _ if self.with_seconds > 0 || self.from_one == 0 => Ok("h:mm:ss"),
            _ => Err(()),
        }
    }

    /// Returns whether the numbers may be minutes and seconds: each with decimals has two of them, below 60.
    fn may_be_dotted(&self, given: Option<&str>) -> bool {
        let may_be = self.dotted.count > 0 && self.dotted.count == self.fractions;
        given == Some("mm:ss") && self.dotted.count > 0 || given.is_none() && may_be
    }

    fn form_of_dotted(&self, given: Option<&str>, origin: Origin) -> Result<&'static str, ()> {
        let is_clear = origin == Origin::Chosen || self.dotted.count == self.fractions;
        match given {
            Some("mm:ss") if is_clear => Ok("mm:ss"),
            _ => Err(()),
        }
    }

    fn unit_of_numbers(&self, given: Option<&str>, origin: Origin) -> Result<&'static str, ()> {
        let unit = NUMBERS.into_iter().find(|unit| given == Some(unit));
        if let (Some(unit), Origin::Chosen) = (unit, origin) {
            return Ok(unit);
        }
        if let Some(agreed) = self.numbers.agreed(self.compared, &NUMBERS) {
            return Ok(agreed);
        }
        let in_unit = |unit: &str| {
            let found = NUMBERS.iter().position(|one| *one == unit);
            found
                .and_then(|at| self.numbers.forms.get(at))
                .copied()
                .unwrap_or_default()
        };
        let is_long = in_unit(unit.unwrap_or("min")).long > 0;
        let is_short = in_unit(unit.unwrap_or("min")).below_a_minute * 2 > self.numbers.count;
        match unit {
            _ if is_long => Err(()),
            Some(unit) => Ok(unit),
            None if is_short => Err(()),
            None => Ok("min"),
        }
    }
}
