//! Guesses a table's layout: its separator, the row with the headings, and what the columns mean.

mod words;

use std::collections::BTreeMap;

use super::cells::{
    Number, Written, clock, date, is_short, reads_as_date, reads_as_moment, reads_as_start, unit_word, written,
};
use super::mapping::{Column, DateOrder, Layout, MAX_COLUMNS, Mapping, Meaning, SEPARATORS};
use crate::formats::lines::{Table, Utf8Reader};
use crate::formats::values::{display_text, length_unit, speed_unit};
use words::{OTHERS, WORDS};

/// The number of example cells of a column.
const EXAMPLES: usize = 5;
/// The number of rows whose cells a guess is based on.
const GUESS_ROWS: usize = 50;
/// The number of rows among which the headings are searched: titles may precede them.
const HEADING_ROWS: usize = 30;
/// The most letters of a number with its unit.
const LETTERS_OF_VALUE: usize = 3;
/// The most characters of a heading or an example.
const CELL_CHARACTERS: usize = 60;

/// Returns the layout of a table that begins with `head`; `None` if it is no table with dates, which needs at least a
/// header, a row of the same width and a cell with a date.
#[must_use]
pub fn layout(head: &str, is_whole: bool) -> Option<Layout> {
    let known = |layout: &Layout| layout.guess.columns.len();
    let layouts = separators(head).filter_map(|separator| layout_by(head, is_whole, separator));
    // If several separators give as many known columns, the first one.
    layouts.reduce(|best, other| if known(&other) > known(&best) { other } else { best })
}

/// Returns the separators that a table may have: the one of a line `sep=;`, else all.
fn separators(head: &str) -> impl Iterator<Item = char> {
    let declared = declared_separator(head);
    SEPARATORS
        .into_iter()
        .filter(move |separator| declared.is_none_or(|declared| declared == *separator))
}

/// Returns the separator that the first line declares for spreadsheet programs: `sep=;`.
fn declared_separator(head: &str) -> Option<char> {
    let line = head.lines().next()?.trim_matches(['"', ' ', '\r']);
    let mut declared = line
        .get(..4)
        .filter(|start| start.eq_ignore_ascii_case("sep="))
        .and(line.get(4..))?
        .chars();
    declared.next()
}

/// The headings of a table.
#[derive(Debug, PartialEq)]
pub(crate) struct Headings {
    pub names: Vec<String>,
    /// Index of the row after them.
    pub below: usize,
}

/// Finds the headings of a table that begins with `head`: the row that names most columns, else the first one that
/// could be headings. A table without such a row has none: the cells of its first row stand for them, and are a flight.
pub(crate) fn headings(head: &str, separator: char) -> Option<Headings> {
    let rows = rows(head, separator, HEADING_ROWS)?;
    let has_cells = |row: &[String]| row.iter().filter(|cell| !cell.is_empty()).count() > 1;
    let could_name = |row: &[String]| {
        let is_value = |cell: &str| {
            let letters = cell.chars().filter(|character| character.is_alphabetic()).count();
            let is_number = cell.starts_with(|first: char| first.is_ascii_digit()) && letters <= LETTERS_OF_VALUE;
            is_number || reads_as_date(cell)
        };
        let is_name = |cell: &String| !is_value(cell);
        row.iter().all(is_name) && has_cells(row)
    };
    let named = |row: &[String]| row.iter().filter(|name| !name.is_empty() && has_meaning(name)).count();
    let (mut found, mut most) = (None, 0);
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| could_name(row)) {
        let named = named(row);
        if found.is_none() || named > most {
            (found, most) = (Some(at), named);
        }
    }
    let first = || rows.iter().position(|row| has_cells(row)).unwrap_or_default();
    let (row, below) = found.map_or_else(|| (first(), first()), |row| (row, row + 1));
    let names = rows.into_iter().nth(row)?;
    Some(Headings { names, below })
}

fn rows(head: &str, separator: char, most: usize) -> Option<Vec<Vec<String>>> {
    let mut bytes = head.as_bytes();
    let mut table = Table::new(Utf8Reader::new(&mut bytes, &[]).ok()?, u8::try_from(separator).ok()?);
    let mut rows = Vec::new();
    while rows.len() < most
        && let Ok(Some(row)) = table.next()
    {
        rows.push(row.iter().map(|cell| display_text(&cell, CELL_CHARACTERS)).collect());
    }
    Some(rows)
}

fn layout_by(head: &str, is_whole: bool, separator: char) -> Option<Layout> {
    // The last line is incomplete if the head was cut off.
    let head = if is_whole { head } else { &head[..head.rfind('\n')?] };
    let Headings { names, below } = headings(head, separator)?;
    let width = names.len();
    if width < 2 {
        return None;
    }
    let flights: Vec<Vec<String>> = rows(head, separator, below + GUESS_ROWS)?
        .into_iter()
        .skip(below)
        .filter(|row| row.iter().any(|cell| !cell.is_empty()))
        .collect();
    let mut columns: Vec<Column> = names
        .into_iter()
        .take(MAX_COLUMNS)
        .map(|name| Column {
            name,
            examples: Vec::new(),
        })
        .collect();
    for row in &flights {
        for (index, column) in columns.iter_mut().enumerate() {
            column.examples.push(row.get(index).cloned().unwrap_or_default());
        }
    }
    let has_date = columns
        .iter()
        .flat_map(|column| &column.examples)
        .any(|cell| reads_as_date(cell));
    let (guess, has_known_headings) = guess(&columns, separator);
    let is_table = has_date && (has_known_headings || flights.iter().any(|row| row.len() >= width));
    for column in &mut columns {
        column.examples.retain(|cell| !cell.is_empty());
        column.examples.truncate(EXAMPLES);
    }
    is_table.then_some(Layout {
        columns,
        guess,
        has_known_headings,
    })
}

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

/// How well a word fits a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Whole,
    Part,
}

/// Returns whether one of the words is in a heading. A word after `=` has to be the whole heading.
fn fits(plain: &str, words: &[&str], fit: Fit) -> bool {
    words.iter().any(|word| match (word.strip_prefix('='), fit) {
        (Some(word), Fit::Whole) => plain == word,
        (Some(_), Fit::Part) => false,
        (None, Fit::Whole) => plain == *word,
        (None, Fit::Part) => {
            plain.contains(word) && (word.chars().count() > 3 || plain.split(' ').any(|part| part == *word))
        }
    })
}

fn has_meaning(heading: &str) -> bool {
    let plain = plain(heading);
    WORDS
        .iter()
        .any(|(_, words)| fits(&plain, words, Fit::Whole) || fits(&plain, words, Fit::Part))
}

/// Returns the unit in a heading that a column with this meaning can have: in brackets, or one of its words.
fn unit_of(heading: &str, meaning: Meaning) -> Option<String> {
    let heading = heading.to_lowercase();
    let bracketed = heading
        .split_once(['(', '['])
        .and_then(|(_, rest)| rest.split([')', ']']).next());
    // Whole words such as `min.sek` go before their parts.
    let words = heading
        .split([' ', '_', '/', '.', '-'])
        .chain(heading.split([' ', ',', ';']))
        .rev_words();
    bracketed
        .into_iter()
        .chain(words)
        .find_map(|word| unit_for(word.trim(), meaning))
}

trait RevWords<'h> {
    fn rev_words(self) -> std::iter::Rev<std::vec::IntoIter<&'h str>>;
}

impl<'h, I: Iterator<Item = &'h str>> RevWords<'h> for I {
    /// Returns the words from the last one: a unit stands at the end.
    fn rev_words(self) -> std::iter::Rev<std::vec::IntoIter<&'h str>> {
        self.collect::<Vec<_>>().into_iter().rev()
    }
}

fn unit_for(word: &str, meaning: Meaning) -> Option<String> {
    let one_of = |units: &[&str]| units.contains(&word).then(|| word.to_owned());
    match meaning {
        Meaning::FlightTime => unit_word(word).map(str::to_owned),
        Meaning::Distance | Meaning::MaximumAltitude | Meaning::MaximumDistance => {
            length_unit(word).map(|_| word.chars().take(8).collect())
        }
        Meaning::Speed => speed_unit(word).map(|_| word.to_owned()),
        Meaning::BatteryStartVoltage | Meaning::BatteryEndVoltage => one_of(&["v", "mv"]),
        Meaning::ConsumedCapacity => one_of(&["mah", "ah"]),
        Meaning::Weight => one_of(&["g", "kg"]),
        _ => None,
    }
}

/// Guesses the meaning of the columns. Returns whether any heading matched.
fn guess(columns: &[Column], separator: char) -> (Mapping, bool) {
    let mut mapping = Mapping {
        columns: BTreeMap::new(),
        units: BTreeMap::new(),
        separator,
        decimal: guess_decimal(columns, separator),
        decimals: BTreeMap::new(),
        date_order: guess_order(columns),
        year: None,
    };
    for (meaning, words) in WORDS {
        for at in columns_of(columns, &mapping, *meaning, words) {
            let Some(column) = columns.get(usize::from(at)) else {
                continue;
            };
            let meaning = match meaning {
                Meaning::Date | Meaning::StartTime if has(column, |cell| reads_as_start(cell, mapping.date_order)) => {
                    Meaning::DateTime
                }
                other => *other,
            };
            if meaning.may_repeat() || mapping.column(meaning).is_none() {
                mapping.columns.insert(at, meaning);
                if let Some(unit) = unit_of(&column.name, meaning) {
                    mapping.units.insert(at, unit);
                }
            }
        }
    }
    add_part_of_duration(columns, &mut mapping);
    let has_known_headings = !mapping.columns.is_empty();
    guess_dates(columns, &mut mapping);
    // A column with date and time makes separate ones redundant.
    if mapping.column(Meaning::DateTime).is_some() {
        mapping
            .columns
            .retain(|_, meaning| !matches!(meaning, Meaning::Date | Meaning::StartTime));
    }
    (mapping, has_known_headings)
}

/// Adds the other column of a duration in two, such as hours and minutes. The larger of both units has whole numbers
/// and the other one the rest of them.
fn add_part_of_duration(columns: &[Column], mapping: &mut Mapping) {
    const UNITS: [&str; 3] = ["s", "min", "h"];
    let part = |column: &Column| {
        let unit = unit_of(&column.name, Meaning::FlightTime)?;
        let rank = UNITS.iter().position(|one| *one == unit)?;
        let plain = plain(&column.name);
        let words = plain.split(' ').filter(|word| unit_word(word).is_none());
        Some((words.collect::<Vec<_>>().join(" "), rank, unit))
    };
    let is_whole = |column: &Column| has_only(column, |cell| cell.bytes().all(|byte| byte.is_ascii_digit()));
    let is_rest = |column: &Column| {
        has_only(column, |cell| {
            cell.is_empty() || Number::parse(cell).is_some_and(|number| number.value < 60.0)
        })
    };
    let Some(known) = mapping.column(Meaning::FlightTime) else {
        return;
    };
    let Some(first) = columns.get(usize::from(known)) else {
        return;
    };
    let Some((name, rank, _)) = part(first) else { return };
    let other = (0..).zip(columns).find_map(|(index, column)| {
        let (other_name, other_rank, unit) = part(column).filter(|_| !mapping.columns.contains_key(&index))?;
        let (larger, smaller) = match other_rank > rank {
            true => (column, first),
            false => (first, column),
        };
        let are_parts = other_rank.abs_diff(rank) == 1 && is_whole(larger) && is_rest(smaller);
        (other_name == name && are_parts).then_some((index, unit))
    });
    if let Some((index, unit)) = other {
        mapping.columns.insert(index, Meaning::FlightTime);
        mapping.units.insert(index, unit);
    }
}

fn has_only(column: &Column, fits: impl Fn(&str) -> bool) -> bool {
    column.examples.iter().all(|cell| fits(cell))
}

fn has(column: &Column, fits: impl Fn(&str) -> bool) -> bool {
    column.examples.iter().any(|cell| fits(cell))
}

/// Returns the columns whose headings have one of the words: the first one, or all of a meaning that may repeat. A
/// heading that is the whole word goes before one that contains it.
fn columns_of(columns: &[Column], mapping: &Mapping, meaning: Meaning, words: &[&str]) -> Vec<u16> {
    let order = mapping.date_order;
    let is_free = |index: &u16| !mapping.columns.contains_key(index);
    // Such a heading names something else, such as the voltage at the end or the place of the start.
    let has_such_cells = |column: &Column| match meaning {
        Meaning::End | Meaning::StartTime => has(column, |cell| reads_as_time(cell, order)),
        Meaning::DateTime => has(column, |cell| reads_as_moment(cell, order)),
        _ => true,
    };
    let is_other = |plain: &str| {
        let others = OTHERS.iter().find(|(of, _)| *of == meaning);
        others.is_some_and(|(_, words)| {
            words
                .iter()
                .any(|word| plain.split(' ').any(|part| part == *word) || word.len() > 4 && plain.contains(word))
        })
    };
    let with = |fit: Fit| {
        let numbered = (0..).zip(columns).filter(|(index, _)| is_free(index));
        let found = numbered.filter(|(_, column)| {
            let plain = plain(&column.name);
            fits(&plain, words, fit) && !is_other(&plain) && has_such_cells(column)
        });
        found.map(|(index, _)| index).collect::<Vec<u16>>()
    };
    let (whole, part) = (with(Fit::Whole), with(Fit::Part));
    match meaning.may_repeat() && meaning != Meaning::FlightTime {
        true => {
            let mut all = [whole, part].concat();
            all.sort_unstable();
            all.dedup();
            all
        }
        false => whole.into_iter().chain(part).take(1).collect(),
    }
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
            all(&|cell| is_short(cell) || date(cell, order, None).is_some() && !reads_as_moment(cell, order)),
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

/// Returns whether a cell is a time of day. Fewer than four digits alone are rather a number.
fn reads_as_time(cell: &str, order: DateOrder) -> bool {
    let is_number = cell.len() < 4 && cell.bytes().all(|byte| byte.is_ascii_digit());
    !is_number && super::cells::clocks(cell).is_some() || reads_as_moment(cell, order)
}

fn guess_decimal(columns: &[Column], separator: char) -> char {
    let is_number = |cell: &&String| {
        cell.bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'))
            && cell.bytes().filter(|byte| matches!(byte, b',' | b'.')).count() == 1
            && clock(cell).is_none()
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
    let dates: Vec<Written> = cells()
        .filter(|cell| reads_as_date(cell))
        .filter_map(|cell| written(cell).map(|(written, _)| written))
        .collect();
    let fits = |order: DateOrder| {
        dates
            .iter()
            .filter(|date| date.days(order, Some(2024)).is_some())
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
