//! Pagination of lists. Knows no item.

use super::error::{Error, Result};
use super::field::Field;
use super::input::Fields;
use super::text;

pub const MAX_PAGE: u32 = 500;

pub const LIMIT: Field<usize> = Field::integer("limit", 1..=MAX_PAGE, text::INVALID_INPUT);

/// The page that a call asks for: at most `limit` items after the item `before`; the whole list by default.
#[derive(Debug, Clone, Copy)]
pub struct Page<Id> {
    /// The last item of the previous page.
    pub before: Option<Id>,
    pub limit: Option<usize>,
}

impl<Id: Copy + PartialEq> Page<Id> {
    /// Reads the page from the fields of a call.
    ///
    /// # Errors
    /// A field is invalid.
    pub fn read(fields: &Fields, before: &Field<Id>) -> Result<Page<Id>> {
        Ok(Page {
            before: before.read(fields)?,
            limit: LIMIT.read(fields)?,
        })
    }

    /// Cuts this page out of a list.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the last item of the previous page isn't in the list.
    pub fn of<T>(&self, mut items: Vec<T>, id: impl Fn(&T) -> Id) -> Result<Vec<T>> {
        if let Some(before) = self.before {
            let last = items.iter().position(|item| id(item) == before);
            items.drain(..=last.ok_or(Error::NotFound)?);
        }
        items.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(items)
    }
}
