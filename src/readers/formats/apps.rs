//! CSV tables of drone apps: Airdata and its older "Flight record" tables, Litchi, and DJI's records as decoded by
//! other programs.

use super::columns::{Columns, Value, index_of, label};
use super::lines::{Row, Table};
use super::values::{Moment, days, display_text, moment, time_of_day};
use crate::samples::{Clock, Metadata, ReadResult};
use crate::segmenter::Segmenter;

/// The header is in one of the first rows: an advertisement may precede it.
const HEADER_ROWS: usize = 3;
/// Seconds by which the two clocks of a row may differ before one counts as having jumped.
const JUMP_SECONDS: f64 = 2.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum App {
    Airdata,
    Litchi,
    DjiCsv,
    QGroundControl,
    /// A blackbox log as decoded by Betaflight's `blackbox_decode`: the flight, or its positions.
    BlackboxCsv,
}

const AIRDATA: &[(&str, Value)] = &[
    ("latitude", Value::Latitude),
    ("longitude", Value::Longitude),
    ("height_above_takeoff", Value::Height),
    ("ascent", Value::Height),
    ("speed", Value::Speed),
    ("distance", Value::HomeDistance),
    ("satellites", Value::Satellites),
    ("voltage", Value::Volts),
    ("current", Value::Amperes),
];
const LITCHI: &[(&str, Value)] = &[
    ("latitude", Value::Latitude),
    ("longitude", Value::Longitude),
    ("altitude", Value::Height),
    ("speed", Value::Speed),
    ("distance", Value::HomeDistance),
    ("satellites", Value::Satellites),
    ("voltage", Value::Volts),
    ("current", Value::Amperes),
    ("remaincapacity", Value::Left),
];
const DJI_CSV: &[(&str, Value)] = &[
    ("osd.latitude", Value::Latitude),
    ("osd.longitude", Value::Longitude),
    ("osd.height", Value::Height),
    ("osd.hspeed", Value::Speed),
    ("calc.distance2d", Value::HomeDistance),
    ("home.distance", Value::HomeDistance),
    ("osd.gpsnum", Value::Satellites),
    ("battery.voltage", Value::Volts),
    ("center_battery.voltage", Value::Volts),
    ("smart_battery.voltage", Value::Volts),
    ("battery.current", Value::Amperes),
    ("battery.currentcapacity", Value::Left),
    ("center_battery.currentcapacity", Value::Left),
];

const QGROUNDCONTROL: &[(&str, Value)] = &[
    ("gps.lat", Value::Latitude),
    ("gps.lon", Value::Longitude),
    ("altituderelative", Value::Height),
    ("altitudeamsl", Value::Altitude),
    ("groundspeed", Value::MetresPerSecond),
    ("distancetohome", Value::HomeDistance),
    ("gps.count", Value::Satellites),
    ("battery0.voltage", Value::Volts),
    ("battery.voltage", Value::Volts),
    ("battery0.current", Value::Amperes),
    ("battery.current", Value::Amperes),
    ("battery0.mahconsumed", Value::Consumed),
    ("battery.mahconsumed", Value::Consumed),
];
const BLACKBOX_CSV: &[(&str, Value)] = &[
    ("vbatlatest", Value::Volts),
    ("amperagelatest", Value::Amperes),
    ("energycumulative", Value::Consumed),
    ("gps_coord[0]", Value::Latitude),
    ("gps_coord[1]", Value::Longitude),
    ("gps_numsat", Value::Satellites),
    ("gps_speed", Value::MetresPerSecond),
];

impl App {
    fn columns(self) -> &'static [(&'static str, Value)] {
        match self {
            App::Airdata => AIRDATA,
            App::Litchi => LITCHI,
            App::DjiCsv => DJI_CSV,
            App::QGroundControl => QGROUNDCONTROL,
            App::BlackboxCsv => BLACKBOX_CSV,
        }
    }

    /// Returns whether the header is one of this app's.
    pub fn wrote(self, header: &[String]) -> bool {
        let has = |wanted: &str| header.iter().any(|cell| label(cell).0 == wanted);
        let column = |wanted: &str| header.iter().any(|cell| cell.trim().eq_ignore_ascii_case(wanted));
        let has_time = column("datetime(utc)") || column("datetime(local)");
        match self {
            App::Airdata => {
                let has_height = has("ascent") || has("height_above_takeoff");
                column("time(millisecond)") && column("datetime(utc)") && has_height
            }
            App::Litchi => {
                let is_of_litchi = has("isflying") || has("dronetype") || has("planename");
                has("latitude") && has("longitude") && has_time && is_of_litchi
            }
            App::DjiCsv => has("osd.latitude") && (has("custom.updatetime") || has("osd.flytime")),
            App::QGroundControl => column("timestamp") && has("altituderelative") && has("groundspeed"),
            App::BlackboxCsv => has("time") && column("loopiteration") || column("time (us)") && column("gps_coord[0]"),
        }
    }
}

/// Reads a table of the app.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(app: App, mut table: Table<'_>, segmenter: &mut Segmenter) -> ReadResult {
    for _ in 0..HEADER_ROWS {
        let Some(row) = table.next()? else { return Ok(()) };
        let header: Vec<String> = row.iter().map(|cell| cell.into_owned()).collect();
        if app.wrote(&header) {
            return rows(app, &mut table, &header, segmenter);
        }
    }
    Ok(())
}

fn rows(app: App, table: &mut Table<'_>, header: &[String], segmenter: &mut Segmenter) -> ReadResult {
    let columns = Columns::find(header, app.columns());
    let mut times = Times::find(app, header);
    let named = Named::find(header);
    let mut has_begun = false;
    while let Some(row) = table.next()? {
        let Some(seconds) = times.seconds(row) else {
            segmenter.count_untimed_row()?;
            continue;
        };
        if !has_begun {
            has_begun = true;
            segmenter.begin(Metadata {
                clock: times.clock,
                // The ground station logs as long as it is connected.
                is_continuous: app == App::QGroundControl,
                ..Metadata::default()
            });
        }
        if let Some(metadata) = segmenter.metadata() {
            named.note(row, metadata);
        }
        segmenter.sample(&columns.sample(row, Some(seconds)))?;
    }
    Ok(())
}

/// The columns of names and serial numbers. Each value is taken from the first row that has it.
struct Named {
    name: Option<usize>,
    model: Option<usize>,
    copter: Option<usize>,
    battery: Option<usize>,
}

impl Named {
    fn find(header: &[String]) -> Named {
        Named {
            name: index_of(header, &["planename", "details.aircraftname", "recover.aircraftname"]),
            model: index_of(
                header,
                &[
                    "dronetype",
                    "details.aircraftmodel",
                    "recover.droneType",
                    "details.producttype",
                ],
            ),
            copter: index_of(
                header,
                &[
                    "flycontrollerserialnumber",
                    "details.aircraftserial",
                    "details.aircraftsn",
                    "recover.aircraftserial",
                    "recover.aircraftsn",
                ],
            ),
            battery: index_of(
                header,
                &[
                    "batteryserialnumber",
                    "details.batteryserial",
                    "details.batterysn",
                    "recover.batteryserial",
                    "recover.batterysn",
                ],
            ),
        }
    }

    fn note(&self, row: Row<'_>, metadata: &mut Metadata) {
        let note = |column: Option<usize>, value: &mut String| {
            if let (Some(column), true) = (column, value.is_empty()) {
                *value = display_text(&row.cell(column), 100);
            }
        };
        note(self.name, &mut metadata.name);
        note(self.model, &mut metadata.model);
        note(self.copter, &mut metadata.copter_serial);
        note(self.battery, &mut metadata.battery_serial);
    }
}

/// The time columns: a date with time to the second, and often a finer counter.
struct Times {
    clock: Clock,
    moment: Option<usize>,
    date: Option<usize>,
    counter: Option<(usize, f64)>,
    /// The zero of the counter on the clock of `moment`.
    zero: Option<f64>,
}

impl Times {
    fn find(app: App, header: &[String]) -> Times {
        let with = |label_wanted: &str, unit_wanted: &str| {
            header.iter().position(|cell| {
                let (label, unit) = label(cell);
                label == label_wanted && (unit_wanted.is_empty() || unit == unit_wanted)
            })
        };
        let utc = match app {
            App::DjiCsv => with("custom.updatetime", "utc"),
            App::Airdata | App::Litchi => with("datetime", "utc"),
            App::QGroundControl | App::BlackboxCsv => None,
        };
        let local = match app {
            App::DjiCsv => with("custom.updatetime", ""),
            App::Airdata | App::Litchi => with("datetime", "local"),
            App::QGroundControl => with("timestamp", ""),
            App::BlackboxCsv => None,
        };
        let micros = with("time", "us").or(if app == App::BlackboxCsv {
            with("time", "")
        } else {
            None
        });
        let micros = micros.map(|index| (index, 1e-6));
        let millis = with("time", "millisecond").map(|index| (index, 0.001));
        let fly_time = with("osd.flytime", "s")
            .or_else(|| with("osd.flytime", ""))
            .map(|index| (index, 1.0));
        Times {
            clock: match (utc, local) {
                (Some(_), _) => Clock::Utc,
                (None, Some(_)) => Clock::Local,
                (None, None) => Clock::Unknown,
            },
            moment: utc.or(local),
            date: match utc {
                Some(_) => with("custom.date", "utc"),
                None => with("custom.date", ""),
            },
            counter: micros.or(millis).or(fly_time),
            zero: None,
        }
    }

    fn seconds(&mut self, row: Row<'_>) -> Option<f64> {
        let counted = self.counter.and_then(|(index, unit)| Some(row.number(index)? * unit));
        let Some(index) = self.moment else { return counted };
        let cell = row.cell(index);
        let shown = match self.date {
            Some(date) => day_of(&row.cell(date)).and_then(|day| Some(day * 86_400.0 + time_of_day(&*cell)?)),
            None => moment(&cell).map(Moment::utc),
        };
        match (shown, counted) {
            (Some(shown), Some(counted)) => {
                let zero = *self.zero.get_or_insert(shown - counted);
                let fine = zero + counted;
                if (fine - shown).abs() > JUMP_SECONDS {
                    self.zero = Some(shown - counted);
                    return Some(shown);
                }
                Some(fine)
            }
            (Some(shown), None) => Some(shown),
            (None, Some(counted)) => Some(self.zero? + counted),
            (None, None) => None,
        }
    }
}

/// Returns the days since 1970 of a date with the year first, in the German order, or in the American one: `5/17/2026`.
fn day_of(text: &str) -> Option<f64> {
    if let Some(day) = super::values::day(text) {
        return Some(day);
    }
    let numbers = |sign: char| -> Option<Vec<u32>> { text.trim().split(sign).map(|part| part.parse().ok()).collect() };
    let (year, month, day) = match (numbers('/').as_deref(), numbers('.').as_deref()) {
        (Some([month, day, year]), _) | (_, Some([day, month, year])) => (*year, *month, *day),
        _ => return None,
    };
    days(i32::try_from(year).ok()?, month, day)
}
