//! The decimal sign of a column of numbers.

use super::question::{EXAMPLES, Example, Origin, Question, Subject, Value, Way, example};
use crate::formats::table::cells::Number;
use crate::formats::table::mapping::{Mapping, Meaning};
use crate::formats::values::{length_unit, speed_unit};

const SIGNS: [char; 2] = [',', '.'];

/// Evidence from the cells of a column for their decimal sign.
#[derive(Debug)]
pub(super) struct NumberColumn {
    meaning: Meaning,
    /// From the column's unit to that of the plausible values.
    factor: f64,
    has_unit: bool,
    /// The number of cells that can only have this decimal sign.
    proven: [u32; 2],
    /// The number of cells that are implausible with this decimal sign, of those that can be read in two ways.
    implausible: [u32; 2],
    /// The number of cells that can be read in two ways.
    unclear: u32,
    /// The number of cells without a sign.
    whole: u32,
    /// The greatest value of the cells that can be read in one way.
    greatest: f64,
    examples: Vec<(String, [f64; 2])>,
    /// The first cells that can be read in one way, and the one with the greatest value.
    clear_examples: Vec<(String, f64)>,
}

/// Returns the least and the greatest plausible value of a copter's flight: km, m, km/h, V, mAh, g, min.
fn plausible(meaning: Meaning) -> (f64, f64) {
    match meaning {
        Meaning::Distance => (0.02, 150.0),
        Meaning::MaximumAltitude => (0.0, 6000.0),
        Meaning::MaximumDistance => (5.0, 60_000.0),
        Meaning::Speed => (0.0, 400.0),
        Meaning::BatteryStartVoltage | Meaning::BatteryEndVoltage => (2.0, 65.0),
        Meaning::ConsumedCapacity => (20.0, 60_000.0),
        Meaning::Weight => (15.0, 25_000.0),
        _ => (0.0, 300.0),
    }
}

/// A flight of more km is rather one of m, in a column without a unit.
const FAR_KILOMETRES: f64 = 20.0;

fn factor(meaning: Meaning, unit: &str) -> f64 {
    let kilometres = |unit| length_unit(unit).map(|metres| metres / 1000.0);
    let known = match (meaning, unit) {
        (Meaning::Distance, unit) => kilometres(unit),
        (Meaning::MaximumAltitude | Meaning::MaximumDistance, unit) => length_unit(unit),
        (Meaning::Speed, unit) => speed_unit(unit),
        (Meaning::BatteryStartVoltage | Meaning::BatteryEndVoltage, "mv") => Some(0.001),
        (Meaning::ConsumedCapacity, "ah") | (Meaning::Weight, "kg") => Some(1000.0),
        (Meaning::FlightTime, "s") => Some(1.0 / 60.0),
        (Meaning::FlightTime, "h") => Some(60.0),
        _ => None,
    };
    known.unwrap_or(1.0)
}

impl NumberColumn {
    pub fn new(meaning: Meaning, unit: &str) -> NumberColumn {
        NumberColumn {
            meaning,
            factor: factor(meaning, unit),
            has_unit: !unit.is_empty(),
            proven: [0; 2],
            implausible: [0; 2],
            unclear: 0,
            whole: 0,
            greatest: 0.0,
            examples: Vec::new(),
            clear_examples: Vec::new(),
        }
    }

    pub fn take(&mut self, cell: &str) {
        let Some(number) = Number::parse(cell) else { return };
        if number.grouped.is_none() {
            self.take_clear_example(cell, number.value);
            self.greatest = self.greatest.max(number.value);
            self.has_unit |= !number.unit.is_empty();
            self.whole += u32::from(number.sign.is_none());
            if let Some(at) = number.sign.and_then(|sign| SIGNS.iter().position(|one| *one == sign)) {
                self.proven[at] += 1;
            }
            return;
        }
        self.unclear += 1;
        let values = SIGNS.map(|sign| number.with(sign));
        let (least, most) = plausible(self.meaning);
        // A unit in the cell goes before that of the column.
        let factor = match number.unit {
            "" => self.factor,
            own => factor(self.meaning, &own.to_lowercase()),
        };
        let is_plausible = |value: f64| (least..=most).contains(&(value * factor)) || value == 0.0;
        for (count, value) in self.implausible.iter_mut().zip(values) {
            *count += u32::from(!is_plausible(value));
        }
        if self.examples.len() < EXAMPLES && self.examples.iter().all(|(known, _)| known != cell) {
            self.examples.push((cell.to_owned(), values));
        }
    }

    fn take_clear_example(&mut self, cell: &str, value: f64) {
        if self.clear_examples.iter().any(|(known, _)| known == cell) {
            return;
        }
        if self.clear_examples.len() == EXAMPLES {
            if value <= self.greatest {
                return;
            }
            self.clear_examples.pop();
        }
        self.clear_examples.push((cell.to_owned(), value));
    }

    /// Returns the only decimal sign of which the cells leave a choice.
    fn sign_of_cells(&self) -> Option<char> {
        let only = |has: [bool; 2]| match has {
            [true, false] => Some(','),
            [false, true] => Some('.'),
            _ => None,
        };
        only(self.proven.map(|count| count > 0)).or_else(|| only(self.implausible.map(|count| count == 0)))
    }

    /// Returns whether a decimal sign turns the sign of the column into one between thousands, beside numbers below.
    fn would_group(&self, decimal: char) -> bool {
        let at = SIGNS.iter().position(|sign| *sign == decimal);
        let is_grouped = |values: &[f64; 2]| at.and_then(|at| values.get(at)).is_some_and(|value| *value >= 1000.0);
        self.whole > 0 && self.examples.iter().all(|(_, values)| is_grouped(values))
    }

    /// Sets the decimal sign of the column, or asks for it. `others` is the sign that all columns of the table prove.
    pub fn settle(
        &self,
        index: u16,
        mapping: &mut Mapping,
        origin: Origin,
        others: Option<char>,
        questions: &mut Vec<Question>,
    ) {
        self.settle_unit(index, mapping, origin, questions);
        if self.unclear == 0 {
            return;
        }
        let chosen = mapping.decimals.get(&index).copied();
        let confirmed = (origin == Origin::Chosen).then_some(mapping.decimal);
        let sign = chosen.or_else(|| self.sign_of_cells()).or(confirmed);
        let sign = sign.or_else(|| others.filter(|sign| self.would_group(*sign)));
        if let Some(sign) = sign {
            if sign != mapping.decimal || chosen.is_some() {
                mapping.decimals.insert(index, sign);
            }
            return;
        }
        let ways = SIGNS.iter().enumerate().map(|(at, sign)| Way {
            value: sign.to_string(),
            examples: self.examples_of(|values| values[at]),
        });
        questions.push(Question {
            subject: Subject::Decimal,
            column: index,
            ways: ways.collect(),
        });
    }

    fn examples_of(&self, value: impl Fn(&[f64; 2]) -> f64) -> Vec<Example> {
        let examples = self.examples.iter();
        examples
            .map(|(cell, values)| example(cell, Value::Number(value(values))))
            .collect()
    }

    /// Asks for the unit of a distance that would be too far in km.
    fn settle_unit(&self, index: u16, mapping: &mut Mapping, origin: Origin, questions: &mut Vec<Question>) {
        let is_far = self.greatest > FAR_KILOMETRES;
        if self.meaning != Meaning::Distance || self.has_unit || origin == Origin::Chosen || !is_far {
            return;
        }
        let examples = self.clear_examples.iter();
        let examples: Vec<Example> = examples
            .map(|(cell, value)| example(cell, Value::Number(*value)))
            .collect();
        let way = |unit: &str| Way {
            value: unit.to_owned(),
            examples: examples.clone(),
        };
        match self.greatest > plausible(Meaning::Distance).1 {
            true => drop(mapping.units.insert(index, "m".to_owned())),
            false => questions.push(Question {
                subject: Subject::Unit,
                column: index,
                ways: vec![way("m"), way("km")],
            }),
        }
    }
}

/// Returns the decimal sign that all columns prove which prove one.
pub(super) fn proven(columns: &[(u16, Meaning, NumberColumn)]) -> Option<char> {
    let has = |at: usize| columns.iter().any(|(.., column)| column.proven[at] > 0);
    match [has(0), has(1)] {
        [true, false] => Some(','),
        [false, true] => Some('.'),
        _ => None,
    }
}
