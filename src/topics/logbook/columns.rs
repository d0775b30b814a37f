//! The columns of the books: once for the page and for the table.

use super::entries::{Entry, FlightEntry, rounded};
use fluglog_base::csv::Cell;
use fluglog_base::number::format_german;
use fluglog_base::time::WallTime;
use fluglog_pdf::{Style, hours};

/// Printed where a flight has no time.
const NO_TIME: &str = "–";

/// A column of a book.
pub(crate) struct Column {
    /// Heading on a page, at most two lines.
    heading: &'static str,
    /// Points.
    width: f32,
    style: Style,
    text: Text,
    /// Heading in a table.
    pub name: &'static str,
    /// Value in a table, where it differs from the one on a page.
    exact: Option<fn(&FlightEntry) -> Option<f64>>,
}

/// What is printed in a column.
#[derive(Clone, Copy)]
enum Text {
    OfEntry(fn(&Entry) -> String),
    /// Empty for a log.
    OfFlight(fn(&FlightEntry) -> String),
}

impl Column {
    const fn new(heading: &'static str, width: f32, style: Style, text: Text) -> Column {
        Column {
            heading,
            width,
            style,
            text,
            name: heading,
            exact: None,
        }
    }

    const fn of_entry(heading: &'static str, width: f32, style: Style, text: fn(&Entry) -> String) -> Column {
        Column::new(heading, width, style, Text::OfEntry(text))
    }

    const fn of_flight(heading: &'static str, width: f32, style: Style, text: fn(&FlightEntry) -> String) -> Column {
        Column::new(heading, width, style, Text::OfFlight(text))
    }

    /// A text of a flight, whose width depends on the book.
    const fn text(heading: &'static str, text: fn(&FlightEntry) -> String) -> Column {
        Column::of_flight(heading, 0.0, Style::Text, text)
    }

    const fn named(self, name: &'static str) -> Column {
        Column { name, ..self }
    }

    const fn exactly(self, value: fn(&FlightEntry) -> Option<f64>) -> Column {
        let exact = Some(value);
        Column { exact, ..self }
    }

    const fn wide(self, width: f32) -> Column {
        Column { width, ..self }
    }

    pub(crate) fn on_page(&self) -> fluglog_pdf::Column {
        fluglog_pdf::Column {
            heading: self.heading,
            width: self.width,
            style: self.style,
        }
    }

    pub(crate) fn printed(&self, entry: &Entry) -> String {
        match self.text {
            Text::OfEntry(text) => text(entry),
            Text::OfFlight(text) => entry.flight.as_ref().map(text).unwrap_or_default(),
        }
    }

    pub(crate) fn cell(&self, entry: &Entry) -> Cell {
        match self.exact {
            Some(value) => entry.flight.as_ref().and_then(value).into(),
            None => self.printed(entry).into(),
        }
    }
}

/// The pilot's book.
#[rustfmt::skip]
pub(crate) const PILOT: &[Column] = &[
    NUMBER, DATE, START, END, TIME,
    LOCATION.wide(145.0),
    POSITION,
    COPTER.wide(84.0),
    LANDINGS,
    PURPOSE.wide(84.0),
    INCIDENTS.wide(138.0),
];

/// The book of a copter.
#[rustfmt::skip]
pub(crate) const COPTERS: &[Column] = &[
    NUMBER, DATE, START, TIME, TOTAL,
    LOCATION.wide(146.0),
    BATTERIES.wide(100.0),
    VOLTAGES, CONSUMED, ALTITUDE, DISTANCE,
    INCIDENTS.wide(140.0),
];

/// The book of another item.
#[rustfmt::skip]
pub(crate) const ITEM: &[Column] = &[
    NUMBER, DATE, START, TIME, TOTAL,
    LOCATION.wide(124.0),
    COPTER.wide(74.0),
    BATTERIES.wide(84.0),
    VOLTAGES, CONSUMED, ALTITUDE, DISTANCE,
    INCIDENTS.wide(104.0),
];

/// The book of an item of a space: what that knows of the flights of its members.
#[rustfmt::skip]
pub(crate) const SHARED: &[Column] = &[
    NUMBER, DATE, START, TIME, TOTAL,
    BY.wide(200.0),
    VOLTAGES, CONSUMED,
    INCIDENTS.wide(280.0),
];

const NUMBER: Column = Column::of_flight("Nr.", 34.0, Style::Number, |flight| flight.number.to_string());
const DATE: Column = Column::of_entry("Datum", 52.0, Style::Text, |entry| entry.start.date().to_string());
const START: Column = Column::of_entry("Start", 32.0, Style::Number, |entry| time_of_day(entry.start));
const END: Column = Column::of_entry("Ende", 50.0, Style::Number, |entry| {
    let flight = entry.flight.as_ref();
    flight.map(|flight| end(entry.start, flight)).unwrap_or_default()
});

const TIME: Column = Column::of_flight("Flugzeit\nh:mm", 44.0, Style::Bold, |flight| {
    rounded(flight.minutes).map_or(NO_TIME.to_owned(), hours)
})
.named("Flugzeit (min)")
.exactly(|flight| flight.minutes);

const TOTAL: Column =
    Column::of_flight("Laufend\nh:mm", 46.0, Style::Number, |flight| hours(flight.total)).named("Laufend (h:mm)");

const BY: Column = Column::text("Pilot", |flight| flight.pilot.clone());
const LOCATION: Column = Column::text("Ort", |flight| flight.location.clone());
const POSITION: Column = Column::of_flight("Breite · Länge", 88.0, Style::Small, position);
const COPTER: Column = Column::text("Copter", |flight| flight.copter.clone());

/// A flight of Fluglog is one start and one landing.
const LANDINGS: Column =
    Column::of_flight("Starts/\nLand.", 30.0, Style::Number, |_| "1/1".to_owned()).named("Starts/Landungen");

const PURPOSE: Column = Column::text("Zweck", |flight| flight.purpose.clone());
const BATTERIES: Column = Column::text("Akkus", |flight| flight.batteries.clone());

const VOLTAGES: Column =
    Column::of_flight("Spannung\nab/an (V)", 56.0, Style::Number, voltages).named("Spannung ab/an (V)");

const CONSUMED: Column = Column::of_flight("mAh", 36.0, Style::Number, |flight| whole(flight.consumed))
    .named("Verbrauch (mAh)")
    .exactly(|flight| flight.consumed);

const ALTITUDE: Column = Column::of_flight("Höhe über\nStart (m)", 46.0, Style::Number, |flight| {
    whole(flight.altitude)
})
.named("Höhe über Start (m)")
.exactly(|flight| flight.altitude);

const DISTANCE: Column = Column::of_flight("Entfer-\nnung (m)", 48.0, Style::Number, |flight| {
    whole(flight.distance)
})
.named("Entfernung (m)")
.exactly(|flight| flight.distance);

const INCIDENTS: Column = Column::of_entry("Vorkommnisse", 0.0, Style::Text, |entry| entry.incidents.clone());

fn time_of_day(time: WallTime) -> String {
    let text = time.to_string();
    text.split_once(' ').map_or(String::new(), |(_, time)| time.to_owned())
}

/// Prints the landing, with the number of midnights before it.
fn end(start: WallTime, flight: &FlightEntry) -> String {
    let Some(minutes) = rounded(flight.minutes) else {
        return NO_TIME.to_owned();
    };
    let end = i64::try_from(minutes)
        .ok()
        .and_then(|minutes| start.plus_minutes(minutes));
    let Some(end) = end else {
        return NO_TIME.to_owned();
    };
    match end.date().days() - start.date().days() {
        0 => time_of_day(end),
        days => format!("{} (+{days})", time_of_day(end)),
    }
}

fn position(flight: &FlightEntry) -> String {
    flight.position.map_or(String::new(), |(north, east)| {
        let degrees = |value: f64| format!("{value:.4}").replace('.', ",");
        format!("{} · {}", degrees(north), degrees(east))
    })
}

fn voltages(flight: &FlightEntry) -> String {
    let volts = |value: Option<f64>| value.map_or(NO_TIME.to_owned(), |value| in_tenths(&format!("{value:.2}")));
    match (flight.start_voltage, flight.end_voltage) {
        (None, None) => String::new(),
        (start, end) => format!("{}/{}", volts(start), volts(end)),
    }
}

/// Leaves at least one decimal: `25,0`, `16,75`.
fn in_tenths(hundredths: &str) -> String {
    hundredths.strip_suffix('0').unwrap_or(hundredths).replace('.', ",")
}

fn whole(value: Option<f64>) -> String {
    value.map(|value| format_german(value, 0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_pdf::WIDTH;

    #[test]
    fn the_columns_of_each_book_fill_the_page() {
        for columns in [PILOT, COPTERS, ITEM, SHARED] {
            let width: f32 = columns.iter().map(|column| column.width).sum();
            assert!((WIDTH - 2.0..=WIDTH).contains(&width), "{width} of {WIDTH}");
        }
    }
}
