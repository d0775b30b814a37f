//! Reading redb files that may be damaged.
//!
//! redb stores a checksum of every page, but its reads never compare it (cberner/redb#1334): after a disk lost a
//! sector, a database answers with wrong rows, or panics. This crate reads the file format itself and offers
//!
//! - [`VerifyingBackend`], a [`redb::StorageBackend`] that verifies each page when it is read, and [`open`], which
//!   opens a file with it. A damaged page is an error of the reads that need it; [`DiskHealth`] counts them. A last
//!   commit that is lost in an unclean stop is noticed.
//! - [`open_read_only`], which opens what is intact in a file that redb refuses. The file isn't changed.
//! - [`DamagedFile`], which reads the rows of a damaged file that prove themselves, without redb.
//! - [`is_intact`], redb's own check without its repair, and [`Space`], the used and free space of a file.
//!
//! The formats are those of one exact version of redb; `README.md` says how to check a new one. From bottom to top:
//! `pages` (formats), `last_commit`, `health`, `backend`, `guard`, `open`, `overlay`, `read_only`; `integrity`, `space`
//! and `recover` stand on the lower ones by themselves.

mod guard;
mod pages;
mod last_commit;
mod health;
mod backend;
mod open;
mod overlay;
mod integrity;
mod read_only;
mod recover;
mod space;

pub use backend::VerifyingBackend;
pub use guard::guarded;
pub use health::{DiskHealth, is_full};
pub use integrity::is_intact;
pub use open::{DatabaseHandle, OpenError, open, reopen};
pub use read_only::{ReadOnly, open_read_only, reopen_read_only};
pub use recover::{DamagedFile, Proof, RecoveredTable, RowProof};
pub use space::{Space, is_worth_compacting};
