//! Rules of flights, and the types of their answers. No store, no web.

mod entries;

use serde::Serialize;

use crate::documents::proofs::model::FlightProof;
use crate::equipment::model::Kind;
pub use entries::{
    CHANGED, ENDED, Entries, EntryChanges, FINISHED, FlightFields, FlightMode, INSTANTS, Instants, NewEntries, STARTED,
    STARTING,
};
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::{EquipmentId, FlightId, ImageId, OwnerId, UserId};
use fluglog_base::input::Fields;
use fluglog_base::text;
use fluglog_base::time::WallTime;

/// Most items and payloads of one flight.
const MAX_ITEMS: usize = 50;
const MAX_PAYLOADS: usize = 50;

/// Equipment chosen before a flight.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    pub copter: EquipmentId,
    pub equipments: Vec<EquipmentId>,
    pub payloads: Vec<Payload>,
}

/// An additional load of the copter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Payload {
    pub name: String,
    /// g
    pub weight: f64,
}

const COPTER: Required<EquipmentId> = Field::id("copter").required(text::FLIGHT_NEEDS_COPTER);
const EQUIPMENTS: Field<Vec<EquipmentId>> = Field::ids("equipments", MAX_ITEMS, text::FLIGHT_TOO_MANY_ITEMS);
const PAYLOADS: Field<Vec<Fields>> = Field::objects(
    "payloads",
    MAX_PAYLOADS,
    text::FLIGHT_TOO_MANY_PAYLOADS,
    &[PAYLOAD_NAME.declared().required(), PAYLOAD_WEIGHT.declared().required()],
);
const PAYLOAD_NAME: Field<String> = Field::line("name", MAX_TEXT_CHARACTERS);
const PAYLOAD_WEIGHT: Field<f64> = Field::number("weight");

/// Fields of a configuration.
pub const CONFIGURATION: &[Declared] = &[COPTER.declared(), EQUIPMENTS.declared(), PAYLOADS.declared()];

impl Configuration {
    /// Creates a configuration without payloads.
    ///
    /// # Errors
    /// An item is given twice, or there are too many.
    pub fn of(copter: EquipmentId, equipments: Vec<EquipmentId>) -> Result<Configuration> {
        let mut seen = std::collections::HashSet::from([copter]);
        if !equipments.iter().all(|id| seen.insert(*id)) {
            return Err(EQUIPMENTS.invalid(text::FLIGHT_ITEM_TWICE));
        }
        if equipments.len() > MAX_ITEMS {
            return Err(EQUIPMENTS.invalid(text::FLIGHT_TOO_MANY_ITEMS));
        }
        Ok(Configuration {
            copter,
            equipments,
            payloads: Vec::new(),
        })
    }

    /// Reads copter, equipments and payloads.
    ///
    /// # Errors
    /// The copter is missing, an item is given twice, a payload has no name or weight, there are too many of either, or
    /// an id can't be one of the pilot's.
    pub fn read(fields: &Fields) -> Result<Configuration> {
        Ok(Configuration {
            payloads: Payload::read_all(fields)?,
            ..Configuration::of(COPTER.read(fields)?, EQUIPMENTS.read(fields)?.unwrap_or_default())?
        })
    }
}

impl Payload {
    /// Reads all payloads of a flight.
    ///
    /// # Errors
    /// A payload has no name or weight, or there are too many.
    pub fn read_all(fields: &Fields) -> Result<Vec<Payload>> {
        let payloads = PAYLOADS.read(fields)?.unwrap_or_default();
        payloads.iter().map(Payload::read).collect()
    }

    fn read(fields: &Fields) -> Result<Payload> {
        let name = PAYLOAD_NAME.read(fields)?;
        let weight = PAYLOAD_WEIGHT.read(fields)?;
        match (name, weight) {
            (Some(name), Some(weight)) => Ok(Payload { name, weight }),
            _ => Err(PAYLOADS.invalid(text::PAYLOAD_INCOMPLETE)),
        }
    }
}

/// An item of a flight, with its weight when the flight was created.
#[derive(Debug, Clone, PartialEq)]
pub struct FlightPart {
    pub id: EquipmentId,
    pub kind: Kind,
    /// g
    pub weight: Option<f64>,
    /// `None` for an item of the pilot.
    pub borrowed: Option<Borrowed>,
}

impl FlightPart {
    /// Returns the owner of the item on a flight of `pilot`; `None` when the item is gone with its owner.
    #[must_use]
    pub fn owner(&self, pilot: UserId) -> Option<OwnerId> {
        match &self.borrowed {
            None => Some(pilot.into()),
            Some(borrowed) => borrowed.owner,
        }
    }
}

/// Whose an item is that isn't the pilot's own, and its name when it was flown.
#[derive(Debug, Clone, PartialEq)]
pub struct Borrowed {
    /// `None` when the item is gone with its owner.
    pub owner: Option<OwnerId>,
    pub name: String,
    pub model: String,
}

/// Returns the take-off weight in g: copter, batteries, video cameras and payloads, without goggles and transmitters.
/// Rounded to thousandths, which hides floating-point noise.
#[must_use]
pub(crate) fn start_weight(parts: &[FlightPart], payloads: &[Payload]) -> f64 {
    let carried = parts.iter().filter(|part| part.kind.counts_to_weight());
    // `Iterator::sum` of nothing is -0.
    let sum = carried
        .filter_map(|part| part.weight)
        .chain(payloads.iter().map(|payload| payload.weight))
        .fold(0.0, |sum, weight| sum + weight);
    (sum * 1000.0).round() / 1000.0
}

/// A stored flight.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredFlight {
    pub id: FlightId,
    pub entries: Entries,
    pub copter: FlightPart,
    pub equipments: Vec<FlightPart>,
    pub payloads: Vec<Payload>,
    /// g; fixed when the flight is created.
    pub weight: f64,
    pub open: bool,
}

impl StoredFlight {
    /// Returns its key in the list, which is sorted in descending order.
    #[must_use]
    pub fn place(&self) -> (WallTime, FlightId) {
        (self.entries.start, self.id)
    }

    /// Returns whether it has this configuration.
    #[must_use]
    pub fn has(&self, configuration: &Configuration) -> bool {
        let sorted = |mut ids: Vec<EquipmentId>| {
            ids.sort_unstable();
            ids
        };
        let own = self.equipments.iter().map(|part| part.id).collect();
        self.copter.id == configuration.copter
            && sorted(own) == sorted(configuration.equipments.clone())
            && self.payloads == configuration.payloads
    }

    /// Returns the copter and the other items.
    pub fn parts(&self) -> impl Iterator<Item = &FlightPart> {
        std::iter::once(&self.copter).chain(&self.equipments)
    }

    pub fn batteries(&self) -> impl Iterator<Item = &FlightPart> {
        self.equipments.iter().filter(|part| part.kind == Kind::Battery)
    }
}

/// An item of a flight, with its current name and its weight at the time.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightItem {
    pub dpf_id: String,
    #[cfg_attr(feature = "schema", schema(value_type = u8, maximum = 4))]
    pub r#type: Kind,
    pub name: String,
    pub model: String,
    /// g
    pub weight: Option<f64>,
}

/// A flight.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Flight {
    pub dpf_id: String,
    /// On the clock that the pilot saw.
    pub start_time: String,
    /// `2026-05-10T16:05:12Z`; null for flights of earlier versions and of files.
    pub start_instant: Option<String>,
    /// When the pilot ended it.
    pub end_instant: Option<String>,
    #[serde(flatten)]
    pub fields: FlightFields,
    /// m; equal to `maximumDistance`.
    pub max_distance: Option<f64>,
    /// g
    pub weight: f64,
    pub copter: FlightItem,
    pub equipments: Vec<FlightItem>,
    pub payloads: Vec<Payload>,
    /// Ids of its images.
    pub images: Vec<String>,
    pub open: bool,
    /// Which of the pilot's proofs held on its day; absent for a pilot without proofs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub proofs: Option<Vec<FlightProof>>,
    /// True if a proof is damaged: then it isn't known whether it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub proofs_damaged: Option<bool>,
}

/// A flight in the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightRow {
    pub dpf_id: String,
    pub start_time: String,
    pub location: String,
    pub start_latitude: Option<f64>,
    pub start_longitude: Option<f64>,
    /// km
    pub distance: Option<f64>,
    /// m
    pub maximum_distance: Option<f64>,
    /// m; equal to `maximumDistance`.
    pub max_distance: Option<f64>,
    /// km/h
    pub speed: Option<f64>,
    /// min
    pub flight_time: Option<f64>,
    /// m
    pub maximum_altitude: Option<f64>,
    /// g
    pub weight: f64,
    pub open: bool,
    pub copter: FlightItem,
    pub equipments: Vec<FlightItem>,
    pub payloads: Vec<Payload>,
    /// Id of the flight's first image.
    pub first_image: Option<String>,
    /// The track from above, reduced: east and north of the start in dm, alternating; empty without a track.
    pub path: Vec<i32>,
}

impl Flight {
    /// Creates the wire form of a flight with its images; `named` names its items.
    ///
    /// # Errors
    /// Any error of `named`.
    pub fn new(
        flight: StoredFlight,
        images: &[ImageId],
        named: impl Fn(&FlightPart) -> Result<FlightItem>,
    ) -> Result<Flight> {
        let entries = flight.entries;
        Ok(Flight {
            dpf_id: flight.id.to_string(),
            start_time: entries.start.to_string(),
            start_instant: entries.instants.start.map(|start| start.to_string()),
            end_instant: entries.instants.end.map(|end| end.to_string()),
            max_distance: entries.fields.maximum_distance,
            fields: entries.fields,
            weight: flight.weight,
            copter: named(&flight.copter)?,
            equipments: flight.equipments.iter().map(&named).collect::<Result<_>>()?,
            payloads: flight.payloads,
            images: images.iter().map(ImageId::to_string).collect(),
            open: flight.open,
            proofs: None,
            proofs_damaged: None,
        })
    }
}

impl FlightRow {
    /// Creates the list row of a flight with its first image and its path; `named` names its items.
    ///
    /// # Errors
    /// Any error of `named`.
    pub fn new(
        flight: StoredFlight,
        first_image: Option<ImageId>,
        path: Vec<i32>,
        named: impl Fn(&FlightPart) -> Result<FlightItem>,
    ) -> Result<FlightRow> {
        let entries = flight.entries;
        Ok(FlightRow {
            dpf_id: flight.id.to_string(),
            start_time: entries.start.to_string(),
            location: entries.fields.location,
            start_latitude: entries.fields.start_latitude,
            start_longitude: entries.fields.start_longitude,
            distance: entries.fields.distance,
            maximum_distance: entries.fields.maximum_distance,
            max_distance: entries.fields.maximum_distance,
            speed: entries.fields.speed,
            flight_time: entries.fields.minutes,
            maximum_altitude: entries.fields.maximum_altitude,
            weight: flight.weight,
            open: flight.open,
            copter: named(&flight.copter)?,
            equipments: flight.equipments.iter().map(&named).collect::<Result<_>>()?,
            payloads: flight.payloads,
            first_image: first_image.map(|id| id.to_string()),
            path,
        })
    }
}

#[cfg(test)]
mod tests;
