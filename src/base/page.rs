//! The part of a list that a call asks for. Knows no item.

use super::error::{Error, Result};
use super::field::Field;
use super::input::Fields;
use super::text;

/// The most items of one page.
pub const PAGE_MOST: u32 = 500;

pub const LIMIT: Field<usize> = Field::integer("limit", 1..=PAGE_MOST, text::INVALID_INPUT);

/// The part of a list that a call asks for: so many items that come after one of them. All of it, unless it says so.
#[derive(Debug, Clone, Copy)]
pub struct Page<Id> {
    /// The last item of the page before.
    pub before: Option<Id>,
    pub limit: Option<usize>,
}

impl<Id: Copy + PartialEq> Page<Id> {
    /// Reads it.
    ///
    /// # Errors
    /// A field is wrong.
    pub fn read(fields: &Fields, before: &Field<Id>) -> Result<Page<Id>> {
        Ok(Page {
            before: before.read(fields)?,
            limit: LIMIT.read(fields)?,
        })
    }

    /// Takes this part of a list.
    ///
    /// # Errors
    /// [`Error::NotYours`] when the page before ended with an item that isn't there.
    pub fn of<T>(&self, mut items: Vec<T>, id: impl Fn(&T) -> Id) -> Result<Vec<T>> {
        if let Some(before) = self.before {
            let last = items.iter().position(|item| id(item) == before);
            items.drain(..=last.ok_or(Error::NotYours)?);
        }
        items.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(items)
    }
}
