//! Exports of a pilot: data for them, and reading them.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use super::calls::{BATTERY, COPTER};
use super::process::{Output, run};
use super::{Pilot, pictures, temporary_directory, text};

pub type Members = BTreeMap<String, Vec<u8>>;

/// Runs `fluglog export` for a pilot.
pub fn export(directory: &Path, email: &str, output: &Path) -> Output {
    run([
        "export",
        "--user",
        email,
        "--output",
        text(output),
        "--data-dir",
        text(directory),
    ])
}

/// The export of a pilot, written by `fluglog export`.
#[track_caller]
pub fn exported(directory: &Path, email: &str) -> Vec<u8> {
    let place = temporary_directory();
    let output = place.path().join("export.zip");
    let done = export(directory, email, &output);
    assert_eq!(done.code, 0, "{done:?}");
    std::fs::read(output).unwrap()
}

#[track_caller]
pub fn members(archive: &[u8]) -> Members {
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let names: Vec<_> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    names
        .into_iter()
        .map(|name| {
            let mut content = Vec::new();
            archive.by_name(&name).unwrap().read_to_end(&mut content).unwrap();
            (name, content)
        })
        .collect()
}

/// Makes an archive from files and their paths.
pub fn archive_of(members: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in members {
        archive
            .start_file(path, zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(&content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Removes the file that contains the time of the export.
pub fn unstamped(mut members: Members) -> Members {
    members.remove("LIESMICH.txt");
    members
}

pub fn json_in(members: &Members, name: &str) -> Value {
    serde_json::from_slice(&members[&format!("json/{name}.json")]).unwrap()
}

/// Gives a pilot one object of every kind; returns the id of the flight.
pub fn fill(pilot: &Pilot) -> String {
    let copter = pilot.item_with(&json!({"type": COPTER, "name": "=HYPERLINK(\"x\")", "weight": "249,5"}));
    let battery = pilot.item(BATTERY, "Akku; groß");
    let flight = pilot.fly(
        &copter,
        &[&battery],
        &json!({"startTime": "01.03.2026 09:05", "location": "Wiese/Süd", "flightTime": "12,5", "notes": "-1\nzwei",
            "startLongitude": "-10,5", "startLatitude": "53", "batteryStartVoltage": "16,8",
            "batteryEndVoltage": "14,4"}),
    );
    pilot.add_images(&flight, &[&pictures::jpeg(30, 20), &pictures::png(30, 20)]);
    let entry = [
        ("info", "geprüft"),
        ("time", "01.03.2026 09:20"),
        ("dpfId", flight.as_str()),
    ];
    pilot
        .upload("SaveFlightLog", &entry, &[("file", "Beleg.pdf", b"%PDF log")])
        .expect_status(201);
    pilot.document("Beleg.pdf", b"%PDF eins");
    pilot.document("..\\..\\CON", b"fies");
    let photo = pictures::jpeg(20, 20);
    pilot
        .upload("SaveProfile", &[("firstname", "Anna")], &[("photo", "ich.jpg", &photo)])
        .expect_status(201);
    flight
}

/// Incompressible bytes.
pub fn noise(length: usize) -> Vec<u8> {
    let mut chance = 1_u64;
    let mut byte = || {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        chance.to_be_bytes()[0]
    };
    (0..length).map(|_| byte()).collect()
}
