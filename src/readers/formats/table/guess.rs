//! Guesses a table's layout from the headings and first cells of its columns.

use std::collections::BTreeMap;

use super::cells::{clock, date, moment_in, reads_as_date};
use super::mapping::{COLUMNS_MOST, Column, DateOrder, Layout, Mapping, Meaning, SEPARATORS};
use crate::formats::lines::{Table, Utf8Reader};
use crate::formats::values::{display_text, length_unit, moment, speed_unit};

/// The number of example cells of a column.
const EXAMPLES: usize = 5;
/// The most characters of a heading or an example.
const CELL_CHARACTERS: usize = 60;

/// Returns the layout of a table that begins with `head`; `None` if it is no table with dates, which needs at least a
/// header, a row of the same width and a cell with a date.
#[must_use]
pub fn layout(head: &str, is_whole: bool) -> Option<Layout> {
    SEPARATORS
        .iter()
        .find_map(|separator| layout_by(head, is_whole, *separator))
}

fn layout_by(head: &str, is_whole: bool, separator: char) -> Option<Layout> {
    // The last line is incomplete if the head was cut off.
    let head = if is_whole { head } else { &head[..head.rfind('\n')?] };
    let mut bytes = head.as_bytes();
    let mut table = Table::new(Utf8Reader::new(&mut bytes, &[]).ok()?, u8::try_from(separator).ok()?);
    let header: Vec<String> = table
        .next()
        .ok()??
        .iter()
        .map(|cell| display_text(&cell, CELL_CHARACTERS))
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
            column.examples.push(display_text(&row.cell(index), CELL_CHARACTERS));
        }
        if rows == EXAMPLES {
            break;
        }
    }
    let examples = || columns.iter().flat_map(|column| &column.examples);
    let has_date = examples().any(|cell| reads_as_date(cell));
    (rows > 0 && has_date).then(|| {
        let (guess, has_known_headings) = guess(&columns, separator);
        Layout {
            columns,
            guess,
            has_known_headings,
        }
    })
}

/// Words in headings, the more specific ones first.
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
            "anfangsspannung",
            "spannung start",
            "spannung am anfang",
            "spannung am start",
            "spannung beim start",
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
            "spannung am ende",
            "spannung nach",
            "end voltage",
            "voltage end",
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

/// Returns a heading in lower case, without unit and punctuation.
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

/// Returns the unit in a heading: in brackets, or its last word.
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

/// Guesses the meaning of the columns. Returns whether any heading matched.
fn guess(columns: &[Column], separator: char) -> (Mapping, bool) {
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
            let is_free = u16::try_from(*index).is_ok_and(|index| !mapping.columns.contains_key(&index));
            // Such a heading names something else, such as the voltage at the end or the place of the start.
            let is_other = matches!(meaning, Meaning::End | Meaning::StartTime)
                && !column
                    .examples
                    .iter()
                    .any(|cell| reads_as_time(cell, mapping.date_order));
            fits && is_free && !is_other
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
                .any(|cell| reads_as_moment(cell, mapping.date_order));
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
    let has_known_headings = !mapping.columns.is_empty();
    guess_dates(columns, &mut mapping);
    // A column with date and time makes separate ones redundant.
    if mapping.columns.values().any(|meaning| *meaning == Meaning::DateTime) {
        mapping
            .columns
            .retain(|_, meaning| !matches!(meaning, Meaning::Date | Meaning::StartTime));
    }
    (mapping, has_known_headings)
}

/// If no heading names the dates, takes the first column whose examples are all dates.
fn guess_dates(columns: &[Column], mapping: &mut Mapping) {
    let is_date = |meaning: &Meaning| matches!(meaning, Meaning::Date | Meaning::DateTime);
    if mapping.columns.values().any(is_date) {
        return;
    }
    let order = mapping.date_order;
    let of_dates = |(index, column): (usize, &Column)| {
        let cells: Vec<_> = column.examples.iter().filter(|cell| !cell.is_empty()).collect();
        let all = |reads: &dyn Fn(&str) -> bool| !cells.is_empty() && cells.iter().all(|cell| reads(cell));
        let index = u16::try_from(index)
            .ok()
            .filter(|index| !mapping.columns.contains_key(index))?;
        match (
            all(&|cell| date(cell, order).is_some()),
            all(&|cell| reads_as_moment(cell, order)),
        ) {
            (true, _) => Some((index, Meaning::Date)),
            (_, true) => Some((index, Meaning::DateTime)),
            _ => None,
        }
    };
    let found = columns.iter().enumerate().find_map(of_dates);
    mapping.columns.extend(found);
}

fn reads_as_moment(cell: &str, order: DateOrder) -> bool {
    moment(cell).is_some() || moment_in(cell, order).is_some()
}

fn reads_as_time(cell: &str, order: DateOrder) -> bool {
    clock(cell).is_some() || reads_as_moment(cell, order)
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
    // If several fit equally well, the first one: the German order.
    let orders = [DateOrder::Dmy, DateOrder::Ymd, DateOrder::Mdy];
    let best = orders.iter().map(|order| fits(*order)).max().unwrap_or_default();
    orders
        .into_iter()
        .find(|order| fits(*order) == best)
        .unwrap_or(DateOrder::Dmy)
}
