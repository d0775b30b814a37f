//! Checks suspect voltages that an earlier version took from radio logs, by reading the logs that are kept as documents
//! again.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use tokio_util::sync::CancellationToken;

use super::evaluate::{self, UnreadFile};
use super::model::guess_cells;
use crate::documents;
use crate::documents::model::StoredDocument;
use crate::flights::model::StoredFlight;
use crate::flights::suspect_voltages::model::{Verdict, Voltages};
use crate::flights::{self, origin, suspect_voltages};
use crate::packs;
use crate::packs::model::Pack;
use fluglog_accounts::guard::{self, Viewer};
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::{FlightId, UserId};
use fluglog_base::limits::permits::Requester;
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::digest_key;
use fluglog_readers::formats::{Format, Sensor};
use fluglog_readers::samples::{Figures, is_of_pack};

/// Voltages of one flight in a log: of the first sensor, as the earlier version read them, and of the surest one.
#[derive(Clone, Copy)]
struct SuspectVoltages {
    first: Voltages,
    surest: Voltages,
}

/// Flights of a file, by their index in it.
type Parts = HashMap<u32, SuspectVoltages>;

/// Checks the logs of all flights whose voltages wait for it, and stores the verdicts. A flight with a verdict is never
/// checked again.
///
/// # Errors
/// The database or the disk fails; unchecked flights keep waiting.
pub fn check_all(app: &App) -> Result<()> {
    if app.store.is_read_only() {
        return Ok(());
    }
    let mut waiting: BTreeMap<UserId, Vec<FlightId>> = BTreeMap::new();
    for (user, flight) in app.store.read(suspect_voltages::waiting)? {
        waiting.entry(user).or_default().push(flight);
    }
    for (user, flights) in waiting {
        // The flights of a disabled pilot keep waiting.
        if let Ok(viewer) = app.store.read(|data| guard::without_login(data, user)) {
            check_pilot(app, viewer, &flights)?;
        }
    }
    Ok(())
}

fn check_pilot(app: &App, viewer: Viewer, ids: &[FlightId]) -> Result<()> {
    let (documents, packs) = app.store.read(|data| {
        let packs = packs::usable(data, &viewer)?;
        Ok((documents::all(data, &viewer)?, packs))
    })?;
    let mut logs: HashMap<u128, Parts> = HashMap::new();
    for id in ids {
        let (flight, sources) = app.store.read(|data| {
            let flight = flights::stored(data, &viewer, *id)?;
            Ok((flight, origin::sources(data, &viewer, *id)?))
        })?;
        let mut suspects = Vec::new();
        for source in sources
            .iter()
            .filter(|source| source.format == Format::EdgeTx.wire_name())
        {
            let is_it = |document: &&StoredDocument| digest_key(&document.blob.sha256).0 == source.digest;
            let Some(document) = documents.iter().find(is_it) else {
                continue;
            };
            let parts = match logs.entry(source.digest) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => free.insert(parts(app, &viewer, &source.file, document)?),
            };
            suspects.extend(parts.get(&source.part));
        }
        let verdict = verdict_on(
            Voltages::of(&flight.entries.fields),
            &suspects,
            stated_cells(&flight, &packs),
        );
        let id = flight.id;
        app.store.write_task(Task::Voltages, move |writer| {
            suspect_voltages::set_verdict(writer, &viewer, id, verdict)
        })?;
    }
    Ok(())
}

/// Returns the number of cells that somebody has entered for the only battery of a flight. A guess from the voltages
/// would rest on the very values in doubt.
fn stated_cells(flight: &StoredFlight, packs: &[Pack]) -> Option<u8> {
    let mut batteries = flight.batteries();
    match (batteries.next(), batteries.next()) {
        (Some(battery), None) => packs.iter().find(|pack| pack.item.id == battery.id)?.stated_cells(),
        _ => None,
    }
}

/// Reads a log by both rules, within the limits of an import.
fn parts(app: &App, viewer: &Viewer, name: &str, document: &StoredDocument) -> Result<Parts> {
    let cancellation = CancellationToken::new();
    let requester = Requester {
        pilot: viewer.user(),
        cancellation: &cancellation,
    };
    let _permit = app.evaluation_permits.acquire_blocking(&requester, 1)?;
    let read = |sensor| {
        let unread = UnreadFile {
            file: app.blobs.read(document.blob.id)?.0,
            name,
            bytes: document.bytes,
            sha256: document.blob.sha256,
        };
        evaluate::radio_log(unread, sensor, &cancellation)
    };
    let surest = read(Sensor::MostReliable)?.into_iter();
    let mut surest: HashMap<_, _> = surest.map(|found| (found.part, voltages(&found.figures))).collect();
    let first = read(Sensor::First)?.into_iter();
    let suspects = first.filter_map(|found| {
        let suspects = SuspectVoltages {
            first: voltages(&found.figures),
            surest: surest.remove(&found.part)?,
        };
        Some((found.part, suspects))
    });
    Ok(suspects.collect())
}

/// Returns voltages rounded as a flight stores them.
fn voltages(figures: &Figures) -> Voltages {
    let rounded = |volts: Option<f64>| volts.map(|volts| (volts * 100.0).round() / 100.0);
    Voltages {
        start: rounded(figures.start_volts),
        end: rounded(figures.end_volts),
    }
}

/// Returns the verdict on the stored voltages of a flight with a pack of `said` cells. Values are left alone if the
/// surest sensor tells them too, or if they were typed over those of the first sensor.
fn verdict_on(stored: Voltages, suspects: &[SuspectVoltages], said: Option<u8>) -> Option<Verdict> {
    for SuspectVoltages { first, surest } in suspects {
        let cells = said.or_else(|| surest.start.and_then(guess_cells));
        let right =
            |stored: Option<f64>, first: Option<f64>, surest: Option<f64>| match stored.is_some() && stored == first {
                true => surest.filter(|volts| is_of_pack(*volts, cells)),
                false => stored,
            };
        let right = Voltages {
            start: right(stored.start, first.start, surest.start),
            end: right(stored.end, first.end, surest.end),
        };
        if right != stored {
            return Some(Verdict::Wrong(right));
        }
    }
    // The log proves where the values come from.
    if !suspects.is_empty() {
        return None;
    }
    let cells = said.or_else(|| stored.start.and_then(guess_cells));
    stored.are_too_low(cells).then_some(Verdict::Implausible)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn pair(start: f64, end: f64) -> Voltages {
        Voltages {
            start: Some(start),
            end: Some(end),
        }
    }

    const NONE: Voltages = Voltages { start: None, end: None };

    #[test]
    fn voltages_of_the_first_sensor_are_wrong_and_typed_ones_stay() {
        let suspects = [SuspectVoltages {
            first: pair(5.2, 5.1),
            surest: pair(12.34, 11.52),
        }];
        for (stored, verdict) in [
            (pair(5.2, 5.1), Some(Verdict::Wrong(pair(12.34, 11.52)))),
            (pair(12.6, 5.1), Some(Verdict::Wrong(pair(12.6, 11.52)))),
            (pair(12.34, 11.52), None),
            (pair(12.6, 11.4), None),
            (pair(5.0, 4.9), None),
            (NONE, None),
        ] {
            assert_eq!(verdict_on(stored, &suspects, None), verdict, "{stored:?}");
        }
    }

    #[test]
    fn a_pack_without_a_plausible_sensor_has_no_voltage() {
        let suspects = [SuspectVoltages {
            first: pair(5.2, 5.1),
            surest: pair(1.23, 1.15),
        }];
        assert_eq!(
            verdict_on(pair(5.2, 5.1), &suspects, Some(3)),
            Some(Verdict::Wrong(NONE))
        );
        let suspects = [SuspectVoltages {
            first: pair(7.9, 7.2),
            surest: pair(7.9, 7.2),
        }];
        assert_eq!(verdict_on(pair(7.9, 7.2), &suspects, Some(2)), None);
        assert_eq!(verdict_on(pair(7.9, 7.2), &suspects, None), None);
    }

    #[test]
    fn without_the_file_only_what_no_pack_has_is_doubted() {
        for (stored, said, verdict) in [
            (pair(5.2, 5.1), Some(3), Some(Verdict::Implausible)),
            (pair(5.2, 5.1), None, Some(Verdict::Implausible)),
            (pair(12.6, 11.4), Some(3), None),
            (pair(8.4, 5.6), None, None),
            (pair(8.4, 7.0), Some(2), None),
            (pair(16.8, 14.0), Some(3), None),
        ] {
            assert_eq!(verdict_on(stored, &[], said), verdict, "{stored:?}");
        }
    }
}
