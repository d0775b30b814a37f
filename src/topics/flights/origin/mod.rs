//! Sources of flights that come from files: which part of which file, its track, and its profile.

pub mod model;
mod table;

use std::collections::HashSet;

use super::model::StoredFlight;
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::{FlightId, UserId};
use fluglog_readers::formats::Format;
use fluglog_readers::samples::Profile;
use fluglog_store::findings::Findings;
use fluglog_store::{Snapshot, Writer};
use model::{FlightTrack, Point, Source};

/// Most points of a flight's path in a list, and of each among others on a stage.
pub(crate) const MAX_POINTS_OF_ROW: usize = 48;
const MAX_POINTS_OF_STAGE: usize = 64;
/// Most paths on a stage.
const MAX_PATHS: usize = 60;

/// Records a source of a flight.
pub fn add(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId, source: &Source) -> Result<()> {
    table::put_source(writer, viewer.user(), flight, source)
}

/// Stores the track of a flight, replacing an earlier one.
pub fn put_track(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId, track: &[Point]) -> Result<()> {
    table::put_track(writer, viewer.user(), flight, track)
}

/// Stores the profile of a flight, replacing an earlier one.
pub fn put_profile(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId, profile: &Profile) -> Result<()> {
    table::put_profile(writer, viewer.user(), flight, profile)
}

/// Returns the profile of a flight; empty when it has none.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`] when the viewer has no such flight.
pub fn profile(data: &Snapshot<'_>, viewer: &Viewer, flight: FlightId) -> Result<Profile> {
    super::table::find(data, viewer.user(), flight)?;
    table::profile(data, viewer.user(), flight)
}

/// Returns the viewer's flights with a profile.
pub fn with_profile(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<FlightId>> {
    table::with_profile(data, viewer.user())
}

/// Returns whether a flight was created from or completed by a file of this format.
pub(crate) fn has_source(data: &Snapshot<'_>, owner: UserId, flight: FlightId, format: Format) -> Result<bool> {
    let sources = table::sources(data, owner, flight)?;
    Ok(sources.iter().any(|source| source.format == format.wire_name()))
}

/// Returns the files that a flight was created from or completed by.
pub fn sources(data: &Snapshot<'_>, viewer: &Viewer, flight: FlightId) -> Result<Vec<Source>> {
    table::sources(data, viewer.user(), flight)
}

/// Returns the flights of a part of a file.
pub fn of_file(data: &Snapshot<'_>, viewer: &Viewer, digest: u128, part: u32) -> Result<Vec<(FlightId, Source)>> {
    table::of_file(data, viewer.user(), digest, part)
}

/// Returns the parts of a file that became flights of the viewer.
pub fn parts(data: &Snapshot<'_>, viewer: &Viewer, digest: u128) -> Result<Vec<u32>> {
    table::parts(data, viewer.user(), digest)
}

/// Returns all sources of the viewer's flights.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<(FlightId, Source)>> {
    table::all_sources(data, viewer.user())
}

/// Returns the viewer's flights with a track.
pub fn with_track(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<FlightId>> {
    table::with_track(data, viewer.user())
}

/// Returns the track of a flight; empty when it has none.
pub fn track(data: &Snapshot<'_>, viewer: &Viewer, flight: FlightId) -> Result<Vec<Point>> {
    table::track(data, viewer.user(), flight)
}

/// Returns the paths of these flights, in their order; empty for one without a track.
pub(crate) fn paths(data: &Snapshot<'_>, viewer: &Viewer, flights: &[FlightId], most: usize) -> Result<Vec<Vec<i32>>> {
    let tracks = table::tracks(data, viewer.user(), flights)?;
    Ok(tracks.iter().map(|track| model::path(track, most)).collect())
}

/// Returns the paths of the longest of these flights and of the newest one, the newest last. Flights without a track
/// don't count.
pub(crate) fn longest_paths(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    mut flights: Vec<StoredFlight>,
) -> Result<Vec<Vec<i32>>> {
    let tracked: HashSet<_> = with_track(data, viewer)?.into_iter().collect();
    flights.retain(|flight| tracked.contains(&flight.id));
    let kilometres = |flight: &StoredFlight| flight.entries.fields.distance.unwrap_or_default();
    flights.sort_unstable_by_key(StoredFlight::place);
    let Some(newest) = flights.pop() else {
        return Ok(Vec::new());
    };
    flights.sort_by(|one, other| kilometres(other).total_cmp(&kilometres(one)));
    flights.truncate(MAX_PATHS - 1);
    flights.sort_unstable_by_key(StoredFlight::place);
    let ids: Vec<_> = flights.iter().chain([&newest]).map(|flight| flight.id).collect();
    paths(data, viewer, &ids, MAX_POINTS_OF_STAGE)
}

/// Returns the track of a flight, and the files that the flight comes from.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`] when the viewer has no such flight.
pub fn get(app: &App, viewer: &Viewer, flight: FlightId) -> Result<FlightTrack> {
    let owner = viewer.user();
    app.store.read(|data| {
        super::table::find(data, owner, flight)?;
        let points = table::track(data, owner, flight)?;
        let mut files: Vec<String> = Vec::new();
        for source in table::sources(data, owner, flight)? {
            if !files.contains(&source.file) {
                files.push(source.file);
            }
        }
        Ok(FlightTrack {
            points: points
                .into_iter()
                .map(|(latitude, longitude)| vec![latitude, longitude])
                .collect(),
            files,
        })
    })
}

/// Removes sources, track and profile of a deleted flight, so that its file can be imported again.
pub fn remove_all(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId) -> Result<()> {
    table::remove_all(writer, viewer.user(), flight)
}

/// Reads every record to verify the database.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}
