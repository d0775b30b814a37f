//! Flights: from the choice of equipment to the finished log. Records in the equipment how a flight used it.

pub mod api;
mod borrowing;
mod check;
pub(crate) mod columns;
pub mod suspect_voltages;
pub mod images;
mod list;
pub mod model;
mod names;
pub mod origin;
pub mod reviews;
mod table;
mod uses;
pub mod years;

use std::collections::HashMap;

use crate::documents::proofs;
use crate::equipment;
use crate::equipment::model::Kind;
use crate::logs;
use crate::logs::model::{FlightLogs, Log, LogEntries, Subject};
use crate::maintenance;
use crate::packs;
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::Field;
use fluglog_base::id::{EquipmentId, FlightId, LogId};
use fluglog_base::time::{Date, WallTime};
use fluglog_base::{page, text};
use fluglog_store::open_flight;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer, schema};
use fluglog_web::multipart::Upload;
use model::{Borrowed, Configuration, Entries, EntryChanges, Flight, FlightPart, Instants, NewEntries, StoredFlight};
use suspect_voltages::model::{SuspectFlight, Verdict, VoltageAction, VoltageDoubt, Voltages};
use uses::used;

pub(crate) use borrowing::follow_item;
pub use borrowing::forget;
pub use check::check;
pub use list::{Page, ids, rows};
pub(crate) use list::{check_known, review_paths};
pub(crate) use names::{Names, details};
pub(crate) use uses::fill_shares;

/// Field that limits a call to the flights of one item.
pub(crate) const OF_ITEM: Field<EquipmentId> = Field::id("equipment");

/// Returns a flight.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight.
pub fn get(app: &App, viewer: &Viewer, id: FlightId) -> Result<Flight> {
    app.store.read(|data| {
        let flight = table::find(data, viewer.user(), id)?;
        shown(data, viewer, flight)
    })
}

/// Returns whether the viewer has this flight.
pub fn is_there(data: &Snapshot<'_>, viewer: &Viewer, id: FlightId) -> Result<bool> {
    data.has(&schema::FLIGHTS, (viewer.user().key(), id.key()))
}

/// Returns those of these flights that the viewer has.
pub(crate) fn there(data: &Snapshot<'_>, viewer: &Viewer, ids: &[FlightId]) -> Result<Vec<StoredFlight>> {
    table::load(data, viewer.user(), ids)
}

/// Returns all flights of the viewer, latest start first.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<StoredFlight>> {
    table::all(data, viewer.user())
}

/// Returns a flight of the viewer as it is stored.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight.
pub fn stored(data: &Snapshot<'_>, viewer: &Viewer, id: FlightId) -> Result<StoredFlight> {
    table::find(data, viewer.user(), id)
}

/// A flight to create.
pub struct NewFlight {
    /// May be chosen by the client, so that a repeated request creates the flight only once.
    pub id: FlightId,
    pub configuration: Configuration,
}

/// Creates an open flight. If it exists already, returns that one and ignores `entries`.
///
/// # Errors
/// [`Error::NotFound`] for an item of someone else or the id of a deleted flight; [`Error::Invalid`] for an item that
/// is retired or of the wrong kind, or the error in `entries`; [`Error::Conflict`] while another flight is open, or for
/// an id that something else has; [`Error::InUse`] for an item of a space that is in a member's open flight.
pub fn create(app: &App, operation: Operation, new: NewFlight, entries: Result<NewEntries>) -> Result<FlightId> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        if let Some(flight) = find_existing(writer, &viewer, &new)? {
            return Ok(Outcome::existing(object(flight.id), flight.id));
        }
        let flight = with_items(writer, &viewer, &new, entries.clone()?.entries(), None, &HashMap::new())?;
        if open_flight::of(writer, viewer.user())?.is_some() {
            return Err(Error::Conflict(text::FLIGHT_ALREADY_OPEN));
        }
        check_free(writer, &flight)?;
        open_flight::set(writer, viewer.user(), Some(flight.id))?;
        store(writer, &viewer, &flight, None)?;
        Ok(Outcome::new(object(flight.id), flight.id))
    })
}

/// Rejects a flight with an item of a space that is in another member's open flight.
fn check_free(data: &Snapshot<'_>, flight: &StoredFlight) -> Result<()> {
    for part in flight.parts() {
        let Some(owner) = part.borrowed.as_ref().and_then(|borrowed| borrowed.owner) else {
            continue;
        };
        let item = equipment::find(data, &Access::without_login(owner), part.id)?;
        let Some(open) = item.totals.open_flight else {
            continue;
        };
        let Some(used) = equipment::use_of(data, owner, part.id, open)? else {
            continue;
        };
        let pilot = packs::pilot_name(data, owner, equipment::pilot_of(data, owner, part.id, open)?)?;
        let since = used.start.to_string();
        let day = format!("{} ", flight.entries.start.date());
        let since = since.strip_prefix(&day).unwrap_or(&since);
        return Err(Error::InUse(text::item_in_flight(part.kind.this(), &pilot, since)));
    }
    Ok(())
}

/// A flight, and whether this call added it.
pub struct Added {
    pub flight: Flight,
    pub is_new: bool,
}

/// Adds a finished flight, whether or not another flight is open. An open flight with the same id is finished. If the
/// flight exists already and is finished, returns it and ignores `entries`.
///
/// # Errors
/// Like [`create`], except for the open flight; and the error in `entries`.
pub fn add(app: &App, operation: Operation, new: NewFlight, entries: Result<NewEntries>) -> Result<Added> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let there = find_existing(writer, &viewer, &new)?;
        let is_new = there.is_none();
        let flight = match there {
            None => add_finished(writer, &viewer, &new, &entries.clone()?)?,
            Some(open) if open.open => {
                let form = entries.clone()?;
                change(writer, &viewer, open, true, |entries| form.finish(entries))?
            }
            Some(finished) => finished,
        };
        let flight = shown(writer, &viewer, flight)?;
        let done = if is_new { Outcome::new } else { Outcome::existing };
        Ok(done(object(new.id), Added { flight, is_new }))
    })
}

/// Adds a finished flight, with items that were in use when it began.
///
/// # Errors
/// [`Error::NotFound`] for an item of someone else, [`Error::Invalid`] for one that was retired before or is of the
/// wrong kind.
fn add_finished(writer: &Writer<'_>, viewer: &Viewer, new: &NewFlight, form: &NewEntries) -> Result<StoredFlight> {
    let needed_at = Some(form.start_here());
    let flight = with_items(writer, viewer, new, form.entries(), needed_at, &HashMap::new())?;
    store(writer, viewer, &flight, None)?;
    Ok(flight)
}

/// Adds a flight of a file or of another Fluglog instance. `weights` are the weights of its items at the time, in g;
/// these items may have been retired since.
///
/// # Errors
/// [`Error::NotFound`] for an item of someone else, [`Error::Invalid`] for one that was retired before or is of the
/// wrong kind.
pub fn add_foreign(
    writer: &Writer<'_>,
    viewer: &Viewer,
    new: &NewFlight,
    entries: Entries,
    weights: &HashMap<EquipmentId, Option<f64>>,
) -> Result<StoredFlight> {
    let needed_at = Some(entries.start);
    let flight = with_items(writer, viewer, new, entries, needed_at, weights)?;
    store(writer, viewer, &flight, None)?;
    Ok(flight)
}

/// Returns the flight with this id and configuration, if it exists already.
///
/// # Errors
/// [`Error::NotFound`] for the id of a deleted flight, [`Error::Conflict`] for an id that something else has.
fn find_existing(data: &Snapshot<'_>, viewer: &Viewer, new: &NewFlight) -> Result<Option<StoredFlight>> {
    let (user, id) = (viewer.user(), new.id);
    match table::find(data, user, id) {
        Ok(flight) if flight.has(&new.configuration) => return Ok(Some(flight)),
        Ok(_) => return Err(Error::Conflict(text::FLIGHT_ID_TAKEN)),
        Err(Error::NotFound) => {}
        Err(other) => return Err(other),
    }
    operations::check_id_unused(data, user.into(), id.key())?;
    // A flight must not share its id with an item: logs are found by the id of either.
    if data.has(&schema::EQUIPMENT, (user.key(), id.key()))? {
        return Err(Error::Conflict(text::FLIGHT_ID_TAKEN));
    }
    Ok(None)
}

const fn object(id: FlightId) -> Object {
    Object::of(id.key())
}

/// Creates a flight with the current weights of its items, except those given in `weights`. The items must be in use:
/// now, for an open flight, which has no `needed_at`, else then.
fn with_items(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    NewFlight { id, configuration }: &NewFlight,
    entries: Entries,
    needed_at: Option<WallTime>,
    weights: &HashMap<EquipmentId, Option<f64>>,
) -> Result<StoredFlight> {
    let part = |id, field, sentence, fits: fn(Kind) -> bool| {
        let (access, item) = equipment::find_for(data, viewer, id)?;
        access.check(Right::Use)?;
        let was_retired = item
            .retirement
            .is_some_and(|retirement| needed_at.is_none_or(|start| start > retirement.time));
        let was_retired = was_retired && !weights.contains_key(&id);
        if was_retired || !fits(item.kind) {
            return Err(Error::invalid(field, sentence));
        }
        let borrowed = (!access.is_own()).then(|| Borrowed {
            owner: Some(access.owner()),
            name: item.details.name.clone(),
            model: item.details.model.clone(),
        });
        Ok(FlightPart {
            id,
            kind: item.kind,
            weight: weights.get(&id).copied().unwrap_or(item.details.weight),
            borrowed,
        })
    };
    let copter = part(configuration.copter, "copter", text::FLIGHT_NEEDS_COPTER, |kind| {
        kind == Kind::Copter
    })?;
    let equipments = configuration.equipments.iter().map(|id| {
        part(*id, "equipments", text::FLIGHT_ITEM_UNUSABLE, |kind| {
            kind != Kind::Copter
        })
    });
    let equipments = equipments.collect::<Result<Vec<_>>>()?;
    let all: Vec<_> = std::iter::once(&copter).chain(&equipments).cloned().collect();
    Ok(StoredFlight {
        id: *id,
        entries,
        weight: model::start_weight(&all, &configuration.payloads),
        copter,
        equipments,
        payloads: configuration.payloads.clone(),
        open: needed_at.is_none(),
    })
}

/// Changes a flight, and finishes it if `finish` is set, which has the instant of the end.
///
/// # Errors
/// [`Error::NotFound`], or [`Error::Conflict`] when the flight is finished already.
pub fn save(
    app: &App,
    operation: Operation,
    id: FlightId,
    changes: EntryChanges,
    finish: Option<Instants>,
) -> Result<Flight> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let flight = table::find(writer, viewer.user(), id)?;
        let flight = change(writer, &viewer, flight, finish.is_some(), |entries| {
            changes.apply(entries);
            finish.unwrap_or_default().apply(&mut entries.instants);
        })?;
        Ok(Outcome::new(object(id), shown(writer, &viewer, flight)?))
    })
}

/// Applies changes to an existing flight, and finishes it if `finish` is set.
///
/// # Errors
/// [`Error::Conflict`] when the flight is finished already.
fn change(
    writer: &Writer<'_>,
    viewer: &Viewer,
    before: StoredFlight,
    finish: bool,
    apply: impl FnOnce(&mut Entries),
) -> Result<StoredFlight> {
    if finish && !before.open {
        return Err(Error::Conflict(text::FLIGHT_NOT_OPEN));
    }
    let mut flight = before.clone();
    apply(&mut flight.entries);
    if finish {
        flight.open = false;
        open_flight::set(writer, viewer.user(), None)?;
    }
    store(writer, viewer, &flight, Some(&before))?;
    Ok(flight)
}

/// Fills empty fields of a flight, and finishes it if `finish` is set.
///
/// # Errors
/// [`Error::NotFound`], or [`Error::Conflict`] when the flight is finished already.
pub fn fill(writer: &Writer<'_>, viewer: &Viewer, id: FlightId, entries: &Entries, finish: bool) -> Result<()> {
    let flight = table::find(writer, viewer.user(), id)?;
    let fill = |own: &mut Entries| own.fields.fill(&entries.fields);
    change(writer, viewer, flight, finish, fill).map(drop)
}

/// Most flights whose voltages one call repairs.
const MAX_REPAIRED: usize = 200;

/// Returns the viewer's flights with suspect voltages, latest start first.
///
/// # Errors
/// The database can't be read.
pub(crate) fn voltage_doubts(app: &App, viewer: &Viewer) -> Result<Vec<VoltageDoubt>> {
    app.store.read(|data| {
        let all = suspect_voltages::all(data, viewer)?;
        let verdicts: HashMap<_, _> = all.iter().map(|suspect| (suspect.flight, suspect.verdict)).collect();
        let ids: Vec<_> = all.iter().map(|suspect| suspect.flight).collect();
        let mut flights = table::load(data, viewer.user(), &ids)?;
        flights.sort_by_key(|flight| std::cmp::Reverse(flight.place()));
        let names = Names::of(data, viewer, flights.iter().map(|flight| &flight.copter))?;
        let shown = flights.iter().map(|flight| {
            let verdict = verdicts.get(&flight.id).copied().unwrap_or(Verdict::Waiting);
            let copter = names.item(&flight.copter)?;
            Ok(VoltageDoubt::new(flight, copter.name, verdict))
        });
        shown.filter_map(Result::transpose).collect()
    })
}

/// Repairs the voltages of flights, undoes that, or keeps those of one flight.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight.
pub(crate) fn repair_voltages(app: &App, operation: Operation, action: VoltageAction) -> Result<Vec<VoltageDoubt>> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        if let VoltageAction::Keep(flight) = action {
            table::find(writer, viewer.user(), flight)?;
            suspect_voltages::remove(writer, &viewer, flight)?;
        }
        let mut repaired = 0;
        for SuspectFlight { flight, verdict } in suspect_voltages::all(writer, &viewer)? {
            let flight = table::find(writer, viewer.user(), flight)?;
            let before = Voltages::of(&flight.entries.fields);
            let Some((voltages, verdict)) = action.apply(verdict, before).filter(|_| repaired < MAX_REPAIRED) else {
                continue;
            };
            let set = |entries: &mut Entries| {
                (entries.fields.start_voltage, entries.fields.end_voltage) = (voltages.start, voltages.end);
            };
            let flight = change(writer, &viewer, flight, false, set)?;
            suspect_voltages::put(writer, &viewer, flight.id, verdict)?;
            repaired += 1;
        }
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    voltage_doubts(app, &viewer)
}

/// Deletes a flight with its images, logs and their documents, and removes its use of equipment.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight.
pub fn delete(app: &App, operation: Operation, id: FlightId) -> Result<()> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let gone = operation.write(&app.store, move |writer| {
        let flight = table::find(writer, viewer.user(), id)?;
        for (access, item) in items(&viewer, &flight) {
            let used = packs::remove_use(writer, &viewer, &access, item, flight.id)?;
            maintenance::flown(writer, &access, item, used.as_ref(), None)?;
        }
        if flight.open {
            open_flight::set(writer, viewer.user(), None)?;
        }
        origin::remove_all(writer, &viewer, id)?;
        suspect_voltages::remove(writer, &viewer, id)?;
        let mut gone = images::remove_all(writer, &viewer, id)?;
        gone.extend(logs::remove_all(writer, &Access::own(&viewer), Subject::Flight(id))?);
        table::remove(writer, viewer.user(), &flight)?;
        update_years(writer, &viewer, Some(&flight), None)?;
        operations::spend_id(writer, viewer.user().into(), id.key(), now)?;
        Ok(Outcome::new(Object::NONE, gone))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Adds a log to a flight.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight; else like [`logs::add`].
pub fn add_log(
    app: &App,
    operation: Operation,
    flight: FlightId,
    id: LogId,
    entries: LogEntries,
    upload: Option<Upload>,
) -> Result<Log> {
    let viewer = operation.viewer();
    logs::add(
        app,
        operation,
        Subject::Flight(flight),
        id,
        entries,
        upload,
        move |data| table::find(data, viewer.user(), flight).map(|_| Access::own(&viewer)),
    )
}

/// Returns the logs of a flight: the answer without logs, and the ids of a page of them.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight.
pub fn flight_logs(
    app: &App,
    viewer: &Viewer,
    id: FlightId,
    part: page::Page<LogId>,
) -> Result<(FlightLogs, Vec<LogId>)> {
    app.store.read(|data| {
        let copter = table::find(data, viewer.user(), id)?.copter;
        let copter = Names::of(data, viewer, std::iter::once(&copter))?.item(&copter)?;
        let empty = FlightLogs {
            name: logs::model::title(&copter.model, &copter.name),
            logs: Vec::new(),
        };
        let ids = logs::ids(data, &Access::own(viewer), Subject::Flight(id))?;
        Ok((empty, part.of(ids, |id| *id)?))
    })
}

/// Returns all flights of the viewer with all details, latest start first. Each is read lazily.
pub fn read_all<'d>(data: &'d Snapshot<'d>, viewer: &Viewer) -> Result<impl Iterator<Item = Result<Flight>> + use<'d>> {
    let viewer = *viewer;
    let names = Names::of_all(data, &viewer)?;
    let ids = table::ids(data, viewer.user())?;
    Ok(ids.into_iter().map(move |id| {
        let flight = table::find(data, viewer.user(), id)?;
        let images = images::of(data, &viewer, id)?;
        Flight::new(flight, &images, |part| names.item(part))
    }))
}

/// Number of flights that are read at once.
const FLIGHTS_AT_ONCE: usize = 500;

/// Returns the finished flights of the viewer, or those with an item, earliest start first. They are read in pieces.
pub(crate) fn finished<'d>(
    data: &'d Snapshot<'d>,
    viewer: &Viewer,
    item: Option<EquipmentId>,
) -> Result<impl Iterator<Item = Result<StoredFlight>> + use<'d>> {
    let user = viewer.user();
    let mut ids = match item {
        None => table::ids(data, user)?,
        Some(item) => list::with_item(data, viewer, item, None, None, usize::MAX)?,
    };
    let pieces = std::iter::from_fn(move || {
        let piece = ids.split_off(ids.len().saturating_sub(FLIGHTS_AT_ONCE));
        (!piece.is_empty()).then(|| table::load(data, user, &piece))
    });
    let flights = pieces.flat_map(|piece| match piece {
        Ok(flights) => flights.into_iter().rev().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    Ok(flights.filter(|flight| flight.as_ref().map_or(true, |flight| !flight.open)))
}

/// Returns the finished flights of the viewer on the wanted days as they are shown, without their images, like
/// [`finished`].
pub(crate) fn finished_shown<'d, W: Fn(Date) -> bool>(
    data: &'d Snapshot<'d>,
    viewer: &Viewer,
    item: Option<EquipmentId>,
    is_wanted: W,
) -> Result<impl Iterator<Item = Result<Flight>> + use<'d, W>> {
    let names = Names::of_all(data, viewer)?;
    let flights = finished(data, viewer, item)?;
    let wanted = flights.filter(move |flight| {
        let flight = flight.as_ref();
        flight.map_or(true, |flight| is_wanted(flight.entries.start.date()))
    });
    Ok(wanted.map(move |flight| Flight::new(flight?, &[], |part| names.item(part))))
}

/// Returns the current names of all items of the viewer.
pub(crate) fn item_names(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Names> {
    Names::of_all(data, viewer)
}

fn shown(data: &Snapshot<'_>, viewer: &Viewer, flight: StoredFlight) -> Result<Flight> {
    let names = Names::of(data, viewer, flight.parts())?;
    let images = images::of(data, viewer, flight.id)?;
    let (proofs, are_some_damaged) = proofs::held_on(data, viewer, flight.entries.start.date())?;
    let flight = Flight::new(flight, &images, |part| names.item(part))?;
    Ok(Flight {
        proofs: Some(proofs).filter(|proofs| !proofs.is_empty()),
        proofs_damaged: are_some_damaged.then_some(true),
        ..flight
    })
}

/// Stores a flight, and updates its items and the yearly sums.
fn store(writer: &Writer<'_>, viewer: &Viewer, flight: &StoredFlight, before: Option<&StoredFlight>) -> Result<()> {
    let used = used(flight);
    for (access, item) in items(viewer, flight) {
        let (before, now) = packs::use_item(writer, viewer, &access, item, &used)?;
        maintenance::flown(writer, &access, item, before.as_ref(), Some(&now))?;
    }
    table::put(writer, viewer.user(), flight, before)?;
    if let Some(before) = before {
        suspect_voltages::settle(writer, viewer, before, flight)?;
    }
    update_years(writer, viewer, before, Some(flight))
}

/// Updates the yearly sums and reviews after a flight changed from `before` to `now`.
fn update_years(
    writer: &Writer<'_>,
    viewer: &Viewer,
    before: Option<&StoredFlight>,
    now: Option<&StoredFlight>,
) -> Result<()> {
    years::update(writer, viewer, before, now)?;
    reviews::update(writer, viewer, before, now)
}

/// Returns the items of a flight with the access to their owners. The flight was made with the right to use them, which
/// its records prove: it is finished, corrected and deleted by its pilot also after that right has ended.
fn items(viewer: &Viewer, flight: &StoredFlight) -> impl Iterator<Item = (Access, EquipmentId)> {
    flight.parts().filter_map(|part| {
        let access = match &part.borrowed {
            None => Access::own(viewer),
            Some(borrowed) => Access::without_login(borrowed.owner?),
        };
        Some((access, part.id))
    })
}
