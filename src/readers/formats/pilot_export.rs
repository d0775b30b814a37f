//! The export of another Fluglog (from its profile, or `fluglog export`): an archive with flights and items as JSON and
//! tracks as GPX.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Seek};

use serde::Deserialize;

use super::json;
use super::lines::Decoded;
use super::values::number;
use super::xml::{self, Piece};
use super::zip::{self, Member};
use crate::readers::samples::{Fault, Point, ReadOutcome};
use crate::readers::track::{POINTS_MOST, thin};

const FLIGHTS: &str = "json/flights.json";
const EQUIPMENT: &str = "json/equipment.json";
/// Items of a pilot, and bytes of what is said about them.
const ITEMS_MOST: usize = 5000;
const ITEMS_MOST_BYTES: usize = 4 * 1024 * 1024;
/// Points of a track that are read.
const TRACK_POINTS_MOST: usize = 10_000;

/// The members of an export.
pub struct Export {
    /// The folder that they are in, when somebody packed the archive anew; else empty.
    folder: String,
    pub flights: Member,
}

/// The export that an archive is, if it is one.
///
/// # Errors
/// The archive is damaged.
pub fn find(archive: &mut (impl Read + Seek)) -> Result<Option<Export>, Fault> {
    let found = zip::find(archive, 1, |name| name.ends_with(FLIGHTS))?;
    Ok(found.into_iter().next().map(|flights| Export {
        folder: flights.name.trim_end_matches(FLIGHTS).to_owned(),
        flights,
    }))
}

impl Export {
    /// The list of items.
    ///
    /// # Errors
    /// The archive is damaged, or has none.
    pub fn equipment(&self, archive: &mut (impl Read + Seek)) -> Result<Member, Fault> {
        let mut found = self.files(archive, &HashSet::from([EQUIPMENT.to_owned()]))?;
        found.remove(EQUIPMENT).ok_or(Fault::Damaged(0))
    }

    /// Files by their paths in the export; those that are missing are left out.
    ///
    /// # Errors
    /// The archive is damaged.
    pub fn files(
        &self,
        archive: &mut (impl Read + Seek),
        paths: &HashSet<String>,
    ) -> Result<HashMap<String, Member>, Fault> {
        let path = |name: &str| name.strip_prefix(&self.folder).map(str::to_owned);
        let found = zip::find(archive, paths.len(), |name| {
            path(name).is_some_and(|path| paths.contains(&path))
        })?;
        Ok(found
            .into_iter()
            .filter_map(|member| Some((path(&member.name)?, member)))
            .collect())
    }
}

#[derive(Deserialize)]
struct Named<'j> {
    #[serde(rename = "dpfId", borrow)]
    id: &'j str,
}

/// The items of a pilot by their ids, each as it is written.
///
/// # Errors
/// See [`Fault`].
pub fn read_items(source: Decoded<'_>) -> Result<HashMap<String, String>, Fault> {
    let mut items = HashMap::new();
    let mut bytes = 0;
    json::each_element(source, &mut |element| {
        let item: Named<'_> = serde_json::from_str(element.get()).map_err(json::fault)?;
        bytes += element.get().len();
        if items.len() == ITEMS_MOST || bytes > ITEMS_MOST_BYTES {
            return Err(Fault::TooMuch);
        }
        items.insert(item.id.to_owned(), element.get().to_owned());
        Ok(())
    })?;
    Ok(items)
}

/// Hands on each flight as it is written.
///
/// # Errors
/// See [`Fault`], and what `take` says.
pub fn read_flights(source: Decoded<'_>, take: &mut dyn FnMut(&str) -> ReadOutcome) -> ReadOutcome {
    json::each_element(source, &mut |element| take(element.get()))
}

/// The points of a track.
///
/// # Errors
/// See [`Fault`].
pub fn read_track(source: Decoded<'_>) -> Result<Vec<Point>, Fault> {
    let mut points = Vec::new();
    xml::read(source, |piece| {
        if let Piece::Begin("trkpt", attributes) = piece {
            let value = |wanted: &str| {
                let attribute = attributes.iter().find(|(name, _)| name == wanted);
                attribute.and_then(|(_, value)| number(value))
            };
            let (Some(latitude), Some(longitude)) = (value("lat"), value("lon")) else {
                return Err(Fault::Damaged(0));
            };
            if points.len() == TRACK_POINTS_MOST || latitude.abs() > 90.0 || longitude.abs() > 180.0 {
                return Err(Fault::Damaged(0));
            }
            points.push(Point { latitude, longitude });
        }
        Ok(())
    })?;
    Ok(thin(&points, POINTS_MOST))
}
