//! The courses of the demo's flights with a log: one second after the other where the copter was and how fast, in loops
//! out from the start and back to it.

use std::f64::consts::{PI, TAU};

use fastrand::Rng;

use fluglog_readers::samples::{self, Profile};
use fluglog_readers::track;

/// Most rows of a course; a longer flight has a row every few seconds.
const MAX_ROWS: f64 = 900.0;
/// Points of the curve between two corners.
const STEPS: usize = 24;
/// Speed of a copter on its way out and in a turn, as a share of its average.
const SPEEDS: [f64; 2] = [1.35, 0.55];
const METRES_OF_DEGREE: f64 = 111_194.9;

/// The kind of flight, which shapes the course.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Style {
    /// Eights in front of the pilot.
    Freestyle,
    /// Circles around what is filmed.
    Film,
    /// Far out in all directions.
    Far,
}

/// Limits and length of a flight.
pub(crate) struct Extent {
    /// min
    pub minutes: f64,
    /// Average speed in km/h.
    pub speed: f64,
    /// m
    pub altitude: f64,
    /// Distance from the pilot in m.
    pub reach: f64,
}

/// Metres east, north and up of the start.
type Spot = [f64; 3];

struct Row {
    seconds: f64,
    spot: Spot,
    /// km/h
    speed: f64,
}

pub(crate) struct Course {
    rows: Vec<Row>,
    /// Of the start, in degrees.
    start: (f64, f64),
    /// km
    pub distance: f64,
    /// m
    pub reach: f64,
    /// m
    pub altitude: f64,
    /// km/h
    pub speed: f64,
}

/// Battery of a flight from the start to its end.
pub(crate) struct Drain {
    /// V at the start and after the landing.
    pub volts: (f64, f64),
    /// mAh
    pub consumed: f64,
}

impl Course {
    /// Flies a course of this style.
    pub(crate) fn fly(style: Style, extent: &Extent, start: (f64, f64), chance: &mut Rng) -> Course {
        let seconds = extent.minutes * 60.0;
        let length = extent.speed / 3.6 * seconds;
        let line = curve(&corners(style, extent, length, chance), extent.altitude);
        let rows = timed(&line, seconds);
        let greatest = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
        let metres: f64 = line.windows(2).map(|pair| far(pair[0], pair[1])).sum();
        Course {
            distance: metres / 1000.0,
            reach: greatest(|row| row.spot[0].hypot(row.spot[1])),
            altitude: greatest(|row| row.spot[2]),
            speed: greatest(|row| row.speed),
            rows,
            start,
        }
    }

    fn places(&self) -> impl Iterator<Item = (f64, f64)> {
        let (latitude, longitude) = self.start;
        let narrowing = latitude.to_radians().cos();
        self.rows.iter().map(move |row| {
            let [east, north, _] = row.spot;
            (
                latitude + north / METRES_OF_DEGREE,
                longitude + east / METRES_OF_DEGREE / narrowing,
            )
        })
    }

    /// Where the flight ended, in degrees.
    pub(crate) fn end(&self) -> (f64, f64) {
        self.places().last().unwrap_or(self.start)
    }

    /// Returns the points of its track, in degrees.
    pub(crate) fn track(&self) -> Vec<(f64, f64)> {
        let point = |(latitude, longitude)| samples::Point { latitude, longitude };
        let points: Vec<_> = self.places().map(point).collect();
        let kept = track::simplify(&points, track::MAX_POINTS).into_iter();
        kept.map(|point| (point.latitude, point.longitude)).collect()
    }

    /// Returns its profile; `drain` empties the battery meanwhile.
    pub(crate) fn profile(&self, drain: &Drain) -> Profile {
        let whole = |value: f64, scale: f64| Some((value * scale).round() as i32);
        let last = self.rows.last().map_or(1.0, |row| row.seconds);
        let amperes = drain.consumed / 1000.0 / (last / 3600.0);
        let average = self.distance / (last / 3600.0);
        let effort = |row: &Row| 0.6 + 0.4 * row.speed / average;
        let (full, empty) = drain.volts;
        let volts = |row: &Row| full - (full - empty) * row.seconds / last - 0.035 * full * (effort(row) - 0.6);
        let column = |value: &dyn Fn(&Row) -> Option<i32>| self.rows.iter().map(value).collect::<Vec<_>>();
        Profile {
            seconds: self.rows.iter().map(|row| (row.seconds * 100.0) as u32).collect(),
            height: column(&|row| whole(row.spot[2], 10.0)),
            speed: column(&|row| whole(row.speed, 10.0)),
            voltage: column(&|row| whole(volts(row), 100.0)),
            current: column(&|row| whole(amperes * effort(row), 100.0)),
            points: self
                .places()
                .map(|(latitude, longitude)| whole(latitude, 1e6).zip(whole(longitude, 1e6)))
                .collect(),
            resting_voltage: None,
        }
    }
}

/// Returns the corners of a course of about `length` metres, which begins and ends at the start.
fn corners(style: Style, extent: &Extent, length: f64, chance: &mut Rng) -> Vec<Spot> {
    let Extent { reach, altitude, .. } = *extent;
    let ahead = between(chance, 0.0, TAU);
    let mut corners = vec![[0.0, 0.0, 0.0], at(ahead, reach * 0.05, altitude * 0.2)];
    let mut metres = 0.0;
    let mut turn = 0;
    while metres < length {
        let before = corners.len() - 1;
        let high = altitude * between(chance, 0.35, 1.0);
        match style {
            Style::Far => {
                let direction = ahead + f64::from(turn) * 2.2 + between(chance, -0.3, 0.3);
                let tip = reach * between(chance, 0.6, 1.0);
                let wide = between(chance, 0.15, 0.4);
                corners.push(at(direction - wide, tip * 0.55, high * 0.7));
                corners.push(at(direction - wide * 0.6, tip * 0.95, high));
                corners.push(at(direction + wide * 0.6, tip, high * 0.95));
                corners.push(at(direction + wide, tip * 0.5, high * 0.8));
                corners.push(at(direction + PI * 0.8, reach * 0.08, altitude * 0.3));
            }
            Style::Film => {
                let aside = between(chance, -0.5, 0.5);
                let subject = at(ahead + aside, reach * between(chance, 0.3, 0.55), 0.0);
                let radius = reach * between(chance, 0.15, 0.42);
                for step in 0..8 {
                    let angle = ahead + PI + f64::from(step) * TAU / 8.0;
                    let [east, north, _] = at(angle, radius, 0.0);
                    let up = high * (0.7 + 0.3 * f64::from(step) / 8.0);
                    corners.push([subject[0] + east, subject[1] + north, up]);
                }
            }
            Style::Freestyle => {
                let middle = at(ahead, reach * between(chance, 0.25, 0.4), 0.0);
                let along = ahead + between(chance, 0.8, 2.2);
                let half = reach * between(chance, 0.25, 0.55);
                for (side, across, share) in [
                    (0.6, 0.3, 0.3),
                    (1.0, 0.0, 1.0),
                    (0.6, -0.3, 0.5),
                    (-0.6, 0.3, 0.25),
                    (-1.0, 0.0, 0.9),
                    (-0.6, -0.3, 0.4),
                ] {
                    let [east, north, _] = at(along, half * side, 0.0);
                    let [aside, astride, _] = at(along + PI / 2.0, half * across * between(chance, 0.6, 1.6), 0.0);
                    corners.push([middle[0] + east + aside, middle[1] + north + astride, high * share]);
                }
            }
        }
        turn += 1;
        metres += corners[before..]
            .windows(2)
            .map(|pair| far(pair[0], pair[1]))
            .sum::<f64>()
            * 1.1;
    }
    corners.push(at(ahead + 0.4, reach * 0.06, altitude * 0.15));
    corners.push(at(ahead + 2.0, between(chance, 1.0, 6.0), 0.0));
    corners
}

/// The spot in a direction, clockwise from north.
fn at(direction: f64, distance: f64, up: f64) -> Spot {
    [direction.sin() * distance, direction.cos() * distance, up]
}

fn far(one: Spot, other: Spot) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

/// Rounds the corners with a spline through all of them (Catmull and Rom 1974), which rises no higher than `altitude`.
fn curve(corners: &[Spot], altitude: f64) -> Vec<Spot> {
    let corner = |place: usize| corners[place.min(corners.len() - 1)];
    let mut line = Vec::with_capacity(corners.len() * STEPS);
    for place in 0..corners.len() - 1 {
        let around = [
            corner(place.saturating_sub(1)),
            corner(place),
            corner(place + 1),
            corner(place + 2),
        ];
        for step in 0..STEPS {
            let t = step as f64 / STEPS as f64;
            let axis = |axis: usize| {
                let [a, b, c, d] = around.map(|spot| spot[axis]);
                0.5 * (2.0 * b
                    + (c - a) * t
                    + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t
                    + (3.0 * b - a - 3.0 * c + d) * t * t * t)
            };
            line.push([axis(0), axis(1), axis(2).clamp(0.0, altitude)]);
        }
    }
    line.push(corner(corners.len()));
    line
}

/// Flies a line in this time, slower in its turns.
fn timed(line: &[Spot], seconds: f64) -> Vec<Row> {
    let mut moments = vec![0.0];
    for place in 1..line.len() {
        let (here, before) = (line[place], line[place - 1]);
        let next = line[(place + 1).min(line.len() - 1)];
        let heading = |from: Spot, to: Spot| (to[0] - from[0]).atan2(to[1] - from[1]);
        let turn = (heading(here, next) - heading(before, here) + PI).rem_euclid(TAU) - PI;
        let pace = SPEEDS[1] + (SPEEDS[0] - SPEEDS[1]) / (1.0 + (turn.abs() * 8.0).powi(2));
        moments.push(moments[place - 1] + far(before, here) / pace);
    }
    let scale = seconds / moments.last().copied().unwrap_or(1.0);
    let mut place = 0;
    let step = (seconds / MAX_ROWS).ceil();
    let mut rows: Vec<Row> = Vec::new();
    for number in 0..=(seconds / step) as usize {
        let now = number as f64 * step;
        while place + 2 < line.len() && moments[place + 1] * scale < now {
            place += 1;
        }
        let (from, to) = (moments[place] * scale, moments[place + 1] * scale);
        let part = ((now - from) / (to - from)).clamp(0.0, 1.0);
        let axis = |axis: usize| line[place][axis] + (line[place + 1][axis] - line[place][axis]) * part;
        let spot = [axis(0), axis(1), axis(2)];
        let speed = rows.last().map_or(0.0, |row| far(row.spot, spot) / step * 3.6);
        rows.push(Row {
            seconds: now,
            spot,
            speed,
        });
    }
    rows
}

/// A random number from `least` to below `most`.
pub(crate) fn between(chance: &mut Rng, least: f64, most: f64) -> f64 {
    least + chance.f64() * (most - least)
}
