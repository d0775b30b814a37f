//! The demo pilot's equipment: what is flown together, what lies in the drawer, what was retired.

use serde_json::{Value, json};

use super::course::Style;
use super::pilot::Pilot;
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, SetId};
use fluglog_base::input::Fields;
use fluglog_topics::equipment::battery_profile::{Chemistry, ProfileChanges};
use fluglog_topics::equipment::model::{Details, Kind};
use fluglog_topics::equipment::stickers;
use fluglog_topics::equipment::{self, NewItem};
use fluglog_topics::packs::records::sets::model::SetChanges;
use fluglog_topics::packs::sets;

/// A copter with everything that flies with it, and its usual flights.
pub(crate) struct Rig {
    pub copter: EquipmentId,
    pub batteries: Vec<Battery>,
    /// Goggles, transmitter and camera.
    pub others: Vec<EquipmentId>,
    pub has_camera: bool,
    pub cells: f64,
    pub chemistry: Chemistry,
    /// mAh
    pub capacity: f64,
    /// min
    pub minutes: f64,
    /// km/h, the fastest
    pub speed: f64,
    /// m
    pub altitude: f64,
    /// Distance from the pilot in m.
    pub reach: f64,
    pub mode: &'static str,
    /// How it flies where a log records its position.
    pub style: Option<Style>,
    pub purposes: &'static [&'static str],
}

pub struct Battery {
    pub id: EquipmentId,
    /// The fraction of its capacity that the battery loses in a year.
    pub ages: f64,
}

pub struct Hangar {
    pub freestyle: Rig,
    pub film: Rig,
    pub far: Rig,
    /// For indoor flying in winter.
    pub hall: Rig,
    /// A beginner's equipment, retired during the year.
    pub first: Rig,
    pub goggles: EquipmentId,
    pub transmitter: EquipmentId,
    pub items: usize,
    old_goggles: EquipmentId,
    old_transmitter: EquipmentId,
}

/// Adds items and counts them.
struct Shop<'p> {
    pilot: &'p Pilot,
    items: usize,
}

impl Shop<'_> {
    /// Adds an item bought `days_ago` days ago; `form` has the other fields of its form.
    fn buy(&mut self, kind: Kind, days_ago: i64, mut form: Value) -> Result<EquipmentId> {
        form["purchaseDate"] = self.pilot.date(days_ago).into();
        let form = Fields::from_json(&form.to_string())?;
        let (details, profile) = (
            Details::read(kind, &form)?,
            ProfileChanges::of_form(kind == Kind::Battery, &form)?,
        );
        self.items += 1;
        let id = EquipmentId::fresh();
        let new = NewItem {
            id,
            kind,
            space: None,
            details,
            profile,
        };
        let (_, item) = equipment::add(&self.pilot.app, self.pilot.operation(), new)?;
        Ok(item.id)
    }

    /// Adds batteries of one kind, each with its name and its yearly loss of capacity.
    fn packs(&mut self, days_ago: i64, names: &[(&str, f64)], pack: &Value) -> Result<Vec<Battery>> {
        let buy = |(name, ages): &(&str, f64)| {
            let mut form = pack.clone();
            form["name"] = (*name).into();
            let id = self.buy(Kind::Battery, days_ago, form)?;
            Ok(Battery { id, ages: *ages })
        };
        names.iter().map(buy).collect()
    }
}

pub(crate) fn equip(pilot: &Pilot) -> Result<Hangar> {
    let mut shop = Shop { pilot, items: 0 };
    let goggles = shop.buy(
        Kind::Goggles,
        470,
        json!({"name": "Brille", "model": "Goggles 3", "manufacturer": "DJI", "seller": "FPV24",
            "firmwareNumber": "01.00.0900"}),
    )?;
    let old_goggles = shop.buy(
        Kind::Goggles,
        1300,
        json!({"name": "Alte Brille", "model": "EV800D", "manufacturer": "Eachine", "seller": "Flohmarkt Verein"}),
    )?;
    let box_goggles = shop.buy(
        Kind::Goggles,
        640,
        json!({"name": "Analogbrille", "model": "Cobra X V4", "manufacturer": "Skyzone",
            "seller": "Copterladen Hamburg", "firmwareNumber": "4.1.2"}),
    )?;
    let transmitter = shop.buy(
        Kind::Transmitter,
        640,
        json!({"name": "Funke", "model": "Boxer ELRS", "manufacturer": "RadioMaster", "seller": "FPV24",
            "firmwareNumber": "EdgeTX 2.11"}),
    )?;
    let old_transmitter = shop.buy(
        Kind::Transmitter,
        1300,
        json!({"name": "Alte Funke", "model": "Taranis X7", "manufacturer": "FrSky", "seller": "Flohmarkt Verein",
            "firmwareNumber": "OpenTX 2.3"}),
    )?;
    let hand = [goggles, transmitter];
    let far = far(&mut shop, &hand)?;
    pair(pilot, "Langstrecke", &far.batteries)?;
    let freestyle = freestyle(&mut shop, &hand)?;
    stick(
        pilot,
        freestyle
            .batteries
            .iter()
            .chain(&far.batteries)
            .map(|battery| battery.id),
    )?;
    stick(pilot, [freestyle.copter, far.copter].into_iter())?;
    Ok(Hangar {
        freestyle,
        film: film(&mut shop, &hand)?,
        far,
        hall: hall(&mut shop, &[box_goggles, transmitter])?,
        first: first(&mut shop, &[box_goggles, transmitter])?,
        goggles,
        transmitter,
        items: shop.items,
        old_goggles,
        old_transmitter,
    })
}

fn freestyle(shop: &mut Shop<'_>, hand: &[EquipmentId]) -> Result<Rig> {
    let pack = json!({"model": "R-Line 6S 1300", "manufacturer": "Tattu", "seller": "Copterladen Hamburg",
        "batteryType": "LiPo 6S", "capacity": 1300, "weight": 204});
    // The first battery visibly ages during the year.
    let names = [("Akku 1", 0.24), ("Akku 2", 0.10), ("Akku 3", 0.08)];
    Ok(Rig {
        copter: shop.buy(
            Kind::Copter,
            610,
            json!({"name": "Roter Baron", "model": "Nazgul5 V3", "manufacturer": "iFlight",
                "seller": "Copterladen Hamburg", "weight": 412}),
        )?,
        batteries: shop.packs(610, &names, &pack)?,
        others: hand.to_vec(),
        has_camera: false,
        cells: 6.0,
        chemistry: Chemistry::Polymer,
        capacity: 1300.0,
        minutes: 5.2,
        speed: 112.0,
        altitude: 58.0,
        reach: 240.0,
        mode: "2",
        style: Some(Style::Freestyle),
        purposes: &[
            "Freestyle-Training",
            "Freestyle-Training",
            "Powerloops und Split-S geübt",
            "Abstimmung der PID-Werte",
            "Vereinstraining",
        ],
    })
}

fn film(shop: &mut Shop<'_>, hand: &[EquipmentId]) -> Result<Rig> {
    let camera = shop.buy(
        Kind::VideoCamera,
        470,
        json!({"name": "Actioncam", "model": "Hero 12 Black", "manufacturer": "GoPro", "seller": "Fotohaus Altona",
            "weight": 154}),
    )?;
    let pack = json!({"model": "Funfly 4S 1550", "manufacturer": "Tattu", "seller": "FPV24", "batteryType": "LiPo 4S",
        "capacity": 1550, "weight": 172});
    Ok(Rig {
        copter: shop.buy(
            Kind::Copter,
            470,
            json!({"name": "Brummer", "model": "Cinelog35", "manufacturer": "GEPRC", "seller": "FPV24", "weight": 338}),
        )?,
        batteries: shop.packs(470, &[("Akku 4", 0.09), ("Akku 5", 0.12)], &pack)?,
        others: hand.iter().copied().chain([camera]).collect(),
        has_camera: true,
        cells: 4.0,
        chemistry: Chemistry::Polymer,
        capacity: 1550.0,
        minutes: 7.4,
        speed: 46.0,
        altitude: 66.0,
        reach: 180.0,
        mode: "0",
        style: Some(Style::Film),
        purposes: &[
            "Videoaufnahmen",
            "Videoaufnahmen für den Verein",
            "Luftbilder",
            "Testflug mit neuem Filter",
        ],
    })
}

fn far(shop: &mut Shop<'_>, hand: &[EquipmentId]) -> Result<Rig> {
    let camera = shop.buy(
        Kind::VideoCamera,
        330,
        json!({"name": "Kleine Kamera", "model": "Thumb Pro", "manufacturer": "RunCam", "seller": "FPV24",
            "weight": 16}),
    )?;
    let pack = json!({"model": "Li-Ion 6S 4000", "manufacturer": "Auline", "seller": "FPV24",
        "batteryType": "Li-Ion 6S", "capacity": 4000, "weight": 412});
    Ok(Rig {
        copter: shop.buy(
            Kind::Copter,
            330,
            json!({"name": "Albatros", "model": "Chimera7 Pro", "manufacturer": "iFlight", "seller": "FPV24",
                "weight": 690}),
        )?,
        batteries: shop.packs(330, &[("Langstrecke 1", 0.05), ("Langstrecke 2", 0.06)], &pack)?,
        others: hand.iter().copied().chain([camera]).collect(),
        has_camera: true,
        cells: 6.0,
        chemistry: Chemistry::Ion,
        capacity: 4000.0,
        minutes: 16.5,
        speed: 78.0,
        altitude: 92.0,
        reach: 420.0,
        mode: "1",
        style: Some(Style::Far),
        purposes: &[
            "Luftbilder",
            "Reichweite getestet",
            "Übung für den Notfall: Return to Home",
            "Sonnenuntergang",
        ],
    })
}

fn hall(shop: &mut Shop<'_>, hand: &[EquipmentId]) -> Result<Rig> {
    let names = [
        ("Winzling 1", 0.14),
        ("Winzling 2", 0.11),
        ("Winzling 3", 0.12),
        ("Winzling 4", 0.13),
    ];
    let pack = json!({"model": "LiHV 1S 300", "manufacturer": "BetaFPV", "seller": "Copterladen Hamburg",
        "batteryType": "LiPo 1S", "capacity": 300, "weight": 8});
    Ok(Rig {
        copter: shop.buy(
            Kind::Copter,
            420,
            json!({"name": "Hummel", "model": "Mobula6", "manufacturer": "Happymodel", "seller": "Copterladen Hamburg",
                "weight": 20}),
        )?,
        batteries: shop.packs(420, &names, &pack)?,
        others: hand.to_vec(),
        has_camera: false,
        cells: 1.0,
        chemistry: Chemistry::Polymer,
        capacity: 300.0,
        minutes: 3.6,
        speed: 24.0,
        altitude: 5.0,
        reach: 24.0,
        mode: "2",
        style: None,
        purposes: &["Hallentraining", "Wintercup, Vorlauf", "Hallentraining"],
    })
}

fn first(shop: &mut Shop<'_>, hand: &[EquipmentId]) -> Result<Rig> {
    let pack = json!({"model": "Lava 2S 300", "manufacturer": "BetaFPV", "seller": "Flohmarkt Verein",
        "batteryType": "LiPo 2S", "capacity": 300, "weight": 17});
    Ok(Rig {
        copter: shop.buy(
            Kind::Copter,
            1300,
            json!({"name": "Übungscopter", "model": "Tinyhawk II", "manufacturer": "EMAX", "seller": "Flohmarkt Verein",
                "weight": 48}),
        )?,
        batteries: shop.packs(1300, &[("Übungsakku 1", 0.3), ("Übungsakku 2", 0.3)], &pack)?,
        others: hand.to_vec(),
        has_camera: false,
        cells: 2.0,
        chemistry: Chemistry::Polymer,
        capacity: 300.0,
        minutes: 3.2,
        speed: 38.0,
        altitude: 12.0,
        reach: 60.0,
        mode: "0",
        style: None,
        purposes: &["Übungsflug", "Erste Runden im Horizontalmodus"],
    })
}

/// Batteries that fly together.
fn pair(pilot: &Pilot, name: &str, batteries: &[Battery]) -> Result<()> {
    let members: Vec<_> = batteries.iter().map(|battery| battery.id.to_string()).collect();
    let form = json!({"name": name, "members": members.join(";")});
    let entries = SetChanges::read(&Fields::from_json(&form.to_string())?)?;
    sets::add(&pilot.app, pilot.operation(), SetId::fresh(), entries).map(drop)
}

/// Puts stickers on items, numbered in this order.
fn stick(pilot: &Pilot, mut items: impl Iterator<Item = EquipmentId>) -> Result<()> {
    items.try_for_each(|item| stickers::save(&pilot.app, pilot.operation(), item, false).map(drop))
}

/// Retires items that broke or were replaced, each on its own day.
pub fn retire(pilot: &Pilot, hangar: &Hangar) -> Result<()> {
    let retire = |days_ago: i64, id, reason: &str| {
        pilot.go_to(pilot.time(days_ago, 19 * 60 + 40));
        equipment::retire(&pilot.app, pilot.operation(), id, reason.to_owned()).map(drop)
    };
    retire(
        360,
        hangar.old_transmitter,
        "Durch die Boxer ersetzt, an einen Anfänger verkauft",
    )?;
    retire(310, hangar.old_goggles, "Akku der Brille hält nicht mehr")?;
    retire(
        295,
        hangar.first.copter,
        "Flugregler defekt, als Ersatzteilspender aufgehoben",
    )?;
    for battery in &hangar.first.batteries {
        retire(294, battery.id, "Aufgebläht, fachgerecht entsorgt")?;
    }
    Ok(())
}
