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
    /// Its heading on a page, at most two lines.
    pub heading: &'static str,
    /// Points.
    pub width: f32,
    pub style: Style,
    pub printed: fn(&Entry) -> String,
    /// Its heading in a table.
    pub name: &'static str,
    /// Its exact value.
    pub cell: fn(&Entry) -> Cell,
}

impl Column {
    pub(crate) fn on_page(&self) -> fluglog_pdf::Column {
        fluglog_pdf::Column {
            heading: self.heading,
            width: self.width,
            style: self.style,
        }
    }
}

/// The pilot's book.
#[rustfmt::skip]
pub(crate) const PILOT: &[Column] = &[
    NUMBER, DATE, START, END, TIME,
    Column { width: 145.0, ..LOCATION },
    POSITION,
    Column { width: 84.0, ..COPTER },
    LANDINGS,
    Column { width: 84.0, ..PURPOSE },
    Column { width: 138.0, ..INCIDENTS },
];

/// The book of a copter.
#[rustfmt::skip]
pub(crate) const COPTERS: &[Column] = &[
    NUMBER, DATE, START, TIME, TOTAL,
    Column { width: 146.0, ..LOCATION },
    Column { width: 100.0, ..BATTERIES },
    VOLTAGES, CONSUMED, ALTITUDE, DISTANCE,
    Column { width: 140.0, ..INCIDENTS },
];

/// The book of another item.
#[rustfmt::skip]
pub(crate) const ITEM: &[Column] = &[
    NUMBER, DATE, START, TIME, TOTAL,
    Column { width: 124.0, ..LOCATION },
    Column { width: 74.0, ..COPTER },
    Column { width: 84.0, ..BATTERIES },
    VOLTAGES, CONSUMED, ALTITUDE, DISTANCE,
    Column { width: 104.0, ..INCIDENTS },
];

/// The book of an item of a space: what that knows of the flights of its members.
#[rustfmt::skip]
pub(crate) const SHARED: &[Column] = &[
    NUMBER, DATE, START, TIME, TOTAL,
    Column { width: 200.0, ..BY },
    VOLTAGES, CONSUMED,
    Column { width: 280.0, ..INCIDENTS },
];

const NUMBER: Column = Column {
    heading: "Nr.",
    width: 34.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, |flight| flight.number.to_string()),
    name: "Nr.",
    cell: |entry| of_flight(entry, |flight| flight.number.to_string()).into(),
};

const DATE: Column = Column {
    heading: "Datum",
    width: 52.0,
    style: Style::Text,
    printed: |entry| entry.start.date().to_string(),
    name: "Datum",
    cell: |entry| entry.start.date().to_string().into(),
};

const START: Column = Column {
    heading: "Start",
    width: 32.0,
    style: Style::Number,
    printed: |entry| time_of_day(entry.start),
    name: "Start",
    cell: |entry| time_of_day(entry.start).into(),
};

const END: Column = Column {
    heading: "Ende",
    width: 50.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, |flight| end(entry.start, flight)),
    name: "Ende",
    cell: |entry| of_flight(entry, |flight| end(entry.start, flight)).into(),
};

const TIME: Column = Column {
    heading: "Flugzeit\nh:mm",
    width: 44.0,
    style: Style::Bold,
    printed: |entry| {
        of_flight(entry, |flight| {
            rounded(flight.minutes).map_or(NO_TIME.to_owned(), hours)
        })
    },
    name: "Flugzeit (min)",
    cell: |entry| entry.flight.as_ref().and_then(|flight| flight.minutes).into(),
};

const TOTAL: Column = Column {
    heading: "Laufend\nh:mm",
    width: 46.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, |flight| hours(flight.total)),
    name: "Laufend (h:mm)",
    cell: |entry| of_flight(entry, |flight| hours(flight.total)).into(),
};

const BY: Column = Column {
    heading: "Pilot",
    width: 0.0,
    style: Style::Text,
    printed: |entry| of_flight(entry, |flight| flight.pilot.clone()),
    name: "Pilot",
    cell: |entry| of_flight(entry, |flight| flight.pilot.clone()).into(),
};

const LOCATION: Column = Column {
    heading: "Ort",
    width: 0.0,
    style: Style::Text,
    printed: |entry| of_flight(entry, |flight| flight.location.clone()),
    name: "Ort",
    cell: |entry| of_flight(entry, |flight| flight.location.clone()).into(),
};

const POSITION: Column = Column {
    heading: "Breite · Länge",
    width: 88.0,
    style: Style::Small,
    printed: |entry| of_flight(entry, position),
    name: "Breite · Länge",
    cell: |entry| of_flight(entry, position).into(),
};

const COPTER: Column = Column {
    heading: "Copter",
    width: 0.0,
    style: Style::Text,
    printed: |entry| of_flight(entry, |flight| flight.copter.clone()),
    name: "Copter",
    cell: |entry| of_flight(entry, |flight| flight.copter.clone()).into(),
};

/// A flight of Fluglog is one start and one landing.
const LANDINGS: Column = Column {
    heading: "Starts/\nLand.",
    width: 30.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, |_| "1/1".to_owned()),
    name: "Starts/Landungen",
    cell: |entry| of_flight(entry, |_| "1/1".to_owned()).into(),
};

const PURPOSE: Column = Column {
    heading: "Zweck",
    width: 0.0,
    style: Style::Text,
    printed: |entry| of_flight(entry, |flight| flight.purpose.clone()),
    name: "Zweck",
    cell: |entry| of_flight(entry, |flight| flight.purpose.clone()).into(),
};

const BATTERIES: Column = Column {
    heading: "Akkus",
    width: 0.0,
    style: Style::Text,
    printed: |entry| of_flight(entry, |flight| flight.batteries.clone()),
    name: "Akkus",
    cell: |entry| of_flight(entry, |flight| flight.batteries.clone()).into(),
};

const VOLTAGES: Column = Column {
    heading: "Spannung\nab/an (V)",
    width: 56.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, voltages),
    name: "Spannung ab/an (V)",
    cell: |entry| of_flight(entry, voltages).into(),
};

const CONSUMED: Column = Column {
    heading: "mAh",
    width: 36.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, |flight| whole(flight.consumed)),
    name: "Verbrauch (mAh)",
    cell: |entry| entry.flight.as_ref().and_then(|flight| flight.consumed).into(),
};

const ALTITUDE: Column = Column {
    heading: "Höhe über\nStart (m)",
    width: 46.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, |flight| whole(flight.altitude)),
    name: "Höhe über Start (m)",
    cell: |entry| entry.flight.as_ref().and_then(|flight| flight.altitude).into(),
};

const DISTANCE: Column = Column {
    heading: "Entfer-\nnung (m)",
    width: 48.0,
    style: Style::Number,
    printed: |entry| of_flight(entry, |flight| whole(flight.distance)),
    name: "Entfernung (m)",
    cell: |entry| entry.flight.as_ref().and_then(|flight| flight.distance).into(),
};

const INCIDENTS: Column = Column {
    heading: "Vorkommnisse",
    width: 0.0,
    style: Style::Text,
    printed: |entry| entry.incidents.clone(),
    name: "Vorkommnisse",
    cell: |entry| entry.incidents.as_str().into(),
};

fn of_flight(entry: &Entry, text: impl FnOnce(&FlightEntry) -> String) -> String {
    entry.flight.as_ref().map(text).unwrap_or_default()
}

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
