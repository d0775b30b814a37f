//! The demo pilot's year: days, places and weather, the flights, and the chargings after them. Few flights in winter,
//! most at weekends, batteries that slowly age.

use fastrand::Rng;
use serde_json::{Value, json};

use super::course::{Course, Drain, Extent, between};
use super::hangar::{Battery, Hangar, Rig};
use super::pilot::{DAYS, Pilot};
use super::views::{self, Views};
use fluglog_accounts::operation::Outcome;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{ChargingId, EquipmentId, FlightId};
use fluglog_base::input::Fields;
use fluglog_base::time::WallTime;
use fluglog_readers::formats::Format;
use fluglog_store::operations::model::Object;
use fluglog_topics::flights::model::{Configuration, Instants, NewEntries, Payload};
use fluglog_topics::flights::origin::{self, model::Source};
use fluglog_topics::flights::{self, NewFlight};
use fluglog_topics::packs::charging;
use fluglog_topics::packs::records::charging::{details::ChargerFigures, model::StoredCharging};

/// A fixed seed, so that the year is always the same.
const SEED: u64 = 1;
const FLIGHTS: usize = 200;
const OUTINGS: usize = 68;
const MAX_FLIGHTS_PER_OUTING: usize = 6;
/// The beginner's copter is only flown on the first outings.
const OUTINGS_OF_THE_FIRST: usize = 4;
/// Every n-th flight outdoors comes with a log of its position, and so do the latest ones.
const LOGGED_EVERY: usize = 8;
const LOGGED_LATEST: usize = 4;
/// Degrees that a start is off the place's middle at most: some 70 m.
const START_SPREAD: f64 = 0.0006;
/// Degrees that a landing is off the start at most: some 3 m.
const LANDING_SPREAD: f64 = 0.000_03;
const CHARGING_MINUTES: i64 = 38;
/// Minutes since the running charging of the last battery began.
const CHARGING_SINCE_MINUTES: i64 = 25;
const FULL_CELL_VOLTS: f64 = 4.2;
const STORED_AFTER_DAYS: i64 = 6;
/// The fraction of a full charge that brings a discharged battery to its storage voltage.
const STORING_PART: f64 = 0.4;

pub(crate) struct Flown {
    pub id: FlightId,
    pub start: WallTime,
    /// Pictures from its camera, if it has one.
    pub views: Option<Views>,
}

struct Airfield {
    name: &'static str,
    /// In degrees, like the longitude.
    latitude: f64,
    longitude: f64,
    views: Views,
    /// Weight in the choice of a place.
    often: usize,
}

static PLACES: [Airfield; 7] = [
    place("Modellflugplatz Lüneburger Heide", 53.2194, 10.2211, views::HEATH, 6),
    place("Feld hinter dem Vereinsheim", 53.5023, 10.1187, views::FIELDS, 7),
    place("Elbwiesen bei Geesthacht", 53.4289, 10.3944, views::RIVER, 5),
    place("Kiesgrube bei Güster", 53.5395, 10.6830, views::LAKE, 3),
    place("Strand bei Grömitz", 54.1468, 10.9712, views::COAST, 2),
    place("Wiese an der Weser bei Brake", 53.3391, 8.4966, views::RIVER, 1),
    place("Harzvorland bei Goslar", 51.9312, 10.4587, views::FIELDS, 1),
];
static HALL: Airfield = place("Sporthalle am Stadtpark", 53.4961, 10.1402, views::FIELDS, 0);

const fn place(name: &'static str, latitude: f64, longitude: f64, views: Views, often: usize) -> Airfield {
    Airfield {
        name,
        latitude,
        longitude,
        views,
        often,
    }
}

const NOTES: [&str; 12] = [
    "Neue Propeller ausprobiert, läuft deutlich ruhiger.",
    "Kurzer Bildaussetzer hinter den Bäumen, sonst alles gut.",
    "Landung etwas hart, Landegestell geprüft: in Ordnung.",
    "Powerloop geübt. Wird besser.",
    "Motor hinten links wird wärmer als die anderen. Beobachten.",
    "Greifvogel in der Nähe, Flug vorzeitig beendet.",
    "Zuschauer am Weg, deshalb mit viel Abstand geflogen.",
    "Böiger als vorhergesagt, Akku war schneller leer.",
    "GPS-Rettung ausgelöst: kommt sauber zurück und landet.",
    "Bisher bester Flug mit diesem Copter!",
    "Antenne nachgezogen, Empfang jetzt ohne Aussetzer.",
    "Gelandet, weil ein Hubschrauber zu hören war.",
];
const WIND_FROM: [&str; 5] = ["West", "Südwest", "Nordwest", "West", "Ost"];

/// A day on which the pilot goes flying.
struct Outing {
    days_ago: i64,
    flights: usize,
    /// 0 in January to 1 in July.
    warmth: f64,
    is_weekend: bool,
}

/// Flies the whole year and returns the flights in order of their start.
pub fn fly(pilot: &Pilot, hangar: &Hangar) -> Result<Vec<Flown>> {
    let mut chance = Rng::with_seed(SEED);
    let mut flown = Vec::with_capacity(FLIGHTS);
    let mut charged = Vec::with_capacity(FLIGHTS);
    let outings = outings(pilot, &mut chance);
    for (number, outing) in outings.iter().enumerate() {
        let is_last = number + 1 == outings.len();
        let day = plan(hangar, outing, number, &mut chance);
        let used = go_out(pilot, outing, &day, &mut chance, &mut flown)?;
        charged.extend(chargings(pilot, &used, outing.days_ago, is_last));
    }
    put_away(pilot, hangar, &mut charged);
    charge(pilot, charged)?;
    Ok(flown)
}

/// Brings batteries that weren't flown lately to storage voltage, except one that the pilot forgot; one indoor battery
/// stays discharged.
fn put_away(pilot: &Pilot, hangar: &Hangar, charged: &mut Vec<(EquipmentId, StoredCharging)>) {
    let Hangar {
        freestyle,
        film,
        far,
        hall,
        ..
    } = hangar;
    let lately = pilot.time(STORED_AFTER_DAYS, 0);
    let forgotten = freestyle.batteries.first().map(|battery| battery.id);
    for rig in [freestyle, film, far, hall] {
        for battery in rig.batteries.iter().filter(|battery| Some(battery.id) != forgotten) {
            store(battery.id, rig, lately, charged);
        }
    }
    let last_of = |battery: &Battery| charged.iter().rposition(|(charged, _)| *charged == battery.id);
    let mut done = hall.batteries.iter().filter_map(last_of);
    // Skips the battery that is still charging.
    if let Some(last) = done.find(|last| charged[*last].1.end.is_some()) {
        charged.remove(last);
    }
}

/// Turns the last charging of a battery, if it ended before `before`, into one to storage voltage.
fn store(id: EquipmentId, rig: &Rig, before: WallTime, charged: &mut [(EquipmentId, StoredCharging)]) {
    let mut chargings = charged.iter_mut().rev();
    if let Some((_, charging)) = chargings.find(|(battery, _)| *battery == id)
        && charging.end.is_some_and(|end| end < before)
    {
        let cell_volts = rig.chemistry.storage();
        charging.to_voltage = Some(rounded(rig.cells * cell_volts, 2));
        charging.to_cell_voltage = Some(cell_volts);
        charging.charged = charging.charged.map(|charged| (charged * STORING_PART).round());
    }
}

/// The days of the year with something to fly, oldest first. The last one is yesterday, so that home always has a pack
/// that was charged for the next flight.
fn outings(pilot: &Pilot, chance: &mut Rng) -> Vec<Outing> {
    let mut days: Vec<_> = (1..DAYS)
        .map(|days_ago| {
            let day = i64::from(pilot.time(days_ago, 0).date().days());
            let season = (day as f64 / 365.2425).fract();
            let warmth = 0.5 - 0.5 * ((season - 0.04) * std::f64::consts::TAU).cos();
            // 1970-01-01 was a Thursday.
            let is_weekend = (day + 3).rem_euclid(7) >= 5;
            let liked = (0.45 + warmth) * if is_weekend { 3.2 } else { 0.5 };
            let is_yesterday = days_ago == 1;
            let outing = Outing {
                days_ago,
                flights: if is_yesterday { 3 } else { 2 },
                warmth,
                is_weekend,
            };
            // Weighted sampling without replacement (Efraimidis and Spirakis 2006).
            let weight = chance.f64().powf(1.0 / liked);
            (if is_yesterday { f64::INFINITY } else { weight }, outing)
        })
        .collect();
    days.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    days.truncate(OUTINGS);
    days.sort_by_key(|(_, outing)| std::cmp::Reverse(outing.days_ago));
    let mut outings: Vec<_> = days.into_iter().map(|(_, outing)| outing).collect();
    let mut left = FLIGHTS - outings.iter().map(|outing| outing.flights).sum::<usize>();
    while left > 0 {
        let outing = &mut outings[chance.usize(..OUTINGS)];
        if outing.flights < MAX_FLIGHTS_PER_OUTING && chance.f64() < 0.3 + outing.warmth {
            outing.flights += 1;
            left -= 1;
        }
    }
    outings
}

/// The conditions of one outing.
struct Day<'d> {
    rigs: [&'d Rig; 2],
    /// Number of the outing: each starts with the next battery.
    turn: usize,
    place: &'static Airfield,
    weather: String,
    in_hall: bool,
    /// Minutes after midnight.
    begins: f64,
}

fn plan<'d>(hangar: &'d Hangar, outing: &Outing, number: usize, chance: &mut Rng) -> Day<'d> {
    let is_first = number < OUTINGS_OF_THE_FIRST;
    // The last flights have places, pictures and a path also in winter.
    let is_last = number + 1 == OUTINGS;
    let in_hall = !is_first && !is_last && outing.warmth < 0.25 && chance.f64() < 0.7;
    let Hangar {
        freestyle,
        film,
        far,
        hall,
        ..
    } = hangar;
    let rigs = match (is_first, in_hall) {
        (true, _) => [&hangar.first, freestyle],
        (_, true) => [hall, hall],
        _ => *pick(
            chance,
            &[
                [freestyle, film],
                [freestyle, film],
                [film, freestyle],
                [film, far],
                [far, film],
            ],
        ),
    };
    let sunset = (16.2 + outing.warmth * 5.2) * 60.0;
    let begins = match (in_hall, outing.is_weekend) {
        (true, _) => between(chance, 18.0, 18.8) * 60.0,
        (_, true) => (between(chance, 10.0, 15.5) * 60.0).min(sunset - 140.0),
        _ => (between(chance, 15.0, 18.0) * 60.0).min(sunset - 140.0),
    };
    Day {
        rigs,
        turn: number,
        place: if in_hall { &HALL } else { somewhere(outing, chance) },
        weather: if in_hall {
            "In der Halle, 18 °C".to_owned()
        } else {
            weather(outing, chance)
        },
        in_hall,
        begins,
    }
}

/// Flies every battery once; then the first ones have been recharged in the car.
fn go_out(
    pilot: &Pilot,
    outing: &Outing,
    day: &Day<'_>,
    chance: &mut Rng,
    flown: &mut Vec<Flown>,
) -> Result<Vec<Empty>> {
    let mut ready = Vec::new();
    for rig in day.rigs {
        let count = rig.batteries.len();
        ready.extend((0..count).map(|place| (rig, &rig.batteries[(place + day.turn) % count])));
    }
    let mut minute = day.begins;
    let mut used = Vec::new();
    for (rig, battery) in ready.into_iter().cycle().take(outing.flights) {
        let start = pilot.time(outing.days_ago, minute as i64);
        let trip = Trip {
            rig,
            place: day.place,
            weather: &day.weather,
            battery: battery.id,
            start,
            seed: flown.len() as u64,
            is_logged: !day.in_hall
                && (flown.len() >= FLIGHTS - LOGGED_LATEST || flown.len().is_multiple_of(LOGGED_EVERY)),
            worn: 1.0 - battery.ages * (DAYS - outing.days_ago) as f64 / DAYS as f64,
        };
        let (id, minutes, end_volts) = take_trip(pilot, &trip, chance)?;
        flown.push(Flown {
            id,
            start,
            views: (rig.has_camera && !day.in_hall).then_some(day.place.views),
        });
        used.push(Empty {
            battery: battery.id,
            landed: (minute + minutes) as i64,
            cells: rig.cells,
            volts: end_volts,
            charged: rig.capacity * trip.worn * between(chance, 0.70, 0.78),
        });
        minute += minutes + between(chance, 9.0, 18.0);
    }
    Ok(used)
}

fn somewhere(outing: &Outing, chance: &mut Rng) -> &'static Airfield {
    // Distant places are only visited at weekends.
    let reachable = if outing.is_weekend { &PLACES[..] } else { &PLACES[..3] };
    let all: usize = reachable.iter().map(|place| place.often).sum();
    let mut at = chance.usize(..all);
    for place in reachable {
        if at < place.often {
            return place;
        }
        at -= place.often;
    }
    &PLACES[0]
}

fn weather(outing: &Outing, chance: &mut Rng) -> String {
    let degrees = 2.0 + outing.warmth * 20.0 + between(chance, -3.5, 4.5);
    let sky = if outing.warmth > 0.5 {
        pick(chance, &["Sonnig", "Heiter", "Leicht bewölkt", "Bewölkt"])
    } else {
        pick(chance, &["Bewölkt", "Klar", "Diesig", "Bedeckt", "Heiter"])
    };
    let wind = between(chance, 0.0, 24.0);
    let wind = match wind {
        wind if wind < 4.0 => "windstill".to_owned(),
        wind if wind < 19.0 => format!("Wind {wind:.0} km/h aus {}", pick(chance, &WIND_FROM)),
        wind => format!("Wind {wind:.0} km/h aus {}, böig", pick(chance, &WIND_FROM)),
    };
    format!("{sky}, {degrees:.0} °C, {wind}")
}

struct Trip<'t> {
    rig: &'t Rig,
    battery: EquipmentId,
    place: &'t Airfield,
    weather: &'t str,
    start: WallTime,
    /// Of its course.
    seed: u64,
    is_logged: bool,
    /// The battery's remaining capacity, 1 when it was new.
    worn: f64,
}

/// Adds one flight. Returns its id, its duration in minutes, and the battery's voltage afterwards.
fn take_trip(pilot: &Pilot, trip: &Trip<'_>, chance: &mut Rng) -> Result<(FlightId, f64, f64)> {
    let Trip { rig, place, start, .. } = trip;
    pilot.go_to(*start);
    let payloads = match chance.usize(..18) {
        0 => vec![payload("GPS-Finder", 9.5)],
        1 if rig.cells > 4.0 => vec![payload("ND-Filter-Set", 21.0), payload("GPS-Finder", 9.5)],
        _ => Vec::new(),
    };
    let configuration = Configuration {
        copter: rig.copter,
        equipments: std::iter::once(trip.battery)
            .chain(rig.others.iter().copied())
            .collect(),
        payloads,
    };
    let drained = between(chance, 0.62, 0.86);
    let minutes = rounded(
        rig.minutes * trip.worn * (drained / 0.74) * between(chance, 0.94, 1.06),
        1,
    );
    let speed = rounded(rig.speed * between(chance, 0.72, 1.18), 0);
    let full = rig.cells * FULL_CELL_VOLTS;
    // Resting voltage of a cell as a function of the discharged fraction; an aged cell ends lower.
    let end_volts = rounded(full - rig.cells * (0.66 * drained + 0.35 * (1.0 - trip.worn)), 1);
    let latitude = near(place.latitude, START_SPREAD, chance);
    let longitude = near(place.longitude, START_SPREAD, chance);
    let mut form = json!({
        "startTime": start.to_string(),
        "location": place.name,
        "startLatitude": coordinate(latitude),
        "startLongitude": coordinate(longitude),
        "endLatitude": coordinate(near(latitude, LANDING_SPREAD, chance)),
        "endLongitude": coordinate(near(longitude, LANDING_SPREAD, chance)),
        "flightTime": minutes,
        "maximumAltitude": rounded((rig.altitude * between(chance, 0.55, 1.25)).min(119.0), 0),
        "distance": rounded(minutes / 60.0 * speed * between(chance, 0.36, 0.5), 2),
        "maximumDistance": rounded(rig.reach * between(chance, 0.5, 1.2), 0),
        "speed": speed,
        "batteryStartVoltage": rounded(full - rig.cells * between(chance, 0.0, 0.03), 1),
        "batteryEndVoltage": end_volts,
        "consumedCapacity": rounded(rig.capacity * trip.worn * drained, 0),
        "flightMode": rig.mode,
        "weatherConditions": trip.weather,
        "purpose": pick(chance, rig.purposes),
        "notes": if chance.f64() < 0.4 { pick(chance, &NOTES) } else { "" },
    });
    let course = trip.course(&form);
    if let Some(course) = &course {
        let (latitude, longitude) = course.end();
        form["endLatitude"] = coordinate(latitude).into();
        form["endLongitude"] = coordinate(longitude).into();
        form["distance"] = rounded(course.distance, 2).into();
        form["maximumDistance"] = rounded(course.reach, 0).into();
        form["maximumAltitude"] = rounded(course.altitude, 0).into();
        form["speed"] = rounded(course.speed, 0).into();
    }
    let fields = Fields::from_json(&form.to_string())?;
    let id = FlightId::fresh();
    let new = NewFlight { id, configuration };
    let entries = NewEntries::read_finished(&fields, Instants::default(), &pilot.app.clock);
    flights::add(&pilot.app, pilot.operation(), new, entries)?;
    if let Some(course) = &course {
        let number = |name: &str| form[name].as_f64().unwrap_or_default();
        let drain = Drain {
            volts: (number("batteryStartVoltage"), end_volts),
            consumed: number("consumedCapacity"),
        };
        log(pilot, id, *start, (course, &drain))?;
    }
    Ok((id, minutes, end_volts))
}

fn near(degrees: f64, spread: f64, chance: &mut Rng) -> f64 {
    degrees + between(chance, -spread, spread)
}

fn coordinate(degrees: f64) -> String {
    format!("{degrees:.5}")
}

impl Trip<'_> {
    /// Returns the course of a flight with a log. The values of the others stay as they are, whichever have one.
    fn course(&self, form: &Value) -> Option<Course> {
        let style = self.rig.style.filter(|_| self.is_logged)?;
        let number = |name: &str| form[name].as_f64();
        let minutes = number("flightTime")?;
        let extent = Extent {
            minutes,
            speed: number("distance")? * 60.0 / minutes,
            altitude: number("maximumAltitude")?,
            reach: number("maximumDistance")?,
        };
        let degrees = |name: &str| form[name].as_str()?.parse::<f64>().ok();
        let start = (degrees("startLatitude")?, degrees("startLongitude")?);
        Some(Course::fly(style, &extent, start, &mut Rng::with_seed(self.seed)))
    }
}

/// Stores the log of a flight, as if its file had been imported.
fn log(pilot: &Pilot, flight: FlightId, start: WallTime, (course, drain): (&Course, &Drain)) -> Result<()> {
    let viewer = pilot.viewer;
    let source = Source {
        digest: flight.key(),
        part: 0,
        format: Format::EdgeTx.wire_name().to_owned(),
        file: format!("{}.csv", start.date().to_iso()),
        start: Some(start.minutes() * 60),
        is_utc: false,
        added: pilot.app.clock.unix_seconds(),
    };
    let (track, profile) = (course.track(), course.profile(drain));
    pilot.operation().write(&pilot.app.store, move |writer| {
        origin::add(writer, &viewer, flight, &source)?;
        origin::put_track(writer, &viewer, flight, &track)?;
        origin::put_profile(writer, &viewer, flight, &profile)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

fn payload(name: &str, weight: f64) -> Payload {
    Payload {
        name: name.to_owned(),
        weight,
    }
}

/// A battery after its flight.
struct Empty {
    battery: EquipmentId,
    /// Minutes after midnight.
    landed: i64,
    cells: f64,
    volts: f64,
    /// The charge in mAh that fills the battery again.
    charged: f64,
}

/// The chargings after an outing: immediately for batteries that fly again, in the evening, one after another, for all
/// others. After the last outing one battery is still charging.
fn chargings(pilot: &Pilot, used: &[Empty], days_ago: i64, is_last_outing: bool) -> Vec<(EquipmentId, StoredCharging)> {
    let home = used.last().map_or(0, |empty| empty.landed) + 45;
    let mut evening = 0;
    let mut chargings = Vec::with_capacity(used.len());
    for (place, empty) in used.iter().enumerate() {
        let later = &used[place + 1..];
        let is_running = is_last_outing && later.is_empty();
        let start = if is_running {
            pilot.now.plus_minutes(-CHARGING_SINCE_MINUTES).unwrap_or(pilot.now)
        } else if later.iter().any(|other| other.battery == empty.battery) {
            pilot.time(days_ago, empty.landed + 4)
        } else {
            evening += CHARGING_MINUTES + 6;
            pilot.time(days_ago, home + evening - CHARGING_MINUTES)
        };
        let is_ended = !is_running;
        let charging = StoredCharging {
            id: ChargingId::fresh(),
            start,
            end: is_ended.then(|| start.plus_minutes(CHARGING_MINUTES).unwrap_or(start)),
            from_voltage: Some(empty.volts),
            to_voltage: is_ended.then(|| rounded(empty.cells * FULL_CELL_VOLTS, 1)),
            from_cell_voltage: Some(rounded(empty.volts / empty.cells, 2)),
            to_cell_voltage: is_ended.then_some(FULL_CELL_VOLTS),
            charged: is_ended.then(|| empty.charged.round()),
            flight: None,
            figures: ChargerFigures::default(),
        };
        chargings.push((empty.battery, charging));
    }
    chargings
}

/// Stores the chargings in parallel, so that they share the disk syncs.
fn charge(pilot: &Pilot, chargings: Vec<(EquipmentId, StoredCharging)>) -> Result<()> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = chargings
            .into_iter()
            .map(|(battery, charging)| {
                let operation = pilot.operation();
                let access = operation.access();
                scope.spawn(move || {
                    operation.write(&pilot.app.store, move |writer| {
                        charging::add_foreign(writer, &access, battery, &charging)?;
                        Ok(Outcome::new(Object::NONE, ()))
                    })
                })
            })
            .collect();
        for thread in threads {
            thread
                .join()
                .map_err(|_| Error::Internal("a panic while charging".to_owned()))??;
        }
        Ok(())
    })
}

/// A random element.
fn pick<'t, T>(chance: &mut Rng, all: &'t [T]) -> &'t T {
    &all[chance.usize(..all.len())]
}

/// Rounds to `decimals` decimals.
fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}
