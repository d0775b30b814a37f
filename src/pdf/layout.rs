//! Which rows stand on which page, and what each page adds up to.

use std::ops::Range;

use super::book::{Book, Column, Row, Style, Sum};
use super::font::Faces;
use super::lines::broken;

/// A4 across, in points.
pub(crate) const PAGE: (f32, f32) = (841.89, 595.28);
/// A good centimetre, which every printer keeps free.
pub(crate) const MARGIN: f32 = 30.0;
/// Most points of all columns together.
pub const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;

pub(crate) const TEXT_SIZE: f32 = 8.0;
pub(crate) const SMALL_SIZE: f32 = 6.5;
/// Space between the text of a column and that of the next one.
pub(crate) const GAP: f32 = 6.0;
pub(crate) const LINE: f32 = 9.0;
const ONE_LINE: f32 = 14.5;
const TWO_LINES: f32 = 22.5;

pub(crate) const ROWS_TOP: f32 = 98.0;
pub(crate) const ROWS_BOTTOM: f32 = 478.0;

/// Rows of one page, and their sum.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TablePage {
    pub rows: Range<usize>,
    pub carried: Sum,
    pub sum: Sum,
}

/// Returns the lines of each cell of a row, and its height.
pub(crate) fn row_lines(row: &Row, columns: &[Column], faces: &Faces) -> (Vec<Vec<String>>, f32) {
    let cells = row.cells.iter().zip(columns).map(|(cell, column)| {
        let (face, size) = column.style.face(faces);
        broken(cell, face, size, column.width - GAP, column.style.most_lines())
    });
    let cells: Vec<_> = cells.collect();
    let height = match cells.iter().any(|lines| lines.len() > 1) {
        true => TWO_LINES,
        false => ONE_LINE,
    };
    (cells, height)
}

impl Style {
    pub(crate) fn face(self, faces: &Faces) -> (&super::font::Face, f32) {
        match self {
            Style::Text | Style::Number => (&faces.regular, TEXT_SIZE),
            Style::Small => (&faces.regular, SMALL_SIZE),
            Style::Bold => (&faces.bold, TEXT_SIZE),
        }
    }

    const fn most_lines(self) -> usize {
        match self {
            Style::Text => 2,
            Style::Small | Style::Number | Style::Bold => 1,
        }
    }

    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Style::Number | Style::Bold)
    }
}

/// Fills the pages of the table. A row is never split; a page is full by its height.
pub(crate) fn table_pages(book: &Book, faces: &Faces) -> Vec<TablePage> {
    let mut pages: Vec<TablePage> = Vec::new();
    let mut bottom = ROWS_BOTTOM;
    let mut carried = book.carried;
    for (at, row) in book.rows.iter().enumerate() {
        let (_, height) = row_lines(row, &book.columns, faces);
        bottom += height;
        if bottom > ROWS_BOTTOM {
            bottom = ROWS_TOP + height;
            carried += pages.last().map_or(Sum::default(), |page| page.sum);
            pages.push(TablePage {
                rows: at..at,
                carried,
                sum: Sum::default(),
            });
        }
        if let Some(page) = pages.last_mut() {
            page.rows.end = at + 1;
            page.sum += row.sum;
        }
    }
    pages
}

/// A line of the totals, with its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TotalsLine {
    /// Counted from the first page of totals.
    pub page: usize,
    pub x: f32,
    pub y: f32,
    /// Index in the totals of the book.
    pub table: usize,
    pub part: TotalsPart,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TotalsPart {
    Title,
    Heads,
    Row(usize),
}

const TOTALS_TOP: f32 = 90.0;
/// Below it are the remarks.
const TOTALS_BOTTOM: f32 = 450.0;
const TOTALS_COLUMNS: f32 = 3.0;
const TOTALS_LINE: f32 = 13.0;
/// Lines of a column.
const TOTALS_LINES: f32 = 27.0;

/// Places the totals in columns, from top to bottom. Only a table that is longer than a column is split.
pub(crate) fn totals_lines(book: &Book) -> Vec<TotalsLine> {
    let mut lines = Vec::new();
    let (mut page, mut column, mut y) = (0, 0.0, TOTALS_TOP);
    for (table, totals) in book.totals.iter().enumerate() {
        let parts = [TotalsPart::Title, TotalsPart::Heads]
            .into_iter()
            .chain((0..totals.rows.len()).map(TotalsPart::Row));
        for part in parts {
            let needed = match part {
                TotalsPart::Title => (2.0 + totals.rows.len() as f32).min(TOTALS_LINES) * TOTALS_LINE,
                TotalsPart::Heads | TotalsPart::Row(_) => TOTALS_LINE,
            };
            if y + needed > TOTALS_BOTTOM {
                (column, y) = (column + 1.0, TOTALS_TOP);
                if column >= TOTALS_COLUMNS {
                    (page, column) = (page + 1, 0.0);
                }
            }
            let x = MARGIN + column * (WIDTH + 2.0 * GAP) / TOTALS_COLUMNS;
            lines.push(TotalsLine {
                page,
                x,
                y,
                table,
                part,
            });
            y += TOTALS_LINE;
        }
        y += TOTALS_LINE;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Totals;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn book(rows: &[(String, u64)], carried: Sum) -> Book {
        let columns = vec![Column {
            heading: "Ort",
            width: 120.0,
            style: Style::Text,
        }];
        let rows = rows.iter().map(|(text, minutes)| Row {
            group: String::new(),
            cells: vec![text.clone()],
            sum: Sum {
                count: 1,
                minutes: *minutes,
            },
        });
        Book {
            columns,
            carried,
            rows: rows.collect(),
            ..Book::default()
        }
    }

    proptest! {
        #[test]
        fn every_row_stands_once_and_each_page_carries_what_stood_before(
            rows in vec(("(kurz|ein langer Text, der auf zwei Zeilen steht)?", 0..2_000_u64), 0..200),
            count in 0..1_000_u64,
            minutes in 0..100_000_u64,
        ) {
            let faces = Faces::new().unwrap();
            let carried = Sum { count, minutes };
            let book = book(&rows, carried);
            let pages = table_pages(&book, &faces);
            let mut next = 0;
            for (number, page) in pages.iter().enumerate() {
                prop_assert_eq!(page.rows.start, next);
                next = page.rows.end;
                let height_of = |row: &Row| row_lines(row, &book.columns, &faces).1;
                let height: f32 = book.rows[page.rows.clone()].iter().map(height_of).sum();
                prop_assert!(ROWS_TOP + height <= ROWS_BOTTOM + 0.1);
                if let Some(row) = book.rows.get(next) {
                    prop_assert!(ROWS_TOP + height + height_of(row) > ROWS_BOTTOM);
                }
                let mut before = carried.minutes;
                rows[..page.rows.start].iter().for_each(|(_, minutes)| before += minutes);
                prop_assert_eq!(page.carried.minutes, before);
                prop_assert_eq!(page.carried.count, count + page.rows.start as u64);
                let own = rows[page.rows.clone()].iter().map(|(_, minutes)| minutes);
                prop_assert_eq!(page.sum.minutes, own.sum::<u64>());
                prop_assert!(number < rows.len());
            }
            prop_assert_eq!(next, rows.len());
        }

        #[test]
        fn totals_stand_below_one_another_and_none_is_left_out(lengths in vec(0..90_usize, 0..5)) {
            let totals = lengths.iter().map(|length| Totals {
                title: "Nach Monat",
                rows: vec![(String::new(), Sum::default()); *length],
            });
            let book = Book { totals: totals.collect(), ..Book::default() };
            let lines = totals_lines(&book);
            prop_assert_eq!(lines.len(), lengths.iter().map(|length| length + 2).sum::<usize>());
            for pair in lines.windows(2) {
                let place = |line: &TotalsLine| (line.page, line.x, line.y);
                prop_assert!(place(&pair[0]) < place(&pair[1]));
                prop_assert!(pair[1].y <= TOTALS_BOTTOM && pair[1].x < MARGIN + WIDTH - 230.0);
                // A title never ends a column.
                prop_assert!(pair[0].part != TotalsPart::Title || pair[0].x == pair[1].x);
            }
        }
    }
}
