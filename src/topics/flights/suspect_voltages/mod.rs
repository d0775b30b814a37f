//! Suspect voltages of flights. Up to 1.4.0 a flight from a radio log got the voltage of the first sensor, often the
//! receiver's. Such flights are listed once after the upgrade, their files tell the right voltages, and the pilot has
//! them repaired or keeps them. A typed voltage ends the suspicion.

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
use model::{SuspectFlight, Verdict, Voltages};

/// Marks the voltages of all flights from radio logs as suspect, if the database is of an earlier version, which is the
/// case while there are no reviews. [`reviews::fill`] must follow.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    if reviews::are_stored(writer)? {
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
            table::put(writer, owner, &SuspectFlight { flight, verdict })?;
        }
    }
    Ok(())
}

/// Returns the flights of all pilots whose files haven't been checked yet.
pub fn waiting(data: &Snapshot<'_>) -> Result<Vec<(UserId, FlightId)>> {
    let suspects = table::of_everyone(data)?.into_iter();
    let waiting = suspects.filter(|(_, suspect)| suspect.verdict == Verdict::Waiting);
    Ok(waiting.map(|(user, suspect)| (user, suspect.flight)).collect())
}

/// Stores the verdict on a flight that waits for one; `None` means that its voltages are right.
pub(crate) fn set_verdict(
    writer: &Writer<'_>,
    viewer: &Viewer,
    flight: FlightId,
    verdict: Option<Verdict>,
) -> Result<()> {
    // The flight was deleted or its voltages were changed meanwhile.
    if table::find(writer, viewer.user(), flight)? != Some(Verdict::Waiting) {
        return Ok(());
    }
    match verdict {
        Some(verdict) => put(writer, viewer, flight, verdict),
        None => table::remove(writer, viewer.user(), flight),
    }
}

/// Stores the verdict on the voltages of a flight.
pub fn put(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId, verdict: Verdict) -> Result<()> {
    table::put(writer, viewer.user(), &SuspectFlight { flight, verdict })
}

/// Returns the suspect voltages of the viewer's flights.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<SuspectFlight>> {
    table::all(data, viewer.user())
}

/// Returns the owners of all flights with wrong voltages, each with whether the file tells the right ones.
pub fn of_everyone(data: &Snapshot<'_>) -> Result<Vec<(UserId, bool)>> {
    let suspects = table::of_everyone(data)?.into_iter();
    let wrong = suspects.filter_map(|(user, suspect)| match suspect.verdict {
        Verdict::Wrong(_) => Some((user, true)),
        Verdict::Implausible => Some((user, false)),
        Verdict::Waiting | Verdict::Repaired(_) => None,
    });
    Ok(wrong.collect())
}

/// Removes the verdict on a flight.
pub fn remove(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId) -> Result<()> {
    table::remove(writer, viewer.user(), flight)
}

/// Removes the verdict on a flight whose voltages were changed.
pub fn settle(writer: &Writer<'_>, viewer: &Viewer, before: &StoredFlight, now: &StoredFlight) -> Result<()> {
    let [before, voltages] = [before, now].map(|flight| Voltages::of(&flight.entries.fields));
    match before == voltages {
        true => Ok(()),
        false => remove(writer, viewer, now.id),
    }
}

/// Reads every record to verify the database.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}
