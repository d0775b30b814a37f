//! The content of a flight file, whatever its format: samples in their order, and flights of which a file knows the
//! figures alone.

use std::io;
use std::ops::{Range, RangeInclusive};

use serde::{Deserialize, Serialize};

/// A position in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub latitude: f64,
    pub longitude: f64,
}

/// How a copter is flown, where its log says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Angle,
    Horizon,
    Manual,
}

impl Mode {
    pub const ALL: [Mode; 3] = [Mode::Angle, Mode::Horizon, Mode::Manual];
}

/// One row of a log. A value that isn't known is `None`, never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sample {
    /// Seconds on the clock of the file: since 1970, or since any moment when the file has no date.
    pub seconds: Option<f64>,
    pub point: Option<Point>,
    pub satellites: Option<f64>,
    /// m above take-off
    pub height: Option<f64>,
    /// m above any level
    pub altitude: Option<f64>,
    /// km/h over ground
    pub speed: Option<f64>,
    /// V
    pub volts: Option<f64>,
    /// How unsure it is that this is the pack's voltage, where several sensors tell one: the surest of a flight counts.
    pub volts_doubt: u8,
    /// mAh taken out since any moment
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

/// V a cell: a pack is damaged below and bursts above.
const CELL_VOLTS: RangeInclusive<f64> = 2.5..=4.4;
const CELLS_MOST: u8 = 14;
/// V of two cells that are nearly dead, and of the supply of most receivers.
const RECEIVER_VOLTS: Range<f64> = 5.0..6.0;

/// Whether a pack can have this voltage: one of so many cells, or any.
#[must_use]
pub fn is_of_pack(volts: f64, cells: Option<u8>) -> bool {
    let fits = |cells: u8| CELL_VOLTS.contains(&(volts / f64::from(cells)));
    match cells {
        Some(cells) => fits(cells),
        None => (1..=CELLS_MOST).any(fits) && !RECEIVER_VOLTS.contains(&volts),
    }
}

/// Whether a pack of so many cells, or any pack that a flight begins with, has more volts.
#[must_use]
pub fn is_too_low(volts: f64, cells: Option<u8>) -> bool {
    match cells {
        Some(cells) => volts < f64::from(cells) * CELL_VOLTS.start(),
        None => volts < RECEIVER_VOLTS.end && !is_of_pack(volts, None),
    }
}

/// The clock that a file's times are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    Utc,
    /// The clock of a radio or camera: the pilot's wall clock, if it was set right.
    Local,
    /// No date.
    #[default]
    Unknown,
}

/// Names, serial numbers and notes that a file has for the flights that follow.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct About {
    pub clock: Clock,
    pub name: String,
    pub model: String,
    pub copter_serial: String,
    pub battery_serial: String,
    pub battery_name: String,
    pub location: String,
    pub notes: String,
    pub hints: Vec<String>,
    /// Second 0 of the samples, in seconds since 1970 and on which clock, where they count from any moment: by the name
    /// of the file, or by what a receiver says later on.
    pub zero: Option<(f64, Clock)>,
    /// Whether the log also runs while nothing flies, as that of a radio does.
    pub is_continuous: bool,
    /// Whether the log says when anything is armed. Until its first word nothing is.
    pub tells_arming: bool,
    /// Whether several tracks without times were joined: each point is a second after the one before.
    pub is_joined: bool,
    /// Whether positions are exact enough to make speeds of them.
    pub speed_from_positions: bool,
}

impl About {
    /// The moment of a sample in seconds since 1970, and on which clock; no moment without a date.
    #[must_use]
    pub fn moment(&self, seconds: Option<f64>) -> (Option<f64>, Clock) {
        match self.zero {
            Some((zero, clock)) => (seconds.map(|seconds| zero + seconds), clock),
            None => (seconds.filter(|_| self.clock != Clock::Unknown), self.clock),
        }
    }
}

/// The figures of a flight.
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
    /// That of most rows that say one.
    pub mode: Option<Mode>,
}

/// A flight that was found in a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The place among the flights of its file.
    pub part: u32,
    /// Whether it was taken over before.
    pub is_taken: bool,
    pub about: About,
    /// Seconds since 1970 on the clock of the file.
    pub start: Option<f64>,
    /// Days since 1970, where the day is known without the time.
    pub day: Option<f64>,
    /// Seconds
    pub duration: Option<f64>,
    pub figures: Figures,
    /// Whether nothing moved.
    pub is_still: bool,
    pub track: Vec<Point>,
    /// Empty when the file has none.
    pub profile: Profile,
}

/// A profile as it is kept: lists of one length, or empty where the file had nothing. Its shape is on disk.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Hundredths since the start of the flight.
    pub seconds: Vec<u32>,
    /// Decimetres above the start.
    pub height: Vec<Option<i32>>,
    /// Tenths of km/h.
    pub speed: Vec<Option<i32>>,
    /// Hundredths of a volt.
    pub voltage: Vec<Option<i32>>,
    /// Hundredths of an ampere.
    pub current: Vec<Option<i32>>,
    /// Millionths of a degree.
    pub points: Vec<Option<(i32, i32)>>,
    /// Hundredths of a volt: the pack at rest after the flight, where the log goes on.
    pub rested: Option<i32>,
}

impl Profile {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seconds.is_empty()
    }

    /// Leaves out the voltages.
    pub fn forget_voltage(&mut self) {
        self.voltage.clear();
        self.rested = None;
        let columns = [&self.height, &self.speed, &self.current];
        if self.points.is_empty() && columns.iter().all(|column| column.is_empty()) {
            self.seconds.clear();
        }
    }
}

/// A part of a file that gives no flight, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omitted {
    /// Seconds since 1970 on the clock of the file.
    pub from: Option<i64>,
    pub clock: Clock,
    pub reason: String,
}

/// The reason why a file isn't read to its end.
#[derive(Debug)]
pub enum Fault {
    /// Content that no program wrote; where, counted in lines or records.
    Damaged(u64),
    /// More than a limit of ours.
    TooMuch,
    /// It took too long, or nobody waits any more.
    Stopped,
    Disk(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::TimedOut => Fault::Stopped,
            _ => Fault::Disk(error),
        }
    }
}

/// The outcome of reading a file as far as it can be read.
pub type ReadOutcome = Result<(), Fault>;
