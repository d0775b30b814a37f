//! The base of all other modules. Knows no topic, no store and no web.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod text;
pub mod template;
pub mod error;
pub mod id;
pub mod time;
pub mod number;
pub mod coded;
pub mod file_name;
pub mod csv;
pub mod dir;
pub mod collation;
pub mod unicode;
pub mod declared;
pub mod input;
pub mod field;
pub mod page;
pub mod secret;
pub mod limits;
