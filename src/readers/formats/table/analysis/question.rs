//! Questions about columns that can be read in several ways.

use serde::{Deserialize, Serialize};

use crate::formats::values::display_text;

/// The number of examples of each way to read a column.
pub(super) const EXAMPLES: usize = 3;
/// The most characters of an example.
const EXAMPLE_CHARACTERS: usize = 40;

/// The subject of a question to the pilot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// The decimal sign of a column.
    Decimal,
    /// The unit of a column, or the form of its durations.
    Unit,
    /// The order of day, month and year.
    DateOrder,
    /// The year of the first date.
    Year,
}

/// A question about a column that can be read in several ways.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub subject: Subject,
    pub column: u16,
    pub ways: Vec<Way>,
}

/// A way to read a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// As in a mapping.
    pub value: String,
    pub examples: Vec<Example>,
}

/// A cell, and how it would be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    pub cell: String,
    pub value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Value {
    Number(f64),
    Seconds(f64),
    /// Days since 1970.
    Day(f64),
}

/// Where a mapping comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Guessed,
    /// By the pilot, now or for an earlier table with the same headings.
    Chosen,
}

/// Returns an example, cut for showing.
pub(super) fn example(cell: &str, value: Value) -> Example {
    Example {
        cell: display_text(cell, EXAMPLE_CHARACTERS),
        value,
    }
}
