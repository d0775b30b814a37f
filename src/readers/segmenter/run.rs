//! The samples of one flight, summed up as they come.

use std::collections::VecDeque;

use super::figures::{Position, max_known, median};
use super::plausible::MAX_SPEED;
use super::ways::{Flown, Ways};
use crate::profile::{self, Values};
use crate::samples::{Figures, FoundFlight, Metadata, Mode, Profile, Sample};
use fluglog_base::text;

/// The voltages at start and end are the median of this many seconds, and of at most this many values.
const VOLTAGE_SECONDS: f64 = 3.0;
const MAX_VOLTAGES: usize = 256;
/// A pack recovers for this many seconds after the load is removed, before its voltage is a resting voltage; the median
/// needs at least this many values.
const RECOVERY_SECONDS: f64 = 5.0;
const MIN_RESTED: usize = 3;
/// km/h; whatever is faster flies.
pub(crate) const FLYING_SPEED: f64 = 8.0;
/// m: a larger step of the altitude together with one of the position comes from a receiver that only now has a fix.
const ALTITUDE_STEP: f64 = 30.0;
/// A speed holds for at most this many seconds.
const SPEED_SECONDS: f64 = 5.0;

/// A sample with what was derived from it, as each run gets it.
pub(crate) struct DerivedSample<'s> {
    pub sample: &'s Sample,
    pub fix: Option<Position>,
    /// The fix with exchanged coordinates, for logs that may have them in either order.
    pub exchanged: Option<Position>,
    /// The last altitudes before the sample.
    pub ground: &'s VecDeque<f64>,
    /// The altitude of the ground, if it is known better than from those.
    pub level: Option<f64>,
    pub speed_from_positions: bool,
    /// Whether the time of the sample shows which fixes can be reached.
    pub is_timed: bool,
}

/// Evidence from a sample for the copter's movement.
#[derive(Clone, Copy)]
pub(crate) struct Movement {
    pub flies: bool,
    /// Only the throttle shows it: this counts if no live sensor shows movements.
    pub is_throttled: bool,
}

/// Evidence from the sensors of a part for its movements.
#[derive(Clone, Copy)]
pub(crate) struct LiveSensors {
    pub show_movement: bool,
    pub show_standing: bool,
}

/// Sums of a flight up to some sample.
#[derive(Clone, Copy, Default)]
struct Sums {
    first_seconds: Option<f64>,
    last_seconds: Option<f64>,
    from_home: Option<f64>,
    speed: Option<f64>,
    /// m by the speeds of the samples with a fix.
    speed_metres: f64,
    height: Option<f64>,
    altitude: Option<f64>,
    ground: Option<f64>,
    consumed: Option<Consumed>,
    has_moved: bool,
    has_throttled: bool,
    /// Rows in each of [`Mode::ALL`].
    modes: [u32; Mode::ALL.len()],
}

#[derive(Clone, Copy)]
struct Consumed {
    /// Total of the counter's earlier runs, before its resets.
    before: f64,
    from: f64,
    to: f64,
}

/// Voltages at the start of a flight and at its end so far, with their times: those of the most reliable sensor so far.
#[derive(Default)]
struct Volts {
    rank: u8,
    first: Vec<f64>,
    from: Option<f64>,
    last: VecDeque<(f64, f64)>,
    waiting: VecDeque<(f64, f64)>,
}

/// A possible flight, from its first to its last active sample. Later samples are added, too, since they may still
/// belong to it; `settled` is the state without them.
pub(crate) struct Run {
    now: Sums,
    /// The sums up to the last active sample, while inactive samples follow.
    settled: Option<Sums>,
    volts: Volts,
    ways: Ways,
    exchanged_ways: Ways,
    profile: profile::ProfileBuilder,
}

impl Volts {
    /// Adds a voltage. Returns whether it is accepted, and whether it comes from a more reliable sensor than the
    /// voltages before, which it invalidates.
    fn add_voltage(&mut self, volts: f64, rank: u8, seconds: f64) -> (bool, bool) {
        let is_first = self.from.is_none();
        let is_more_reliable = !is_first && rank < self.rank;
        if is_first || is_more_reliable {
            *self = Volts {
                rank,
                from: Some(seconds),
                ..Volts::default()
            };
        }
        if rank > self.rank {
            return (false, false);
        }
        let from = self.from.unwrap_or(seconds);
        if seconds - from <= VOLTAGE_SECONDS && self.first.len() < MAX_VOLTAGES {
            self.first.push(volts);
        }
        if self.waiting.len() == MAX_VOLTAGES {
            self.waiting.pop_front();
        }
        self.waiting.push_back((seconds, volts));
        (true, is_more_reliable)
    }

    /// Returns the resting voltage after the flight; `None` if the log ends too early or the voltage is that of another
    /// pack.
    fn resting_voltage(&self) -> Option<f64> {
        let (end, start) = (self.last.back()?.0, median(self.first.iter().copied())?);
        let is_rested = |(seconds, _): &&(f64, f64)| seconds - end >= RECOVERY_SECONDS;
        let values: Vec<_> = self.waiting.iter().filter(is_rested).map(|(_, volts)| *volts).collect();
        let landed = median(self.last.iter().map(|(_, volts)| *volts))?;
        let is_same_pack = |volts: &f64| (landed..=start).contains(volts);
        median(values.iter().copied()).filter(|volts| values.len() >= MIN_RESTED && is_same_pack(volts))
    }

    /// Counts the waiting voltages as part of the flight.
    fn commit_waiting(&mut self) {
        // Usually one element: popping it is faster than `append`.
        while let Some(volts) = self.waiting.pop_front() {
            self.last.push_back(volts);
        }
        let Some((end, _)) = self.last.back().copied() else {
            return;
        };
        let is_early = |(seconds, _): &(f64, f64)| end - seconds > VOLTAGE_SECONDS;
        while self.last.len() > MAX_VOLTAGES || self.last.front().is_some_and(is_early) {
            self.last.pop_front();
        }
    }
}

impl Run {
    /// Adds a sample to a run. An active sample begins one.
    pub(crate) fn follow(run: &mut Option<Run>, step: &DerivedSample<'_>, is_active: bool, movement: Movement) {
        if run.is_none() && is_active {
            *run = Some(Run::begin(step));
        }
        if let Some(run) = run {
            if is_active {
                run.settled = None;
                run.ways.resume();
                run.exchanged_ways.resume();
            } else if run.settled.is_none() {
                run.settled = Some(run.now);
                run.ways.settle();
                run.exchanged_ways.settle();
            }
            run.add(step, movement);
            if is_active {
                run.volts.commit_waiting();
            }
        }
    }

    fn begin(step: &DerivedSample<'_>) -> Run {
        Run {
            now: Sums {
                ground: step.level.or_else(|| median(step.ground.iter().copied())),
                ..Sums::default()
            },
            settled: None,
            volts: Volts::default(),
            ways: Ways::default(),
            exchanged_ways: Ways::default(),
            profile: profile::ProfileBuilder::default(),
        }
    }

    /// Returns the seconds since the last active sample.
    pub fn pause(&self, sample: &Sample) -> f64 {
        let settled = self.settled.as_ref().unwrap_or(&self.now);
        match (settled.last_seconds, sample.seconds) {
            (Some(last), Some(now)) => now - last,
            _ => 0.0,
        }
    }

    fn add(&mut self, step: &DerivedSample<'_>, movement: Movement) {
        let DerivedSample { sample, fix, .. } = step;
        let sums = &mut self.now;
        sums.first_seconds = sums.first_seconds.or(sample.seconds);
        let last_seconds = sums.last_seconds;
        sums.last_seconds = sample.seconds.or(last_seconds);
        let mut speed = sample.speed;
        let mut way = 0;
        if let Some(place) = fix {
            let timed = step.is_timed.then_some(sample.seconds.unwrap_or_default());
            let follows_unmoved;
            (way, follows_unmoved) = self.ways.add(place, timed);
            if let Some(exchanged) = &step.exchanged {
                self.exchanged_ways.add(exchanged, timed);
            }
            if step.speed_from_positions && sample.speed.is_none() {
                speed = self.ways.time_fix(sample.seconds);
            }
            if follows_unmoved {
                sums.begin_altitude(sample.altitude, step.ground.back());
            }
            if let (Some(last), Some(now), Some(speed)) = (last_seconds, sample.seconds, sample.speed) {
                sums.speed_metres += speed / 3.6 * (now - last).clamp(0.0, SPEED_SECONDS);
            }
        }
        let speed_of_points = self.ways.speed();
        sums.has_moved |= movement.flies || speed_of_points.is_some_and(|speed| speed > FLYING_SPEED);
        sums.has_throttled |= movement.is_throttled;
        sums.speed = max_known(sums.speed, sample.speed);
        sums.height = max_known(sums.height, sample.height);
        sums.altitude = max_known(sums.altitude, sample.altitude);
        sums.ground = sums.ground.or(sample.altitude);
        sums.from_home = max_known(sums.from_home, sample.home_distance.filter(|metres| *metres > 0.0));
        if let Some(mode) = sample.mode
            && let Some(rows) = sums.modes.get_mut(mode as usize)
        {
            *rows += 1;
        }
        if let Some(value) = sample.consumed {
            sums.consume(value);
        }
        let (mut volts_count, mut is_more_reliable) = (false, false);
        if let Some(volts) = sample.volts.filter(|volts| *volts > 0.0) {
            let seconds = sample.seconds.unwrap_or_default();
            (volts_count, is_more_reliable) = self.volts.add_voltage(volts, sample.sensor_rank, seconds);
        }
        if is_more_reliable {
            self.profile.remove_voltage();
        }
        let values = Values {
            height: sums.height_over_start(sample),
            speed,
            volts: sample.volts.filter(|_| volts_count),
            amperes: sample.amperes,
            point: fix.map(|place| place.point),
            way,
        };
        self.add_to_profile(sample, &values);
    }

    /// Adds the values of a sample with a time to the profile.
    fn add_to_profile(&mut self, sample: &Sample, values: &Values) {
        let (Some(first), Some(seconds)) = (self.now.first_seconds, sample.seconds) else {
            return;
        };
        let settled = self.settled.as_ref().and_then(|sums| sums.last_seconds);
        self.profile
            .push(seconds - first, values, settled.map(|settled| settled - first));
    }

    /// Frees memory that a finished run doesn't need; without `keeps_profile` its profile is dropped.
    pub fn end(&mut self, keeps_profile: bool) {
        self.ways.end();
        self.exchanged_ways.end();
        match keeps_profile {
            true => self.profile.shrink(),
            false => self.profile = profile::ProfileBuilder::default(),
        }
    }

    pub fn found(self, mut metadata: Metadata, live: LiveSensors) -> FoundFlight {
        let sums = self.settled.unwrap_or(self.now);
        let (start, clock) = metadata.moment(sums.first_seconds);
        metadata.clock = clock;
        let height = match (sums.height, sums.altitude, sums.ground) {
            (Some(height), ..) => Some(height.max(0.0)),
            (None, Some(altitude), Some(ground)) => Some((altitude - ground).max(0.0)),
            _ => None,
        };
        let duration = match (sums.first_seconds, sums.last_seconds) {
            (Some(first), Some(last)) => Some(last - first),
            _ => None,
        };
        let resting_voltage = self.volts.resting_voltage();
        let flown = self.ways.flown();
        let number = flown.as_ref().map(|flown| flown.number);
        let exchanged = self.exchanged_ways.flown().filter(|exchanged| {
            let is_right = |read| exchanged.is_right_instead_of(read, sums.speed_metres);
            flown.as_ref().is_some_and(is_right)
        });
        let is_exchanged = exchanged.is_some();
        if is_exchanged {
            metadata.hints.push(text::IMPORT_COORDINATES_EXCHANGED.to_owned());
        }
        let flown = exchanged.or(flown);
        let way = flown.as_ref().map(|flown| flown.sums).unwrap_or_default();
        let farthest = flown.as_ref().map(Flown::farthest);
        let has_moved = sums.has_moved || (!live.show_movement && sums.has_throttled);
        FoundFlight {
            start,
            duration,
            figures: Figures {
                start_point: way.start.map(|place| place.point),
                end_point: way.end.map(|place| place.point),
                height,
                distance: flown.as_ref().map(|_| way.metres / 1000.0),
                farthest: sums.from_home.or(farthest),
                speed: sums.speed.or(way.speed.filter(|speed| *speed <= MAX_SPEED)),
                start_volts: median(self.volts.first),
                end_volts: median(self.volts.last.iter().map(|(_, volts)| *volts)),
                mode: sums.mode(),
                consumed: sums
                    .consumed
                    .map(|consumed| consumed.before + consumed.to - consumed.from),
            },
            is_motionless: (live.show_standing || way.speed.is_some()) && !has_moved,
            track: flown.map(Flown::track).unwrap_or_default(),
            profile: Profile {
                resting_voltage: resting_voltage.map(hundredths),
                ..self
                    .profile
                    .along(number, is_exchanged)
                    .downsampled(duration.unwrap_or_default())
            },
            metadata,
            ..FoundFlight::default()
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "no pack has so many volts")]
fn hundredths(volts: f64) -> i32 {
    (volts * 100.0).round() as i32
}

impl Sums {
    /// Begins the altitudes anew if they, too, came from the place before.
    fn begin_altitude(&mut self, altitude: Option<f64>, before: Option<&f64>) {
        if let (Some(altitude), Some(before)) = (altitude, before)
            && (altitude - before).abs() > ALTITUDE_STEP
        {
            (self.ground, self.altitude) = (Some(altitude), None);
        }
    }

    fn mode(&self) -> Option<Mode> {
        let values = Mode::ALL.into_iter().zip(self.modes).filter(|(_, rows)| *rows > 0);
        values.max_by_key(|(_, rows)| *rows).map(|(mode, _)| mode)
    }

    fn height_over_start(&self, sample: &Sample) -> Option<f64> {
        match self.height {
            Some(_) => sample.height,
            None => Some(sample.altitude? - self.ground?),
        }
    }

    /// Reads the counter of consumed charge. If it falls below half, it was reset.
    fn consume(&mut self, value: f64) {
        let consumed = self.consumed.get_or_insert(Consumed {
            before: 0.0,
            from: value,
            to: value,
        });
        if value < consumed.to / 2.0 {
            consumed.before += consumed.to - consumed.from;
            consumed.from = value;
        }
        consumed.to = value;
    }
}
