//! The entries of a book: finished flights, and in an item's book its logs between them.

use super::model::{BookOrder, Period};
use crate::equipment;
use crate::equipment::model::{Kind, Use};
use crate::equipment::prior::Prior;
use crate::equipment::prior_flights;
use crate::flights::model::{FlightPart, StoredFlight};
use crate::flights::{self, Names};
use crate::logs;
use crate::logs::model::Subject;
use crate::packs::UsePilots;
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::EquipmentId;
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_pdf::Sum;
use fluglog_store::Snapshot;

/// Most flights of a book: as many rows as a file takes.
const MAX_ENTRIES: usize = fluglog_pdf::MAX_ROWS;
/// Longest text of a cell, also in the table; the export has the texts as they are.
const MAX_CELL_CHARACTERS: usize = 500;

/// An entry of a book.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub start: WallTime,
    /// `None` for a log.
    pub flight: Option<FlightEntry>,
    /// Logs and notes.
    pub incidents: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FlightEntry {
    pub number: u64,
    /// Exact, as entered.
    pub minutes: Option<f64>,
    /// Minutes of all flights up to this one, as printed.
    pub total: u64,
    /// Only in the book of an item of a space.
    pub pilot: String,
    pub location: String,
    /// Degrees north and east.
    pub position: Option<(f64, f64)>,
    pub copter: String,
    pub batteries: String,
    /// V
    pub start_voltage: Option<f64>,
    /// V
    pub end_voltage: Option<f64>,
    /// mAh
    pub consumed: Option<f64>,
    /// m
    pub altitude: Option<f64>,
    /// m
    pub distance: Option<f64>,
    pub purpose: String,
}

impl Entry {
    /// Returns what the entry adds to the sums.
    pub fn sum(&self) -> Sum {
        self.flight.as_ref().map_or(Sum::default(), |flight| Sum {
            count: 1,
            minutes: rounded(flight.minutes).unwrap_or(0),
        })
    }
}

/// Returns what was before Fluglog as a sum.
pub(crate) fn before_fluglog(prior: &Prior) -> Sum {
    Sum {
        count: prior.flights.into(),
        minutes: prior.minutes.into(),
    }
}

/// Rounds minutes half up, as they are printed and added.
pub(crate) fn rounded(minutes: Option<f64>) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a field takes 9 digits"
    )]
    minutes.map(|minutes| (minutes + 0.5).floor() as u64)
}

/// The entries of a book, earliest first, with what is carried over to them.
#[derive(Debug)]
pub(crate) struct Entries {
    /// With what was before Fluglog.
    pub carried: Sum,
    pub prior: Prior,
    pub entries: Vec<Entry>,
}

/// Reads the entries of a book.
///
/// # Errors
/// [`Error::NotFound`] for an item that the viewer doesn't have; [`Error::Invalid`] if the book would have no flight or
/// too many.
pub(crate) fn read(data: &Snapshot<'_>, viewer: &Viewer, order: BookOrder) -> Result<Entries> {
    let access = match order.item {
        Some(item) => equipment::access_to(data, viewer, item)?,
        None => Access::own(viewer),
    };
    let prior = prior_flights::of(data, viewer, order.item)?;
    let mut book = Entries {
        carried: before_fluglog(&prior),
        prior,
        entries: Vec::new(),
    };
    match order.item.filter(|_| !access.is_own()) {
        Some(item) => add_uses(data, viewer, &access, item, order.period, &mut book)?,
        None => add_flights(data, viewer, order, &mut book)?,
    }
    if book.entries.is_empty() {
        return Err(Error::invalid("from", text::BOOK_EMPTY));
    }
    if let Some(item) = order.item {
        add_logs(data, &access, Subject::Equipment(item), order.period, &mut book.entries)?;
    }
    Ok(book)
}

impl Entries {
    /// Counts a flight in `total`, which is carried over from flights before the period. Returns whether the flight is
    /// in the period; `None` if it is after that.
    fn count(
        &mut self,
        period: Period,
        total: &mut Sum,
        start: WallTime,
        minutes: Option<f64>,
    ) -> Result<Option<bool>> {
        let day = start.date();
        if period.is_before(day) {
            return Ok(None);
        }
        *total += Sum {
            count: 1,
            minutes: rounded(minutes).unwrap_or(0),
        };
        if period.is_after(day) {
            self.carried = *total;
            return Ok(Some(false));
        }
        match self.entries.len() == MAX_ENTRIES {
            true => Err(Error::invalid("from", text::BOOK_TOO_LONG)),
            false => Ok(Some(true)),
        }
    }
}

/// Adds the viewer's flights.
fn add_flights(data: &Snapshot<'_>, viewer: &Viewer, order: BookOrder, book: &mut Entries) -> Result<()> {
    let names = flights::item_names(data, viewer)?;
    let mut total = book.carried;
    for flight in flights::finished(data, viewer, order.item)? {
        let flight = flight?;
        let (start, minutes) = (flight.entries.start, flight.entries.fields.minutes);
        match book.count(order.period, &mut total, start, minutes)? {
            None => break,
            Some(false) => {}
            Some(true) => book.entries.push(of_flight(data, viewer, &names, flight, total)?),
        }
    }
    Ok(())
}

/// Adds the flights of all pilots with an item of a space: what the space knows of them.
fn add_uses(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    access: &Access,
    item: EquipmentId,
    period: Period,
    book: &mut Entries,
) -> Result<()> {
    let pilots = UsePilots::read(data, viewer, access, item)?;
    let mut uses = equipment::uses_of(data, access.owner(), item)?;
    uses.retain(|used| !used.open);
    uses.sort_by_key(|used| (used.start, used.flight));
    let mut total = book.carried;
    for used in uses {
        match book.count(period, &mut total, used.start, used.minutes)? {
            None => break,
            Some(false) => {}
            Some(true) => book.entries.push(of_use(&pilots, &used, total)),
        }
    }
    Ok(())
}

fn of_use(pilots: &UsePilots, used: &Use, total: Sum) -> Entry {
    Entry {
        start: used.start,
        incidents: String::new(),
        flight: Some(FlightEntry {
            number: total.count,
            minutes: used.minutes,
            total: total.minutes,
            pilot: pilots.name(used.flight).unwrap_or_default(),
            start_voltage: used.start_voltage,
            end_voltage: used.end_voltage,
            consumed: used.consumed,
            ..FlightEntry::default()
        }),
    }
}

fn of_flight(data: &Snapshot<'_>, viewer: &Viewer, names: &Names, flight: StoredFlight, total: Sum) -> Result<Entry> {
    let mut incidents = logs_about(data, viewer, Subject::Flight(flight.id))?;
    let name = |part: &FlightPart| names.item(part).map(|item| item.name);
    let copter = name(&flight.copter)?;
    let batteries = flight.equipments.iter().filter(|part| part.kind == Kind::Battery);
    let batteries: Vec<_> = batteries.map(name).collect::<Result<_>>()?;
    let fields = flight.entries.fields;
    let notes = text::without_import_origin(&fields.notes);
    incidents.extend((!notes.is_empty()).then(|| notes.to_owned()));
    Ok(Entry {
        start: flight.entries.start,
        incidents: shortened(&incidents.join(" · ")),
        flight: Some(FlightEntry {
            number: total.count,
            minutes: fields.minutes,
            total: total.minutes,
            pilot: String::new(),
            location: shortened(&fields.location),
            position: fields.start_latitude.zip(fields.start_longitude),
            copter,
            batteries: shortened(&batteries.join(", ")),
            start_voltage: fields.start_voltage,
            end_voltage: fields.end_voltage,
            consumed: fields.consumed_capacity,
            altitude: fields.maximum_altitude,
            distance: fields.maximum_distance,
            purpose: shortened(&fields.purpose),
        }),
    })
}

/// Adds the logs of an item. One of a time before which a flight began stands behind that flight.
fn add_logs(
    data: &Snapshot<'_>,
    access: &Access,
    subject: Subject,
    period: Period,
    entries: &mut Vec<Entry>,
) -> Result<()> {
    for log in logs::ids(data, access, subject)?.into_iter().rev() {
        let log = logs::stored(data, access, log)?.entries;
        let day = log.time.date();
        if period.is_after(day) || period.is_before(day) {
            continue;
        }
        if entries.len() == MAX_ENTRIES {
            return Err(Error::invalid("from", text::BOOK_TOO_LONG));
        }
        entries.push(Entry {
            start: log.time,
            flight: None,
            incidents: shortened(&log.info),
        });
    }
    entries.sort_by_key(|entry| entry.start);
    Ok(())
}

/// Returns the texts of the logs about a flight, earliest first.
fn logs_about(data: &Snapshot<'_>, viewer: &Viewer, subject: Subject) -> Result<Vec<String>> {
    let access = Access::own(viewer);
    let logs = logs::ids(data, &access, subject)?.into_iter().rev();
    logs.map(|log| Ok(logs::stored(data, &access, log)?.entries.info))
        .collect()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_CELL_CHARACTERS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
