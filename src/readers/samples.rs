//! The content of a flight log, independent of its format: samples in order, and flights with summary figures only.

use std::io;
use std::ops::{Range, RangeInclusive};

use serde::{Deserialize, Serialize};

/// A position in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub latitude: f64,
    pub longitude: f64,
}

/// The flight mode, for logs that contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Angle,
    Horizon,
    Manual,
}

impl Mode {
    pub const ALL: [Mode; 3] = [Mode::Angle, Mode::Horizon, Mode::Manual];
}

/// One row of a log. Unknown values are `None`, never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sample {
    /// On the clock of the file: since 1970, or since an arbitrary moment if the file has no date.
    pub seconds: Option<f64>,
    pub point: Option<Point>,
    pub satellites: Option<f64>,
    /// m above take-off
    pub height: Option<f64>,
    /// m above an arbitrary level
    pub altitude: Option<f64>,
    /// km/h over ground
    pub speed: Option<f64>,
    /// V
    pub volts: Option<f64>,
    /// The rank of the sensor that reports the voltage, 0 for the most reliable. Of several sensors in a flight the
    /// most reliable is used.
    pub sensor_rank: u8,
    /// mAh consumed since an arbitrary moment
    pub consumed: Option<f64>,
    /// A
    pub amperes: Option<f64>,
    /// −1024 to 1024
    pub throttle: Option<f64>,
    pub armed: Option<bool>,
    pub mode: Option<Mode>,
    /// m from the home point
    pub home_distance: Option<f64>,
}

/// V per cell: a pack is damaged below and burns above.
const CELL_VOLTS: RangeInclusive<f64> = 2.5..=4.4;
const MAX_CELLS: u8 = 14;
/// V: the supply of most receivers. Two cells with this voltage would be nearly dead.
const RECEIVER_VOLTS: Range<f64> = 5.0..6.0;

/// Returns whether a voltage is plausible for a pack with this number of cells, or with any.
#[must_use]
pub fn is_of_pack(volts: f64, cells: Option<u8>) -> bool {
    let fits = |cells: u8| CELL_VOLTS.contains(&(volts / f64::from(cells)));
    match cells {
        Some(cells) => fits(cells),
        None => (1..=MAX_CELLS).any(fits) && !RECEIVER_VOLTS.contains(&volts),
    }
}

/// Returns whether a voltage is too low for a pack with this number of cells, or for any pack at the beginning of a
/// flight.
#[must_use]
pub fn is_below_cell_minimum(volts: f64, cells: Option<u8>) -> bool {
    match cells {
        Some(cells) => volts < f64::from(cells) * CELL_VOLTS.start(),
        None => volts < RECEIVER_VOLTS.end && !is_of_pack(volts, None),
    }
}

/// The clock that the times of a file refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    Utc,
    /// The clock of a radio or camera: the pilot's wall clock, if it is set right.
    Local,
    /// The file has no date.
    #[default]
    Unknown,
}

/// Names, serial numbers and notes from a file, for the flights of one series of samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    pub clock: Clock,
    pub name: String,
    pub model: String,
    pub copter_serial: String,
    pub battery_serial: String,
    pub battery_name: String,
    pub location: String,
    pub weather: String,
    pub purpose: String,
    pub notes: String,
    pub hints: Vec<String>,
    /// The time of second 0 of the samples in seconds since 1970, with its clock, if the samples count from an
    /// arbitrary moment: from the file's name or from a GPS receiver.
    pub zero: Option<(f64, Clock)>,
    /// Whether the log also runs while nothing flies, like that of a radio.
    pub is_continuous: bool,
    /// Whether the log reports arming. Before its first report, it counts as disarmed.
    pub logs_arming: bool,
    /// Whether several tracks without times were joined; their points are treated as one second apart.
    pub joins_tracks: bool,
    /// Whether positions are accurate enough for computing speeds.
    pub speed_from_positions: bool,
    /// Whether the writer may have put the longitude first.
    pub may_exchange_coordinates: bool,
}

impl Metadata {
    /// Returns the time of a sample in seconds since 1970, with its clock; no time without a date.
    #[must_use]
    pub fn moment(&self, seconds: Option<f64>) -> (Option<f64>, Clock) {
        match self.zero {
            Some((zero, clock)) => (seconds.map(|seconds| zero + seconds), clock),
            None => (seconds.filter(|_| self.clock != Clock::Unknown), self.clock),
        }
    }
}

/// The summary figures of a flight.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Figures {
    pub start_point: Option<Point>,
    pub end_point: Option<Point>,
    /// m above take-off
    pub height: Option<f64>,
    /// km
    pub distance: Option<f64>,
    /// m from the start
    pub farthest: Option<f64>,
    /// km/h
    pub speed: Option<f64>,
    /// V
    pub start_volts: Option<f64>,
    /// V
    pub end_volts: Option<f64>,
    /// mAh
    pub consumed: Option<f64>,
    /// The mode of most rows.
    pub mode: Option<Mode>,
}

/// A flight found in a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundFlight {
    /// Index among the flights of the file.
    pub part: u32,
    /// Whether the flight was imported before.
    pub is_imported: bool,
    pub metadata: Metadata,
    /// Seconds since 1970 on the clock of the file.
    pub start: Option<f64>,
    /// Days since 1970, if only the date is known.
    pub day: Option<f64>,
    /// Seconds
    pub duration: Option<f64>,
    pub figures: Figures,
    /// Whether no movement was seen, although the log would show it.
    pub is_motionless: bool,
    pub track: Vec<Point>,
    /// Empty if the file has none.
    pub profile: Profile,
}

/// A stored profile: columns of equal length, empty for unknown values. The layout is stored in the database.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Hundredths of a second since the start of the flight.
    pub seconds: Vec<u32>,
    /// Decimetres above the start.
    pub height: Vec<Option<i32>>,
    /// Tenths of km/h.
    pub speed: Vec<Option<i32>>,
    /// Hundredths of a volt.
    pub voltage: Vec<Option<i32>>,
    /// Hundredths of an ampere.
    pub current: Vec<Option<i32>>,
    /// In 1e-6 degrees.
    pub points: Vec<Option<(i32, i32)>>,
    /// Hundredths of a volt: the resting voltage after the flight, if the log is long enough.
    pub resting_voltage: Option<i32>,
}

impl Profile {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seconds.is_empty()
    }

    /// Removes the voltages.
    pub fn remove_voltage(&mut self) {
        self.voltage.clear();
        self.resting_voltage = None;
        let columns = [&self.height, &self.speed, &self.current];
        if self.points.is_empty() && columns.iter().all(|column| column.is_empty()) {
            self.seconds.clear();
        }
    }
}

/// A part of a file without a flight, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedPart {
    /// Seconds since 1970 on the clock of the file.
    pub from: Option<i64>,
    pub clock: Clock,
    pub reason: String,
}

/// Why a file can't be read to its end.
#[derive(Debug)]
pub enum ReadError {
    /// Malformed content, at this line or record.
    Malformed(u64),
    /// A limit was exceeded.
    LimitExceeded,
    /// Reading took too long, or was cancelled.
    Cancelled,
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            io::ErrorKind::TimedOut => ReadError::Cancelled,
            _ => ReadError::Io(error),
        }
    }
}

/// The result of reading a file; flights before a fault are kept.
pub(crate) type ReadResult = Result<(), ReadError>;
