//! A believable pilot for looking around: one user, a dozen items, 60 flights of the past year. Made through the same functions as
//! everything else, so that no demo flight is one that a pilot couldn't have entered.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use crate::accounts::guard::{self, Viewer};
use crate::accounts::{self, Browser, administration};
use crate::app::App;
use crate::equipment::charging;
use crate::equipment::charging::model::{ChargingEnd, ChargingEntries};
use crate::equipment::model::{Details, Kind};
use crate::error::Result;
use crate::flights::model::{Configuration, Payload};
use crate::id::EquipmentId;
use crate::input::Fields;
use crate::time::WallTime;
use crate::{equipment, flights};

/// Who logs in to the demo.
pub const EMAIL: &str = "demo@example.org";
pub const PASSWORD: &str = "fluglog-demo";
const NICKNAME: &str = "Luftikus";

const FLIGHTS: usize = 60;
const DAYS_BETWEEN_FLIGHTS: i64 = 6;
const MINUTES_A_DAY: i64 = 24 * 60;

/// A copter with its batteries and what it does in a flight.
struct Rig {
    copter: EquipmentId,
    batteries: [EquipmentId; 2],
    /// Goggles and transmitter.
    hand: [EquipmentId; 2],
    camera: Option<EquipmentId>,
    full_volts: f64,
    capacity: f64,
    minutes: f64,
    speed: f64,
    mode: &'static str,
    purpose: &'static str,
}

/// Place, latitude and longitude in degrees.
const PLACES: [(&str, f64, f64); 6] = [
    ("Modellflugplatz Lüneburger Heide", 53.2194, 10.2211),
    ("Elbwiesen bei Geesthacht", 53.4289, 10.3944),
    ("Alter Steinbruch Lägerdorf", 53.8812, 9.5741),
    ("Feld hinter dem Vereinsheim", 53.5023, 10.1187),
    ("Strand Sankt Peter-Ording", 54.3042, 8.6391),
    ("Wiese am Schaalsee", 53.5876, 10.9342),
];
const WEATHER: [&str; 5] = [
    "Sonnig, 18 °C, leichter Wind aus West",
    "Bewölkt, 12 °C, Wind 15 km/h",
    "Klar und windstill, 6 °C",
    "Diesig, 9 °C, schwacher Wind",
    "Heiter, 24 °C, böig",
];
const NOTES: [&str; 6] = [
    "",
    "Neue Propeller ausprobiert, läuft deutlich ruhiger.",
    "Kurzer Bildaussetzer hinter den Bäumen, sonst alles gut.",
    "",
    "Landung etwas hart, Landegestell geprüft: in Ordnung.",
    "Powerloop geübt. Wird besser.",
];

/// Fills an empty database.
///
/// # Errors
/// An unwritable database.
pub fn fill(app: &App) -> Result<()> {
    administration::add_user(app, EMAIL, NICKNAME, Some(PASSWORD))?;
    let here = Browser {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        session: None,
        name: None,
    };
    let login = accounts::login(app, EMAIL, PASSWORD, false, &here)?;
    let viewer = guard::viewer_of_session(app, login.session.as_str())?;
    let rigs = equip(app, &viewer)?;
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    for number in 0..FLIGHTS {
        fly(app, &viewer, &rigs[number % rigs.len()], number, &mut chance)?;
    }
    accounts::logout(app, Some(login.session.digest()), None)
}

/// Adds an item from its form.
fn add(app: &App, viewer: &Viewer, kind: Kind, form: serde_json::Value) -> Result<EquipmentId> {
    let details = Details::read(kind, &Fields::from_json(&form.to_string())?)?;
    Ok(equipment::add(app, viewer, kind, details)?.id)
}

fn batteries(app: &App, viewer: &Viewer, names: [&str; 2], pack: &serde_json::Value) -> Result<[EquipmentId; 2]> {
    let battery = |name: &str| {
        let mut form = pack.clone();
        form["name"] = name.into();
        add(app, viewer, Kind::Battery, form)
    };
    Ok([battery(names[0])?, battery(names[1])?])
}

/// What every flight needs and no copter carries, and what lies in the drawer.
fn accessories(app: &App, viewer: &Viewer) -> Result<[EquipmentId; 2]> {
    let add = |kind, form| add(app, viewer, kind, form);
    let goggles = add(
        Kind::Goggles,
        json!({"name": "Brille", "model": "Goggles 3", "manufacturer": "DJI", "seller": "FPV24", "purchaseDate": "02.08.2025", "firmwareNumber": "01.00.0900"}),
    )?;
    let transmitter = add(
        Kind::Transmitter,
        json!({"name": "Funke", "model": "Boxer ELRS", "manufacturer": "RadioMaster", "seller": "FPV24", "purchaseDate": "11.01.2025", "firmwareNumber": "EdgeTX 2.11"}),
    )?;
    add(
        Kind::VideoCamera,
        json!({"name": "Kleine Kamera", "model": "Thumb Pro", "manufacturer": "RunCam", "purchaseDate": "05.05.2024", "weight": 16}),
    )?;
    let trainer = add(
        Kind::Copter,
        json!({"name": "Übungscopter", "model": "Tinyhawk II", "manufacturer": "EMAX", "seller": "Flohmarkt Verein", "purchaseDate": "20.04.2023", "weight": 48}),
    )?;
    let old_goggles = add(
        Kind::Goggles,
        json!({"name": "Alte Brille", "model": "EV800D", "manufacturer": "Eachine", "purchaseDate": "20.04.2023"}),
    )?;
    let why = "Flugregler defekt, als Ersatzteilspender aufgehoben";
    equipment::retire(app, viewer, trainer, why.to_owned())?;
    equipment::retire(app, viewer, old_goggles, "Akku der Brille hält nicht mehr".to_owned())?;
    Ok([goggles, transmitter])
}

fn equip(app: &App, viewer: &Viewer) -> Result<[Rig; 2]> {
    let hand = accessories(app, viewer)?;
    let racer = add(
        app,
        viewer,
        Kind::Copter,
        json!({"name": "Roter Baron", "model": "Nazgul5 V3", "manufacturer": "iFlight", "seller": "Copterladen Hamburg", "purchaseDate": "14.03.2025", "weight": 412}),
    )?;
    let cine = add(
        app,
        viewer,
        Kind::Copter,
        json!({"name": "Brummer", "model": "Cinelog35", "manufacturer": "GEPRC", "seller": "FPV24", "purchaseDate": "02.08.2025", "weight": 338}),
    )?;
    let camera = add(
        app,
        viewer,
        Kind::VideoCamera,
        json!({"name": "Actioncam", "model": "Hero 12 Black", "manufacturer": "GoPro", "seller": "Fotohaus Altona", "purchaseDate": "02.08.2025", "weight": 154}),
    )?;
    let six = json!({"model": "R-Line 6S 1300", "manufacturer": "Tattu", "seller": "Copterladen Hamburg", "purchaseDate": "14.03.2025", "batteryType": "LiPo 6S", "capacity": 1300, "weight": 204});
    let four = json!({"model": "Funfly 4S 1550", "manufacturer": "Tattu", "seller": "Copterladen Hamburg", "purchaseDate": "02.08.2025", "batteryType": "LiPo 4S", "capacity": 1550, "weight": 172});
    Ok([
        Rig {
            copter: racer,
            batteries: batteries(app, viewer, ["Akku 1", "Akku 2"], &six)?,
            hand,
            camera: None,
            full_volts: 25.2,
            capacity: 1300.0,
            minutes: 5.0,
            speed: 112.0,
            mode: "2",
            purpose: "Freestyle-Training",
        },
        Rig {
            copter: cine,
            batteries: batteries(app, viewer, ["Akku 3", "Akku 4"], &four)?,
            hand,
            camera: Some(camera),
            full_volts: 16.8,
            capacity: 1550.0,
            minutes: 7.5,
            speed: 46.0,
            mode: "0",
            purpose: "Videoaufnahmen",
        },
    ])
}

fn fly(app: &App, viewer: &Viewer, rig: &Rig, number: usize, chance: &mut Chance) -> Result<()> {
    let (location, latitude, longitude) = PLACES[chance.below(PLACES.len())];
    let battery = rig.batteries[(number / 2) % rig.batteries.len()];
    let equipments = [battery].into_iter().chain(rig.hand).chain(rig.camera).collect();
    let payloads = match number % 7 {
        3 => vec![Payload {
            name: "GPS-Finder".to_owned(),
            weight: 9.5,
        }],
        _ => Vec::new(),
    };
    let id = flights::create(
        app,
        viewer,
        Configuration {
            copter: rig.copter,
            equipments,
            payloads,
        },
    )?;
    let minutes = chance.about(rig.minutes, 1);
    let share = minutes / (rig.minutes * 1.25);
    let speed = chance.about(rig.speed, 1);
    let begun = start(app, number, chance);
    let end_volts = (rig.full_volts * (1.0 - 0.15 * share) * 10.0).round() / 10.0;
    let form = json!({
        "startTime": begun.to_string(),
        "location": location,
        "startLatitude": format!("{latitude:.4}"),
        "startLongitude": format!("{longitude:.4}"),
        "endLatitude": format!("{:.4}", latitude + chance.about(0.0004, 4)),
        "endLongitude": format!("{longitude:.4}"),
        "flightTime": minutes.to_string(),
        "maximumAltitude": chance.about(62.0, 0).to_string(),
        "distance": format!("{:.2}", minutes * speed / 60.0 * 0.45),
        "maximumDistance": chance.about(310.0, 0).to_string(),
        "speed": speed.to_string(),
        "batteryStartVoltage": format!("{:.1}", rig.full_volts - 0.1),
        "batteryEndVoltage": end_volts.to_string(),
        "consumedCapacity": format!("{:.0}", rig.capacity * 0.8 * share),
        "flightMode": rig.mode,
        "weatherConditions": WEATHER[chance.below(WEATHER.len())],
        "purpose": rig.purpose,
        "notes": NOTES[chance.below(NOTES.len())],
    });
    let fields = Fields::from_json(&form.to_string())?;
    flights::save(app, viewer, id, move |entries| entries.apply(&fields), true)?;
    // A pack takes in a little less with every month.
    let aged = 1.05 - 0.002 * f64::from(u32::try_from(number).unwrap_or_default());
    let charged = (rig.capacity * 0.8 * share * aged).round();
    charge(app, viewer, battery, begun, end_volts, rig.full_volts, charged)
}

/// Charges a battery in the evening after its flight.
fn charge(
    app: &App,
    viewer: &Viewer,
    battery: EquipmentId,
    flown: WallTime,
    from_voltage: f64,
    to_voltage: f64,
    charged: f64,
) -> Result<()> {
    let start = flown.plus_minutes(2 * 60).unwrap_or(flown);
    let end = ChargingEnd {
        time: start.plus_minutes(55).unwrap_or(start),
        to_voltage,
        to_cell_voltage: None,
        charged,
    };
    let entries = ChargingEntries {
        start,
        from_voltage,
        from_cell_voltage: None,
        end: Some(end),
    };
    charging::add(app, viewer, battery, entries)?;
    Ok(())
}

/// Some days apart, in the afternoon, the last one a few days ago.
fn start(app: &App, number: usize, chance: &mut Chance) -> WallTime {
    let now = app.clock.now();
    let days_ago = i64::try_from(FLIGHTS - number).unwrap_or_default() * DAYS_BETWEEN_FLIGHTS - 3;
    let midnight = now.minutes() - now.minutes().rem_euclid(MINUTES_A_DAY);
    let minute = 10 * 60 + i64::try_from(chance.below(8 * 60)).unwrap_or_default();
    WallTime::from_minutes(midnight - days_ago * MINUTES_A_DAY + minute).unwrap_or(now)
}

/// Numbers that look random and are the same each time (xorshift64, Marsaglia 2003).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }

    /// A value up to a quarter off the middle, with this many decimals.
    fn about(&mut self, middle: f64, decimals: i32) -> f64 {
        let thousandths = u32::try_from(self.below(501)).unwrap_or_default();
        let value = middle * (0.75 + f64::from(thousandths) / 1000.0);
        let scale = 10f64.powi(decimals);
        (value * scale).round() / scale
    }
}
