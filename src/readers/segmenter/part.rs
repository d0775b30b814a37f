//! Series of samples without a gap, and the flights in them.

use std::collections::VecDeque;

use super::figures::Position;
use super::run::{DerivedSample, FLYING_SPEED, Run};
use crate::samples::{Clock, Metadata, Sample};
use fluglog_base::text;

/// A longer pause, or a step back in time, separates flights.
const GAP_SECONDS: f64 = 60.0;
/// Disarmed for up to this long, the flight continues: turtle mode after a crash.
const PAUSE_SECONDS: f64 = 30.0;
/// A fix needs this many satellites, if their number is known.
const SATELLITES_LEAST: f64 = 5.0;
/// m/s; no copter is faster. A position farther away is a glitch.
const FASTEST: f64 = 150.0;
/// A copter flies if it draws more than this many A, moves faster than [`FLYING_SPEED`], or has the throttle above this
/// (−1024 to 1024).
const FLYING_CURRENT: f64 = 3.0;
const FLYING_THROTTLE: f64 = -900.0;
/// Or if it is this far, in m, above or below the altitude at the beginning of its log: a glider flies without a motor.
const FLYING_HEIGHT: f64 = 10.0;
/// Or if it reports this height above take-off in m, however slow it is.
const HOVERING_HEIGHT: f64 = 5.0;
/// A step of this many m at more than this many m/s between two rows is no climb: the altitude comes from another
/// sensor from then on.
const JUMP_METRES: f64 = 30.0;
const JUMP_SPEED: f64 = 30.0;
/// The altitude of the ground is the median of this many rows before the flight.
const GROUND_ROWS: usize = 5;
/// The most flights of one part whose profiles are kept in memory until its end.
const PROFILES_MOST: usize = 200;

pub enum Flights {
    None,
    /// The log has samples, but the copter was never armed.
    Disarmed,
    Some(Vec<Run>),
}

/// A series of samples without a gap. Which of its runs are flights is decided at its end.
pub struct Part {
    pub metadata: Metadata,
    first_seconds: Option<f64>,
    last_seconds: Option<f64>,
    fix: Option<(Position, f64)>,
    ground: VecDeque<f64>,
    level: Option<Level>,
    armed_before: Option<bool>,
    was_disarmed: bool,
    knows_movement: bool,
    knows_throttle: bool,
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
        let by_movement = sample.amperes.is_some() || sample.speed.is_some();
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
        };
        self.knows_movement |= by_movement;
        self.knows_throttle |= sample.throttle.is_some();
        let hovers = sample.height.is_some_and(|height| height > HOVERING_HEIGHT);
        let flies = moves || hovers || (throttled && !self.knows_movement);
        if let Some(armed) = armed {
            self.was_disarmed |= !armed;
            let paused = self
                .armed_run
                .as_ref()
                .is_some_and(|run| run.pause(sample) > PAUSE_SECONDS);
            if paused && let Some(mut run) = self.armed_run.take() {
                run.end(self.armed.len() < PROFILES_MOST);
                self.armed.push(run);
            }
            Run::follow(&mut self.armed_run, &step, armed, flies);
        }
        // Once a log has reported disarmed, its flights are where it is armed, and nowhere else.
        if !self.was_disarmed {
            if self.metadata.is_continuous {
                Run::follow(&mut self.moving, &step, moves, moves);
                if !self.knows_movement {
                    Run::follow(&mut self.throttled, &step, throttled, throttled);
                }
                match (&self.moving, &self.throttled) {
                    (None, None) => Run::follow(&mut self.airborne, &step, is_high, is_high),
                    _ => self.airborne = None,
                }
            }
            Run::follow(&mut self.all, &step, true, flies);
        }
        if let Some(altitude) = sample.altitude {
            if self.ground.len() == GROUND_ROWS {
                self.ground.pop_front();
            }
            self.ground.push_back(altitude);
        }
    }

    /// Returns the altitude of the ground for a sample that is far above or below it.
    fn level_below(&mut self, sample: &Sample) -> Option<f64> {
        let height = sample.height.or(sample.altitude)?;
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

    /// Returns the position of a sample, if the copter can have reached it.
    fn fix(&mut self, sample: &Sample) -> Option<Position> {
        let point = sample.point?;
        if sample.satellites.is_some_and(|number| number < SATELLITES_LEAST) {
            return None;
        }
        let seconds = sample.seconds.unwrap_or_default();
        let place = match self.fix {
            Some((last, _)) if last.point == point => last,
            _ => Position::of(point),
        };
        if let (Some((last, since)), true) = (self.fix, sample.seconds.is_some() || self.metadata.joins_tracks)
            && last.chord_squared(&place) > (FASTEST * (seconds - since).max(1.0)).powi(2)
        {
            return None;
        }
        self.fix = Some((place, seconds));
        Some(place)
    }

    /// Returns the time of the first sample and the clock that it is on.
    pub fn start(&self) -> (Option<f64>, Clock) {
        self.metadata.moment(self.first_seconds)
    }

    pub fn end(mut self) -> (Metadata, Flights) {
        self.armed.extend(self.armed_run);
        let knows_arming = self.armed_before.is_some();
        let flights = if self.was_disarmed || (knows_arming && self.metadata.logs_arming) {
            match self.armed.is_empty() {
                true => Flights::Disarmed,
                false => Flights::Some(self.armed),
            }
        } else {
            let Some(all) = self.all else {
                return (self.metadata, Flights::None);
            };
            if knows_arming && self.metadata.is_continuous {
                self.metadata.hints.push(text::IMPORT_ARMING_UNKNOWN.to_owned());
            }
            Flights::Some(vec![match knows_arming || !self.metadata.is_continuous {
                true => all,
                false => {
                    let run = match (self.knows_movement, self.knows_throttle) {
                        (false, true) => self.throttled,
                        _ => self.moving,
                    };
                    let run = run.or(self.airborne);
                    let is_known = self.knows_movement || self.knows_throttle;
                    run.unwrap_or_else(|| all.without_movement(is_known))
                }
            }])
        };
        (self.metadata, flights)
    }
}
