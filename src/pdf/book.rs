//! The content of a book.

use std::ops::{Add, AddAssign};

/// A book.
#[derive(Debug, Clone, Default)]
pub struct Book {
    pub title: String,
    /// Whose book it is, or of what.
    pub holder: String,
    pub period: String,
    /// The lines of the title page, each with its label.
    pub facts: Vec<(&'static str, String)>,
    pub columns: Vec<Column>,
    /// Heading of the counts, such as `Flüge`.
    pub counted: &'static str,
    /// Heading of the times, such as `Flugzeit`.
    pub timed: &'static str,
    /// The carry-over of the first page.
    pub carried: Sum,
    pub rows: Vec<Row>,
    /// A sentence at the foot of each page.
    pub legend: &'static str,
    pub totals: Vec<Totals>,
    /// Sentences of the last page.
    pub remarks: Vec<String>,
    pub file: AttachedFile,
    /// Seconds since 1970.
    pub made: i64,
    /// The program that made it.
    pub program: String,
}

/// A column of a book's table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// At most two lines.
    pub heading: &'static str,
    /// Points; all columns of a book together have at most [`crate::WIDTH`].
    pub width: f32,
    pub style: Style,
}

/// How the cells of a column look. Only a [`Style::Text`] takes a second line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Text,
    Small,
    Number,
    Bold,
}

/// A row of a book's table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name of its bookmark, such as a month. Rows with the same name stand together.
    pub group: String,
    pub cells: Vec<String>,
    /// The row's part of the sums of its page.
    pub sum: Sum,
}

/// A count, and minutes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub count: u64,
    pub minutes: u64,
}

/// A table of the last page.
#[derive(Debug, Clone)]
pub struct Totals {
    pub title: &'static str,
    pub rows: Vec<(String, Sum)>,
}

/// The file inside.
#[derive(Debug, Clone, Default)]
pub struct AttachedFile {
    pub name: String,
    pub media_type: &'static str,
    pub description: &'static str,
    pub content: Vec<u8>,
}

impl Add for Sum {
    type Output = Sum;

    fn add(self, other: Sum) -> Sum {
        Sum {
            count: self.count + other.count,
            minutes: self.minutes + other.minutes,
        }
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Sum) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Sum {
    fn sum<I: Iterator<Item = Sum>>(sums: I) -> Sum {
        sums.fold(Sum::default(), Add::add)
    }
}

impl Sum {
    /// Prints the minutes: `99:24`.
    #[must_use]
    pub fn time(self) -> String {
        hours(self.minutes)
    }
}

/// Prints minutes as hours and minutes: `0:07`.
#[must_use]
pub fn hours(minutes: u64) -> String {
    format!("{}:{:02}", minutes / 60, minutes % 60)
}
