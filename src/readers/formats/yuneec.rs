//! `Telemetry_00001.csv` of Yuneec transmitters (ST10 to ST24), exported by Yuneec's app: telemetry of the copter since
//! it was switched on.

use super::columns::{Columns, Value, index_of, label};
use super::lines::{Table, Utf8Reader};
use super::values::{day, number, time_of_day};
use crate::samples::{Clock, Metadata, ReadResult, is_of_pack};
use crate::segmenter::Segmenter;

const COLUMNS: &[(&str, Value)] = &[
    ("latitude", Value::Latitude),
    ("longitude", Value::Longitude),
    ("satellites_num", Value::Satellites),
    ("altitude", Value::Height),
    ("tas", Value::Speed),
    ("voltage", Value::Volts),
    ("current", Value::Amperes),
];
/// Columns that occur together in no other table.
const TELLING: [&str; 4] = ["fsk_rssi", "tas", "motor_status", "f_mode"];
/// km/h per unit.
const METRES_A_SECOND: f64 = 3.6;

/// Returns whether a CSV header is that of such a table.
pub(crate) fn is_header(header: &[String]) -> bool {
    TELLING
        .iter()
        .all(|wanted| header.iter().any(|cell| label(cell).0 == *wanted))
}

/// Returns the model for its number in the table.
fn model(kind: f64) -> &'static str {
    const MODELS: [&str; 7] = ["", "H920", "Q500", "350QX", "Chroma", "Typhoon H", "H920 Plus"];
    let known = MODELS.iter().zip(0u8..).find(|(_, number)| f64::from(*number) == kind);
    known.map_or("", |(model, _)| *model)
}

/// Returns whether the motors run in a flight mode; `None` for models whose modes aren't known.
fn is_armed(kind: f64, mode: f64) -> Option<bool> {
    /// Starting, calibrating, binding, ready, waiting.
    const ON_GROUND: [f64; 9] = [8.0, 9.0, 10.0, 11.0, 15.0, 16.0, 17.0, 18.0, 19.0];
    let has_other_modes = kind == 3.0 || model(kind).is_empty();
    (!has_other_modes).then(|| !ON_GROUND.contains(&mode))
}

/// Reads a table.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut table = Table::new(source, b',');
    let Some(row) = table.next()? else { return Ok(()) };
    let header: Vec<String> = row.iter().map(|cell| cell.into_owned()).collect();
    let columns = Columns::find(&header, COLUMNS);
    let (kind, mode) = (index_of(&header, &["vehicle_type"]), index_of(&header, &["f_mode"]));
    segmenter.begin(Metadata {
        clock: Clock::Local,
        is_continuous: true,
        ..Metadata::default()
    });
    while let Some(row) = table.next()? {
        let Some(seconds) = seconds(&row.cell(0)) else {
            segmenter.count_untimed_row()?;
            continue;
        };
        let mut sample = columns.sample(row, Some(seconds));
        sample.speed = sample.speed.map(|speed| speed * METRES_A_SECOND);
        sample.volts = sample.volts.filter(|volts| is_of_pack(*volts, None));
        // Most copters have no current sensor and send 0.
        sample.amperes = sample.amperes.filter(|amperes| *amperes > 0.0);
        let kind = kind.and_then(|kind| row.number(kind));
        if let (Some(kind), Some(metadata)) = (kind, segmenter.metadata().filter(|metadata| metadata.model.is_empty()))
        {
            model(kind).clone_into(&mut metadata.model);
        }
        let mode = mode.and_then(|mode| row.number(mode));
        sample.armed = kind.zip(mode).and_then(|(kind, mode)| is_armed(kind, mode));
        segmenter.sample(&sample)?;
    }
    Ok(())
}

/// Parses `20150713 14:01:15:313`. Returns seconds since 1970.
fn seconds(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(' ')?;
    let (time, millis) = time.rsplit_once(':')?;
    let (year, month, of_month) = (date.get(..4)?, date.get(4..6)?, date.get(6..)?);
    let day = day(&format!("{year}-{month}-{of_month}"))?;
    Some(day * 86_400.0 + time_of_day(time)? + number(millis)? / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::FoundFlight;

    const HEADER: &str = ",fsk_rssi,voltage,current,altitude,latitude,longitude,tas,gps_used,fix_type,satellites_num,\
                          roll,yaw,pitch,motor_status,imu_status,gps_status,cgps_used,press_compass_status,f_mode,\
                          gps_pos_used,vehicle_type,error_flags1,gps_accH\n";

    /// Ten minutes, with the motors running from the second to the eighth.
    fn table(kind: u8) -> String {
        let rows = (0..600u32).map(|second| {
            let runs = (120..480).contains(&second);
            let flown = second.clamp(120, 480) - 120;
            format!(
                "20150713 14:{:02}:{:02}:313,-46,{:.1},0.0,{:.2},{:.6},-117.064606,{:.1},true,3,16,0,0,0,15,97,1,\
                 1,21,{},false,{kind},0,1.9\n",
                1 + second / 60,
                second % 60,
                12.4 - f64::from(flown) / 300.0,
                f64::from(flown.min(360 - flown)) / 4.0,
                32.96 + f64::from(flown) * 1e-5,
                if runs { 5.0 } else { 0.0 },
                if runs { 3 } else { 16 },
            )
        });
        format!("{HEADER}{}", rows.collect::<String>())
    }

    fn flight(table: &str) -> FoundFlight {
        let header: Vec<String> = table.lines().next().unwrap().split(',').map(str::to_owned).collect();
        assert!(is_header(&header));
        let mut segmenter = Segmenter::default();
        let mut bytes = table.as_bytes();
        read(Utf8Reader::new(&mut bytes, &[]).unwrap(), &mut segmenter).unwrap();
        let mut found = segmenter.finish().found;
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[test]
    fn the_flight_is_where_the_motors_run() {
        let flight = flight(&table(2));
        let figures = flight.figures;
        // 2015-07-13 14:03:00.313
        assert_eq!(
            (flight.start, flight.metadata.clock),
            (Some(1_436_796_180.313), Clock::Local)
        );
        assert!((flight.duration.unwrap() - 359.0).abs() < 0.01, "{flight:?}");
        assert_eq!(
            (flight.metadata.model.as_str(), figures.height, figures.speed),
            ("Q500", Some(45.0), Some(18.0))
        );
        assert_eq!((figures.start_volts, figures.end_volts), (Some(12.4), Some(11.2)));
        assert!((figures.start_point.unwrap().longitude + 117.064_606).abs() < 1e-6);
    }

    #[test]
    fn a_copter_with_other_modes_flies_where_it_moves() {
        let flight = flight(&table(90));
        assert!((flight.duration.unwrap() - 359.0).abs() < 0.01, "{flight:?}");
        assert_eq!(
            (flight.metadata.model.as_str(), is_armed(90.0, 3.0), is_armed(3.0, 3.0)),
            ("", None, None)
        );
    }

    #[test]
    fn a_timestamp_is_read_to_the_millisecond() {
        assert_eq!(seconds("20150713 14:01:15:313"), Some(1_436_796_075.313));
        assert_eq!(
            ["20151332 14:01:15:313", "14:01:15", "2015 14:01", ""].map(seconds),
            [None; 4]
        );
    }
}
