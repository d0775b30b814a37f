//! The export of another Fluglog instance (from its profile, or `fluglog export`): an archive with flights and
//! equipment as JSON and tracks as GPX.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Seek};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::json;
use super::lines::Utf8Reader;
use super::values::number;
use super::xml::{self, XmlEvent};
use super::zip::{self, Member};
use crate::profile::MAX_ROWS;
use crate::samples::{Point, Profile, ReadError, ReadResult};
use crate::track::{MAX_POINTS, simplify};

const FLIGHTS: &str = "json/flights.json";
const EQUIPMENT: &str = "json/equipment.json";
/// A large export is split into parts, each with the lists and some of the files. This member marks a part.
const PART: &str = "json/part.json";
/// The most items of equipment of a pilot, and the most bytes of their JSON.
const MAX_ITEMS: usize = 5000;
const MAX_ITEMS_BYTES: usize = 4 * 1024 * 1024;
/// The most bytes of an object that is read as a whole.
const MAX_OBJECT_BYTES: u64 = 256 * 1024;
/// The most points of a track.
const MAX_TRACK_POINTS: usize = 10_000;

/// An opened export.
pub struct PilotExport {
    /// The folder within the archive, if it was repacked; else empty.
    folder: String,
    pub flights: Member,
    /// The paths of all files, in a part of an export.
    held: Option<HashSet<String>>,
}

/// Returns the export in an archive, if it is one.
///
/// # Errors
/// The archive is damaged.
pub fn find(archive: &mut (impl Read + Seek)) -> Result<Option<PilotExport>, ReadError> {
    let found = zip::find(archive, 1, |name| name.ends_with(FLIGHTS))?;
    let Some(flights) = found.into_iter().next() else {
        return Ok(None);
    };
    let mut export = PilotExport {
        folder: flights.name.trim_end_matches(FLIGHTS).to_owned(),
        flights,
        held: None,
    };
    if export.file(archive, PART)?.is_some() {
        let all = zip::find(archive, usize::MAX, |_| true)?;
        let paths = all.iter().filter_map(|member| export.path(&member.name)).collect();
        export.held = Some(paths);
    }
    Ok(Some(export))
}

impl PilotExport {
    /// Returns the member with the list of equipment.
    ///
    /// # Errors
    /// The archive is damaged, or the member is missing.
    pub fn equipment(&self, archive: &mut (impl Read + Seek)) -> Result<Member, ReadError> {
        self.file(archive, EQUIPMENT)?.ok_or(ReadError::Malformed(0))
    }

    /// Returns a file by its path in the export.
    ///
    /// # Errors
    /// The archive is damaged.
    pub fn file(&self, archive: &mut (impl Read + Seek), path: &str) -> Result<Option<Member>, ReadError> {
        let mut found = self.files(archive, &HashSet::from([path.to_owned()]))?;
        Ok(found.remove(path))
    }

    /// Returns files by their paths in the export; missing ones are left out.
    ///
    /// # Errors
    /// The archive is damaged.
    pub fn files(
        &self,
        archive: &mut (impl Read + Seek),
        paths: &HashSet<String>,
    ) -> Result<HashMap<String, Member>, ReadError> {
        let found = zip::find(archive, paths.len(), |name| {
            self.path(name).is_some_and(|path| paths.contains(&path))
        })?;
        Ok(found
            .into_iter()
            .filter_map(|member| Some((self.path(&member.name)?, member)))
            .collect())
    }

    /// Returns whether a file of the export is in another part.
    #[must_use]
    pub fn is_in_other_part(&self, path: &str) -> bool {
        let held = self.held.as_ref();
        held.is_some_and(|held| !path.is_empty() && !held.contains(path))
    }

    /// Returns the path in the export of a member.
    fn path(&self, name: &str) -> Option<String> {
        name.strip_prefix(&self.folder).map(str::to_owned)
    }
}

#[derive(Deserialize)]
struct IdOnly<'j> {
    #[serde(rename = "dpfId", borrow)]
    id: &'j str,
}

/// Reads the items of a pilot's equipment by id, as raw JSON.
///
/// # Errors
/// See [`ReadError`].
pub fn read_items(source: Utf8Reader<'_>) -> Result<HashMap<String, String>, ReadError> {
    let mut items = HashMap::new();
    let mut bytes = 0;
    json::each_element(source, &mut |element| {
        let item: IdOnly<'_> = serde_json::from_str(element.get()).map_err(json::fault)?;
        bytes += element.get().len();
        if items.len() == MAX_ITEMS || bytes > MAX_ITEMS_BYTES {
            return Err(ReadError::LimitExceeded);
        }
        items.insert(item.id.to_owned(), element.get().to_owned());
        Ok(())
    })?;
    Ok(items)
}

/// Passes each element of a list on, as raw JSON.
///
/// # Errors
/// See [`ReadError`], and errors from `take`.
pub fn read_list(source: Utf8Reader<'_>, take: &mut dyn FnMut(&str) -> ReadResult) -> ReadResult {
    json::each_element(source, &mut |element| take(element.get()))
}

/// Reads a small object; `None` if it has another shape.
///
/// # Errors
/// See [`ReadError`].
pub fn read_object<T: DeserializeOwned>(source: Utf8Reader<'_>) -> Result<Option<T>, ReadError> {
    let mut text = Vec::new();
    source.take(MAX_OBJECT_BYTES + 1).read_to_end(&mut text)?;
    match text.len() as u64 > MAX_OBJECT_BYTES {
        true => Err(ReadError::LimitExceeded),
        false => Ok(serde_json::from_slice(&text).ok()),
    }
}

/// A flight's profile as exported: columns of equal length.
#[derive(Deserialize)]
struct Columns {
    seconds: Vec<f64>,
    height: Vec<Option<f64>>,
    speed: Vec<Option<f64>>,
    voltage: Vec<Option<f64>>,
    current: Vec<Option<f64>>,
    points: Vec<Option<(f64, f64)>>,
}

/// Reads the profile of a flight; empty if it is malformed.
///
/// # Errors
/// See [`ReadError`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what doesn't fit becomes the nearest"
)]
pub fn read_profile(source: Utf8Reader<'_>) -> Result<Profile, ReadError> {
    let Some(columns) = read_object::<Columns>(source)? else {
        return Ok(Profile::default());
    };
    let rows = columns.seconds.len();
    let scaled = |values: &[Option<f64>], scale: f64| -> Vec<Option<i32>> {
        let value = |value: &Option<f64>| value.map(|value| (value * scale).round() as i32);
        let is_told = values.len() == rows && values.iter().any(Option::is_some);
        if is_told {
            values.iter().map(value).collect()
        } else {
            Vec::new()
        }
    };
    let is_place = |(latitude, longitude): &(f64, f64)| latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
    let points = columns.points.iter().map(|point| {
        let point = point.filter(is_place);
        point.map(|(latitude, longitude)| (millionths(latitude), millionths(longitude)))
    });
    let profile = Profile {
        seconds: columns
            .seconds
            .iter()
            .map(|seconds| (seconds * 100.0).round() as u32)
            .collect(),
        height: scaled(&columns.height, 10.0),
        speed: scaled(&columns.speed, 10.0),
        voltage: scaled(&columns.voltage, 100.0),
        current: scaled(&columns.current, 100.0),
        points: if columns.points.len() == rows {
            points.collect()
        } else {
            Vec::new()
        },
        resting_voltage: None,
    };
    Ok(if rows > MAX_ROWS || !profile.seconds.is_sorted() {
        Profile::default()
    } else {
        profile
    })
}

/// Reads the points of a track.
///
/// # Errors
/// See [`ReadError`].
pub fn read_track(source: Utf8Reader<'_>) -> Result<Vec<Point>, ReadError> {
    let mut points = Vec::new();
    xml::read(source, |piece| {
        if let XmlEvent::Begin("trkpt", attributes) = piece {
            let value = |wanted: &str| {
                let attribute = attributes.iter().find(|(name, _)| name == wanted);
                attribute.and_then(|(_, value)| number(value))
            };
            let (Some(latitude), Some(longitude)) = (value("lat"), value("lon")) else {
                return Err(ReadError::Malformed(0));
            };
            if points.len() == MAX_TRACK_POINTS || latitude.abs() > 90.0 || longitude.abs() > 180.0 {
                return Err(ReadError::Malformed(0));
            }
            points.push(Point { latitude, longitude });
        }
        Ok(())
    })?;
    Ok(simplify(&points, MAX_POINTS))
}
