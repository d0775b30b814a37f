//! The archive and its format; backup, restore and recovery, and the check of the data that they rely on.

pub mod backup;
pub mod check;
pub mod folder;
pub mod format;
pub(crate) mod last_backup;
pub mod reader;
pub mod recover;
pub mod replaced;
pub mod restore;
