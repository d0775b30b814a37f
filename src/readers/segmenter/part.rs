//! Series of samples without a gap, and the flights in them.

use std::collections::VecDeque;

use super::figures::Position;
use super::run::{DerivedSample, FLYING_SPEED, LiveSensors, Movement, Run};
use crate::samples::{Clock, Metadata, Point, Sample};
use fluglog_base::text;

/// A longer pause, or a step back in time, separates flights.
const GAP_SECONDS: f64 = 60.0;
/// Disarmed for up to this long, the flight continues: turtle mode after a crash.
const PAUSE_SECONDS: f64 = 30.0;
/// A fix needs this many satellites, if their number is known.
const MIN_SATELLITES: f64 = 5.0;
/// A copter flies if it draws more than this many A, moves faster than [`FLYING_SPEED`], or has the throttle above this
/// (−1024 to 1024).
const FLYING_CURRENT: f64 = 3.0;
const FLYING_THROTTLE: f64 = -900.0;
/// Or if it is this far, in m, above or below the altitude at the beginning of its log: a glider flies without a motor.
const FLYING_HEIGHT: f64 = 10.0;
/// Or if it reports this height above take-off in m, however slow it is.
const HOVERING_HEIGHT: f64 = 5.0;
/// A current sensor that never shows this many A isn't connected.
const MIN_CURRENT: f64 = 0.05;
/// A step of this many m at more than this many m/s between two rows is no climb: the altitude comes from another
/// sensor from then on.
const JUMP_METRES: f64 = 30.0;
const JUMP_SPEED: f64 = 30.0;
/// The altitude of the ground is the median of this many rows before the flight.
const GROUND_ROWS: usize = 5;
/// The most flights of one part whose profiles are kept in memory until its end.
const MAX_PROFILES: usize = 200;

pub enum Flights {
    None,
    /// The log has samples, but the copter was never armed.
    Disarmed,
    Some(Vec<Run>, LiveSensors),
}

/// A series of samples without a gap. Which of its runs are flights is decided at its end.
pub struct Part {
    pub metadata: Metadata,
    first_seconds: Option<f64>,
    last_seconds: Option<f64>,
    fix: Option<Position>,
    ground: VecDeque<f64>,
    level: Option<Level>,
    armed_before: Option<bool>,
    was_disarmed: bool,
    knows_movement: bool,
    knows_throttle: bool,
    /// The least and the greatest altitude.
    altitudes: Option<(f64, f64)>,
    armed: Vec<Run>,
    armed_run: Option<Run>,
    moving: Option<Run>,
    throttled: Option<Run>,
    /// While it is high, as long as nothing else shows whether it flies.
    airborne: Option<Run>,
    all: Option<Run>,
}

/// The reference altitude of the ground, and the last altitude with its time.
#[derive(Clone, Copy)]
struct Level {
    ground: f64,
    last: f64,
    seconds: f64,
}

impl Part {
    pub fn new(metadata: Metadata) -> Part {
        Part {
            metadata,
            first_seconds: None,
            last_seconds: None,
            fix: None,
            ground: VecDeque::new(),
            level: None,
            armed_before: None,
            was_disarmed: false,
            knows_movement: false,
            knows_throttle: false,
            altitudes: None,
            armed: Vec::new(),
            armed_run: None,
            moving: None,
            throttled: None,
            airborne: None,
            all: None,
        }
    }

    /// Returns the part that begins with this sample, if the sample follows a gap or a step back in time; `None` if it
    /// belongs to this part.
    pub fn next(&self, sample: &Sample) -> Option<Part> {
        let (last, next) = (self.last_seconds?, sample.seconds?);
        let is_back = next < last;
        let is_apart = is_back || next - last > GAP_SECONDS;
        is_apart.then(|| {
            let mut metadata = self.metadata.clone();
            // A clock that was restarted has another zero.
            metadata.zero = metadata.zero.filter(|_| !is_back);
            Part::new(metadata)
        })
    }

    pub fn take(&mut self, sample: &Sample) {
        self.first_seconds = self.first_seconds.or(sample.seconds);
        self.last_seconds = sample.seconds.or(self.last_seconds);
        let fix = self.fix(sample);
        let level = self.level_below(sample);
        let is_high = level.is_some();
        let armed = sample.armed.or(self.armed_before);
        self.armed_before = armed;
        // A sensor that shows nothing but 0 isn't connected, or is a receiver without a fix.
        let by_movement = sample.amperes.is_some_and(|amperes| amperes.abs() > MIN_CURRENT)
            || sample.speed.is_some_and(|speed| speed > 0.0 || fix.is_some());
        let runs = sample.amperes.is_some_and(|amperes| amperes > FLYING_CURRENT)
            || sample.speed.is_some_and(|speed| speed > FLYING_SPEED);
        // Next to a speed, the altitude comes from GPS, which drifts.
        let is_surely_high = is_high && sample.speed.is_none();
        let moves = runs || is_surely_high;
        let has_throttle = sample.throttle.is_some_and(|throttle| throttle > FLYING_THROTTLE);
        let throttled = has_throttle || is_surely_high;
        let step = DerivedSample {
            sample,
            fix,
            ground: &self.ground,
            level: level.filter(|_| !runs && !has_throttle),
            speed_from_positions: self.metadata.speed_from_positions,
            exchanged: fix
                .filter(|_| self.metadata.may_exchange_coordinates)
                .map(|fix| exchanged(&fix)),
            is_timed: sample.seconds.is_some() || self.metadata.joins_tracks,
        };
        self.knows_movement |= by_movement;
        if self.knows_movement {
            self.throttled = None;
        }
        self.knows_throttle |= sample.throttle.is_some();
        let hovers = sample.height.is_some_and(|height| height > HOVERING_HEIGHT);
        let flies = Movement {
            flies: moves || hovers,
            is_throttled: throttled,
        };
        if let Some(armed) = armed {
            self.was_disarmed |= !armed;
            let paused = self
                .armed_run
                .as_ref()
                .is_some_and(|run| run.pause(sample) > PAUSE_SECONDS);
            if paused && let Some(mut run) = self.armed_run.take() {
                run.end(self.armed.len() < MAX_PROFILES);
                self.armed.push(run);
            }
            Run::follow(&mut self.armed_run, &step, armed, flies);
        }
        // Once a log has reported disarmed, its flights are where it is armed, and nowhere else.
        if !self.was_disarmed {
            if self.metadata.is_continuous {
                Run::follow(&mut self.moving, &step, moves, flies);
                if !self.knows_movement {
                    Run::follow(&mut self.throttled, &step, throttled, flies);
                }
                let airborne = Movement {
                    flies: is_high,
                    ..flies
                };
                match (&self.moving, &self.throttled) {
                    (None, None) => Run::follow(&mut self.airborne, &step, is_high, airborne),
                    _ => self.airborne = None,
                }
            }
            Run::follow(&mut self.all, &step, true, flies);
        }
        self.ground.extend(sample.altitude);
        if self.ground.len() > GROUND_ROWS {
            self.ground.pop_front();
        }
    }

    /// Returns the altitude of the ground for a sample that is far above or below it.
    fn level_below(&mut self, sample: &Sample) -> Option<f64> {
        let height = sample.height.or(sample.altitude)?;
        let (least, most) = self.altitudes.unwrap_or((height, height));
        self.altitudes = Some((least.min(height), most.max(height)));
        let seconds = sample.seconds.unwrap_or_default();
        let before = self.level.unwrap_or(Level {
            ground: height,
            last: height,
            seconds,
        });
        let step = (height - before.last).abs();
        let is_jump = step > JUMP_METRES && step > JUMP_SPEED * (seconds - before.seconds).max(1.0);
        let ground = if is_jump { height } else { before.ground };
        self.level = Some(Level {
            ground,
            last: height,
            seconds,
        });
        ((height - ground).abs() > FLYING_HEIGHT).then_some(ground)
    }

    /// Returns the position of a sample.
    fn fix(&mut self, sample: &Sample) -> Option<Position> {
        let point = sample.point?;
        if sample.satellites.is_some_and(|number| number < MIN_SATELLITES) {
            return None;
        }
        let fix = match self.fix {
            Some(last) if last.point == point => last,
            _ => Position::of(point),
        };
        self.fix = Some(fix);
        Some(fix)
    }

    /// Returns the time of the first sample and the clock that it is on.
    pub fn start(&self) -> (Option<f64>, Clock) {
        self.metadata.moment(self.first_seconds)
    }

    pub fn end(mut self) -> (Metadata, Flights) {
        self.armed.extend(self.armed_run);
        let knows_arming = self.armed_before.is_some();
        let knows_height = self.altitudes.is_some_and(|(least, most)| most - least > FLYING_HEIGHT);
        let live = LiveSensors {
            show_movement: self.knows_movement,
            show_standing: self.knows_movement || self.knows_throttle || knows_height,
        };
        let flights = if self.was_disarmed || (knows_arming && self.metadata.logs_arming) {
            match self.armed.is_empty() {
                true => Flights::Disarmed,
                false => Flights::Some(self.armed, live),
            }
        } else {
            let Some(all) = self.all else {
                return (self.metadata, Flights::None);
            };
            if knows_arming && self.metadata.is_continuous {
                self.metadata.hints.push(text::IMPORT_ARMING_UNKNOWN.to_owned());
            }
            let run = match knows_arming || !self.metadata.is_continuous {
                true => None,
                false => match (self.knows_movement, self.knows_throttle) {
                    (false, true) => self.throttled,
                    _ => self.moving,
                }
                .or(self.airborne),
            };
            Flights::Some(vec![run.unwrap_or(all)], live)
        };
        (self.metadata, flights)
    }
}

/// Returns a position with latitude and longitude exchanged.
fn exchanged(fix: &Position) -> Position {
    Position::of(Point {
        latitude: fix.point.longitude,
        longitude: fix.point.latitude,
    })
}
