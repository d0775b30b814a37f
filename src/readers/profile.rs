//! The profile of a flight: height, speed, voltage, current and position over time, downsampled so that all extremes
//! remain.

use super::samples::{Point, Profile};

/// The most rows of a stored profile: 40 kB.
pub const MAX_ROWS: usize = 1000;
/// The most rows while a file is read. Beyond that, rows without an extreme are dropped.
const MAX_GROWING: usize = 2048;
/// The number of time slices whose extremes are kept then: at most eight rows each.
const GROWING_SLICES: usize = 120;
/// The last value of a sensor is used for this many seconds.
const HOLD_SECONDS: f64 = 3.0;

const VALUES: usize = 4;
const HEIGHT: usize = 0;
const SPEED: usize = 1;
const VOLTS: usize = 2;
const AMPERES: usize = 3;

/// The values that a file has for one moment of a flight.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Values {
    /// m above the start
    pub height: Option<f64>,
    /// km/h
    pub speed: Option<f64>,
    /// V
    pub volts: Option<f64>,
    /// A
    pub amperes: Option<f64>,
    pub point: Option<Point>,
    /// The number of the way that the position belongs to.
    pub way: u16,
}

/// The values of one moment; NaN if unknown.
#[derive(Debug, Clone, Copy)]
struct Row {
    seconds: f32,
    values: [f32; VALUES],
    /// In 1e-6 degrees, and the number of the way.
    point: Option<(i32, i32, u16)>,
}

/// A profile that grows while its file is read.
#[derive(Default)]
pub(crate) struct ProfileBuilder {
    rows: Vec<Row>,
    /// The last value of each sensor, with its time.
    last: [Option<(f64, f64)>; VALUES],
    last_point: Option<(Point, u16, f64)>,
}

impl ProfileBuilder {
    /// Adds the values at `seconds` since the start. Rows after `settled` seconds may turn out not to belong to the
    /// flight.
    pub fn push(&mut self, seconds: f64, values: &Values, settled: Option<f64>) {
        for (last, value) in self
            .last
            .iter_mut()
            .zip([values.height, values.speed, values.volts, values.amperes])
        {
            *last = value.map(|value| (value, seconds)).or(*last);
        }
        self.last_point = values
            .point
            .map(|point| (point, values.way, seconds))
            .or(self.last_point);
        if self.rows.len() >= MAX_GROWING {
            let is_sure = |row: &Row| settled.is_none_or(|settled| f64::from(row.seconds) <= settled);
            let at = self.rows.partition_point(is_sure);
            let rest = self.rows.split_off(at);
            self.rows = keep_extremes(&self.rows, GROWING_SLICES);
            self.rows.extend(keep_extremes(&rest, GROWING_SLICES / 2));
        }
        self.rows.push(self.row(seconds));
    }

    /// Drops all voltages so far, because a more reliable sensor was found.
    pub fn remove_voltage(&mut self) {
        self.last[VOLTS] = None;
        self.rows.iter_mut().for_each(|row| row.values[VOLTS] = f32::NAN);
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "plausible values and degrees in millionths fit"
    )]
    fn row(&self, seconds: f64) -> Row {
        let holds = |since: f64| seconds - since <= HOLD_SECONDS;
        let value = |last: Option<(f64, f64)>| match last {
            Some((value, since)) if holds(since) => value as f32,
            _ => f32::NAN,
        };
        let point = self.last_point.filter(|(.., since)| holds(*since));
        let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
        Row {
            seconds: seconds as f32,
            values: self.last.map(value),
            point: point.map(|(point, way, _)| (millionths(point.latitude), millionths(point.longitude), way)),
        }
    }

    /// Frees memory that a finished flight doesn't need.
    pub(crate) fn shrink(&mut self) {
        if self.rows.len() > MAX_ROWS {
            self.rows = downsample(&self.rows);
        }
        self.rows.shrink_to_fit();
    }

    /// Keeps only the positions of this way, with latitude and longitude exchanged if `is_exchanged`.
    #[must_use]
    pub(crate) fn along(mut self, way: Option<u16>, is_exchanged: bool) -> ProfileBuilder {
        for row in &mut self.rows {
            row.point = match row.point {
                Some((first, second, number)) if is_exchanged && Some(number) == way => Some((second, first, number)),
                point => point.filter(|(.., number)| Some(*number) == way),
            };
        }
        self
    }

    /// Cuts at `until` seconds and downsamples. Empty if only positions are known: the track has those.
    #[must_use]
    pub(crate) fn downsampled(mut self, until: f64) -> Profile {
        self.rows.retain(|row| f64::from(row.seconds) <= until + 0.01);
        let rows = downsample(&self.rows);
        let column = |index: usize, scale: f32| -> Vec<Option<i32>> {
            let known = |row: &Row| row.values.get(index).copied().filter(|value| !value.is_nan());
            match rows.iter().any(|row| known(row).is_some()) {
                true => rows
                    .iter()
                    .map(|row| known(row).map(|value| scaled(value, scale)))
                    .collect(),
                false => Vec::new(),
            }
        };
        let mut profile = Profile {
            seconds: rows
                .iter()
                .map(|row| scaled(row.seconds, 100.0).unsigned_abs())
                .collect(),
            height: column(HEIGHT, 10.0),
            speed: column(SPEED, 10.0),
            voltage: column(VOLTS, 100.0),
            current: column(AMPERES, 100.0),
            points: match rows.iter().any(|row| row.point.is_some()) {
                true => rows
                    .iter()
                    .map(|row| row.point.map(|(latitude, longitude, _)| (latitude, longitude)))
                    .collect(),
                false => Vec::new(),
            },
            resting_voltage: None,
        };
        let columns = [&profile.height, &profile.speed, &profile.voltage, &profile.current];
        if columns.iter().all(|column| column.is_empty()) || rows.len() < 2 {
            profile = Profile::default();
        }
        profile
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float is cut to the nearest whole number there is"
)]
fn scaled(value: f32, scale: f32) -> i32 {
    (value * scale).round() as i32
}

/// Downsamples to at most [`MAX_ROWS`] rows, with as many time slices as fit.
fn downsample(rows: &[Row]) -> Vec<Row> {
    let mut downsampled = rows.to_vec();
    let mut slices = MAX_ROWS / 2;
    while downsampled.len() > MAX_ROWS {
        downsampled = keep_extremes(rows, slices);
        slices = slices * 4 / 5;
    }
    downsampled
}

/// Keeps the first and the last row, and from each of `stretches` time slices the rows with the lowest and the highest
/// of each value.
fn keep_extremes(rows: &[Row], slices: usize) -> Vec<Row> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Vec::new();
    };
    #[expect(clippy::cast_precision_loss, reason = "slices are few")]
    let width = ((last.seconds - first.seconds) / slices as f32).max(f32::MIN_POSITIVE);
    let stretch = |row: &Row| ((row.seconds - first.seconds) / width).floor();
    let mut kept = vec![0, rows.len() - 1];
    let mut from = 0;
    for part in rows.chunk_by(|one, other| stretch(one) == stretch(other)) {
        for index in 0..VALUES {
            let known = (from..)
                .zip(part)
                .filter_map(|(at, row)| Some((at, *row.values.get(index)?)).filter(|(_, value)| !value.is_nan()));
            let lowest = known.clone().min_by(|one, other| one.1.total_cmp(&other.1));
            let highest = known.max_by(|one, other| one.1.total_cmp(&other.1));
            kept.extend(lowest.into_iter().chain(highest).map(|(at, _)| at));
        }
        from += part.len();
    }
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().filter_map(|at| rows.get(at).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values_at(height: f64, volts: Option<f64>) -> Values {
        Values {
            height: Some(height),
            volts,
            ..Values::default()
        }
    }

    #[test]
    fn a_short_flight_keeps_each_of_its_rows_and_a_value_holds_for_a_while() {
        let mut builder = ProfileBuilder::default();
        for second in 0..8 {
            let volts = (second == 2).then_some(16.83);
            builder.push(f64::from(second), &values_at(f64::from(second) * 1.25, volts), None);
        }
        let profile = builder.downsampled(6.0);
        assert_eq!(profile.seconds, [0, 100, 200, 300, 400, 500, 600]);
        assert_eq!(profile.height, [0, 13, 25, 38, 50, 63, 75].map(Some));
        let held = Some(1683);
        assert_eq!(profile.voltage, [None, None, held, held, held, held, None]);
        assert_eq!((profile.speed, profile.points), (Vec::new(), Vec::new()));
    }

    #[test]
    fn positions_alone_and_a_single_row_are_no_profile() {
        let mut builder = ProfileBuilder::default();
        let point = Some(Point {
            latitude: 53.0,
            longitude: 8.0,
        });
        builder.push(
            0.0,
            &Values {
                point,
                ..Values::default()
            },
            None,
        );
        builder.push(
            1.0,
            &Values {
                point,
                ..Values::default()
            },
            None,
        );
        assert!(builder.downsampled(1.0).is_empty());
        let mut builder = ProfileBuilder::default();
        builder.push(0.0, &values_at(1.0, None), None);
        assert!(builder.downsampled(1.0).is_empty());
    }

    #[test]
    fn voltages_of_a_doubtful_sensor_are_removed_from_a_profile() {
        let mut builder = ProfileBuilder::default();
        builder.push(0.0, &values_at(0.0, Some(5.2)), None);
        builder.remove_voltage();
        builder.push(1.0, &values_at(0.0, Some(12.3)), None);
        let mut profile = builder.downsampled(1.0);
        assert_eq!(profile.voltage, [None, Some(1230)]);
        profile.remove_voltage();
        assert_eq!((profile.voltage.len(), profile.seconds.len()), (0, 2));
    }

    #[test]
    fn a_spike_of_one_row_stays_in_a_long_flight() {
        let mut builder = ProfileBuilder::default();
        for row in 0..100_000_u32 {
            let volts = if row == 77_777 { 9.87 } else { 12.0 };
            let height = if row == 12_345 { 321.0 } else { f64::from(row % 7) };
            builder.push(f64::from(row) / 100.0, &values_at(height, Some(volts)), None);
        }
        let profile = builder.downsampled(1e6);
        assert!(
            profile.seconds.len() <= MAX_ROWS && profile.seconds.len() > 300,
            "{}",
            profile.seconds.len()
        );
        assert!(profile.voltage.contains(&Some(987)) && profile.height.contains(&Some(3210)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_extremes_of_the_flight_are_in_its_profile_in_order(
            values in proptest::collection::vec((-100.0..500.0f64, 5.0..60.0f64), 2..6000),
            end in 0.0..1.0f64,
        ) {
            let until = (values.len() as f64 * end).floor();
            let mut builder = ProfileBuilder::default();
            for (second, (height, volts)) in (0..).zip(&values) {
                let settled = (f64::from(second) > until).then_some(until);
                builder.push(f64::from(second), &values_at(*height, Some(*volts)), settled);
            }
            let profile = builder.downsampled(until);
            let flown: Vec<_> = (0..).zip(&values).filter(|(second, _)| f64::from(*second) <= until).collect();
            prop_assert!(profile.seconds.len() <= MAX_ROWS);
            prop_assert!(profile.seconds.windows(2).all(|pair| pair[0] <= pair[1]));
            if flown.len() > 1 {
                let most = flown.iter().map(|(_, (height, _))| scaled(*height as f32, 10.0)).max();
                let least = flown.iter().map(|(_, (_, volts))| scaled(*volts as f32, 100.0)).min();
                prop_assert_eq!(profile.height.iter().copied().flatten().max(), most);
                prop_assert_eq!(profile.voltage.iter().copied().flatten().min(), least);
            }
        }
    }
}
