//! Profiles of flights: stored with the flight, or created when first requested from the file of the flight, if that is
//! kept as a document.

use tokio_util::sync::CancellationToken;

use super::evaluate::{self, UnreadFile};
use super::history::History;
use crate::documents;
use crate::documents::model::StoredDocument;
use crate::flights::origin;
use crate::flights::origin::model::{FlightProfile, Source};
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::FlightId;
use fluglog_base::limits::permits::Requester;
use fluglog_base::secret::digest_key;
use fluglog_readers::formats::Format;
use fluglog_readers::samples::{FoundFlight, Profile, is_of_pack};
use fluglog_store::Snapshot;

/// Formats whose files hold only totals, so that they have no profile.
const WITHOUT_PROFILE: [Format; 3] = [Format::DjiTxt, Format::Table, Format::Fluglog];

/// Returns the profile of a flight; empty when it has none.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`] when the viewer has no such flight; or its file can't be evaluated now.
pub fn profile(app: &App, viewer: &Viewer, flight: FlightId) -> Result<FlightProfile> {
    let (kept, files) = app.store.read(|data| {
        let kept = origin::profile(data, viewer, flight)?;
        let files = match kept.is_empty() {
            true => kept_files(data, viewer, flight)?,
            false => Vec::new(),
        };
        Ok((kept, files))
    })?;
    for (source, document) in files {
        let made = found(app, viewer, &source, &document)?.map(of_pack).unwrap_or_default();
        if made.is_empty() {
            continue;
        }
        let answer = FlightProfile::from(&made);
        let viewer = *viewer;
        // A profile can be created again, so the answer doesn't wait for the write, nor does it depend on it.
        app.store.write_later(move |writer| {
            // Fails if the flight was deleted meanwhile.
            origin::profile(writer, &viewer, flight)?;
            origin::put_profile(writer, &viewer, flight, &made)
        });
        return Ok(answer);
    }
    Ok(FlightProfile::from(&kept))
}

/// Returns the sources of a flight whose files are kept as documents, of this flight or of another.
fn kept_files(data: &Snapshot<'_>, viewer: &Viewer, flight: FlightId) -> Result<Vec<(Source, StoredDocument)>> {
    let mut sources = origin::sources(data, viewer, flight)?;
    sources.retain(|source| WITHOUT_PROFILE.iter().all(|format| format.wire_name() != source.format));
    let is_of = |document: &StoredDocument, source: &Source| digest_key(&document.blob.sha256).0 == source.digest;
    let documents = documents::matching(data, viewer, |document| {
        sources.iter().any(|source| is_of(document, source))
    })?;
    let kept = sources.into_iter().filter_map(|source| {
        let document = documents.iter().find(|document| is_of(document, &source))?.clone();
        Some((source, document))
    });
    Ok(kept.collect())
}

/// Finds the flight of this source in a document, within the limits of an import.
fn found(app: &App, viewer: &Viewer, source: &Source, document: &StoredDocument) -> Result<Option<FoundFlight>> {
    let cancellation = CancellationToken::new();
    let requester = Requester {
        pilot: viewer.user(),
        cancellation: &cancellation,
    };
    let _permit = app.evaluation_permits.acquire_blocking(&requester, 1)?;
    let (file, _) = app.blobs.read(document.blob.id)?;
    let unread = UnreadFile {
        file,
        // Some formats have the date only in the file name.
        name: &source.file,
        bytes: document.bytes,
        sha256: document.blob.sha256,
    };
    let all = evaluate::evaluate(unread, &cancellation, History { app, viewer })?;
    let mut found = all.into_iter().flat_map(|evaluated| evaluated.outcome.found);
    Ok(found.find(|found| found.part == source.part))
}

/// Returns the profile, without its voltages if no pack can have them.
fn of_pack(found: FoundFlight) -> Profile {
    let mut profile = found.profile;
    let both = [found.figures.start_volts, found.figures.end_volts];
    if both.into_iter().flatten().any(|volts| !is_of_pack(volts, None)) {
        profile.remove_voltage();
    }
    profile
}
