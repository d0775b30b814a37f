//! A book as PDF: a title page, a table over many pages whose sums are carried over, and a last page with totals. Knows
//! no topic.
//!
//! The file is tagged, has its fonts and one more file inside, and is made by the rules of PDF/A-3a and PDF/UA-1, which
//! krilla checks. Equal books give equal bytes.
//!
//! The modules stand in reading order: one uses only what stands above it.

mod book;
mod font;
mod lines;
mod layout;
mod drawing;

pub use book::{AttachedFile, Book, Column, Row, Style, Sum, Totals, hours};
pub use drawing::MAX_ROWS;
pub use layout::WIDTH;
