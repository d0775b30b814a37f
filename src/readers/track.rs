//! The track of a flight, reduced to few points that preserve its shape.

use std::collections::BinaryHeap;

use super::samples::Point;

/// The most points of a stored track.
pub const MAX_POINTS: usize = 500;
/// The most points while a file is read. When they are reached, every other point is dropped, and from then on only
/// every other one is added.
const MAX_GROWING: usize = 4096;

/// A track that grows while its file is read.
#[derive(Default)]
pub(crate) struct TrackBuilder {
    points: Vec<Point>,
    /// One of `2^halvings` points is kept.
    halvings: u32,
    seen: usize,
}

impl TrackBuilder {
    pub fn push(&mut self, point: Point) {
        if self.seen.is_multiple_of(1 << self.halvings) {
            if self.points.len() == MAX_GROWING {
                let mut index = 0;
                self.points.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.halvings += 1;
            }
            self.points.push(point);
        }
        self.seen += 1;
    }

    /// Number of points added.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// Returns the track of the first `seen` points plus the end point, reduced.
    pub(crate) fn downsampled(mut self, seen: usize, end: Option<Point>) -> Vec<Point> {
        self.points.truncate(seen.div_ceil(1 << self.halvings));
        if let Some(end) = end
            && self.points.last() != Some(&end)
        {
            self.points.push(end);
        }
        if self.points.len() < 2 {
            return Vec::new();
        }
        simplify(&self.points, MAX_POINTS)
    }
}

/// The part of a line between two kept points, with the point in between that is farthest from their connection.
struct Segment {
    deviation: f64,
    from: usize,
    farthest: usize,
    to: usize,
}

impl Ord for Segment {
    fn cmp(&self, other: &Segment) -> std::cmp::Ordering {
        self.deviation.total_cmp(&other.deviation)
    }
}

impl PartialOrd for Segment {
    fn partial_cmp(&self, other: &Segment) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Segment {
    fn eq(&self, other: &Segment) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Segment {}

/// Reduces a line to at most `most` points with the algorithm of Douglas and Peucker (The Canadian Cartographer 10/2,
/// 1973): keeps the point with the largest deviation each time.
#[must_use]
pub fn simplify(points: &[Point], most: usize) -> Vec<Point> {
    if points.len() <= most || most < 2 {
        return points.to_vec();
    }
    let mut kept = vec![0, points.len() - 1];
    let mut segments: BinaryHeap<Segment> = segment(points, 0, points.len() - 1).into_iter().collect();
    while kept.len() < most
        && let Some(Segment { from, farthest, to, .. }) = segments.pop()
    {
        kept.push(farthest);
        segments.extend(segment(points, from, farthest));
        segments.extend(segment(points, farthest, to));
    }
    kept.sort_unstable();
    kept.into_iter().filter_map(|at| points.get(at).copied()).collect()
}

fn segment(points: &[Point], from: usize, to: usize) -> Option<Segment> {
    let (start, end) = (points.get(from)?, points.get(to)?);
    let between = points.get(from + 1..to)?;
    // Flights are small, so the length of a degree of longitude is treated as constant.
    let scale = start.latitude.to_radians().cos();
    let flat = |point: &Point| {
        (
            (point.longitude - start.longitude) * scale,
            point.latitude - start.latitude,
        )
    };
    let (end_x, end_y) = flat(end);
    let length = end_x * end_x + end_y * end_y;
    let deviation = |point: &Point| {
        let (x, y) = flat(point);
        let along = match length > 0.0 {
            true => ((x * end_x + y * end_y) / length).clamp(0.0, 1.0),
            false => 0.0,
        };
        (x - along * end_x).powi(2) + (y - along * end_y).powi(2)
    };
    let farthest = between
        .iter()
        .enumerate()
        .map(|(index, point)| (deviation(point), index));
    let (deviation, index) = farthest.max_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(Segment {
        deviation,
        from,
        farthest: from + 1 + index,
        to,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(latitude: f64, longitude: f64) -> Point {
        Point { latitude, longitude }
    }

    #[test]
    fn corners_stay_and_straight_lines_lose_their_points() {
        let east = (0..1000).map(|step| point(53.0, 8.0 + f64::from(step) * 1e-5));
        let north = (1..1000).map(|step| point(53.0 + f64::from(step) * 1e-5, 8.00999));
        let line: Vec<_> = east.chain(north).collect();
        let thin = simplify(&line, 3);
        assert_eq!(thin, [line[0], line[999], line[1998]]);
    }

    #[test]
    fn a_long_track_keeps_its_beginning_and_its_end() {
        let mut builder = TrackBuilder::default();
        let points: Vec<_> = (0..20_001)
            .map(|step| {
                point(
                    53.0 + (f64::from(step) / 50.0).sin() / 100.0,
                    8.0 + f64::from(step) * 1e-5,
                )
            })
            .collect();
        points.iter().for_each(|point| builder.push(*point));
        let seen = builder.seen();
        let track = builder.downsampled(seen, points.last().copied());
        assert_eq!((track.first(), track.last()), (points.first(), points.last()));
        assert!(track.len() <= MAX_POINTS && track.len() > 400, "{}", track.len());
    }

    proptest! {
        #[test]
        fn thinning_keeps_the_ends_and_the_order(count in 2usize..900, most in 2usize..600) {
            let points: Vec<_> = (0..count).map(|step| point((step as f64 * 0.7).sin(), step as f64 * 1e-3)).collect();
            let thin = simplify(&points, most);
            prop_assert!(thin.len() <= most.max(2));
            prop_assert_eq!((thin.first(), thin.last()), (points.first(), points.last()));
            prop_assert!(thin.windows(2).all(|pair| pair[0].longitude < pair[1].longitude));
        }
    }
}
