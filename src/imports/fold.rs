//! From samples to flights, one sample at a time: memory doesn't grow with the file.

use std::collections::VecDeque;

use super::samples::{About, Clock, Fault, Figures, Found, Omitted, Point, Reading, Sample};
use super::track;
use crate::base::text;

/// Rows of one file.
const ROWS_MOST: u64 = 5_000_000;
/// Flights and omitted parts of one file; more are counted only.
pub const FLIGHTS_MOST: usize = 200;
const OMITTED_MOST: usize = 50;
/// A longer pause, or a step back, is between two flights.
const GAP_SECONDS: f64 = 60.0;
/// Disarmed for this long within one flight: turtle mode, a crash flip.
const PAUSE_SECONDS: f64 = 30.0;
/// A fix needs so many satellites, where their number is known.
const SATELLITES_LEAST: f64 = 5.0;
/// No closer to 0° N 0° E, in degrees: there are no values there, but no pilots.
const NOWHERE_DEGREES: f64 = 0.0001;
/// No copter is faster, m/s.
const FASTEST: f64 = 150.0;
/// A fix counts when it is so far from the last one that did, in m: hovering isn't flying.
const STEP_METRES: f64 = 5.0;
/// km/h
const SPEED_MOST: f64 = 400.0;
/// A; above it is a glitch.
const CURRENT_MOST: f64 = 500.0;
/// m above or below anything that is flown from.
const HEIGHT_MOST: f64 = 20_000.0;
/// V
const VOLTS_MOST: f64 = 100.0;
/// mAh
const CONSUMED_MOST: f64 = 500_000.0;
/// m
const HOME_DISTANCE_MOST: f64 = 100_000.0;
/// Something flies when it draws so much (A), moves so fast (km/h), or the throttle stands so high (of −1024 to 1024).
const FLYING_CURRENT: f64 = 3.0;
const FLYING_SPEED: f64 = 8.0;
const FLYING_THROTTLE: f64 = -900.0;
/// Voltages at start and end are the median of so many seconds, and of so many values at most.
const VOLTAGE_SECONDS: f64 = 3.0;
const VOLTAGES_MOST: usize = 256;
/// The level of the ground is the median of so many rows before the flight.
const GROUND_ROWS: usize = 5;

/// Makes flights of samples.
#[derive(Default)]
pub struct Fold {
    part: Option<Part>,
    rows: u64,
    found: Vec<Found>,
    surplus: usize,
    omitted: Vec<Omitted>,
    untimed: u64,
}

/// Everything that a file gave.
#[derive(Debug, Default)]
pub struct Outcome {
    pub found: Vec<Found>,
    /// Flights over [`FLIGHTS_MOST`].
    pub surplus: usize,
    pub omitted: Vec<Omitted>,
    /// Rows without a valid time.
    pub untimed: u64,
}

impl Fold {
    /// Begins what belongs together: samples of another log, another track.
    pub fn begin(&mut self, about: About) {
        self.end_part();
        self.part = Some(Part::new(about));
    }

    /// Takes the next sample of what was begun.
    ///
    /// # Errors
    /// [`Fault::TooMuch`] after 5 million rows.
    pub fn sample(&mut self, sample: &Sample) -> Reading {
        self.count_row()?;
        let sample = plausible(sample);
        let Some(part) = &mut self.part else { return Ok(()) };
        if part.is_apart(&sample) {
            let mut about = part.about.clone();
            about.date_of_name = part.named_time(sample.seconds);
            self.begin(about);
        }
        if let Some(part) = &mut self.part {
            part.take(&sample);
        }
        Ok(())
    }

    /// Changes what is known about the samples that follow and came since [`Fold::begin`].
    pub fn about(&mut self) -> Option<&mut About> {
        self.part.as_mut().map(|part| &mut part.about)
    }

    /// Takes a flight of which the file knows the figures alone.
    pub fn flight(&mut self, mut found: Found) {
        if self.found.len() == FLIGHTS_MOST {
            self.surplus += 1;
            return;
        }
        found.figures = plausible_figures(found.figures);
        found.start = found.start.filter(|start| start.is_finite() && start.abs() < 1e11);
        found.duration = found.duration.filter(|seconds| (0.0..=1e6).contains(seconds));
        self.found.push(found);
    }

    /// Counts a row that gives no sample, because its time can't be read.
    ///
    /// # Errors
    /// As [`Fold::sample`].
    pub fn untimed(&mut self) -> Reading {
        self.untimed += 1;
        self.count_row()
    }

    /// Counts a row that says nothing about a flight.
    ///
    /// # Errors
    /// As [`Fold::sample`].
    pub fn count_row(&mut self) -> Reading {
        self.rows += 1;
        match self.rows {
            ..=ROWS_MOST => Ok(()),
            _ => Err(Fault::TooMuch),
        }
    }

    /// Rows until now.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Notes a part that gives no flight.
    pub fn omit(&mut self, omitted: Omitted) {
        if self.omitted.len() < OMITTED_MOST {
            self.omitted.push(omitted);
        }
    }

    /// The flights of everything that came.
    pub fn finish(mut self) -> Outcome {
        self.end_part();
        Outcome {
            found: self.found,
            surplus: self.surplus,
            omitted: self.omitted,
            untimed: self.untimed,
        }
    }

    fn end_part(&mut self) {
        let Some(part) = self.part.take() else { return };
        let from = part.first_seconds;
        let named = |seconds: Option<f64>, about: &About| Some(about.date_of_name? + seconds? - from?);
        let (about, flights) = part.end();
        let clock = about.clock;
        match flights {
            Flights::None => {}
            Flights::Disarmed => self.omit(Omitted {
                from: whole(from),
                clock,
                reason: text::IMPORT_NEVER_ARMED.to_owned(),
            }),
            Flights::Some(runs) => {
                for run in runs {
                    let start = named(run.sure.first_seconds, &about);
                    let mut found = run.found(about.clone());
                    if let (None, Some(start)) = (found.start, start) {
                        found.start = Some(start);
                        found.about.clock = Clock::Local;
                    }
                    self.flight(found);
                }
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float is cut to the nearest whole number there is"
)]
fn whole(seconds: Option<f64>) -> Option<i64> {
    seconds.map(|seconds| seconds as i64)
}

/// Without values that no copter reaches.
fn plausible(sample: &Sample) -> Sample {
    let within = |value: Option<f64>, least: f64, most: f64| value.filter(|value| (least..=most).contains(value));
    Sample {
        seconds: within(sample.seconds, -1e11, 1e11),
        point: sample.point.filter(|point| is_somewhere(*point)),
        satellites: sample.satellites,
        height: within(sample.height, -HEIGHT_MOST, HEIGHT_MOST),
        altitude: within(sample.altitude, -HEIGHT_MOST, HEIGHT_MOST),
        speed: within(sample.speed, 0.0, SPEED_MOST),
        volts: within(sample.volts, 0.0, VOLTS_MOST),
        consumed: within(sample.consumed, 0.0, CONSUMED_MOST),
        amperes: within(sample.amperes, -CURRENT_MOST, CURRENT_MOST),
        throttle: sample.throttle.filter(|throttle| throttle.is_finite()),
        armed: sample.armed,
        home_distance: within(sample.home_distance, 0.0, HOME_DISTANCE_MOST),
    }
}

fn plausible_figures(figures: Figures) -> Figures {
    let within = |value: Option<f64>, most: f64| value.filter(|value| (0.0..=most).contains(value));
    Figures {
        start_point: figures.start_point.filter(|point| is_somewhere(*point)),
        end_point: figures.end_point.filter(|point| is_somewhere(*point)),
        height: within(figures.height, HEIGHT_MOST),
        distance: within(figures.distance, 10_000.0),
        farthest: within(figures.farthest, HOME_DISTANCE_MOST),
        speed: within(figures.speed, SPEED_MOST),
        start_volts: within(figures.start_volts, VOLTS_MOST),
        end_volts: within(figures.end_volts, VOLTS_MOST),
        consumed: within(figures.consumed, CONSUMED_MOST),
    }
}

fn is_somewhere(Point { latitude, longitude }: Point) -> bool {
    let in_range = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
    in_range && !(latitude.abs() < NOWHERE_DEGREES && longitude.abs() < NOWHERE_DEGREES)
}

/// The flights of one part.
enum Flights {
    None,
    /// It was logged, but nothing was ever armed.
    Disarmed,
    Some(Vec<Run>),
}

/// Samples without a gap between them. Which of its runs are the flights is known at its end only.
struct Part {
    about: About,
    first_seconds: Option<f64>,
    last_seconds: Option<f64>,
    fix: Option<(Point, f64)>,
    ground: VecDeque<f64>,
    armed_before: Option<bool>,
    was_disarmed: bool,
    knows_movement: bool,
    knows_throttle: bool,
    armed: Vec<Run>,
    armed_run: Option<Run>,
    moving: Option<Run>,
    throttled: Option<Run>,
    all: Option<Run>,
}

impl Part {
    fn new(about: About) -> Part {
        Part {
            about,
            first_seconds: None,
            last_seconds: None,
            fix: None,
            ground: VecDeque::new(),
            armed_before: None,
            was_disarmed: false,
            knows_movement: false,
            knows_throttle: false,
            armed: Vec::new(),
            armed_run: None,
            moving: None,
            throttled: None,
            all: None,
        }
    }

    /// Whether a sample is after a gap or a step back.
    fn is_apart(&self, sample: &Sample) -> bool {
        match (self.last_seconds, sample.seconds) {
            (Some(last), Some(next)) => next < last || next - last > GAP_SECONDS,
            _ => false,
        }
    }

    /// The time on the pilot's clock of a moment after the part's first, where the name of the file tells when that was.
    fn named_time(&self, seconds: Option<f64>) -> Option<f64> {
        let passed = seconds? - self.first_seconds?;
        (passed >= 0.0).then(|| self.about.date_of_name.map(|begin| begin + passed))?
    }

    fn take(&mut self, sample: &Sample) {
        self.first_seconds = self.first_seconds.or(sample.seconds);
        self.last_seconds = sample.seconds.or(self.last_seconds);
        let fix = self.fix(sample);
        let step = Step {
            sample,
            fix,
            ground: median(self.ground.make_contiguous()),
            speed_from_positions: self.about.speed_from_positions,
        };
        let armed = sample.armed.or(self.armed_before);
        self.armed_before = armed;
        let by_movement = sample.amperes.is_some() || sample.speed.is_some();
        let moves = sample.amperes.is_some_and(|amperes| amperes > FLYING_CURRENT)
            || sample.speed.is_some_and(|speed| speed > FLYING_SPEED);
        let throttled = sample.throttle.is_some_and(|throttle| throttle > FLYING_THROTTLE);
        self.knows_movement |= by_movement;
        self.knows_throttle |= sample.throttle.is_some();
        let flies = moves || (throttled && !self.knows_movement);
        if self.about.is_continuous {
            Run::follow(&mut self.moving, &step, moves, moves);
            if !self.knows_movement {
                Run::follow(&mut self.throttled, &step, throttled, throttled);
            }
        }
        if let Some(armed) = armed {
            self.was_disarmed |= !armed;
            let paused = self
                .armed_run
                .as_ref()
                .is_some_and(|run| run.pause(sample) > PAUSE_SECONDS);
            if paused {
                self.armed.extend(self.armed_run.take());
            }
            Run::follow(&mut self.armed_run, &step, armed, flies);
        }
        Run::follow(&mut self.all, &step, true, flies);
        if let Some(altitude) = sample.altitude {
            if self.ground.len() == GROUND_ROWS {
                self.ground.pop_front();
            }
            self.ground.push_back(altitude);
        }
    }

    /// The position of a sample, if it is one that the copter can have reached.
    fn fix(&mut self, sample: &Sample) -> Option<Point> {
        let point = sample.point?;
        if sample.satellites.is_some_and(|number| number < SATELLITES_LEAST) {
            return None;
        }
        let seconds = sample.seconds.unwrap_or_default();
        if let (Some((last, since)), true) = (self.fix, sample.seconds.is_some() || self.about.is_joined)
            && last != point
            && metres(last, point) > FASTEST * (seconds - since).max(1.0)
        {
            return None;
        }
        self.fix = Some((point, seconds));
        Some(point)
    }

    fn end(mut self) -> (About, Flights) {
        let Some(all) = self.all else {
            return (self.about, Flights::None);
        };
        self.armed.extend(self.armed_run);
        let knows_arming = self.armed_before.is_some();
        let flights = if self.was_disarmed {
            match self.armed.is_empty() {
                true => Flights::Disarmed,
                false => Flights::Some(self.armed),
            }
        } else if knows_arming || !self.about.is_continuous {
            if knows_arming && self.about.is_continuous {
                self.about.hints.push(text::IMPORT_ARMING_UNKNOWN.to_owned());
            }
            Flights::Some(vec![all])
        } else {
            let run = match (self.knows_movement, self.knows_throttle) {
                (true, _) => self.moving,
                (false, true) => self.throttled,
                (false, false) => None,
            };
            let is_known = self.knows_movement || self.knows_throttle;
            Flights::Some(vec![run.unwrap_or(Run { is_known, ..all })])
        };
        (self.about, flights)
    }
}

/// One sample as every run sees it.
struct Step<'s> {
    sample: &'s Sample,
    fix: Option<Point>,
    ground: Option<f64>,
    speed_from_positions: bool,
}

/// Sums of a flight until some sample.
#[derive(Clone, Copy, Default)]
struct Sums {
    first_seconds: Option<f64>,
    last_seconds: Option<f64>,
    start: Option<Point>,
    end: Option<Point>,
    kept: Option<Point>,
    metres: f64,
    farthest: f64,
    from_home: Option<f64>,
    speed: Option<f64>,
    timed_point: Option<(Point, f64)>,
    speed_of_points: Option<f64>,
    height: Option<f64>,
    altitude: Option<f64>,
    ground: Option<f64>,
    consumed: Option<Consumed>,
    has_moved: bool,
}

#[derive(Clone, Copy)]
struct Consumed {
    /// Of the counter's runs that are over.
    before: f64,
    from: f64,
    to: f64,
}

/// A flight in the making: from its first active sample to its last one. What came after that may still belong to it.
struct Run {
    now: Sums,
    /// Until the last active sample.
    sure: Sums,
    first_volts: Vec<f64>,
    volts_from: Option<f64>,
    last_volts: VecDeque<(f64, f64)>,
    waiting_volts: VecDeque<(f64, f64)>,
    track: track::Growing,
    sure_points: usize,
    /// Whether there is anything that says if it moves.
    is_known: bool,
}

impl Run {
    /// Adds a sample to a run, which an active one begins.
    fn follow(run: &mut Option<Run>, step: &Step<'_>, is_active: bool, flies: bool) {
        if run.is_none() && is_active {
            *run = Some(Run::begin(step));
        }
        if let Some(run) = run {
            run.add(step, flies);
            if is_active {
                run.settle();
            }
        }
    }

    fn begin(step: &Step<'_>) -> Run {
        Run {
            now: Sums {
                ground: step.ground,
                ..Sums::default()
            },
            sure: Sums::default(),
            first_volts: Vec::new(),
            volts_from: None,
            last_volts: VecDeque::new(),
            waiting_volts: VecDeque::new(),
            track: track::Growing::default(),
            sure_points: 0,
            is_known: false,
        }
    }

    /// Seconds since the last active sample.
    fn pause(&self, sample: &Sample) -> f64 {
        match (self.sure.last_seconds, sample.seconds) {
            (Some(last), Some(now)) => now - last,
            _ => 0.0,
        }
    }

    fn add(&mut self, step: &Step<'_>, flies: bool) {
        let Step { sample, fix, .. } = step;
        let sums = &mut self.now;
        sums.first_seconds = sums.first_seconds.or(sample.seconds);
        sums.last_seconds = sample.seconds.or(sums.last_seconds);
        if let Some(point) = *fix {
            if sums.end != Some(point) {
                sums.move_to(point, &mut self.track);
            }
            if step.speed_from_positions && sample.speed.is_none() {
                sums.time_point(point, sample.seconds);
            }
        }
        self.is_known |= sample.amperes.is_some()
            || sample.throttle.is_some()
            || sample.speed.is_some()
            || sums.speed_of_points.is_some();
        sums.has_moved |= flies || sums.speed_of_points.is_some_and(|speed| speed > FLYING_SPEED);
        sums.speed = most(sums.speed, sample.speed);
        sums.height = most(sums.height, sample.height);
        sums.altitude = most(sums.altitude, sample.altitude);
        sums.ground = sums.ground.or(sample.altitude);
        sums.from_home = most(sums.from_home, sample.home_distance.filter(|metres| *metres > 0.0));
        if let Some(value) = sample.consumed {
            sums.consume(value);
        }
        if let Some(volts) = sample.volts.filter(|volts| *volts > 0.0) {
            self.note_volts(volts, sample.seconds.unwrap_or_default());
        }
    }

    fn note_volts(&mut self, volts: f64, seconds: f64) {
        let from = *self.volts_from.get_or_insert(seconds);
        if seconds - from <= VOLTAGE_SECONDS && self.first_volts.len() < VOLTAGES_MOST {
            self.first_volts.push(volts);
        }
        if self.waiting_volts.len() == VOLTAGES_MOST {
            self.waiting_volts.pop_front();
        }
        self.waiting_volts.push_back((seconds, volts));
    }

    /// The sample that was added last belongs to the flight.
    fn settle(&mut self) {
        self.sure = self.now;
        self.sure_points = self.track.len();
        self.last_volts.append(&mut self.waiting_volts);
        let Some((end, _)) = self.last_volts.back().copied() else {
            return;
        };
        while self.last_volts.len() > VOLTAGES_MOST
            || self
                .last_volts
                .front()
                .is_some_and(|(seconds, _)| end - seconds > VOLTAGE_SECONDS)
        {
            self.last_volts.pop_front();
        }
    }

    fn found(mut self, about: About) -> Found {
        let sums = self.sure;
        let mut last: Vec<f64> = self.last_volts.iter().map(|(_, volts)| *volts).collect();
        let height = match (sums.height, sums.altitude, sums.ground) {
            (Some(height), ..) => Some(height.max(0.0)),
            (None, Some(altitude), Some(ground)) => Some((altitude - ground).max(0.0)),
            _ => None,
        };
        let has_fix = sums.start.is_some();
        let duration = match (sums.first_seconds, sums.last_seconds) {
            (Some(first), Some(last)) => Some(last - first),
            _ => None,
        };
        let speed = sums.speed.or(sums.speed_of_points.filter(|speed| *speed <= SPEED_MOST));
        Found {
            start: sums.first_seconds.filter(|_| about.clock != Clock::Unknown),
            duration,
            figures: Figures {
                start_point: sums.start,
                end_point: sums.end,
                height,
                distance: has_fix.then_some(sums.metres / 1000.0),
                farthest: sums.from_home.or(has_fix.then_some(sums.farthest)),
                speed,
                start_volts: median(&mut self.first_volts),
                end_volts: median(&mut last),
                consumed: sums
                    .consumed
                    .map(|consumed| consumed.before + consumed.to - consumed.from),
            },
            is_still: self.is_known && !sums.has_moved,
            track: self.track.thinned(self.sure_points, sums.end),
            about,
            day: None,
        }
    }
}

impl Sums {
    fn move_to(&mut self, point: Point, track: &mut track::Growing) {
        let start = *self.start.get_or_insert(point);
        self.end = Some(point);
        self.farthest = self.farthest.max(metres(start, point));
        match self.kept {
            None => {
                self.kept = Some(point);
                track.push(point);
            }
            Some(kept) => {
                let step = metres(kept, point);
                if step >= STEP_METRES {
                    self.metres += step;
                    self.kept = Some(point);
                    track.push(point);
                }
            }
        }
    }

    /// Speeds are of at least a second: shorter ones are noise.
    fn time_point(&mut self, point: Point, seconds: Option<f64>) {
        let Some(seconds) = seconds else { return };
        match self.timed_point {
            Some((last, since)) if seconds - since >= 1.0 => {
                let speed = metres(last, point) / (seconds - since) * 3.6;
                self.speed_of_points = most(self.speed_of_points, Some(speed));
                self.timed_point = Some((point, seconds));
            }
            Some(_) => {}
            None => self.timed_point = Some((point, seconds)),
        }
    }

    /// Takes the counter of what was drawn; one that falls below its half began anew.
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

fn most(known: Option<f64>, value: Option<f64>) -> Option<f64> {
    match (known, value) {
        (Some(known), Some(value)) => Some(known.max(value)),
        (known, value) => known.or(value),
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(middle).copied()
}

/// m between two points on a sphere of the earth's mean radius (haversine).
#[must_use]
pub fn metres(from: Point, to: Point) -> f64 {
    const RADIUS: f64 = 6_371_008.8;
    let [from_latitude, to_latitude] = [from.latitude, to.latitude].map(f64::to_radians);
    let half_north = (to_latitude - from_latitude) / 2.0;
    let half_east = (to.longitude - from.longitude).to_radians() / 2.0;
    let a = half_north.sin().powi(2) + from_latitude.cos() * to_latitude.cos() * half_east.sin().powi(2);
    2.0 * RADIUS * a.sqrt().min(1.0).asin()
}

#[cfg(test)]
mod tests;
