//! The table of all fields of a pilot's flights, which Fluglog imports.

use std::io::{BufWriter, Write};

use super::model::BookOrder;
use crate::flights;
use crate::flights::columns;
use fluglog_accounts::administration;
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::csv::write_rows;
use fluglog_base::error::{Error, Result};
use fluglog_base::file_name;
use fluglog_base::limits::permits::Requester;
use fluglog_base::text;
use fluglog_store::Snapshot;
use fluglog_store::blobs::{BlobWriter, Spool};
use tokio_util::sync::CancellationToken;

/// The table as a temporary file.
pub(crate) struct FlightTable {
    pub name: String,
    pub content: BlobWriter,
}

/// Writes the table to disk: the snapshot of the database is closed before the first byte is sent.
///
/// # Errors
/// As for [`super::make`], or the disk is full or fails.
pub(crate) fn make(app: &App, viewer: &Viewer, order: BookOrder) -> Result<FlightTable> {
    let cancellation = CancellationToken::new();
    let requester = Requester {
        pilot: viewer.user(),
        cancellation: &cancellation,
    };
    let _permit = app.evaluation_permits.acquire_blocking(&requester, 1)?;
    let mut spool = Spool::begin(&app.blobs)?;
    let now = app.clock.unix_seconds();
    let mut pilot = String::new();
    let written = app.store.read(|data| {
        pilot = administration::details(data, viewer, now)?.nickname;
        write(data, viewer, order, BufWriter::new(&mut spool))
    });
    let year = order.period.year().map(|year| format!(" {year}")).unwrap_or_default();
    let name = format!("Flüge{year} {pilot}.csv");
    Ok(FlightTable {
        name: file_name::insert_mark(&file_name::safe(&name), ""),
        content: spool.finish(written)?,
    })
}

fn write(data: &Snapshot<'_>, viewer: &Viewer, order: BookOrder, mut out: impl Write) -> Result<()> {
    let period = order.period;
    let is_wanted = move |day| !period.is_after(day) && !period.is_before(day);
    let mut flights = flights::finished_shown(data, viewer, order.item, is_wanted)?.peekable();
    if flights.peek().is_none() {
        return Err(Error::invalid("from", text::BOOK_EMPTY));
    }
    let headings: Vec<_> = columns::ALL.iter().map(|column| column.heading).collect();
    let rows = flights.map(|flight| {
        let flight = flight?;
        Ok(columns::ALL.iter().map(move |column| (column.cell)(&flight)))
    });
    write_rows(&mut out, &headings, rows)
}
