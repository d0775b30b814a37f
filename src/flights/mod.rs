//! Flights: from the choice of equipment to the finished log. Tells the equipment what a flight did to it.

pub mod api;
pub mod images;
pub mod model;
mod table;

use std::collections::HashMap;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::{BlobId, EquipmentId, FlightId};
use crate::base::text;
use crate::equipment;
use crate::equipment::model::{Item, Kind, Use};
use crate::logs;
use crate::logs::model::{FlightLogs, Log, LogEntries, Subject};
use crate::open_flight;
use crate::store::findings::Findings;
use crate::store::{Snapshot, Writer};
use crate::web::multipart::Upload;
use model::{Configuration, Entries, Flight, FlightItem, FlightRow, Part, StoredFlight};

/// One flight.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such flight.
pub fn get(app: &App, viewer: &Viewer, id: FlightId) -> Result<Flight> {
    app.store.read(|data| {
        let flight = table::find(data, viewer.user(), id)?;
        shown(data, viewer, flight)
    })
}

/// A part of the list of flights.
pub struct Page {
    /// It begins after this flight, or with the very latest one.
    pub before: Option<FlightId>,
    pub most: usize,
}

/// All flights or one page of them, the latest start first.
///
/// # Errors
/// [`Error::NotYours`] when the page begins after a flight that the viewer doesn't have.
pub fn list(app: &App, viewer: &Viewer, page: Option<Page>) -> Result<Vec<FlightRow>> {
    let owner = viewer.user();
    app.store.read(|data| {
        let flights = match &page {
            None => table::all(data, owner)?,
            Some(page) => {
                let before = page.before.map(|id| table::find(data, owner, id)).transpose()?;
                table::page(data, owner, before.as_ref(), page.most)?
            }
        };
        let items = equipment::all(data, viewer)?;
        Ok(flights
            .into_iter()
            .map(|flight| FlightRow::new(flight, |part| named(part, &items)))
            .collect())
    })
}

/// All flights of the viewer, the latest start first.
///
/// # Errors
/// An unreadable database.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<StoredFlight>> {
    table::all(data, viewer.user())
}

/// The finished flights, the latest start first.
///
/// # Errors
/// An unreadable database.
pub fn finished(app: &App, viewer: &Viewer) -> Result<Vec<StoredFlight>> {
    let mut flights = app.store.read(|data| all(data, viewer))?;
    flights.retain(|flight| !flight.open);
    Ok(flights)
}

/// Creates a flight that is open until it is finished. It starts now.
///
/// # Errors
/// [`Error::NotYours`] for an item of someone else, [`Error::Invalid`] for one that is retired or of the wrong kind,
/// [`Error::Conflict`] while another flight is open.
pub fn create(app: &App, viewer: &Viewer, configuration: Configuration) -> Result<FlightId> {
    let now = app.clock.now();
    let viewer = *viewer;
    viewer.write(&app.store, move |writer| {
        let copter = part(
            writer,
            &viewer,
            configuration.copter,
            "copter",
            text::FLIGHT_NEEDS_COPTER,
            |kind| kind == Kind::Copter,
        )?;
        let equipments = configuration
            .equipments
            .iter()
            .map(|id| {
                part(writer, &viewer, *id, "equipments", text::FLIGHT_ITEM_UNUSABLE, |kind| {
                    kind != Kind::Copter
                })
            })
            .collect::<Result<Vec<_>>>()?;
        if open_flight::of(writer, viewer.user())?.is_some() {
            return Err(Error::Conflict(text::FLIGHT_ALREADY_OPEN));
        }
        let all: Vec<_> = std::iter::once(copter).chain(equipments.iter().copied()).collect();
        let flight = StoredFlight {
            id: FlightId::fresh(),
            entries: Entries::starting(now),
            weight: model::start_weight(&all, &configuration.payloads),
            copter,
            equipments,
            payloads: configuration.payloads.clone(),
            open: true,
        };
        open_flight::set(writer, viewer.user(), Some(flight.id))?;
        store(writer, &viewer, &flight, None)?;
        Ok(flight.id)
    })
}

/// Changes a flight, and finishes it if `finish` says so.
///
/// # Errors
/// [`Error::NotYours`], what `change` says, or [`Error::Conflict`] when a flight is finished twice.
pub fn save(
    app: &App,
    viewer: &Viewer,
    id: FlightId,
    change: impl Fn(&mut Entries) -> Result<()> + Send + 'static,
    finish: bool,
) -> Result<Flight> {
    let viewer = *viewer;
    viewer.write(&app.store, move |writer| {
        let before = table::find(writer, viewer.user(), id)?;
        let mut flight = before.clone();
        change(&mut flight.entries)?;
        if finish {
            if !before.open {
                return Err(Error::Conflict(text::FLIGHT_NOT_OPEN));
            }
            flight.open = false;
            open_flight::set(writer, viewer.user(), None)?;
        }
        store(writer, &viewer, &flight, Some(&before))?;
        shown(writer, &viewer, flight)
    })
}

/// Deletes a flight with its images, logs and their documents, and takes back what it did to the equipment.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such flight.
pub fn delete(app: &App, viewer: &Viewer, id: FlightId) -> Result<()> {
    let viewer = *viewer;
    let gone = viewer.write(&app.store, move |writer| {
        let flight = table::find(writer, viewer.user(), id)?;
        for part in flight.parts() {
            equipment::take_back_use(writer, &viewer, part.id, flight.id)?;
        }
        if flight.open {
            open_flight::set(writer, viewer.user(), None)?;
        }
        let mut gone = images::remove_all(writer, &viewer, id)?;
        gone.extend(logs::remove_all(writer, &viewer, Subject::Flight(id))?);
        table::remove(writer, viewer.user(), &flight)?;
        Ok(gone)
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Removes all flights of a user who is deleted, with their images. The blobs are the caller's to remove, once this is committed.
///
/// # Errors
/// An unwritable database.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    table::remove_all(writer, viewer.user())?;
    images::forget_user(writer, viewer)
}

/// Adds a log to a flight.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such flight; else as [`logs::add`].
pub fn add_log(app: &App, viewer: &Viewer, id: FlightId, entries: LogEntries, upload: Option<Upload>) -> Result<Log> {
    let owner = viewer.user();
    logs::add(app, viewer, Subject::Flight(id), entries, upload, move |data| {
        table::find(data, owner, id).map(drop)
    })
}

/// The logs of a flight.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such flight.
pub fn flight_logs(app: &App, viewer: &Viewer, id: FlightId) -> Result<FlightLogs> {
    app.store.read(|data| {
        let copter = table::find(data, viewer.user(), id)?.copter;
        let details = equipment::find(data, viewer, copter.id)?.details;
        Ok(FlightLogs {
            name: logs::model::title(&details.model, &details.name),
            logs: logs::of(app, data, viewer, Subject::Flight(id))?,
        })
    })
}

/// All flights of the viewer with everything about them, the latest start first.
///
/// # Errors
/// An unreadable database.
pub fn whole(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<Flight>> {
    let items = equipment::all(data, viewer)?;
    let flights = all(data, viewer)?.into_iter();
    flights
        .map(|flight| {
            let images = images::of(data, viewer, flight.id)?;
            Ok(Flight::new(flight, &images, |part| named(part, &items)))
        })
        .collect()
}

fn shown(data: &Snapshot<'_>, viewer: &Viewer, flight: StoredFlight) -> Result<Flight> {
    let items = equipment::all(data, viewer)?;
    let images = images::of(data, viewer, flight.id)?;
    Ok(Flight::new(flight, &images, |part| named(part, &items)))
}

/// Stores a flight and tells every item of it.
fn store(writer: &Writer<'_>, viewer: &Viewer, flight: &StoredFlight, before: Option<&StoredFlight>) -> Result<()> {
    let used = used(flight);
    for part in flight.parts() {
        equipment::use_item(writer, viewer, part.id, &used)?;
    }
    table::put(writer, viewer.user(), flight, before)
}

/// What a flight did to each of its items.
fn used(flight: &StoredFlight) -> Use {
    let batteries = flight.parts().filter(|part| part.kind == Kind::Battery).count();
    Use {
        flight: flight.id,
        start: flight.entries.start,
        minutes: flight.entries.minutes,
        start_voltage: flight.entries.start_voltage,
        end_voltage: flight.entries.end_voltage,
        consumed: flight.entries.consumed_capacity.filter(|_| batteries == 1),
        open: flight.open,
    }
}

/// An item that is chosen for a flight: the viewer's, active and of a kind that fits.
fn part(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    id: EquipmentId,
    field: &'static str,
    sentence: &'static str,
    fits: impl Fn(Kind) -> bool,
) -> Result<Part> {
    let item = equipment::find(data, viewer, id)?;
    if item.retirement.is_some() || !fits(item.kind) {
        return Err(Error::invalid(field, sentence));
    }
    Ok(Part {
        id,
        kind: item.kind,
        weight: item.details.weight,
    })
}

fn named(part: &Part, items: &HashMap<EquipmentId, Item>) -> FlightItem {
    let details = items.get(&part.id).map(|item| &item.details);
    FlightItem {
        dpf_id: part.id.to_string(),
        r#type: part.kind,
        name: details.map(|details| details.name.clone()).unwrap_or_default(),
        model: details.map(|details| details.model.clone()).unwrap_or_default(),
        weight: part.weight,
    }
}

/// Reads every record of the flights and their images for a check of the data, and compares them with what is kept elsewhere of each flight.
///
/// # Errors
/// A table is unreadable.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut uses = 0;
    table::check::check(data, findings, |findings, place, owner, flight| {
        let used = used(flight);
        for part in flight.parts() {
            uses += 1;
            if !equipment::keeps_use(data, owner, part.id, &used)? {
                findings.damage(place, "bei einem Gerät steht etwas anderes über diesen Flug");
            }
        }
        if (open_flight::of(data, owner)? == Some(flight.id)) != flight.open {
            findings.damage(place, "ob der Flug noch offen ist, steht zweimal verschieden da");
        }
        Ok(())
    })?;
    if findings.is_complete() && equipment::count_uses(data)? != uses {
        findings.damage(
            "equipment_uses",
            "bei den Geräten stehen Einsätze, die zu keinem Flug gehören",
        );
    }
    images::check(data, findings)
}
