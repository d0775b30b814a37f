//! Doubts about the voltages of flights. Up to 1.4.0 a flight from the log of a radio got the voltage of the sensor
//! that stood first, which often was that of the receiver. Which flights these are is found once, of each its file
//! tells what is right, and the pilot has them mended or keeps them. A voltage that is typed ends the doubt.

pub mod model;
mod table;

use super::model::StoredFlight;
use super::{origin, reviews, table as flights};
use fluglog_accounts::guard::Viewer;
use fluglog_base::error::Result;
use fluglog_base::id::{FlightId, UserId};
use fluglog_readers::formats::Format;
use fluglog_store::findings::Findings;
use fluglog_store::{Snapshot, Writer};
use model::{Doubt, Verdict, Voltages};

/// Doubts every flight that was taken over from such a log, if the database is one of an earlier version: that the
/// flights aren't looked back on yet tells it. Afterwards [`reviews::fill`] is due.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    if reviews::are_kept(writer)? {
        return Ok(());
    }
    let mut found = Vec::new();
    flights::check::check(writer, &mut Findings::default(), |_, _, owner, flight| {
        if Voltages::of(&flight.entries.fields) != Voltages::default() && !flight.open {
            found.push((owner, flight.id));
        }
        Ok(())
    })?;
    for (owner, flight) in found {
        if origin::has_source(writer, owner, flight, Format::EdgeTx)? {
            let verdict = Verdict::Waiting;
            table::put(writer, owner, &Doubt { flight, verdict })?;
        }
    }
    Ok(())
}

/// The flights of all pilots whose files weren't looked through yet.
pub fn waiting(data: &Snapshot<'_>) -> Result<Vec<(UserId, FlightId)>> {
    let doubts = table::of_everyone(data)?.into_iter();
    let waiting = doubts.filter(|(_, doubt)| doubt.verdict == Verdict::Waiting);
    Ok(waiting.map(|(user, doubt)| (user, doubt.flight)).collect())
}

/// Settles a doubt that waits, of a flight that still has these voltages; without a verdict there is nothing to doubt.
pub fn judge(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId, verdict: Option<Verdict>) -> Result<()> {
    // The pilot deleted the flight meanwhile, or changed its voltages.
    if table::find(writer, viewer.user(), flight)? != Some(Verdict::Waiting) {
        return Ok(());
    }
    match verdict {
        Some(verdict) => put(writer, viewer, flight, verdict),
        None => table::remove(writer, viewer.user(), flight),
    }
}

/// Keeps what is known about the voltages of a flight.
pub fn put(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId, verdict: Verdict) -> Result<()> {
    table::put(writer, viewer.user(), &Doubt { flight, verdict })
}

/// The doubts about the viewer's flights.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<Doubt>> {
    table::all(data, viewer.user())
}

/// The flights of all pilots with voltages that aren't the pack's, each with whether its file says which are.
pub fn of_everyone(data: &Snapshot<'_>) -> Result<Vec<(UserId, bool)>> {
    let doubts = table::of_everyone(data)?.into_iter();
    let wrong = doubts.filter_map(|(user, doubt)| match doubt.verdict {
        Verdict::Wrong(_) => Some((user, true)),
        Verdict::Odd => Some((user, false)),
        Verdict::Waiting | Verdict::Mended(_) => None,
    });
    Ok(wrong.collect())
}

/// Doubts a flight no longer.
pub fn remove(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId) -> Result<()> {
    table::remove(writer, viewer.user(), flight)
}

/// Ends the doubt about a flight that has other voltages than before.
pub fn settle(writer: &Writer<'_>, viewer: &Viewer, before: &StoredFlight, now: &StoredFlight) -> Result<()> {
    let [before, voltages] = [before, now].map(|flight| Voltages::of(&flight.entries.fields));
    match before == voltages {
        true => Ok(()),
        false => remove(writer, viewer, now.id),
    }
}

/// Removes everything of a user who is deleted.
pub fn remove_all(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    table::remove_all(writer, viewer.user())
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}
