//! The flight in a row of a table.

use super::cells::{LONG_SECONDS, Number, clock, clocks, date, degrees, duration, moment_in, position};
use super::mapping::{Mapping, Meaning};
use crate::formats::lines::Row;
use crate::formats::values::{display_text, length_unit, speed_unit};
use crate::samples::{Clock, FoundFlight, Mode, Point};
use fluglog_base::text;

const DAY_SECONDS: f64 = 86_400.0;
/// The most characters of a note.
const TEXT_CHARACTERS: usize = 2000;
/// The most characters of a cell in a hint.
const HINT_CHARACTERS: usize = 30;
/// The most cells of a row in a hint.
const BEGINNING_CELLS: usize = 3;
/// A step of more days between two dates without a year passes the turn of a year.
const HALF_YEAR_DAYS: f64 = 183.0;

/// The first words of rows that sum up others.
const SUMS: [&str; 16] = [
    "summe",
    "gesamt",
    "gesamtzeit",
    "total",
    "totals",
    "sum",
    "insgesamt",
    "zwischensumme",
    "übertrag",
    "somme",
    "mittelwert",
    "durchschnitt",
    "average",
    "ø",
    "σ",
    "∑",
];
/// Cells that say that a value is unknown.
const UNKNOWN: [&str; 12] = [
    "-",
    "–",
    "—",
    "?",
    "x",
    "/",
    "n/a",
    "na",
    "k.a.",
    "k. a.",
    "keine",
    "unbekannt",
];

/// Returns the first cells of a row that say something.
pub(super) fn beginning(row: Row<'_>) -> String {
    let cells = row.iter().map(|cell| display_text(&cell, HINT_CHARACTERS));
    let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).take(BEGINNING_CELLS).collect();
    cells.join(" · ")
}

/// The rows of a table, read one after the other: a row may lack the date of the one before.
pub(super) struct Rows<'m> {
    mapping: &'m Mapping,
    names: Vec<String>,
    day: Option<f64>,
    /// The year of the last date without one.
    year: Option<i32>,
    /// The number of steps to a later date, less that to an earlier one.
    rises: i32,
    is_utc: bool,
}

/// The role of a row.
pub(super) enum Found {
    Flight(Box<FoundFlight>),
    NoTime,
    /// A blank row, a sum, or the headings again.
    Nothing,
}

impl<'m> Rows<'m> {
    pub fn new(mapping: &'m Mapping, names: Vec<String>) -> Rows<'m> {
        let is_time = |meaning: &Meaning| matches!(meaning, Meaning::DateTime | Meaning::StartTime);
        let mut times = mapping.columns.iter().filter(|(_, meaning)| is_time(meaning));
        let is_utc = times.any(|(index, _)| {
            let name = names
                .get(usize::from(*index))
                .map(|name| name.to_lowercase())
                .unwrap_or_default();
            name.split(|character: char| !character.is_alphanumeric())
                .any(|word| matches!(word, "utc" | "zulu" | "gmt"))
        });
        Rows {
            mapping,
            names,
            day: None,
            year: mapping.year,
            rises: 0,
            is_utc,
        }
    }

    pub fn next(&mut self, row: Row<'_>) -> Found {
        let mut read = ReadRow::default();
        for (index, meaning) in &self.mapping.columns {
            let cell = row.cell(usize::from(*index));
            if !cell.is_empty() {
                read.has_content = true;
                self.take(&mut read, *index, *meaning, unescaped(&cell));
            }
        }
        let is_dated = read.day.is_some();
        if !read.has_content || (!is_dated && (is_sum(row) || self.is_heading(row))) {
            return Found::Nothing;
        }
        // A date stands only in the first row of a day.
        let is_of_same_day = !read.has_date_cell && (read.time.is_some() || read.end.is_none() && self.is_whole(&read));
        let day = read.day.or(self.day.filter(|_| is_of_same_day));
        let Some(day) = day else { return Found::NoTime };
        self.day = Some(day);
        Found::Flight(Box::new(read.flight(day, self.is_utc)))
    }

    /// Returns whether a row without a time is a flight: in a table without times, one of a copter and a duration.
    fn is_whole(&self, read: &ReadRow) -> bool {
        let has_no_times = self.mapping.column(Meaning::StartTime).is_none();
        has_no_times && read.found.duration.is_some() && !read.found.metadata.name.is_empty()
    }

    fn is_heading(&self, row: Row<'_>) -> bool {
        row.iter()
            .zip(&self.names)
            .all(|(cell, name)| display_text(&cell, name.len().max(60)) == *name)
    }

    fn take(&mut self, read: &mut ReadRow, index: u16, meaning: Meaning, cell: &str) {
        let mapping = self.mapping;
        let unit = mapping.unit(index);
        let sign = mapping.sign(index);
        let is_read = match meaning {
            Meaning::Date => {
                read.has_date_cell = true;
                read.day = self.day_of(cell);
                read.day.is_some()
            }
            Meaning::DateTime => {
                read.has_date_cell = true;
                let moment = moment_in(cell, mapping.date_order, self.year);
                // A moment without a time is a date.
                read.day = moment
                    .map(|moment| (moment.shown / DAY_SECONDS).floor())
                    .or_else(|| self.day_of(cell));
                read.time = moment.map(|moment| moment.shown.rem_euclid(DAY_SECONDS));
                read.is_utc = moment.is_some_and(|moment| moment.offset == Some(0));
                read.day.is_some()
            }
            Meaning::StartTime => {
                let times = clocks(cell).or_else(|| Some((time_within(cell, mapping)?, None)));
                read.time = times.map(|(start, _)| start);
                read.end = times.and_then(|(_, end)| end).or(read.end);
                read.time.is_some()
            }
            Meaning::End => {
                let end = clock(cell).or_else(|| time_within(cell, mapping));
                read.end = end.or(read.end);
                end.is_some()
            }
            Meaning::FlightTime => {
                let duration = duration(cell, unit, sign);
                let seconds = duration.map(|(seconds, _)| seconds + read.found.duration.unwrap_or_default());
                read.found.duration = seconds.or(read.found.duration);
                read.is_doubtfully_long |= duration.is_some_and(|(_, is_doubtful)| is_doubtful);
                duration.is_some()
            }
            _ => read.take_value(meaning, cell, unit, sign),
        };
        let is_unknown = || UNKNOWN.contains(&cell.to_lowercase().as_str());
        if !is_read && !is_unknown() {
            let name = self.names.get(usize::from(index)).map_or("", String::as_str);
            let hint = text::import_unread_cell(&display_text(cell, HINT_CHARACTERS), name);
            read.found.metadata.hints.push(hint);
        }
    }

    /// Returns the day of a date. A date without a year is of the year before or after the last one if the dates
    /// pass the turn of the year.
    fn day_of(&mut self, cell: &str) -> Option<f64> {
        let order = self.mapping.date_order;
        let day = date(cell, order, self.year)?;
        if let (Some(year), Some(last), true) = (self.year, self.day, date(cell, order, None).is_none()) {
            let later = day - last;
            if later.abs() < HALF_YEAR_DAYS {
                self.rises += i32::from(later > 0.0) - i32::from(later < 0.0);
                return Some(day);
            }
            let year = match (later < 0.0, self.rises >= 0) {
                (true, true) => year + 1,
                (false, false) => year - 1,
                _ => return Some(day),
            };
            self.year = Some(year);
            return date(cell, order, Some(year));
        }
        Some(day)
    }
}

/// Returns a text without the apostrophe by which tables keep it from being taken for a formula.
fn unescaped(cell: &str) -> &str {
    let rest = cell
        .strip_prefix('\'')
        .filter(|rest| rest.starts_with(['=', '+', '-', '@']));
    rest.unwrap_or(cell)
}

/// Returns whether a row sums up others.
pub(super) fn is_sum(row: Row<'_>) -> bool {
    row.iter().any(|cell| {
        let cell = cell.to_lowercase();
        let word = cell
            .split(|character: char| character.is_whitespace() || matches!(character, ':' | '(' | '.'))
            .next();
        word.is_some_and(|word| SUMS.contains(&word))
    })
}

fn time_within(cell: &str, mapping: &Mapping) -> Option<f64> {
    // Any year will do: a date without one has a time all the same.
    let moment = moment_in(cell, mapping.date_order, mapping.year.or(Some(2024)))?;
    Some(moment.shown.rem_euclid(DAY_SECONDS))
}

/// The values of a row so far.
#[derive(Default)]
struct ReadRow {
    has_content: bool,
    has_date_cell: bool,
    day: Option<f64>,
    time: Option<f64>,
    end: Option<f64>,
    is_utc: bool,
    is_doubtfully_long: bool,
    start: [Option<f64>; 2],
    landing: [Option<f64>; 2],
    found: FoundFlight,
}

impl ReadRow {
    /// Sets a value other than a time. Returns whether the cell could be read.
    fn take_value(&mut self, meaning: Meaning, cell: &str, unit: &str, sign: char) -> bool {
        let metadata = &mut self.found.metadata;
        let figures = &mut self.found.figures;
        match meaning {
            Meaning::Copter => metadata.name = display_text(cell, 100),
            Meaning::CopterSerial => metadata.copter_serial = display_text(cell, 100),
            Meaning::BatterySerial => metadata.battery_serial = display_text(cell, 100),
            Meaning::Battery => join(&mut metadata.battery_name, " + ", &display_text(cell, 100)),
            Meaning::Location => metadata.location = display_text(cell, 200),
            Meaning::Weather => metadata.weather = lines(cell),
            Meaning::Purpose => metadata.purpose = lines(cell),
            Meaning::Notes => join(&mut metadata.notes, "\n", &lines(cell)),
            Meaning::FlightMode => figures.mode = mode(cell),
            Meaning::StartPosition => self.start = pair(cell),
            Meaning::EndPosition => self.landing = pair(cell),
            Meaning::StartLatitude => self.start[0] = degrees(cell),
            Meaning::StartLongitude => self.start[1] = degrees(cell),
            Meaning::EndLatitude => self.landing[0] = degrees(cell),
            Meaning::EndLongitude => self.landing[1] = degrees(cell),
            _ => {
                let value = measured(meaning, cell, unit, sign).filter(|value| *value >= 0.0);
                match meaning {
                    Meaning::Distance => figures.distance = value,
                    Meaning::MaximumAltitude => figures.height = value,
                    Meaning::MaximumDistance => figures.farthest = value,
                    Meaning::Speed => figures.speed = value,
                    Meaning::BatteryStartVoltage => figures.start_volts = value,
                    Meaning::BatteryEndVoltage => figures.end_volts = value,
                    Meaning::ConsumedCapacity => figures.consumed = value,
                    Meaning::Weight => {
                        let note = value.map(text::import_weight).unwrap_or_default();
                        join(&mut metadata.notes, "\n", &note);
                    }
                    _ => {}
                }
                return value.is_some();
            }
        }
        true
    }

    fn flight(self, day: f64, is_utc: bool) -> FoundFlight {
        let mut found = self.found;
        let mut is_doubtfully_long = self.is_doubtfully_long;
        found.metadata.clock = if is_utc || self.is_utc {
            Clock::Utc
        } else {
            Clock::Local
        };
        found.day = Some(day);
        found.start = self.time.map(|time| day * DAY_SECONDS + time);
        if let (None, Some(time), Some(end)) = (found.duration, self.time, self.end) {
            // An end before the start is on the next day.
            let seconds = (end - time).rem_euclid(DAY_SECONDS);
            found.duration = Some(seconds);
            is_doubtfully_long = seconds > LONG_SECONDS;
        }
        if is_doubtfully_long {
            found.metadata.hints.push(text::IMPORT_LONG_FLIGHT.to_owned());
        }
        found.figures.start_point = point(self.start);
        found.figures.end_point = point(self.landing);
        found
    }
}

/// Returns a text of several lines for showing.
fn lines(cell: &str) -> String {
    let lines: Vec<String> = cell.lines().map(|line| display_text(line, TEXT_CHARACTERS)).collect();
    let text: String = lines.join("\n").chars().take(TEXT_CHARACTERS).collect();
    text.trim().to_owned()
}

fn join(text: &mut String, between: &str, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str(between);
    }
    text.push_str(more);
}

fn pair(cell: &str) -> [Option<f64>; 2] {
    position(cell).map_or([None; 2], |point| [Some(point.latitude), Some(point.longitude)])
}

fn point(degrees: [Option<f64>; 2]) -> Option<Point> {
    let [Some(latitude), Some(longitude)] = degrees else {
        return None;
    };
    (latitude != 0.0 || longitude != 0.0).then_some(Point { latitude, longitude })
}

fn mode(cell: &str) -> Option<Mode> {
    let word = cell.to_lowercase();
    let is = |words: &[&str]| words.iter().any(|one| word.starts_with(one));
    if is(&["angle", "stabil", "level", "winkel"]) {
        return Some(Mode::Angle);
    }
    if is(&["horizon"]) {
        return Some(Mode::Horizon);
    }
    is(&["manu", "acro", "akro", "rate"]).then_some(Mode::Manual)
}

/// Parses a measured value: in km for the distance, else in m, km/h, V, mAh or g. A unit in the cell goes before that
/// of the column.
fn measured(meaning: Meaning, cell: &str, unit: &str, sign: char) -> Option<f64> {
    let number = Number::parse(cell)?;
    let own = number.unit.to_lowercase();
    let unit = if own.is_empty() { unit } else { &own };
    let value = number.with(sign);
    let length = |unit: &str| length_unit(unit);
    let factor = match meaning {
        Meaning::Distance => return Some(value * length(unit).unwrap_or(1000.0) / 1000.0),
        Meaning::MaximumAltitude | Meaning::MaximumDistance => length(unit).unwrap_or(1.0),
        Meaning::Speed => speed_unit(unit).unwrap_or(1.0),
        Meaning::BatteryStartVoltage | Meaning::BatteryEndVoltage if unit == "mv" || value > 1000.0 => 0.001,
        Meaning::ConsumedCapacity if unit == "ah" => 1000.0,
        Meaning::Weight if unit == "kg" => 1000.0,
        _ => 1.0,
    };
    Some(value * factor)
}
