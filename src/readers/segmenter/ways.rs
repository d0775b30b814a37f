//! The positions of a run, divided into ways. A receiver may report its last place for a while before it finds its
//! position, and single positions may be broken: no copter can have flown from there to the others.

use super::figures::{Position, arc, max_known};
use super::plausible::MAX_SPEED;
use crate::samples::Point;
use crate::track::TrackBuilder;

/// m: a fix counts when it is this far from the last one that counted, so that the noise of hovering adds no distance.
const STEP_METRES: f64 = 5.0;
/// m/s; no copter is faster, or for more than two seconds faster than the second.
const FASTEST: f64 = 150.0;
const FASTEST_LONG: f64 = 60.0;
/// The most ways of a run. Further ones replace the shortest.
const MAX_WAYS: usize = 4;
/// m: a shorter way doesn't show in which order its coordinates are.
const MIN_WAY_METRES: f64 = 100.0;
/// By how much a way may differ from the way by the speeds of the same rows, and by how much the other order of the
/// coordinates has to be worse; as natural logarithms of ratios.
const MAX_DIFFERENCE: f64 = 0.15;
const DIFFERENCE_CLEAR: f64 = 0.08;

/// Sums of a way up to some sample.
#[derive(Clone, Copy, Default)]
pub(crate) struct WaySums {
    pub start: Option<Position>,
    pub end: Option<Position>,
    kept: Option<Position>,
    fixes: u32,
    steps: u32,
    pub metres: f64,
    /// m² of a chord
    pub farthest_squared: f64,
    timed_place: Option<(Position, f64)>,
    /// km/h
    pub speed: Option<f64>,
}

/// Positions each of which the copter can have reached from the one before.
struct Way {
    number: u16,
    last: (Position, f64),
    now: WaySums,
    /// The sums and the number of track points up to the last active sample, while inactive samples follow.
    settled: Option<(WaySums, usize)>,
    track: TrackBuilder,
}

#[derive(Default)]
pub(crate) struct Ways {
    ways: Vec<Way>,
    /// The index of the way of the last fix.
    current: usize,
    begun: u16,
    are_settled: bool,
}

/// The way of a flight.
pub(crate) struct Flown {
    pub number: u16,
    pub sums: WaySums,
    seen: usize,
    track: TrackBuilder,
}

impl Ways {
    /// Adds a fix. Returns the number of its way, and whether this way is the first after an unmoved one. Without
    /// `seconds`, any fix can be reached.
    pub fn add(&mut self, place: &Position, seconds: Option<f64>) -> (u16, bool) {
        let is_same = |way: &Way| way.last.0 == *place;
        let is_reached = |way: &Way| {
            let reach = seconds.map(|seconds| reach(seconds - way.last.1));
            reach.is_none_or(|metres| way.last.0.chord_squared(place) <= metres.powi(2))
        };
        let known = match self.ways.get(self.current) {
            Some(way) if is_same(way) => Some(self.current),
            _ => {
                let reached = self.ways.iter().enumerate().filter(|(_, way)| is_reached(way));
                let distance = |way: &Way| way.last.0.chord_squared(place);
                reached
                    .min_by(|(_, one), (_, other)| distance(one).total_cmp(&distance(other)))
                    .map(|(index, _)| index)
            }
        };
        let last = (*place, seconds.unwrap_or_default());
        let mut follows_unmoved = false;
        self.current = known.unwrap_or_else(|| {
            follows_unmoved = self.ways.len() == 1 && self.ways.iter().all(|way| way.now.steps == 0);
            self.begin(last)
        });
        let Some(way) = self.ways.get_mut(self.current) else {
            return (0, false);
        };
        way.last = last;
        way.now.fixes += 1;
        if way.now.end.as_ref() != Some(place) {
            way.now.move_to(place, &mut way.track);
        }
        (way.number, follows_unmoved)
    }

    /// Begins a way and returns its index.
    fn begin(&mut self, last: (Position, f64)) -> usize {
        self.begun = self.begun.wrapping_add(1);
        if self.ways.len() == MAX_WAYS {
            let shortest = (0..).zip(&self.ways).min_by_key(|(_, way)| way.now.rank());
            self.ways.remove(shortest.map_or(0, |(index, _)| index));
        }
        self.ways.push(Way {
            number: self.begun,
            last,
            now: WaySums::default(),
            settled: self.are_settled.then(Default::default),
            track: TrackBuilder::default(),
        });
        self.ways.len() - 1
    }

    /// Returns the speed in km/h since the last timed position, at least a second ago: over shorter times it is noise.
    pub fn time_fix(&mut self, seconds: Option<f64>) -> Option<f64> {
        let way = self.ways.get_mut(self.current)?;
        way.now.time_place(&way.last.0, seconds)
    }

    /// Returns the greatest speed so far.
    pub fn speed(&self) -> Option<f64> {
        self.ways.get(self.current)?.now.speed
    }

    /// Remembers the sums while inactive samples follow, until [`Ways::resume`].
    pub fn settle(&mut self) {
        self.are_settled = true;
        self.ways
            .iter_mut()
            .for_each(|way| way.settled = Some((way.now, way.track.seen())));
    }

    pub fn resume(&mut self) {
        if std::mem::take(&mut self.are_settled) {
            self.ways.iter_mut().for_each(|way| way.settled = None);
        }
    }

    /// Frees memory that a finished run doesn't need.
    pub fn end(&mut self) {
        let longest = self.ways.iter().map(|way| way.sums().0.rank()).max();
        self.ways.retain(|way| Some(way.sums().0.rank()) == longest);
        self.ways.truncate(1);
    }

    /// Returns the way of the flight: the one with the most steps, and of several without steps the one with the most
    /// fixes.
    pub fn flown(self) -> Option<Flown> {
        let flown = self.ways.into_iter().max_by_key(|way| way.sums().0.rank())?;
        let (sums, seen) = flown.sums();
        sums.start?;
        Some(Flown {
            number: flown.number,
            sums,
            seen,
            track: flown.track,
        })
    }
}

/// Returns how many m a copter can fly in this time.
fn reach(seconds: f64) -> f64 {
    FASTEST * seconds.clamp(1.0, 2.0) + FASTEST_LONG * (seconds - 2.0).max(0.0)
}

impl Way {
    fn sums(&self) -> (WaySums, usize) {
        self.settled.unwrap_or((self.now, self.track.seen()))
    }
}

impl Flown {
    pub fn farthest(&self) -> f64 {
        arc(self.sums.farthest_squared)
    }

    pub fn track(self) -> Vec<Point> {
        self.track
            .downsampled(self.seen, self.sums.end.map(|place| place.point))
    }

    /// Returns whether this way is the right one of two with exchanged coordinates, of which `read` has the order of
    /// the file; `metres` is the way by the speeds of the same rows.
    pub(crate) fn is_right_instead_of(&self, read: &Flown, metres: f64) -> bool {
        let difference = |way: &Flown| (way.sums.metres / metres).ln().abs();
        let (exchanged, kept) = (difference(self), difference(read));
        let is_long = metres > MIN_WAY_METRES && self.sums.metres > MIN_WAY_METRES;
        let is_european = |way: &Flown| way.sums.start.is_some_and(|start| is_european(start.point));
        let is_expected = is_european(self) && !is_european(read);
        match is_long {
            true if exchanged < MAX_DIFFERENCE && exchanged + DIFFERENCE_CLEAR < kept => true,
            true => is_expected && exchanged < kept + DIFFERENCE_CLEAR / 2.0,
            false => is_expected,
        }
    }
}

/// Returns whether a point is in or around Europe, where nearly all pilots fly. Exchanged coordinates are outside.
fn is_european(Point { latitude, longitude }: Point) -> bool {
    (34.0..72.0).contains(&latitude) && (-25.0..34.0).contains(&longitude)
}

impl WaySums {
    fn rank(&self) -> (u32, u32) {
        (self.steps, self.fixes)
    }

    fn move_to(&mut self, place: &Position, track: &mut TrackBuilder) {
        let start = *self.start.get_or_insert(*place);
        self.end = Some(*place);
        self.farthest_squared = self.farthest_squared.max(start.chord_squared(place));
        let step_squared = self.kept.map(|kept| kept.chord_squared(place));
        if step_squared.is_none_or(|squared| squared >= STEP_METRES.powi(2)) {
            self.steps += u32::from(step_squared.is_some());
            self.metres += step_squared.map_or(0.0, arc);
            self.kept = Some(*place);
            track.push(place.point);
        }
    }

    fn time_place(&mut self, place: &Position, seconds: Option<f64>) -> Option<f64> {
        let seconds = seconds?;
        match self.timed_place {
            Some((last, since)) if seconds - since >= 1.0 => {
                let speed = last.metres(place) / (seconds - since) * 3.6;
                self.speed = max_known(self.speed, Some(speed));
                self.timed_place = Some((*place, seconds));
                Some(speed).filter(|speed| *speed <= MAX_SPEED)
            }
            Some(_) => None,
            None => {
                self.timed_place = Some((*place, seconds));
                None
            }
        }
    }
}
