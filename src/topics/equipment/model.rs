//! Rules of equipment, and the types of its answers. No store, no web.

use serde::{Serialize, Serializer};

use super::battery_profile::{NUMBER, PROFILE, Profile};
use super::code::Code;
use super::prior::Prior;
use fluglog_base::coded;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::input::{Change, Fields};
use fluglog_base::text;
use fluglog_base::time::{Date, WallTime};

coded! {
    /// Kind of an item. On the wire it is its code; the UI has the same enum.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export, repr(enum)))]
    pub enum Kind {
        Copter = 0,
        Battery = 1,
        Goggles = 2,
        Transmitter = 3,
        VideoCamera = 4,
    }
}

impl Kind {
    /// Returns whether the weight of an item counts towards the take-off weight. Goggles and transmitter stay on the
    /// ground.
    #[must_use]
    pub(crate) fn counts_to_weight(self) -> bool {
        match self {
            Kind::Copter | Kind::Battery | Kind::VideoCamera => true,
            Kind::Goggles | Kind::Transmitter => false,
        }
    }

    /// Returns whether an item is a battery pack.
    #[must_use]
    pub(crate) fn is_charged(self) -> bool {
        match self {
            Kind::Battery => true,
            Kind::Copter | Kind::Goggles | Kind::Transmitter | Kind::VideoCamera => false,
        }
    }

    /// How a sentence begins that is about an item.
    #[must_use]
    pub(crate) fn this(self) -> &'static str {
        match self {
            Kind::Copter => "Dieser Copter",
            Kind::Battery => "Dieser Akku",
            Kind::Goggles => "Diese Brille",
            Kind::Transmitter => "Dieser Sender",
            Kind::VideoCamera => "Diese Kamera",
        }
    }

    fn has_firmware(self) -> bool {
        match self {
            Kind::Goggles | Kind::Transmitter => true,
            Kind::Copter | Kind::Battery | Kind::VideoCamera => false,
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.code())
    }
}

pub const TYPE: Required<Kind> =
    Field::integer("type", 0..=4, text::EQUIPMENT_KIND_UNKNOWN).required(text::EQUIPMENT_KIND_UNKNOWN);
const NAME: Required<String> = Field::line("name", MAX_TEXT_CHARACTERS).required(text::EQUIPMENT_NAME_MISSING);
const MODEL: Field<String> = Field::line("model", MAX_TEXT_CHARACTERS);
const MANUFACTURER: Field<String> = Field::line("manufacturer", MAX_TEXT_CHARACTERS);
const PURCHASE_DATE: Field<Date> = Field::date("purchaseDate");
const SELLER: Field<String> = Field::line("seller", MAX_TEXT_CHARACTERS);
const WEIGHT: Field<f64> = Field::number("weight");
const FIRMWARE_NUMBER: Field<String> = Field::line("firmwareNumber", MAX_TEXT_CHARACTERS);
const BATTERY_TYPE: Field<String> = Field::line("batteryType", MAX_TEXT_CHARACTERS);
const CAPACITY: Field<f64> = Field::number("capacity");

/// Fields of the forms of all kinds.
pub(crate) const DETAILS: &[Declared] = &[
    NAME.declared(),
    MODEL.declared(),
    MANUFACTURER.declared(),
    PURCHASE_DATE.declared(),
    SELLER.declared(),
    WEIGHT.declared(),
    FIRMWARE_NUMBER.declared(),
    BATTERY_TYPE.declared(),
    CAPACITY.declared(),
    NUMBER.declared(),
    PROFILE.declared(),
];

/// An item as entered by the pilot. Fields that its kind doesn't have are empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Details {
    pub name: String,
    pub model: String,
    pub manufacturer: String,
    pub purchase_date: Option<Date>,
    pub seller: String,
    /// g
    pub weight: Option<f64>,
    pub firmware_number: String,
    pub battery_type: String,
    /// mAh
    pub capacity: Option<f64>,
}

impl Details {
    /// Reads the form of a kind; fields of other kinds are ignored.
    ///
    /// # Errors
    /// The name is missing, a text is too long, a weight or capacity is no number, or a date doesn't exist.
    pub fn read(kind: Kind, fields: &Fields) -> Result<Details> {
        let mut details = Details::default();
        DetailChanges::read(kind, fields)?.apply(&mut details);
        Ok(details)
    }
}

/// Changes of an item's details by a form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DetailChanges {
    name: String,
    model: Change<String>,
    manufacturer: Change<String>,
    purchase_date: Change<Option<Date>>,
    seller: Change<String>,
    weight: Change<Option<f64>>,
    firmware_number: Change<String>,
    battery_type: Change<String>,
    capacity: Change<Option<f64>>,
}

impl DetailChanges {
    /// Reads the fields that were sent for a kind: an empty field clears, an absent one keeps. The name is required.
    ///
    /// # Errors
    /// Like [`Details::read`].
    pub fn read(kind: Kind, fields: &Fields) -> Result<DetailChanges> {
        let text = |field: &Field<String>, has_it| match has_it {
            true => field.change_or_default(fields),
            false => Ok(Change::Keep),
        };
        let number = |field: &Field<f64>, has_it| match has_it {
            true => field.change(fields),
            false => Ok(Change::Keep),
        };
        Ok(DetailChanges {
            name: NAME.read(fields)?,
            model: text(&MODEL, true)?,
            manufacturer: text(&MANUFACTURER, true)?,
            seller: text(&SELLER, true)?,
            firmware_number: text(&FIRMWARE_NUMBER, kind.has_firmware())?,
            battery_type: text(&BATTERY_TYPE, kind.is_charged())?,
            weight: number(&WEIGHT, kind.counts_to_weight())?,
            capacity: number(&CAPACITY, kind.is_charged())?,
            purchase_date: PURCHASE_DATE.change(fields)?,
        })
    }

    /// Applies the changes to the details of an item.
    pub fn apply(&self, details: &mut Details) {
        details.name.clone_from(&self.name);
        self.model.apply(&mut details.model);
        self.manufacturer.apply(&mut details.manufacturer);
        self.purchase_date.apply(&mut details.purchase_date);
        self.seller.apply(&mut details.seller);
        self.weight.apply(&mut details.weight);
        self.firmware_number.apply(&mut details.firmware_number);
        self.battery_type.apply(&mut details.battery_type);
        self.capacity.apply(&mut details.capacity);
    }
}

/// When and why an item was retired.
#[derive(Debug, Clone, PartialEq)]
pub struct Retirement {
    pub time: WallTime,
    pub reason: String,
}

const RETIRED_AT: Field<WallTime> = Field::time("deactivateTime");
const RETIRED_WHY: Field<String> = Field::line("deactivateText", MAX_TEXT_CHARACTERS);

impl Retirement {
    /// Reads the retirement of an item from its wire form; `None` when it is in use.
    ///
    /// # Errors
    /// The time is invalid, or the text is too long.
    pub fn read(fields: &Fields) -> Result<Option<Retirement>> {
        let reason = RETIRED_WHY.read(fields)?.unwrap_or_default();
        Ok(RETIRED_AT.read(fields)?.map(|time| Retirement { time, reason }))
    }
}

/// Returns the end of a flight, or its start when the duration is unknown.
#[must_use]
pub fn landing(start: WallTime, minutes: Option<f64>) -> WallTime {
    WallTime::from_minutes_clamped(start.minutes() + (milliminutes(minutes) + 500) / 1000)
}

/// The use of one item by one flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    pub flight: FlightId,
    pub start: WallTime,
    pub minutes: Option<f64>,
    /// V
    pub start_voltage: Option<f64>,
    /// V
    pub end_voltage: Option<f64>,
    /// mAh; `None` with several batteries, whose parts are unknown.
    pub consumed: Option<f64>,
    /// mAh; with several batteries an equal part for each.
    pub shared: Option<f64>,
    /// Whether the flight is open.
    pub open: bool,
}

impl Use {
    /// Returns the end of the flight, or its start when the duration is unknown.
    #[must_use]
    pub fn landing(&self) -> WallTime {
        landing(self.start, self.minutes)
    }

    /// Returns the use as a discharge of a battery.
    #[must_use]
    pub(crate) fn as_discharge(&self) -> Discharge {
        Discharge::of([self.start, self.landing()], [self.consumed, self.shared], self.open)
    }
}

/// Discharge of a pack by a flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Discharge {
    pub start: WallTime,
    pub landing: WallTime,
    /// mAh
    pub consumed: Option<f64>,
    /// Whether `consumed` is an equal part of what several batteries gave together.
    pub is_shared: bool,
}

impl Discharge {
    /// Creates the discharge by a flight from `start` to `landing`: `consumed`, or else `shared` (the part of one
    /// battery of several), in mAh. An open flight counts nothing.
    #[must_use]
    pub fn of([start, landing]: [WallTime; 2], [consumed, shared]: [Option<f64>; 2], is_open: bool) -> Discharge {
        Discharge {
            start,
            landing,
            consumed: consumed.or(shared).filter(|_| !is_open),
            is_shared: consumed.is_none() && shared.is_some() && !is_open,
        }
    }
}

/// A voltage with the time of its reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimedVoltage {
    pub time: WallTime,
    pub volts: f64,
}

/// Totals of an item's flights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    /// Thousandths of a minute: integers, so that a sum can be reversed exactly.
    pub milliminutes: i64,
    pub last_start: Option<WallTime>,
    /// V; of the latest flight with an end voltage.
    pub end_voltage: Option<f64>,
    /// V; the last one recorded by a flight.
    pub voltage: Option<TimedVoltage>,
    pub open_flight: Option<FlightId>,
}

/// Converts minutes of a flight to thousandths, in which they are summed.
#[must_use]
pub(crate) fn milliminutes(minutes: Option<f64>) -> i64 {
    // A value of `Field::number` has at most 9 digits before the point, so this fits.
    #[expect(clippy::cast_possible_truncation)]
    let rounded = (minutes.unwrap_or_default() * 1000.0).round() as i64;
    rounded
}

/// An item with its number, the totals of its flights and its sticker.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub id: EquipmentId,
    pub kind: Kind,
    pub details: Details,
    pub retirement: Option<Retirement>,
    pub totals: Totals,
    pub profile: Profile,
    pub prior: Prior,
    pub sticker: Option<Code>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(json: &str) -> Fields {
        Fields::from_json(json).unwrap()
    }

    #[test]
    fn a_field_of_another_kinds_form_is_ignored_even_when_it_is_wrong() {
        let fields = fields(r#"{"name": "DX", "weight": "schwer", "capacity": "-1", "firmwareNumber": "1.2"}"#);
        let details = Details::read(Kind::Transmitter, &fields).unwrap();
        assert_eq!((details.weight, details.capacity), (None, None));
        assert_eq!(details.firmware_number, "1.2");
        assert!(Details::read(Kind::Battery, &fields).is_err());
    }

    #[test]
    fn only_what_hangs_on_the_copter_is_weighed() {
        assert_eq!(Kind::ALL.map(Kind::counts_to_weight), [true, true, false, false, true]);
    }
}
