//! The order of day, month and year in a column of dates, and the year of dates without one.

use super::question::{EXAMPLES, Example, Origin, Question, Subject, Value, Way, example};
use crate::formats::table::cells::{Written, written};
use crate::formats::table::mapping::{DateOrder, Mapping};

/// The number of years that are offered.
const YEARS: i32 = 12;

/// Evidence from the cells of a column for the order of day, month and year.
#[derive(Debug, Default)]
pub(super) struct DateColumn {
    /// The number of dates whose order the cell doesn't say.
    unclear: u32,
    year_first: u32,
    without_year: u32,
    with_slash: u32,
    /// The number of unclear dates that exist in this order, as in [`DateOrder::ALL`].
    fitting: [u32; 3],
    /// Dates that differ between the orders.
    unclear_examples: Vec<(String, Written)>,
    /// The first dates without a year, and the last one.
    short_examples: Vec<(String, Written)>,
}

impl DateColumn {
    pub fn take(&mut self, cell: &str) {
        let Some((date, _)) = written(cell) else { return };
        self.year_first += u32::from(date.is_year_first());
        self.without_year += u32::from(!date.has_year());
        if !date.has_year() && self.short_examples.iter().all(|(known, _)| known != cell) {
            if self.short_examples.len() == EXAMPLES {
                self.short_examples.pop();
            }
            self.short_examples.push((cell.to_owned(), date));
        }
        if date.is_clear() {
            return;
        }
        self.unclear += 1;
        self.with_slash += u32::from(!date.is_dotted);
        let days = DateOrder::ALL.map(|order| date.days(order, Some(2024)));
        for (count, days) in self.fitting.iter_mut().zip(days) {
            *count += u32::from(days.is_some());
        }
        let known: Vec<f64> = days.into_iter().flatten().collect();
        let differs = known.windows(2).any(|pair| pair[0] != pair[1]);
        let is_new = self.unclear_examples.iter().all(|(known, _)| known != cell);
        if differs && is_new && self.unclear_examples.len() < EXAMPLES {
            self.unclear_examples.push((cell.to_owned(), date));
        }
    }

    /// Returns the orders in which all dates exist.
    fn orders(&self) -> Vec<DateOrder> {
        let orders = DateOrder::ALL.into_iter().zip(self.fitting);
        let all = orders.filter(|(_, fitting)| *fitting == self.unclear);
        let orders: Vec<DateOrder> = all.map(|(order, _)| order).collect();
        // Points are only written between day, month and year in this order.
        match self.with_slash == 0 && orders.contains(&DateOrder::Dmy) {
            true => vec![DateOrder::Dmy],
            false => orders,
        }
    }

    /// Sets the order and the year of the dates, or asks for them.
    pub fn settle(
        &self,
        column: u16,
        mapping: &mut Mapping,
        origin: Origin,
        this_year: i32,
        questions: &mut Vec<Question>,
    ) {
        let orders = self.orders();
        let is_chosen = origin == Origin::Chosen && orders.contains(&mapping.date_order);
        match orders.as_slice() {
            _ if self.unclear == 0 || is_chosen => {}
            [order] => mapping.date_order = *order,
            [] => mapping.date_order = self.best(mapping.date_order),
            several if self.unclear_examples.is_empty() => {
                // Each date is the same in all orders, such as 04/04/2026.
                mapping.date_order = several.first().copied().unwrap_or(mapping.date_order);
            }
            several => questions.push(Question {
                subject: Subject::DateOrder,
                column,
                ways: several.iter().map(|order| self.way(*order)).collect(),
            }),
        }
        if self.without_year > 0 && mapping.year.is_none() {
            let order = mapping.date_order;
            let years = (this_year - YEARS + 1..=this_year).rev();
            questions.push(Question {
                subject: Subject::Year,
                column,
                ways: years.map(|year| self.way_of_year(order, year)).collect(),
            });
        }
    }

    /// Returns the order in which most dates exist.
    fn best(&self, guess: DateOrder) -> DateOrder {
        let mut best = (guess, 0);
        for (order, fitting) in DateOrder::ALL.into_iter().zip(self.fitting) {
            if fitting > best.1 {
                best = (order, fitting);
            }
        }
        best.0
    }

    fn way(&self, order: DateOrder) -> Way {
        Way {
            value: order.word().to_owned(),
            examples: examples(&self.unclear_examples, |date| date.days(order, None)),
        }
    }

    fn way_of_year(&self, order: DateOrder, year: i32) -> Way {
        Way {
            value: year.to_string(),
            examples: examples(&self.short_examples, |date| date.days(order, Some(year))),
        }
    }
}

fn examples(dates: &[(String, Written)], days: impl Fn(&Written) -> Option<f64>) -> Vec<Example> {
    let dates = dates.iter();
    dates
        .filter_map(|(cell, date)| Some(example(cell, Value::Day(days(date)?))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_29th_of_february_exists_in_a_date_without_a_year() {
        let mut column = DateColumn::default();
        for cell in ["29.2.", "3.4."] {
            column.take(cell);
        }
        assert_eq!(column.orders(), [DateOrder::Dmy]);
    }
}
