//! Any other table with a flight in each row: its columns are chosen, and guessed before that.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lines::{Decoded, Row, Table};
use super::values::{days, length_unit, moment, shown, speed_unit, time_of_day};
use crate::imports::fold::Fold;
use crate::imports::samples::{Clock, Fault, Found, Reading};

/// Columns that can be chosen, and their example cells.
pub const COLUMNS_MOST: usize = 60;
const EXAMPLES: usize = 5;
/// Characters of a heading or an example.
const CELL_CHARACTERS: usize = 60;
const TEXT_CHARACTERS: usize = 2000;
const SEPARATORS: [char; 4] = [';', '\t', ',', '|'];

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Meaning {
    Date,
    StartTime,
    DateTime,
    FlightTime,
    End,
    Copter,
    Battery,
    Location,
    Distance,
    MaximumAltitude,
    MaximumDistance,
    Speed,
    BatteryStartVoltage,
    BatteryEndVoltage,
    ConsumedCapacity,
    Notes,
}

/// The order of a date's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    Dmy,
    Mdy,
    Ymd,
}

/// How a table is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// By the index of the column.
    pub columns: BTreeMap<u16, Meaning>,
    #[serde(default)]
    pub units: BTreeMap<u16, String>,
    pub separator: char,
    pub decimal: char,
    pub date_order: DateOrder,
}

impl Mapping {
    /// Whether it says when a flight was, and names nothing twice or impossible.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        let has = |wanted: Meaning| self.columns.values().filter(|meaning| **meaning == wanted).count();
        let dates = has(Meaning::Date) + has(Meaning::DateTime);
        let is_single = self
            .columns
            .values()
            .all(|meaning| has(*meaning) == 1 || *meaning == Meaning::Notes);
        dates == 1
            && is_single
            && self.columns.len() <= COLUMNS_MOST
            && self.units.len() <= COLUMNS_MOST
            && self.units.values().all(|unit| unit.len() <= 8)
            && SEPARATORS.contains(&self.separator)
            && matches!(self.decimal, ',' | '.')
    }
}

/// A column, as it is shown to be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub examples: Vec<String>,
}

/// A table whose columns can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub columns: Vec<Column>,
    pub guess: Mapping,
}

impl Layout {
    /// The headings in one text, by which the table is known again.
    #[must_use]
    pub fn headings(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| column.name.as_str()).collect();
        format!("{}{}", self.guess.separator, names.join("\n"))
    }
}

/// The layout of a table that begins like this; `None` for what is no table: it needs two rows of the same width and a cell that reads as
/// a date.
#[must_use]
pub fn layout(head: &str, is_whole: bool) -> Option<Layout> {
    SEPARATORS
        .iter()
        .find_map(|separator| layout_by(head, is_whole, *separator))
}

fn layout_by(head: &str, is_whole: bool, separator: char) -> Option<Layout> {
    // The last line of a head that was cut off is no row.
    let head = if is_whole { head } else { &head[..head.rfind('\n')?] };
    let mut bytes = head.as_bytes();
    let mut table = Table::new(Decoded::new(&mut bytes, &[]).ok()?, u8::try_from(separator).ok()?);
    let header: Vec<String> = table
        .next()
        .ok()??
        .iter()
        .map(|cell| shown(&cell, CELL_CHARACTERS))
        .collect();
    let width = header.len();
    if width < 2 {
        return None;
    }
    let mut columns: Vec<Column> = header
        .iter()
        .take(COLUMNS_MOST)
        .map(|name| Column {
            name: name.clone(),
            examples: Vec::new(),
        })
        .collect();
    let mut rows = 0;
    while let Ok(Some(row)) = table.next() {
        if row.len() != width {
            if rows == 0 {
                return None;
            }
            continue;
        }
        rows += 1;
        for (index, column) in columns.iter_mut().enumerate() {
            column.examples.push(shown(&row.cell(index), CELL_CHARACTERS));
        }
        if rows == EXAMPLES {
            break;
        }
    }
    let examples = || columns.iter().flat_map(|column| &column.examples);
    let has_date = examples().any(|cell| reads_as_date(cell));
    (rows > 0 && has_date).then(|| {
        let guess = guess(&columns, separator);
        Layout { columns, guess }
    })
}

fn reads_as_date(cell: &str) -> bool {
    let orders = [DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd];
    orders
        .iter()
        .any(|order| date(cell, *order).is_some() || moment_in(cell, *order).is_some())
}

/// Words in headings, the more special ones first.
const WORDS: &[(Meaning, &[&str])] = &[
    (
        Meaning::DateTime,
        &[
            "datetime",
            "date time",
            "datum uhrzeit",
            "datum zeit",
            "datum und",
            "date and",
            "timestamp",
            "zeitstempel",
            "zeitpunkt",
            "start date time",
        ],
    ),
    (
        Meaning::BatteryStartVoltage,
        &[
            "startspannung",
            "spannung start",
            "start voltage",
            "voltage start",
            "spannung vor",
        ],
    ),
    (
        Meaning::BatteryEndVoltage,
        &[
            "endspannung",
            "spannung ende",
            "end voltage",
            "voltage end",
            "spannung nach",
            "restspannung",
        ],
    ),
    (
        Meaning::ConsumedCapacity,
        &["verbrauch", "mah", "consumed", "used capacity", "entnommen"],
    ),
    (
        Meaning::FlightTime,
        &[
            "dauer",
            "flugzeit",
            "duration",
            "flight time",
            "flighttime",
            "airtime",
            "air time",
            "minuten",
            "minutes",
        ],
    ),
    (
        Meaning::End,
        &[
            "ende",
            "endzeit",
            "landung",
            "landezeit",
            "end time",
            "end",
            "landing",
            "bis",
        ],
    ),
    (Meaning::MaximumAltitude, &["höhe", "hoehe", "altitude", "height"]),
    (
        Meaning::MaximumDistance,
        &["entfernung", "max distance", "maximum distance", "max distanz"],
    ),
    (Meaning::Speed, &["geschwindigkeit", "speed", "tempo"]),
    (Meaning::Distance, &["strecke", "distanz", "distance", "flugstrecke"]),
    (Meaning::Battery, &["akku", "batterie", "battery", "pack"]),
    (
        Meaning::Copter,
        &[
            "copter",
            "kopter",
            "drohne",
            "modell",
            "drone",
            "aircraft",
            "model",
            "uas",
            "uav",
            "fluggerät",
            "quad",
            "gerät",
        ],
    ),
    (
        Meaning::Location,
        &[
            "ort", "platz", "place", "location", "site", "standort", "flugort", "gelände",
        ],
    ),
    (
        Meaning::Notes,
        &[
            "notiz",
            "notizen",
            "bemerkung",
            "bemerkungen",
            "notes",
            "note",
            "comment",
            "comments",
            "kommentar",
            "remarks",
            "beschreibung",
        ],
    ),
    (Meaning::Date, &["datum", "date", "tag", "flugdatum", "day"]),
    (
        Meaning::StartTime,
        &[
            "uhrzeit",
            "startzeit",
            "start",
            "zeit",
            "time",
            "beginn",
            "takeoff",
            "take off",
            "von",
        ],
    ),
];

/// A heading in small letters, without its unit and punctuation.
fn plain(heading: &str) -> String {
    let heading = heading.to_lowercase();
    let without_unit = match (heading.find(['(', '[']), heading.find([')', ']'])) {
        (Some(from), Some(to)) if from < to => {
            format!("{} {}", &heading[..from], heading.get(to + 1..).unwrap_or_default())
        }
        _ => heading,
    };
    let words: String = without_unit
        .chars()
        .map(|character| if character.is_alphanumeric() { character } else { ' ' })
        .collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The unit of a heading: in brackets, or its last word.
fn unit_of(heading: &str) -> Option<String> {
    let heading = heading.to_lowercase();
    let bracketed = heading
        .split_once(['(', '['])
        .and_then(|(_, rest)| rest.split([')', ']']).next());
    let unit = bracketed.or_else(|| heading.split_whitespace().next_back())?.trim();
    let is_unit = length_unit(unit).is_some()
        || speed_unit(unit).is_some()
        || ["min", "minuten", "s", "sec", "sek", "h", "std", "v", "mv", "mah", "ah"].contains(&unit);
    is_unit.then(|| unit.to_owned())
}

fn guess(columns: &[Column], separator: char) -> Mapping {
    let mut mapping = Mapping {
        columns: BTreeMap::new(),
        units: BTreeMap::new(),
        separator,
        decimal: guess_decimal(columns, separator),
        date_order: guess_order(columns),
    };
    for (meaning, words) in WORDS {
        let matches = |(index, column): &(usize, &Column), is_whole: bool| {
            let plain = plain(&column.name);
            let fits = words.iter().any(|word| match is_whole {
                true => plain == *word,
                false => plain.contains(word) && (word.len() > 3 || plain.split(' ').any(|part| part == *word)),
            });
            fits && u16::try_from(*index).is_ok_and(|index| !mapping.columns.contains_key(&index))
        };
        let all = || columns.iter().enumerate();
        let found = all()
            .find(|column| matches(column, true))
            .or_else(|| all().find(|column| matches(column, false)));
        if let Some((index, column)) = found
            && let Ok(index) = u16::try_from(index)
        {
            let reads_as_moment = column
                .examples
                .iter()
                .any(|cell| moment(cell).is_some() || moment_in(cell, mapping.date_order).is_some());
            let meaning = match meaning {
                Meaning::Date | Meaning::StartTime if reads_as_moment => Meaning::DateTime,
                other => *other,
            };
            if !mapping.columns.values().any(|known| *known == meaning) {
                mapping.columns.insert(index, meaning);
                if let Some(unit) = unit_of(&column.name) {
                    mapping.units.insert(index, unit);
                }
            }
        }
    }
    // A moment has a date.
    if mapping.columns.values().any(|meaning| *meaning == Meaning::DateTime) {
        mapping
            .columns
            .retain(|_, meaning| !matches!(meaning, Meaning::Date | Meaning::StartTime));
    }
    mapping
}

fn guess_decimal(columns: &[Column], separator: char) -> char {
    let is_number = |cell: &&String| {
        cell.bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'))
            && cell.bytes().filter(|byte| matches!(byte, b',' | b'.')).count() == 1
    };
    let numbers = columns.iter().flat_map(|column| &column.examples).filter(is_number);
    let (mut commas, mut points) = (0, 0);
    for number in numbers {
        match number.contains(',') {
            true => commas += 1,
            false => points += 1,
        }
    }
    match (commas, points) {
        (0, 0) if separator == ';' => ',',
        (commas, points) if commas > points => ',',
        _ => '.',
    }
}

fn guess_order(columns: &[Column]) -> DateOrder {
    let cells = || columns.iter().flat_map(|column| &column.examples);
    let fits = |order: DateOrder| {
        let dates = cells().filter(|cell| reads_as_date(cell));
        dates
            .filter(|cell| date(cell, order).is_some() || moment_in(cell, order).is_some())
            .count()
    };
    // Of equally good ones the first: a German club's.
    let orders = [DateOrder::Dmy, DateOrder::Ymd, DateOrder::Mdy];
    let best = orders.iter().map(|order| fits(*order)).max().unwrap_or_default();
    orders
        .into_iter()
        .find(|order| fits(*order) == best)
        .unwrap_or(DateOrder::Dmy)
}

/// Days since 1970 of a date whose parts stand in this order.
fn date(cell: &str, order: DateOrder) -> Option<f64> {
    let parts: Vec<&str> = cell.trim().split(['.', '/', '-']).map(str::trim).collect();
    let [first, second, third] = parts.as_slice() else {
        return None;
    };
    let (year, month, day) = match order {
        DateOrder::Dmy => (third, second, first),
        DateOrder::Mdy => (third, first, second),
        DateOrder::Ymd => (first, second, third),
    };
    let is_number =
        |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number(month, 2) || !is_number(day, 2) || !is_number(year, 4) || year.len() == 1 || year.len() == 3 {
        return None;
    }
    let short = year.len() == 2;
    let year: i32 = year.parse().ok()?;
    days(
        if short { 2000 + year } else { year },
        month.parse().ok()?,
        day.parse().ok()?,
    )
}

/// Seconds since 1970 of a date and a time, with anything between them.
fn moment_in(cell: &str, order: DateOrder) -> Option<f64> {
    if let (DateOrder::Ymd, Some(moment)) = (order, moment(cell)) {
        return Some(moment.shown);
    }
    let (day, time) = cell.trim().split_once([' ', 'T'])?;
    let day = date(day.trim_end_matches(','), order)?;
    let time = time.trim().trim_start_matches("um ").trim_end_matches(" Uhr");
    Some(day * 86_400.0 + time_of_day(time)?)
}

/// Reads the table as the mapping says.
///
/// # Errors
/// See [`Fault`].
pub fn read(source: Decoded<'_>, mapping: &Mapping, fold: &mut Fold) -> Reading {
    let separator = u8::try_from(mapping.separator).map_err(|_| Fault::Damaged(0))?;
    let mut table = Table::new(source, separator);
    table.next()?;
    while let Some(row) = table.next()? {
        match flight(row, mapping) {
            Some(found) => {
                fold.count_row()?;
                fold.flight(found);
            }
            None => fold.untimed()?,
        }
    }
    Ok(())
}

fn flight(row: Row<'_>, mapping: &Mapping) -> Option<Found> {
    let mut found = Found::default();
    let about = &mut found.about;
    let figures = &mut found.figures;
    let (mut day, mut time, mut end) = (None, None, None);
    for (index, meaning) in &mapping.columns {
        let cell = row.cell(usize::from(*index));
        if cell.is_empty() {
            continue;
        }
        let unit = mapping.units.get(index).map_or("", String::as_str);
        let number = || number(&cell, mapping.decimal);
        let metres = || number().map(|value| value * length_unit(unit).unwrap_or(1.0));
        let volts = || {
            number().map(|volts| {
                if volts > 1000.0 || unit == "mv" {
                    volts / 1000.0
                } else {
                    volts
                }
            })
        };
        match meaning {
            Meaning::Date => day = date(&cell, mapping.date_order),
            Meaning::StartTime => time = time_of_day(cell.trim_end_matches(" Uhr")),
            Meaning::DateTime => {
                let moment = moment_in(&cell, mapping.date_order)?;
                day = Some((moment / 86_400.0).floor());
                time = Some(moment.rem_euclid(86_400.0));
            }
            Meaning::FlightTime => found.duration = duration(&cell, unit, mapping.decimal),
            Meaning::End => {
                end = time_of_day(cell.trim_end_matches(" Uhr"))
                    .or_else(|| moment_in(&cell, mapping.date_order).map(|moment| moment.rem_euclid(86_400.0)));
            }
            Meaning::Copter => about.name = shown(&cell, 100),
            Meaning::Battery => about.battery_name = shown(&cell, 100),
            Meaning::Location => about.location = shown(&cell, 200),
            Meaning::Notes => {
                if !about.notes.is_empty() {
                    about.notes.push('\n');
                }
                about.notes.push_str(&shown(&cell, TEXT_CHARACTERS));
            }
            Meaning::Distance => {
                let factor = length_unit(unit).unwrap_or(1000.0);
                figures.distance = number().map(|value| value * factor / 1000.0);
            }
            Meaning::MaximumAltitude => figures.height = metres(),
            Meaning::MaximumDistance => figures.farthest = metres(),
            Meaning::Speed => figures.speed = number().map(|value| value * speed_unit(unit).unwrap_or(1.0)),
            Meaning::BatteryStartVoltage => figures.start_volts = volts(),
            Meaning::BatteryEndVoltage => figures.end_volts = volts(),
            Meaning::ConsumedCapacity => {
                figures.consumed = number().map(|value| if unit == "ah" { value * 1000.0 } else { value });
            }
        }
    }
    let day = day?;
    about.clock = Clock::Local;
    found.day = Some(day);
    found.start = time.map(|time| day * 86_400.0 + time);
    if let (None, Some(time), Some(end)) = (found.duration, time, end) {
        // An end before the start is on the next day.
        found.duration = Some((end - time).rem_euclid(86_400.0));
    }
    Some(found)
}

fn number(cell: &str, decimal: char) -> Option<f64> {
    let thousands = if decimal == ',' { '.' } else { ',' };
    let digits: String = cell
        .chars()
        .skip_while(|character| matches!(character, '≈' | '~' | ' '))
        .take_while(|character| character.is_ascii_digit() || matches!(character, ',' | '.' | '-' | '\''))
        .filter(|character| *character != thousands && *character != '\'')
        .map(|character| if character == decimal { '.' } else { character })
        .collect();
    super::values::number(&digits)
}

/// Seconds of `7`, `7,5` (minutes, unless the unit says otherwise), `0:07`, `0:07:30` (hours first).
fn duration(cell: &str, unit: &str, decimal: char) -> Option<f64> {
    if cell.contains(':') {
        return time_of_day(cell);
    }
    let factor = match unit {
        "s" | "sec" | "sek" => 1.0,
        "h" | "std" => 3600.0,
        _ => 60.0,
    };
    number(cell, decimal).map(|value| value * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(head: &str) -> Vec<(u16, Meaning)> {
        layout(head, true).unwrap().guess.columns.into_iter().collect()
    }

    #[test]
    fn headings_are_guessed_in_german_and_in_english() {
        use Meaning::{
            Battery, Copter, Date, DateTime, Distance, End, FlightTime, Location, MaximumAltitude, Notes, StartTime,
        };
        assert_eq!(
            meanings(
                "Datum;Uhrzeit;Dauer (min);Modell;Akku;Ort;Strecke km;max. Höhe m;Bemerkung\n04.03.2025;10:00;12,1;Cine;Akku 1;Wiese;3,03;56;schön\n"
            ),
            [
                (0, Date),
                (1, StartTime),
                (2, FlightTime),
                (3, Copter),
                (4, Battery),
                (5, Location),
                (6, Distance),
                (7, MaximumAltitude),
                (8, Notes)
            ]
        );
        assert_eq!(
            meanings("Flight Date/Time,Drone,End time\n2026-05-17 08:20,Mavic,08:31\n"),
            [(0, DateTime), (1, Copter), (2, End)]
        );
    }

    #[test]
    fn separator_decimal_sign_and_order_follow_from_the_cells() {
        let german = layout("Datum;Dauer\n17.07.2026;7,5\n", true).unwrap().guess;
        assert_eq!(
            (german.separator, german.decimal, german.date_order),
            (';', ',', DateOrder::Dmy)
        );
        let american = layout("Date,Time,Duration\n7/17/2026,4:10 PM,7.5\n", true)
            .unwrap()
            .guess;
        assert_eq!(
            (american.separator, american.decimal, american.date_order),
            (',', '.', DateOrder::Mdy)
        );
        assert_eq!(
            layout("Date,Name\n2026-07-17,x\n", true).unwrap().guess.date_order,
            DateOrder::Ymd
        );
    }

    #[test]
    fn no_table_without_a_date() {
        for text in [
            "",
            "a;b",
            "a;b\n1;2\n",
            "a\n17.07.2026\n",
            "a;b;c\n17.07.2026;2\n",
            "$1;1;0;1;0\n$1;1;1000;1;0\n",
        ] {
            assert_eq!(layout(text, true), None, "{text}");
        }
    }

    #[test]
    fn a_duration_may_be_written_in_many_ways() {
        for (cell, unit, seconds) in [
            ("7", "", 420.0),
            ("7,5", "min", 450.0),
            ("0:07", "", 420.0),
            ("0:07:30", "", 450.0),
            ("90", "s", 90.0),
        ] {
            assert_eq!(duration(cell, unit, ','), Some(seconds), "{cell}");
        }
    }
}
