//! Which book is made, and what is known of it before. No store, no web.

use serde::Serialize;

use fluglog_base::id::EquipmentId;
use fluglog_base::time::Date;

/// A book of finished flights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookOrder {
    /// The item whose book it is; without it, the book is the pilot's.
    pub item: Option<EquipmentId>,
    pub period: Period,
}

/// Days whose flights are in a book, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    pub from: Option<Date>,
    pub to: Option<Date>,
}

impl Period {
    /// Returns all days of a year.
    #[must_use]
    pub fn of_year(year: u32) -> Period {
        let day = |last: u16| Date::of_year(year, last);
        Period {
            from: day(0),
            to: day(365).or_else(|| day(364)),
        }
    }

    #[must_use]
    pub fn is_before(self, day: Date) -> bool {
        self.to.is_some_and(|to| to < day)
    }

    #[must_use]
    pub(crate) fn is_after(self, day: Date) -> bool {
        self.from.is_some_and(|from| day < from)
    }

    /// Returns the year that the days are exactly.
    #[must_use]
    pub fn year(self) -> Option<u32> {
        let (from, to) = (self.from?, self.to?);
        let (year, first) = from.year_and_day();
        let next = Date::from_days(to.days() + 1).map(Date::year_and_day);
        let is_last = next.map_or(to.year_and_day().0 == year, |next| next == (year + 1, 0));
        (first == 0 && to.year_and_day().0 == year && is_last).then_some(year)
    }
}

/// The form of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Pdf,
    Csv,
}

impl Form {
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Form::Pdf => "pdf",
            Form::Csv => "csv",
        }
    }
}

/// A book, before it is made.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LogbookPreview {
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub flights: u64,
    pub pages: usize,
    /// Rounded for each flight, then added: `96 h 12 min`.
    pub time: String,
    /// Flights before the period and from before Fluglog: the carry-over of the first page.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub carried_flights: u64,
    pub carried_time: String,
    /// Flights from before Fluglog, which the carry-over has in it; only if there are any, as their time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub prior_flights: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub prior_time: Option<String>,
    pub without_time: usize,
    pub without_location: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_a_year_from_its_first_day_to_its_last() {
        let period = |from: &str, to: &str| Period {
            from: Date::parse(from).ok(),
            to: Date::parse(to).ok(),
        };
        for year in [1900, 2027, 2028, 2099] {
            assert_eq!(Period::of_year(year).year(), Some(year));
        }
        assert_eq!(period("01.01.2028", "31.12.2028"), Period::of_year(2028));
        assert_eq!(period("01.01.2099", "31.12.2099").year(), Some(2099));
        for (from, to) in [
            ("01.01.2028", "30.12.2028"),
            ("02.01.2028", "31.12.2028"),
            ("01.01.2027", "31.12.2028"),
            ("", "31.12.2028"),
            ("01.01.2028", ""),
        ] {
            assert_eq!(period(from, to).year(), None, "{from} {to}");
        }
    }
}
