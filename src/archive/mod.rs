//! The archive, its format, and what is done with it: backup, restore, and the check of the data that both rely on.

pub mod backup;
pub mod check;
pub mod folder;
pub mod format;
pub mod last_backup;
pub mod reader;
pub mod recover;
pub mod restore;
