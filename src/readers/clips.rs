//! Clips of one recording: cameras divide long videos into several files.

use std::ops::RangeInclusive;

use crate::profile::{ProfileBuilder, Values};
use crate::samples::{Clock, FoundFlight, Point, Profile};
use crate::segmenter::metres;
use crate::track::{MAX_POINTS, simplify};

/// Seconds between the last subtitle of a clip and the first one of the next.
const PAUSE_SECONDS: RangeInclusive<f64> = -1.0..=5.0;
/// m between the end of a clip and the start of the next, at most.
const MAX_APART_METRES: f64 = 500.0;

impl FoundFlight {
    /// Returns whether another clip begins where and when this one ends.
    #[must_use]
    pub fn is_continued_by(&self, next: &FoundFlight) -> bool {
        let (Some(start), Some(duration), Some(then)) = (self.start, self.duration, next.start) else {
            return false;
        };
        let is_near = match (self.figures.end_point, next.figures.start_point) {
            (Some(end), Some(start)) => metres(end, start) <= MAX_APART_METRES,
            _ => true,
        };
        let clocks = [self.metadata.clock, next.metadata.clock];
        is_near && clocks == [Clock::Local; 2] && PAUSE_SECONDS.contains(&(then - start - duration))
    }

    /// Adds the next clip.
    pub fn continue_with(&mut self, next: FoundFlight) {
        let offset = next.start.zip(self.start).map_or(0.0, |(next, start)| next - start);
        self.profile = joined(&self.profile, &next.profile, offset);
        self.duration = next.duration.map(|duration| offset + duration).or(self.duration);
        self.is_motionless &= next.is_motionless;
        let figures = &mut self.figures;
        let farthest = figures.start_point.map(|start| {
            let there = next.track.iter().copied().chain(next.figures.end_point);
            there.map(|point| metres(start, point)).fold(0.0, f64::max)
        });
        let greatest = |one: Option<f64>, other: Option<f64>| one.into_iter().chain(other).reduce(f64::max);
        figures.farthest = greatest(figures.farthest, farthest.or(next.figures.farthest));
        figures.height = greatest(figures.height, next.figures.height);
        figures.speed = greatest(figures.speed, next.figures.speed);
        figures.distance = match (figures.distance, next.figures.distance) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        figures.start_point = figures.start_point.or(next.figures.start_point);
        figures.end_point = next.figures.end_point.or(figures.end_point);
        figures.start_volts = figures.start_volts.or(next.figures.start_volts);
        figures.end_volts = next.figures.end_volts.or(figures.end_volts);
        self.track.extend(next.track);
        self.track = simplify(&self.track, MAX_POINTS);
    }
}

/// Returns both profiles as one, the second of which begins after `offset` seconds.
fn joined(one: &Profile, other: &Profile, offset: f64) -> Profile {
    let mut builder = ProfileBuilder::default();
    let mut until = 0.0;
    for (profile, offset) in [(one, 0.0), (other, offset)] {
        for (index, hundredths) in profile.seconds.iter().enumerate() {
            let value = |column: &[Option<i32>], scale: f64| {
                let value = column.get(index).copied().flatten();
                value.map(|value| f64::from(value) / scale)
            };
            let point = profile.points.get(index).copied().flatten();
            until = offset + f64::from(*hundredths) / 100.0;
            let values = Values {
                height: value(&profile.height, 10.0),
                speed: value(&profile.speed, 10.0),
                volts: value(&profile.voltage, 100.0),
                amperes: value(&profile.current, 100.0),
                point: point.map(|(latitude, longitude)| Point {
                    latitude: f64::from(latitude) / 1e6,
                    longitude: f64::from(longitude) / 1e6,
                }),
                way: 0,
            };
            builder.push(until, &values, None);
        }
    }
    Profile {
        resting_voltage: other.resting_voltage,
        ..builder.downsampled(until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Metadata, Sample};
    use crate::segmenter::Segmenter;

    /// A flight straight to the north at 10 m/s, of which the clip shows these seconds.
    fn clip(seconds: std::ops::Range<u32>) -> FoundFlight {
        let mut segmenter = Segmenter::default();
        segmenter.begin(Metadata {
            clock: Clock::Local,
            ..Metadata::default()
        });
        for second in seconds {
            let sample = Sample {
                seconds: Some(1e9 + f64::from(second)),
                point: Some(Point {
                    latitude: 53.0 + f64::from(second) * 10.0 / 111_195.0,
                    longitude: 8.0,
                }),
                height: Some(f64::from(second) / 10.0),
                ..Sample::default()
            };
            segmenter.sample(&sample).unwrap();
        }
        segmenter.finish().found.remove(0)
    }

    #[test]
    fn the_clips_of_a_video_are_one_flight() {
        let whole = clip(0..360);
        let mut joined = clip(0..120);
        for next in [clip(120..240), clip(240..360)] {
            assert!(joined.is_continued_by(&next));
            joined.continue_with(next);
        }
        assert_eq!((joined.start, joined.duration), (whole.start, whole.duration));
        let near = |one: Option<f64>, other: Option<f64>| (one.unwrap() - other.unwrap()).abs() < 0.03 * other.unwrap();
        assert!(
            near(joined.figures.distance, whole.figures.distance),
            "{:?}",
            joined.figures
        );
        assert!(
            near(joined.figures.farthest, whole.figures.farthest),
            "{:?}",
            joined.figures
        );
        assert_eq!(joined.figures.height, whole.figures.height);
        assert_eq!(joined.figures.end_point, whole.figures.end_point);
        assert_eq!(joined.profile.seconds, whole.profile.seconds);
        assert_eq!(joined.profile.height, whole.profile.height);
    }

    #[test]
    fn a_video_of_another_copter_or_of_the_next_flight_is_another_flight() {
        let first = clip(0..120);
        assert!(!first.is_continued_by(&clip(140..240)));
        assert!(!first.is_continued_by(&clip(60..240)));
        let mut elsewhere = clip(120..240);
        elsewhere.figures.start_point = Some(Point {
            latitude: 50.0,
            longitude: 8.0,
        });
        assert!(!first.is_continued_by(&elsewhere));
        let mut undated = clip(120..240);
        undated.start = None;
        assert!(!first.is_continued_by(&undated));
    }
}
