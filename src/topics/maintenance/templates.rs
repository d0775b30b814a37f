//! Proposals for jobs, with their sources. None is of a model: no maker of hobby drones publishes an interval.

use super::model::Repeat;
use crate::equipment::model::Kind;

/// A proposal for a job.
pub(crate) struct Template {
    /// Name of the template in jobs that were made from it.
    pub name: &'static str,
    pub title: &'static str,
    pub kinds: &'static [Kind],
    pub steps: &'static [&'static str],
    pub hours: Option<u32>,
    pub flights: Option<u32>,
    pub cycles: Option<u32>,
    pub days: Option<u32>,
    pub repeat: Repeat,
    pub source: &'static str,
}

/// A template of which a pilot enters the limits.
const UNLIMITED: Template = Template {
    name: "",
    title: "",
    kinds: &[],
    steps: &[],
    hours: None,
    flights: None,
    cycles: None,
    days: None,
    repeat: Repeat::Done,
    source: "",
};

const ALL_KINDS: &[Kind] = &Kind::ALL;
const ELECTRONICS: &[Kind] = &[Kind::Copter, Kind::Goggles, Kind::Transmitter];

/// All templates, in the order in which they are shown.
pub(crate) const ALL: &[Template] = &[
    Template {
        name: "propCheck",
        title: "Propeller prüfen",
        kinds: &[Kind::Copter],
        steps: &["Risse, Kerben, Verzug", "Sitz und Schrauben", "Wuchten"],
        flights: Some(10),
        source: "libdrone und jakubsafar.cz: alle 10 Flüge wuchten; Sentera: alle 20",
        ..UNLIMITED
    },
    Template {
        name: "propChange",
        title: "Propeller wechseln",
        kinds: &[Kind::Copter],
        hours: Some(50),
        flights: Some(200),
        source: "drone-wiki.net zu DJI FPV; FlyFreely: 100 h; bei Rissen sofort",
        ..UNLIMITED
    },
    Template {
        name: "screws",
        title: "Schrauben nachziehen",
        kinds: &[Kind::Copter],
        steps: &["Motoren", "Arme und Rahmen", "Stack und Kamera"],
        flights: Some(10),
        days: Some(30),
        source: "DroneSense Stufe 1: 10 h oder monatlich; kdpaerial: nach etwa 10 Flügen locker",
        ..UNLIMITED
    },
    Template {
        name: "motorCheck",
        title: "Motoren: Lager, Spiel, Schmutz",
        kinds: &[Kind::Copter],
        steps: &[
            "Von Hand drehen und hören",
            "Spiel der Glocke",
            "Späne und Sand entfernen",
        ],
        hours: Some(40),
        days: Some(120),
        source: "DroneSense Stufe 2; Sentera: 100 Flüge; dronezine.it zur M300",
        ..UNLIMITED
    },
    Template {
        name: "motorChange",
        title: "Motoren wechseln",
        kinds: &[Kind::Copter],
        source: "Keine einheitliche Angabe: remotepilot.id 200 bis 300 h, droneblog ab 150 h",
        ..UNLIMITED
    },
    Template {
        name: "inspection",
        title: "Gründliche Durchsicht",
        kinds: &[Kind::Copter],
        steps: &[
            "Rahmen und Arme",
            "Kabel und Lötstellen",
            "Motoren und Propeller",
            "Funk, GPS, Kamera",
            "Probeflug",
        ],
        hours: Some(40),
        days: Some(365),
        source: "DroneSense, colonycore",
        ..UNLIMITED
    },
    Template {
        name: "calibration",
        title: "Kompass, IMU, Gimbal kalibrieren",
        kinds: &[Kind::Copter, Kind::VideoCamera],
        days: Some(120),
        source: "DroneSense Stufe 2; remotepilot.id: monatlich",
        ..UNLIMITED
    },
    Template {
        name: "firmware",
        title: "Firmware prüfen",
        kinds: ELECTRONICS,
        days: Some(90),
        source: "remotepilot.id: monatlich",
        ..UNLIMITED
    },
    Template {
        name: "antennas",
        title: "Antennen, Stecker, Empfänger",
        kinds: ELECTRONICS,
        days: Some(90),
        source: "DroneSense: Antennen und Kontakte monatlich",
        ..UNLIMITED
    },
    Template {
        name: "transmitter",
        title: "Sender: Knüppel kalibrieren, Schalter, Akku",
        kinds: &[Kind::Transmitter],
        hours: Some(50),
        days: Some(180),
        source: "Üblich; EdgeTX-Diskussion 4066 nennt den Verschleiß, kein Intervall",
        ..UNLIMITED
    },
    Template {
        name: "goggles",
        title: "Brille: Linsen, Lüfter, Schaum, Akku",
        kinds: &[Kind::Goggles],
        days: Some(180),
        source: "Üblich, ohne Herstellerangabe",
        ..UNLIMITED
    },
    Template {
        name: "camera",
        title: "Objektiv, Filter, Speicherkarte",
        kinds: &[Kind::VideoCamera],
        days: Some(90),
        source: "DroneSense: Nutzlast monatlich",
        ..UNLIMITED
    },
    Template {
        name: "packStored",
        title: "Eingelagerten Akku prüfen",
        kinds: &[Kind::Battery],
        steps: &["Spannung je Zelle", "Aufgebläht?"],
        days: Some(90),
        source: "Angabe der Hersteller: etwa alle 3 Monate",
        ..UNLIMITED
    },
    Template {
        name: "packCheck",
        title: "Akku: Sichtprüfung, Stecker",
        kinds: &[Kind::Battery],
        cycles: Some(50),
        source: "Sentera: 250 Flüge; DroneSense: monatlich",
        ..UNLIMITED
    },
    Template {
        name: "contract",
        title: "Kaskoversicherung, Gerätegarantie",
        kinds: ALL_KINDS,
        repeat: Repeat::Due,
        source: "Ihr Vertrag",
        ..UNLIMITED
    },
];
