//! Flights from files: what is found in them, what becomes of it, and that nothing is imported twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::{Pilot, Server};

const FILES: &str = "tests/fixtures/flights";

/// Tolerances for the rounding in files: absolute, and relative.
const TOLERANCES: [(&str, &str, f64, f64); 8] = [
    ("minutes", "flightTime", 0.1, 0.02),
    ("distance", "distance", 0.02, 0.03),
    ("farthest", "maximumDistance", 5.0, 0.05),
    ("speed", "speed", 0.2, 0.02),
    ("height", "maximumAltitude", 1.5, 0.0),
    ("startVolts", "batteryStartVoltage", 0.1, 0.0),
    ("endVolts", "batteryEndVoltage", 0.1, 0.0),
    ("consumed", "consumedCapacity", 5.0, 0.02),
];

pub fn content(name: &str) -> Vec<u8> {
    fs::read(Path::new(FILES).join(name)).unwrap()
}

#[track_caller]
pub fn send(pilot: &Pilot, files: &[(&str, &[u8])]) -> Answer {
    let files: Vec<_> = files.iter().map(|(name, content)| ("files", *name, *content)).collect();
    pilot.upload("UploadImport", &[], &files)
}

#[track_caller]
pub fn import(pilot: &Pilot, names: &[&str]) -> Value {
    let contents: Vec<_> = names.iter().map(|name| content(name)).collect();
    let files: Vec<_> = names
        .iter()
        .zip(&contents)
        .map(|(name, content)| (*name, content.as_slice()))
        .collect();
    send(pilot, &files).expect_status(201).json()
}

pub fn proposals(import: &Value) -> &Vec<Value> {
    import["proposals"].as_array().unwrap()
}

/// Accepts every flight proposed as ticked, all with this copter.
pub fn ticked(import: &Value, copter: &str) -> Value {
    let ticked = proposals(import).iter().filter(|proposal| proposal["ticked"] == true);
    let choices = ticked.map(|proposal| json!({"key": proposal["key"], "action": "create", "copter": copter}));
    Value::Array(choices.collect())
}

#[track_caller]
pub fn accept(pilot: &Pilot, import: &Value, choices: &Value) -> Answer {
    let id = id_in(import);
    pilot.post("AcceptImport", &[("dpfId", &id), ("choices", &choices.to_string())])
}

#[track_caller]
pub fn discard(pilot: &Pilot, import: &Value) {
    pilot
        .post("DiscardImport", &[("dpfId", &id_in(import))])
        .expect_status(200);
}

pub fn created(answer: &Value) -> Vec<String> {
    let ids = answer["created"].as_array().unwrap();
    ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_format_gives_the_values_that_are_true() {
    let anna = Server::shared().pilot("anna");
    let table = fs::read_to_string(Path::new(FILES).join("expected.tsv")).unwrap();
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let rows: Vec<BTreeMap<&str, &str>> = lines
        .map(|cells| columns.iter().copied().zip(cells).collect())
        .collect();
    let mut imports = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in &rows {
        let import = imports.entry(row["file"]).or_insert_with(|| {
            let import = import(&anna, &[row["file"]]);
            discard(&anna, &import);
            import
        });
        let number: usize = row["flight"].parse().unwrap();
        let place = format!("{} {number}", row["file"]);
        let Some(found) = proposals(import).get(number - 1) else {
            wrong.push(format!("{place}: {} flights", proposals(import).len()));
            continue;
        };
        for (column, field, absolute, share) in TOLERANCES {
            let Ok(expected) = row[column].parse::<f64>() else {
                continue;
            };
            let value = found[field].as_f64();
            let most = f64::max(absolute, share * expected);
            if !value.is_some_and(|value| (value - expected).abs() <= most) {
                wrong.push(format!("{place}: {field} is {value:?}, not {expected}"));
            }
        }
        for (column, field) in [("start", "startTime"), ("name", "copterName")] {
            if found[field] != row[column] {
                wrong.push(format!("{place}: {field} is {}, not {:?}", found[field], row[column]));
            }
        }
        if found["ticked"].as_bool() != row["ticked"].parse().ok() {
            wrong.push(format!("{place}: ticked is {}: {}", found["ticked"], found["hints"]));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(rows.len() >= 34);
}

#[test]
fn flights_are_taken_over_once_however_often_that_is_asked() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Testquad");
    let found = import(&anna, &["Testquad-2026-05-09.csv"]);
    assert_eq!(proposals(&found).len(), 3);
    assert_eq!(
        proposals(&found)[0]["copter"],
        copter.as_str(),
        "found by the name of the file"
    );
    let mut choices = ticked(&found, &copter);
    choices[0]["keepFile"] = json!(true);
    let tabs: Vec<_> = (0..16).map(|_| anna.another_tab()).collect();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let asked: Vec<_> = tabs
            .iter()
            .map(|tab| scope.spawn(|| accept(tab, &found, &choices)))
            .collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let first = answers[0].json();
    assert!(
        answers
            .iter()
            .all(|answer| answer.status == 200 && answer.json() == first)
    );
    assert_eq!((created(&first).len(), anna.flights().len()), (2, 2));
    assert_eq!(server.blobs().len(), 1, "the file is kept once");
    accept(&anna, &found, &json!([{"key": "0-2", "action": "create"}])).expect_status(409);

    let flight = anna.flight(&created(&first)[0]);
    for (field, value) in [
        ("startTime", json!("09.05.2026 10:02")),
        ("flightTime", json!(5.2)),
        ("distance", json!(2.7)),
        ("batteryStartVoltage", json!(16.69)),
        ("notes", json!("Aus Datei Testquad-2026-05-09.csv (EdgeTX/OpenTX).")),
        ("open", json!(false)),
    ] {
        if field == "batteryStartVoltage" {
            assert!((flight[field].as_f64().unwrap() - 16.7).abs() < 0.1);
        } else {
            assert_eq!(flight[field], value, "{field}");
        }
    }
    assert!((anna.equipment(&copter)["usageTime"].as_f64().unwrap() - 0.14).abs() < 0.011);
    let track = anna
        .post("GetFlightTrack", &[("dpfId", &created(&first)[0])])
        .expect_status(200)
        .json();
    assert!((20..=500).contains(&track["points"].as_array().unwrap().len()));
    assert_eq!(track["files"], json!(["Testquad-2026-05-09.csv"]));

    // The file again adds nothing, unless its flight has been deleted.
    let again = import(&anna, &["Testquad-2026-05-09.csv"]);
    let kinds: Vec<_> = proposals(&again)
        .iter()
        .map(|proposal| &proposal["twin"]["kind"])
        .collect();
    assert_eq!(kinds[..2], [&json!("digest"), &json!("digest")]);
    assert_eq!(ticked(&again, &copter), json!([]));
    discard(&anna, &again);
    anna.delete_flight(&created(&first)[0]).expect_status(200);
    let after = import(&anna, &["Testquad-2026-05-09.csv"]);
    let ticks: Vec<_> = proposals(&after).iter().map(|proposal| &proposal["ticked"]).collect();
    assert_eq!(ticks, [&json!(true), &json!(false), &json!(false)]);
}

#[test]
fn the_profile_of_a_flight_has_every_value_that_its_file_has_and_its_extremes() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    let all = ["height", "speed", "voltage", "current", "points"];
    let of_app = ["height", "speed", "voltage", "points"];
    let of_track = ["height", "speed", "points"];
    for (file, values) in [
        ("Testquad-2026-05-09.csv", &all[..]),
        ("Airdata.csv", &of_app),
        ("Litchi.csv", &of_app),
        ("DroneLog.csv", &of_app),
        ("FlightReader.csv", &of_app),
        ("zwei.gpx", &of_track),
        ("abends.kml", &of_track),
        ("line.geojson", &of_track),
        ("DJI_0042.SRT", &of_track),
        ("00000007.BIN", &all),
        ("alt.BIN", &all),
        ("flug.tlog", &all),
        ("neu.ulg", &all),
        ("alt.ulg", &all),
        ("LOG00003.BFL", &["speed", "voltage", "current", "points"]),
        ("DroneLog.json", &[]),
        ("DJIFlightRecord_v11.txt", &[]),
        ("Flugbuch.csv", &[]),
    ] {
        let found = import(&anna, &[file]);
        let choice = json!([{"key": "0-0", "action": "create", "copter": copter}]);
        let id = created(&accept(&anna, &found, &choice).expect_status(200).json())[0].clone();
        let flight = anna.flight(&id);
        let profile = anna
            .post("GetFlightProfile", &[("dpfId", &*id)])
            .expect_status(200)
            .json();
        let column = |name: &str| profile[name].as_array().unwrap().clone();
        let known = |name: &str| {
            column(name)
                .into_iter()
                .filter(|value| !value.is_null())
                .collect::<Vec<_>>()
        };
        let has: Vec<_> = all.into_iter().filter(|name| !known(name).is_empty()).collect();
        assert_eq!(has, values, "{file}");
        let rows = column("seconds").len();
        assert!(rows <= 1000, "{file}: {rows}");
        for (name, field) in [("height", "maximumAltitude"), ("speed", "speed")] {
            let most = known(name).iter().filter_map(Value::as_f64).fold(f64::NAN, f64::max);
            let of_flight = flight[field].as_f64().unwrap_or_default();
            assert!(
                most.is_nan() || (most - of_flight).abs() < 0.5,
                "{file}: {most} {of_flight}"
            );
        }
    }
}

#[test]
fn the_same_file_in_two_imports_at_once_comes_once() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Testquad");
    let [one, two] = [0, 1].map(|_| import(&anna, &["Testquad-2026-05-09.csv"]));
    let choices = ticked(&two, &copter);
    accept(&anna, &one, &ticked(&one, &copter)).expect_status(200);
    let answer = accept(&anna, &two, &choices).expect_status(200).json();
    assert_eq!((answer["skipped"].as_u64(), anna.flights().len()), (Some(2), 2));
}

#[test]
fn a_flight_in_two_files_is_a_duplicate_and_two_close_ones_are_none() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Spatz");
    let found = import(&anna, &["DroneLog.csv", "DroneLog.json", "abends.kml", "zwei.gpx"]);
    let by_file = |file: usize| {
        proposals(&found)
            .iter()
            .filter(move |proposal| proposal["file"] == file)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (&by_file(0)[0]["ticked"], &by_file(0)[0]["twin"]),
        (&json!(true), &Value::Null),
        "it knows more"
    );
    assert_eq!(
        (&by_file(1)[0]["ticked"], &by_file(1)[0]["twin"]["kind"]),
        (&json!(false), &json!("upload"))
    );
    let evening = [by_file(2)[0], by_file(3)[0]];
    assert_eq!(evening.iter().filter(|proposal| proposal["ticked"] == true).count(), 1);
    assert_eq!(
        (&by_file(3)[1]["ticked"], &by_file(3)[1]["twin"]),
        (&json!(true), &Value::Null)
    );
    accept(&anna, &found, &ticked(&found, &copter)).expect_status(200);

    let table = "Datum;Uhrzeit;Dauer;Copter\n\
        17.05.2026;10:20;3,5;Spatz\n17.05.2026;12:20;3,5;Spatz\n17.05.2026;10:24;0,6;Spatz\n";
    let typed = send(&anna, &[("Heft.csv", table.as_bytes())]).expect_status(201).json();
    let kinds: Vec<_> = proposals(&typed)
        .iter()
        .map(|proposal| &proposal["twin"]["kind"])
        .collect();
    assert_eq!(kinds, [&json!("time"), &json!("zone"), &Value::Null]);
    assert_eq!(proposals(&typed)[1]["ticked"], false, "another zone is likely");
}

/// A radio's log: a flight of 60 s, then the pack at rest for 20 s.
fn log_that_goes_on() -> Vec<u8> {
    let row = |second: u32, mode: &str, volts: f64| {
        format!(
            "2026-06-17,18:{:02}:{:02}.000,{volts:.2},{second},\"{mode}\",500\n",
            10 + second / 60,
            second % 60
        )
    };
    let flown = (0..60).map(|second| row(second, "ANGL", 16.4 - f64::from(second) * 0.03));
    let rests = (60..80).map(|second| row(second, "!ERR", 15.1));
    let rows: String = flown.chain(rests).collect();
    format!("Date,Time,VFAS(V),Alt(m),FM,Thr\n{rows}").into_bytes()
}

#[test]
fn the_voltage_of_a_pack_at_rest_comes_from_the_file_and_goes_with_its_flight() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let battery = anna.item_with(&json!({"type": BATTERY, "name": "Akku 1", "model": "4S 1500"}));
    let found = send(&anna, &[("Falke-2026-06-17.csv", &log_that_goes_on())])
        .expect_status(201)
        .json();
    let key = &proposals(&found)[0]["key"];
    let choice = json!([{"key": key, "action": "create", "copter": copter, "equipments": [battery]}]);
    let accepted = accept(&anna, &found, &choice).expect_status(200).json();
    let passport = || {
        anna.post("GetBatteryPassport", &[("dpfId", &battery)])
            .expect_status(200)
            .json()
    };
    let told = &passport()["readings"][0];
    assert_eq!(
        (&told["voltage"], &told["kind"], &told["ofFile"], &told["time"]),
        (&json!(15.1), &json!(2), &json!(true), &json!("17.06.2026 18:11"))
    );
    assert_eq!(anna.equipment(&battery)["currentCharge"], 15.1);
    // An edit by the pilot makes the reading the pilot's.
    let reading = ("dpfId", told["dpfId"].as_str().unwrap());
    anna.post(
        "EditBatteryReading",
        &[("battery", &battery), reading, ("info", "nachgemessen")],
    )
    .expect_status(200);
    assert_eq!(passport()["readings"][0]["ofFile"], false);
    let flight = accepted["created"][0].as_str().unwrap();
    assert_eq!(reading.1, flight);
    anna.post("DeleteFlight", &[("dpfId", flight)]).expect_status(200);
    // The reading stays without the id of the deleted flight, and is found by the id that the pilot knows.
    let readings = passport()["readings"].clone();
    assert_eq!(readings.as_array().unwrap().len(), 1);
    assert_ne!(readings[0]["dpfId"], *flight);
    anna.post(
        "EditBatteryReading",
        &[("battery", &battery), reading, ("info", "noch einmal")],
    )
    .expect_status(200);
    assert_eq!(passport()["readings"][0]["info"], "noch einmal");
    anna.post("DeleteBatteryReading", &[("battery", &battery), reading])
        .expect_status(200);
    assert_eq!(passport()["readings"], json!([]));

    let found = send(&anna, &[("Falke-2026-06-17.csv", &log_that_goes_on())])
        .expect_status(201)
        .json();
    let other = anna.item_with(&json!({"type": BATTERY, "name": "Akku 2", "model": "4S 1500"}));
    let choice =
        json!([{"key": proposals(&found)[0]["key"], "action": "create", "copter": copter, "equipments": [other]}]);
    let accepted = accept(&anna, &found, &choice).expect_status(200).json();
    let flight = accepted["created"][0].as_str().unwrap();
    anna.post("DeleteFlight", &[("dpfId", flight)]).expect_status(200);
    let passport = anna
        .post("GetBatteryPassport", &[("dpfId", &other)])
        .expect_status(200)
        .json();
    assert_eq!(passport["readings"], json!([]));
}

#[test]
fn a_typed_flight_keeps_what_was_typed_and_gets_the_rest() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    let fields = json!({"startTime": "17.07.2026 18:10", "flightTime": 3, "speed": 99, "notes": "schön"});
    let typed = anna.fly(&copter, &[], &fields);
    let found = import(&anna, &["Litchi.csv"]);
    let proposal = &proposals(&found)[0];
    assert_eq!(
        (&proposal["twin"]["kind"], &proposal["twin"]["dpfId"]),
        (&json!("time"), &json!(typed))
    );
    let answer = accept(&anna, &found, &json!([{"key": proposal["key"], "action": "fill"}]))
        .expect_status(200)
        .json();
    let moved = json!({"items": 0, "chargings": 0, "readings": 0, "sets": 0, "logs": 0, "documents": 0, "images": 0,
        "missing": 0});
    assert_eq!(answer["paths"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        answer,
        json!({"created": [], "completed": [typed], "skipped": 0, "moved": moved, "minutes": 3.0, "distance": 1.62,
            "paths": answer["paths"]})
    );
    let flight = anna.flight(&typed);
    assert_eq!(
        (&flight["speed"], &flight["flightTime"], &flight["notes"]),
        (&json!(99.0), &json!(3.0), &json!("schön"))
    );
    assert_eq!(
        (&flight["distance"], &flight["maximumAltitude"]),
        (&json!(1.62), &json!(40.0))
    );
    assert_eq!(proposals(&import(&anna, &["Litchi.csv"]))[0]["twin"]["kind"], "digest");
}

#[test]
fn the_open_flight_is_finished_with_the_file() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    let open = anna.take_off(&copter);
    let found = import(&anna, &["Litchi.csv"]);
    let choice = json!([{"key": proposals(&found)[0]["key"], "action": "finish"}]);
    let answer = accept(&anna, &found, &choice).expect_status(200).json();
    assert_eq!(answer["completed"], json!([open]));
    assert_eq!(
        (anna.open_flight(), &anna.flight(&open)["distance"]),
        (Value::Null, &json!(1.62))
    );
    let other = import(&anna, &["Airdata.csv"]);
    let choice = json!([{"key": proposals(&other)[0]["key"], "action": "finish"}]);
    accept(&anna, &other, &choice).expect_refusal(400, "Es läuft kein Flug, der damit abgeschlossen werden könnte.");
}

#[test]
fn serial_numbers_and_names_are_learned_from_what_the_pilot_confirms() {
    let anna = Server::shared().pilot("anna");
    let (copter, battery, goggles) = (
        anna.item(COPTER, "Mavic Air"),
        anna.item(BATTERY, "Akku 7"),
        anna.item(2, "Brille"),
    );
    let found = import(&anna, &["Litchi.csv"]);
    let proposal = &proposals(&found)[0];
    assert_eq!((&proposal["copter"], &proposal["ticked"]), (&Value::Null, &json!(true)));
    let key = &proposal["key"];
    accept(&anna, &found, &json!([{"key": key, "action": "create"}])).expect_refusal(400, "Bitte Copter wählen.");
    let choice = json!([{"key": key, "action": "create", "copter": copter, "equipments": [battery, goggles],
        "location": "Wiese"}]);
    accept(&anna, &found, &choice).expect_status(200);

    let later = String::from_utf8(content("Litchi.csv"))
        .unwrap()
        .replace("2026-07-17", "2026-07-19");
    let found = send(&anna, &[("anders.csv", later.as_bytes())])
        .expect_status(201)
        .json();
    let proposal = &proposals(&found)[0];
    assert_eq!((&proposal["copter"], &proposal["twin"]), (&json!(copter), &Value::Null));
    assert_eq!(proposal["equipments"], json!([battery, goggles]));
    assert_eq!(proposal["location"], "Wiese", "the place of the flight that began here");
}

#[test]
fn a_clock_that_was_wrong_is_moved_and_remembered() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Whoop");
    let log = |day: &str| {
        let rows = (0..60).map(|second| format!("{day},10:00:{second:02}.000,8.2,12.0,0\n"));
        format!("Date,Time,RxBt(V),Curr(A),Thr\n{}", rows.collect::<String>())
    };
    let found = send(&anna, &[("Whoop.csv", log("2003-01-01").as_bytes())])
        .expect_status(201)
        .json();
    let proposal = &proposals(&found)[0];
    assert_eq!(
        (&proposal["startTime"], &proposal["ticked"]),
        (&json!(""), &json!(false))
    );
    assert!(
        proposal["hints"]
            .to_string()
            .contains("Die Uhr der Fernsteuerung ging falsch.")
    );
    let choice = |more: Value| {
        let mut choice = json!({"key": proposal["key"], "action": "create", "copter": copter});
        choice
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!([choice])
    };
    accept(&anna, &found, &choice(json!({}))).expect_refusal(400, "Bitte Startzeit ergänzen.");
    accept(&anna, &found, &choice(json!({"startTime": "29.03.2026 02:30"}))).expect_status(400);
    accept(&anna, &found, &choice(json!({"startTime": "01.01.2099 10:00"})))
        .expect_refusal(400, "Die Startzeit liegt in der Zukunft.");
    accept(&anna, &found, &choice(json!({"startTime": "03.05.2026 11:15"}))).expect_status(200);

    let found = send(&anna, &[("Whoop.csv", log("2026-05-04").as_bytes())])
        .expect_status(201)
        .json();
    let moved = json!([{"key": "0-0", "action": "create", "copter": copter, "shiftMinutes": -90}]);
    let answer = accept(&anna, &found, &moved).expect_status(200).json();
    assert_eq!(anna.flight(&created(&answer)[0])["startTime"], "04.05.2026 08:30");
    let next = send(&anna, &[("Whoop.csv", log("2026-05-05").as_bytes())])
        .expect_status(201)
        .json();
    let proposal = &proposals(&next)[0];
    assert_eq!(
        (&proposal["startTime"], &proposal["shiftMinutes"]),
        (&json!("05.05.2026 08:30"), &json!(-90))
    );
    assert_eq!(proposal["startTimeFile"], "05.05.2026 10:00");
}

#[test]
fn a_review_with_shifted_times_of_a_file_finds_the_duplicate_there_and_keeps_nothing() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Testquad");
    anna.fly(
        &copter,
        &[],
        &json!({"startTime": "09.05.2026 11:32", "flightTime": 5.2}),
    );
    let id = id_in(&import(&anna, &["Testquad-2026-05-09.csv"]));
    let look = |shifts: &str| anna.post("GetImport", &[("dpfId", &id), ("shifts", shifts)]);
    let first = |shifts: &str| proposals(&look(shifts).expect_status(200).json())[0].clone();
    let moved = first(r#"{"0": 90}"#);
    assert_eq!(
        (&moved["startTime"], &moved["startTimeFile"], &moved["shiftMinutes"]),
        (&json!("09.05.2026 11:32"), &json!("09.05.2026 10:02"), &json!(90))
    );
    assert_eq!(
        (&moved["twin"]["kind"], &moved["ticked"]),
        (&json!("time"), &json!(false))
    );
    let there = first("{}");
    assert_eq!(
        (&there["startTime"], &there["twin"], &there["ticked"]),
        (&json!("09.05.2026 10:02"), &Value::Null, &json!(true))
    );
    for wrong in ["[]", r#"{"0": "früher"}"#, r#"{"0": 99999999999}"#] {
        look(wrong).expect_status(400);
    }
}

#[test]
fn columns_of_a_table_are_chosen_and_kept_for_its_headings() {
    let anna = Server::shared().pilot("anna");
    let table = |day: u8| format!("wann;was;wie weit;wie lang\n0{day}.06.2025 10:00;Falke;1200;7\n");
    let found = send(&anna, &[("eigen.csv", table(1).as_bytes())])
        .expect_status(201)
        .json();
    let file = &found["files"][0];
    assert_eq!(
        (&file["message"], proposals(&found).len()),
        (&json!("Bitte die Spalten prüfen."), 0)
    );
    assert_eq!(
        file["columns"][0]["guess"], "dateTime",
        "no heading says so, but its cells"
    );
    assert_eq!(file["columns"][0]["examples"], json!(["01.06.2025 10:00"]));
    let id = id_in(&found);
    let map = |mapping: &Value| {
        let mapping = mapping.to_string();
        anna.post(
            "MapImportColumns",
            &[("dpfId", &id), ("file", "0"), ("mapping", &mapping)],
        )
    };
    let mut mapping = json!({
        "columns": {"1": "copter", "2": "distance", "3": "flightTime"}, "units": {"2": "m"},
        "separator": ";", "decimal": ",", "dateOrder": "dmy"
    });
    map(&mapping).expect_status(400);
    mapping["columns"]["0"] = json!("dateTime");
    let mapped = map(&mapping).expect_status(200).json();
    let flight = &proposals(&mapped)[0];
    assert_eq!(
        (&flight["startTime"], &flight["distance"]),
        (&json!("01.06.2025 10:00"), &json!(1.2))
    );
    assert_eq!(
        (&flight["flightTime"], &flight["copterName"]),
        (&json!(7.0), &json!("Falke"))
    );

    let next = send(&anna, &[("mehr.csv", table(2).as_bytes())])
        .expect_status(201)
        .json();
    assert_eq!(proposals(&next)[0]["distance"], json!(1.2), "the same headings");
    mapping["columns"]["9"] = json!("notes");
    map(&mapping).expect_status(400);
}

#[test]
fn a_list_that_can_be_meant_in_two_ways_is_asked_about_once() {
    let anna = Server::shared().pilot("anna");
    let table = |day: u8| {
        format!("Datum;Startzeit;Flugzeit;Modell\n0{day}.04.2026;14:05;0:45;Falke\n0{day}.04.2026;14:20;7:30;Falke\n")
    };
    let found = send(&anna, &[("liste.csv", table(3).as_bytes())])
        .expect_status(201)
        .json();
    assert_eq!(proposals(&found).len(), 0, "nothing is read before the answer");
    let file = &found["files"][0];
    assert_eq!(file["message"], "Bitte sagen, wie die Spalten gemeint sind.");
    let question = &file["questions"][0];
    assert_eq!(
        (&question["member"], &question["column"], &question["text"]),
        (
            &json!("units"),
            &json!(2),
            &json!("Was heißt „0:45“ in der Spalte „Flugzeit“?")
        )
    );
    assert_eq!(
        question["ways"],
        json!([
            {"value": "mm:ss", "text": "Minuten und Sekunden", "examples": [
                {"cell": "0:45", "read": "0,75 min"}, {"cell": "7:30", "read": "7,5 min"}]},
            {"value": "h:mm", "text": "Stunden und Minuten", "examples": [
                {"cell": "0:45", "read": "45 min"}, {"cell": "7:30", "read": "450 min"}]},
        ])
    );
    let mapping = json!({
        "columns": {"0": "date", "1": "startTime", "2": "flightTime", "3": "copter"}, "units": {"2": "mm:ss"},
        "separator": ";", "decimal": ",", "dateOrder": "dmy"
    });
    let mapped = answered(&anna, &found, &mapping);
    assert_eq!(mapped["files"][0]["questions"], json!([]));
    let minutes: Vec<_> = proposals(&mapped)
        .iter()
        .map(|flight| flight["flightTime"].clone())
        .collect();
    assert_eq!(minutes, [json!(0.8), json!(7.5)]);
    let next = send(&anna, &[("mehr.csv", table(4).as_bytes())])
        .expect_status(201)
        .json();
    assert_eq!(
        proposals(&next)[1]["flightTime"],
        7.5,
        "the answer holds for these headings"
    );
    discard(&anna, &next);
    discard(&anna, &mapped);
}

/// Answers what is asked about the first file of an import.
fn answered(pilot: &Pilot, found: &Value, mapping: &Value) -> Value {
    let fields = [
        ("dpfId", id_in(found)),
        ("file", "0".into()),
        ("mapping", mapping.to_string()),
    ];
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    pilot.post("MapImportColumns", &fields).expect_status(200).json()
}

#[test]
fn the_year_of_a_list_without_years_is_asked_each_time() {
    let anna = Server::shared().pilot("anna");
    let without_year = "Datum;Startzeit;Flugzeit (min)\n3.4.;14:05;7,5\n";
    let mapping = json!({
        "columns": {"0": "date", "1": "startTime", "2": "flightTime"}, "separator": ";", "decimal": ",",
        "dateOrder": "dmy", "year": 2025
    });
    for name in ["2025.csv", "2026.csv"] {
        let found = send(&anna, &[(name, without_year.as_bytes())])
            .expect_status(201)
            .json();
        assert_eq!(
            found["files"][0]["questions"][0]["member"], "year",
            "each list may be of another year"
        );
        let mapped = answered(&anna, &found, &mapping);
        assert_eq!(proposals(&mapped)[0]["startTime"], "03.04.2025 14:05");
        discard(&anna, &mapped);
    }
}

#[test]
fn the_own_table_of_flights_gives_back_what_it_had() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let packs = ["4S-1", "4S-2"].map(|name| anna.item(BATTERY, name));
    let table = "\u{feff}Startzeit;Ort;Start Breite;Start Länge;Ende Breite;Ende Länge;\
                 Flugzeit (min);Höhe (m);Strecke (km);\
                 Max. Entfernung (m);Max. Geschwindigkeit (km/h);Startspannung (V);Endspannung (V);\
                 Verbrauch (mAh);Flugmodus;\
                 Wetter;Zweck;Notizen;Startgewicht (g);Copter;Equipment;Nutzlast;Bilder;Abgeschlossen\r\n\
                 03.04.2026 14:05;Hügel;50,93;6,95;50,94;6,96;7,5;85;1,25;350;45,5;16,8;14,9;980;Manuell;sonnig;Übung;\
                 \"eins\nzwei\";420;Falke;4S-1, 4S-2;;;ja\r\n";
    let found = send(&anna, &[("Flüge.csv", table.as_bytes())])
        .expect_status(201)
        .json();
    let flight = &proposals(&found)[0];
    for (field, value) in [
        ("startTime", json!("03.04.2026 14:05")),
        ("location", json!("Hügel")),
        ("startLatitude", json!(50.93)),
        ("endLongitude", json!(6.96)),
        ("flightTime", json!(7.5)),
        ("maximumAltitude", json!(85.0)),
        ("distance", json!(1.25)),
        ("maximumDistance", json!(350.0)),
        ("speed", json!(45.5)),
        ("batteryStartVoltage", json!(16.8)),
        ("batteryEndVoltage", json!(14.9)),
        ("consumedCapacity", json!(980.0)),
        ("flightMode", json!("2")),
        ("weatherConditions", json!("sonnig")),
        ("purpose", json!("Übung")),
        ("copter", json!(copter)),
    ] {
        assert_eq!(flight[field], value, "{field}");
    }
    assert!(
        flight["notes"].as_str().unwrap().starts_with("eins\nzwei\n"),
        "{flight}"
    );
    for pack in packs {
        assert!(
            flight["equipments"].as_array().unwrap().contains(&json!(pack)),
            "{flight}"
        );
    }
    discard(&anna, &found);
}

/// Returns a log in which a copter climbs and comes back within four minutes. Each row is written by `row`, from
/// seconds, latitude, volts and speed in m/s.
fn four_minutes(headings: &str, row: impl Fn(u32, f64, f64, f64) -> String) -> String {
    let rows = (0..=240u32).map(|second| {
        let is_flying = (10..230).contains(&second);
        let away = f64::from(if second < 120 { second } else { 240 - second }.saturating_sub(10));
        let latitude = 50.93 + away * 5.0 / 111_195.0;
        row(
            second,
            latitude,
            16.8 - f64::from(second) * 0.01,
            if is_flying { 5.0 } else { 0.0 },
        )
    });
    format!("{headings}\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

#[test]
fn logs_of_a_ground_station_and_of_programs_with_german_settings_are_one_flight() {
    let anna = Server::shared().pilot("anna");
    let clock = |second: u32| format!("14:{:02}:{:02}", 5 + second / 60, second % 60);
    let ground_station = four_minutes(
        "Timestamp,roll,pitch,heading,groundSpeed,altitudeRelative,altitudeAMSL,distanceToHome,\
         flightTime,gps.lat,gps.lon,\
         gps.count,battery0.voltage,battery0.current,battery0.mahConsumed",
        |second, latitude, volts, speed| {
            let clock = clock(second);
            format!(
                "2026-04-03 {clock}.000,0,0,0,{speed},{},60,0,00:00:00,{latitude:.7},6.95,14,{volts:.2},12.0,{second}",
                speed * 4.0
            )
        },
    );
    let german = four_minutes(
        "\u{feff}sep=;\nCUSTOM.date [local];CUSTOM.updateTime [local];OSD.flyTime;OSD.flyTime [s];\
         OSD.latitude;OSD.longitude;\
         OSD.height [m];OSD.hSpeed [km/h];BATTERY.voltage [V];DETAILS.aircraftName",
        |second, latitude, volts, speed| {
            let clock = clock(second);
            let row = format!(
                "03.04.2026;{clock},00;0m 0,0s;{second},0;{latitude:.7};6.95;{};{};{volts:.2};Falke",
                speed * 4.0,
                speed * 3.6
            );
            row.replace("50.", "50,")
                .replace("6.95", "6,95")
                .replace("16.", "16,")
                .replace("15.", "15,")
                .replace("14.", "14,")
        },
    );
    for (name, log) in [("vehicle1.csv", ground_station), ("FlightReader.csv", german)] {
        let found = send(&anna, &[(name, log.as_bytes())]).expect_status(201).json();
        let [flight] = proposals(&found).as_slice() else {
            panic!("{name}: {found}");
        };
        let minutes = flight["flightTime"].as_f64().unwrap();
        assert!(
            flight["startTime"].as_str().unwrap().starts_with("03.04.2026 14:05"),
            "{name}: {flight}"
        );
        assert!((3.6..=4.0).contains(&minutes), "{name}: {flight}");
        assert_eq!(
            (&flight["ticked"], &flight["speed"]),
            (&json!(true), &json!(18.0)),
            "{name}: {flight}"
        );
        assert!(
            flight["batteryEndVoltage"]
                .as_f64()
                .is_some_and(|volts| (14.3..14.6).contains(&volts)),
            "{name}"
        );
        discard(&anna, &found);
    }
}

#[test]
fn a_decoded_blackbox_log_is_one_flight_without_a_start() {
    let anna = Server::shared().pilot("anna");
    let blackbox = four_minutes(
        "loopIteration, time (us), axisP[0], vbatLatest (V), amperageLatest (A), energyCumulative (mAh)",
        |second, _, volts, speed| {
            format!(
                "{second}, {}, 0, {volts:.2}, {}, {second}",
                7_000_000 + second * 1_000_000,
                speed * 4.0
            )
        },
    );
    let found = send(&anna, &[("btfl_001.01.csv", blackbox.as_bytes())])
        .expect_status(201)
        .json();
    assert_eq!(found["files"][0]["format"], "blackbox-csv");
    let [flight] = proposals(&found).as_slice() else {
        panic!("{found}");
    };
    assert_eq!(flight["startTime"], "", "the log has no date");
    assert!(
        flight["flightTime"]
            .as_f64()
            .is_some_and(|minutes| (3.6..=4.0).contains(&minutes)),
        "{flight}"
    );
    discard(&anna, &found);
}

#[test]
fn a_flight_of_more_than_two_hours_in_a_list_waits_for_a_look() {
    let anna = Server::shared().pilot("anna");
    let list = "Datum;Startzeit;Flugzeit\n03.04.2026;14:05;150 min\n04.04.2026;14:05;7 min\n";
    let found = send(&anna, &[("Liste.csv", list.as_bytes())]).expect_status(201).json();
    let ticked: Vec<_> = proposals(&found).iter().map(|flight| &flight["ticked"]).collect();
    assert_eq!(ticked, [&json!(false), &json!(true)], "{found}");
    discard(&anna, &found);
}

#[test]
fn lines_of_a_list_without_a_valid_time_are_named() {
    let anna = Server::shared().pilot("anna");
    let flight = "03.04.2026;14:05;7 min;Falke\n";
    let lost = "31.02.2026;;8 min;Falke\n";
    let sheet = "Winterpause;;;\n";
    for (lines, sentence) in [
        (
            lost.to_owned(),
            "1 Zeile ohne gültige Zeit ausgelassen. Sie beginnt mit „31.02.2026 · 8 min · Falke“.",
        ),
        (
            [lost, sheet].concat(),
            "2 Zeilen ohne gültige Zeit ausgelassen. Sie beginnen mit „31.02.2026 · 8 min · Falke“, „Winterpause“.",
        ),
        (
            sheet.repeat(5),
            "5 Zeilen ohne gültige Zeit ausgelassen. \
             Die ersten beginnen mit „Winterpause“, „Winterpause“, „Winterpause“.",
        ),
    ] {
        let list = format!("Datum;Startzeit;Flugzeit;Modell\n{flight}{lines}");
        let found = send(&anna, &[("Liste.csv", list.as_bytes())]).expect_status(201).json();
        assert_eq!(found["files"][0]["message"], sentence);
        discard(&anna, &found);
    }
}

#[test]
fn the_positions_of_a_decoded_blackbox_log_are_the_way_of_a_flight() {
    let anna = Server::shared().pilot("anna");
    let positions = four_minutes(
        "time (us), GPS_numSat, GPS_coord[0], GPS_coord[1], GPS_altitude, GPS_speed (m/s), GPS_ground_course",
        |second, latitude, _, speed| {
            format!(
                "{}, 14, {latitude:.7}, 6.9500000, 812, {speed:.2}, 0.0",
                7_000_000 + second * 1_000_000
            )
        },
    );
    let found = send(&anna, &[("btfl_001.01.gps.csv", positions.as_bytes())])
        .expect_status(201)
        .json();
    assert_eq!(found["files"][0]["format"], "blackbox-csv");
    let [flight] = proposals(&found).as_slice() else {
        panic!("{found}");
    };
    for (field, value) in [
        ("startTime", json!("")),
        ("flightTime", json!(4.0)),
        ("startLatitude", json!(50.93)),
        ("startLongitude", json!(6.95)),
        ("distance", json!(1.1)),
        ("maximumDistance", json!(550.0)),
        ("speed", json!(18.0)),
        ("maximumAltitude", Value::Null),
    ] {
        assert_eq!(flight[field], value, "{field}");
    }
    discard(&anna, &found);
}

#[test]
fn a_flight_that_was_typed_into_open_drone_log_has_what_was_typed() {
    let anna = Server::shared().pilot("anna");
    let export = "time_s,lat,lng,alt_m,metadata\n\
                  0,50.93,6.95,0,\"{\"\"aircraft_name\"\":\"\"Falke\"\",\
                  \"\"start_time\"\":\"\"2026-04-03T12:05:00Z\"\",\"\"duration_secs\"\":450,\
                  \"\"total_distance_m\"\":1250,\"\"max_altitude_m\"\":85,\"\"max_speed_ms\"\":12.5,\
                  \"\"notes\"\":\"\"schön\"\"}\"\n";
    let found = send(&anna, &[("manual.csv", export.as_bytes())])
        .expect_status(201)
        .json();
    let flight = &proposals(&found)[0];
    for (field, value) in [
        ("startTime", json!("03.04.2026 14:05")),
        ("flightTime", json!(7.5)),
        ("distance", json!(1.25)),
        ("maximumAltitude", json!(85.0)),
        ("speed", json!(45.0)),
        ("copterName", json!("Falke")),
    ] {
        assert_eq!(flight[field], value, "{field}");
    }
    discard(&anna, &found);
}

#[test]
fn values_in_the_course_of_a_flight_are_no_flights_unless_the_pilot_says_so() {
    let anna = Server::shared().pilot("anna");
    let rows: String = (0..300)
        .map(|row| format!("2026-05-09,10:{:02}:{:02},{row}\n", row / 60, row % 60))
        .collect();
    let series = format!("Date,Time,Val\n{rows}");
    let found = send(&anna, &[("werte.csv", series.as_bytes())])
        .expect_status(201)
        .json();
    assert_eq!(
        (proposals(&found).len(), &found["files"][0]["message"]),
        (
            0,
            &json!("Das sind Messwerte, oder es fehlt die Spalte mit der Dauer. Bitte die Spalten prüfen.")
        )
    );
    assert_eq!(found["files"][0]["columns"][0]["guess"], "date");
    let mapping = json!({
        "columns": {"0": "date", "1": "startTime"}, "separator": ",", "decimal": ".", "dateOrder": "ymd"
    });
    let fields = [
        ("dpfId", id_in(&found)),
        ("file", "0".into()),
        ("mapping", mapping.to_string()),
    ];
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mapped = anna.post("MapImportColumns", &fields).expect_status(200).json();
    assert_eq!(proposals(&mapped).len(), 200);
    // Flights without their minutes, on two days.
    let book = "Datum;Startzeit\n09.05.2026;10:00\n09.05.2026;10:20\n09.05.2026;14:00\n16.05.2026;11:00\n";
    let found = send(&anna, &[("heft.csv", book.as_bytes())]).expect_status(201).json();
    assert_eq!(proposals(&found).len(), 4);
}

#[test]
fn the_clock_of_satellites_is_believed_before_that_of_a_radio() {
    let anna = Server::shared().pilot("anna");
    let track = |year: u16| {
        let points: String = (0..60)
            .map(|second| {
                let north = 52.0 + f64::from(second) * 1e-4;
                format!("<trkpt lat=\"{north:.6}\" lon=\"9.0\"><time>{year}-05-09T10:00:{second:02}Z</time></trkpt>")
            })
            .collect();
        format!("<gpx version=\"1.1\"><trk><trkseg>{points}</trkseg></trk></gpx>")
    };
    for (year, start) in [(2007, "09.05.2007 12:00"), (1980, "")] {
        let found = send(&anna, &[("alt.gpx", track(year).as_bytes())])
            .expect_status(201)
            .json();
        assert_eq!(proposals(&found)[0]["startTime"], start);
    }
}

#[test]
fn an_archive_gives_what_its_members_have_and_says_what_it_left_out() {
    let anna = Server::shared().pilot("anna");
    let found = send(
        &anna,
        &[(
            "alles.zip",
            &zipped(&["Airdata.csv", "DJIFlightRecord_v14.txt", "expected.tsv"]),
        )],
    );
    let found = found.expect_status(201).json();
    let formats: Vec<_> = found["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| &file["format"])
        .collect();
    assert_eq!(formats, [&json!("airdata"), &json!("dji-txt"), &json!("csv")]);
    assert_eq!(found["files"][0]["message"], "");
    let copter = anna.item(COPTER, "Mini");
    accept(
        &anna,
        &found,
        &json!([{"key": "0-0", "action": "create", "copter": copter, "keepFile": true}]),
    )
    .expect_status(200);
    // A single member of an archive is recognized as the file.
    assert_eq!(proposals(&import(&anna, &["Airdata.csv"]))[0]["twin"]["kind"], "digest");
}

#[test]
fn the_original_file_is_kept_with_the_flight_if_wished() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    let found = import(&anna, &["Litchi.csv"]);
    let choice = json!([{"key": "0-0", "action": "create", "copter": copter, "keepFile": true}]);
    let answer = accept(&anna, &found, &choice).expect_status(200).json();
    let logs = anna
        .post("GetFlightLogs", &[("dpfId", &created(&answer)[0])])
        .expect_status(200)
        .json();
    let document = &logs["logs"][0]["documentObj"];
    assert_eq!(
        (&logs["logs"][0]["info"], &document["name"]),
        (&json!("Originaldatei"), &json!("Litchi.csv"))
    );
    let kept = anna
        .post("DownloadDocument", &[("dpfId", document["dpfId"].as_str().unwrap())])
        .expect_status(200);
    assert_eq!(kept.body, content("Litchi.csv"));
    assert_eq!(anna.documents(), Vec::<Value>::new());
}

#[test]
fn nothing_of_an_import_stays_when_it_is_over() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let blobs = || server.blobs().len();
    let copter = anna.item(COPTER, "Adler");
    let [accepted, discarded] = [0, 1].map(|_| import(&anna, &["Litchi.csv", "zwei.gpx"]));
    assert_eq!(blobs(), 4);
    accept(
        &anna,
        &accepted,
        &json!([{"key": "0-0", "action": "create", "copter": copter}]),
    )
    .expect_status(200);
    discard(&anna, &discarded);
    assert_eq!(blobs(), 0);
    for import in [&accepted, &discarded] {
        anna.post("GetImport", &[("dpfId", &id_in(import))]).expect_no_access();
    }
    assert_eq!(anna.post_empty("GetImports").expect_status(200).json(), json!([]));
    let open: Vec<_> = (0..5).map(|_| import(&anna, &["Airdata.csv"])).collect();
    send(&anna, &[("a.csv", &content("Airdata.csv"))])
        .expect_refusal(409, "Bitte erst einen Import abschließen oder verwerfen.");
    let list = anna.post_empty("GetImports").expect_status(200).json();
    assert_eq!(
        (list.as_array().unwrap().len(), &list[0]["files"]),
        (5, &json!(["Airdata.csv"]))
    );
    let ben = server.pilot("ben");
    for call in ["GetImport", "DiscardImport"] {
        ben.post(call, &[("dpfId", &id_in(&open[0]))]).expect_no_access();
    }
    accept(&ben, &open[0], &json!([{"key": "0-0", "action": "skip"}])).expect_no_access();
    // An import is accepted completely or not at all.
    let wrong = json!([{"key": "0-0", "action": "create", "copter": copter}, {"key": "0-9", "action": "skip"}]);
    accept(&anna, &open[0], &wrong).expect_refusal(400, "Die Auswahl passt nicht zum Import.");
    for wrong in [
        json!([]),
        json!([{"key": "0-0", "action": "skip"}, {"key": "0-0", "action": "skip"}]),
        json!({}),
    ] {
        accept(&anna, &open[0], &wrong).expect_status(400);
    }
    assert_eq!(anna.flights().len(), 1);
}

/// A ZIP of fixtures.
pub fn zipped(names: &[&str]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in names {
        archive
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(&content(name)).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A radio's log with these sensors, one row per second.
fn radio_log(sensors: &str, row: impl Fn(usize) -> String) -> String {
    let rows = (0..60).map(|second| format!("2026-07-19,10:00:{second:02}.000,{},12.0,0\n", row(second)));
    format!("Date,Time,{sensors},Curr(A),Thr\n{}", rows.collect::<String>())
}

#[test]
fn the_voltage_is_that_of_the_pack_and_not_of_the_receiver_whichever_column_comes_first() {
    let anna = Server::shared().pilot("anna");
    for (number, (sensors, values, voltage)) in [
        ("RxBt(V),VFAS(V)", "5.2,12.34", json!(12.34)),
        ("VFAS(V),RxBt(V)", "12.34,5.2", json!(12.34)),
        ("RxBt(V),Cels(V)", "5.2,16.4", json!(16.4)),
        ("A1(V),A2(V),RxBt(V)", "5.1,11.9,5.2", json!(11.9)),
        // Without a sensor for the pack, flight controllers report its voltage as the receiver's.
        ("RxBt(V)", "16.1", json!(16.1)),
        ("VFAS(V),RxBt(V)", "1.2,16.1", json!(16.1)),
        ("RxBt(V)", "5.2", Value::Null),
        ("VFAS(V)", "1.2", Value::Null),
    ]
    .into_iter()
    .enumerate()
    {
        let log = radio_log(sensors, |_| values.to_owned());
        let name = format!("Sensoren{number}.csv");
        let found = send(&anna, &[(&name, log.as_bytes())]).expect_status(201).json();
        let proposal = &proposals(&found)[0];
        assert_eq!(proposal["batteryStartVoltage"], voltage, "{sensors} {values}");
        assert_eq!(proposal["batteryEndVoltage"], voltage, "{sensors} {values}");
        discard(&anna, &found);
    }
}

#[test]
fn telemetry_that_begins_late_or_breaks_off_leaves_the_voltage_to_the_pack() {
    let anna = Server::shared().pilot("anna");
    let log = radio_log("RxBt(V),VFAS(V)", |second| match second {
        0..3 | 57.. => "5.2,0.0".to_owned(),
        _ => "5.2,15.7".to_owned(),
    });
    let found = send(&anna, &[("Abriss.csv", log.as_bytes())]).expect_status(201).json();
    let proposal = &proposals(&found)[0];
    assert_eq!(proposal["batteryStartVoltage"], 15.7);
    assert_eq!(proposal["batteryEndVoltage"], 15.7);
    discard(&anna, &found);
}

#[test]
fn a_voltage_that_the_chosen_pack_cannot_have_is_asked_about_and_not_taken_over() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    let pack = anna.item_with(&json!({"type": BATTERY, "name": "Pack", "batteryType": "LiPo 3S"}));
    let log = radio_log("RxBt(V)", |_| "7.0".to_owned());
    let found = send(&anna, &[("Adler.csv", log.as_bytes())]).expect_status(201).json();
    let proposal = &proposals(&found)[0];
    assert_eq!(
        proposal["batteryStartVoltage"], 7.0,
        "without a pack it may be one of two cells"
    );
    discard(&anna, &found);

    let odd = radio_log("VFAS(V)", |_| "1.2".to_owned());
    let found = send(&anna, &[("Adler.csv", odd.as_bytes())]).expect_status(201).json();
    let hints = &proposals(&found)[0]["hints"];
    let asked = "Spannung 1,2 V und 1,2 V? Das kann nicht die des Akkus sein und wird nicht übernommen.";
    assert!(hints.as_array().unwrap().contains(&json!(asked)), "{hints}");
    discard(&anna, &found);

    let found = send(&anna, &[("Adler.csv", log.as_bytes())]).expect_status(201).json();
    let choice = json!([{
        "key": proposals(&found)[0]["key"], "action": "create", "copter": copter, "equipments": [pack]
    }]);
    let flight = &created(&accept(&anna, &found, &choice).expect_status(200).json())[0];
    let flight = anna.flight(flight);
    assert_eq!(
        (&flight["batteryStartVoltage"], &flight["batteryEndVoltage"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn the_flight_mode_is_what_the_log_says_and_nothing_where_it_says_none() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    for (mode, expected) in [("ACRO", "2"), ("ANGL", "0"), ("HOR", "1"), ("RTH", ""), ("", "")] {
        let log = radio_log("VFAS(V),FM", |_| format!("16.1,{mode}"));
        let found = send(&anna, &[(&format!("Modus-{mode}.csv"), log.as_bytes())])
            .expect_status(201)
            .json();
        assert_eq!(proposals(&found)[0]["flightMode"], expected, "{mode}");
        let choice = json!([{"key": "0-0", "action": "create", "copter": copter}]);
        let flights = created(&accept(&anna, &found, &choice).expect_status(200).json());
        assert_eq!(anna.flight(&flights[0])["flightMode"], expected, "{mode}");
    }
}

#[test]
fn an_empty_log_is_no_flight_and_bytes_that_nobody_can_read_are_named() {
    let anna = Server::shared().pilot("anna");
    let log = content("LOG00003.BFL");
    let header = log
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|line| line.starts_with(b"H "));
    let header: Vec<u8> = header.flatten().copied().collect();
    let found = send(
        &anna,
        &[("leer.bbl", &[&header, &header, &log].map(Vec::as_slice).concat())],
    )
    .expect_status(201)
    .json();
    let reasons = |found: &Value| -> Vec<Value> {
        let omitted = found["omitted"].as_array().unwrap().iter();
        omitted.map(|part| part["reason"].clone()).collect()
    };
    assert_eq!(proposals(&found).len(), 3);
    assert_eq!(reasons(&found), [json!("Leeres Log."), json!("Leeres Log.")]);
    discard(&anna, &found);

    let mut log = content("flug.tlog");
    let middle = log.len() / 2;
    log.splice(middle..middle, [0xAA; 2048]);
    let found = send(&anna, &[("flug.tlog", &log)]).expect_status(201).json();
    assert_eq!(proposals(&found).len(), 1);
    let reasons = reasons(&found);
    let named = reasons[0].as_str().unwrap();
    assert!(named.ends_with("dazwischen waren nicht lesbar."), "{named}");
    discard(&anna, &found);
}

#[test]
fn a_missing_value_is_asked_for_by_its_name() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Adler");
    let found = import(&anna, &["Flugbuch.csv"]);
    let key = &proposals(&found)[0]["key"];
    let choice = json!([{"key": key, "action": "create", "copter": copter, "startTime": ""}]);
    let refused = accept(&anna, &found, &choice).expect_status(400);
    assert!(
        refused.text().contains("Bitte Startzeit ergänzen."),
        "{}",
        refused.text()
    );
    let whole = json!({"columns": {"0": "date"}, "separator": ";", "decimal": ",", "dateOrder": "dmy"});
    for (member, sentence) in [
        (
            "separator",
            "Bitte das Trennzeichen angeben: Semikolon, Tabulator, Komma oder |.",
        ),
        ("decimal", "Bitte das Dezimalzeichen angeben: Komma oder Punkt."),
        (
            "dateOrder",
            "Bitte die Reihenfolge im Datum angeben: dmy, mdy oder ymd.",
        ),
    ] {
        let mut mapping = whole.clone();
        mapping.as_object_mut().unwrap().remove(member);
        let fields = [
            ("dpfId", id_in(&found)),
            ("file", "0".into()),
            ("mapping", mapping.to_string()),
        ];
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let refused = anna.post("MapImportColumns", &fields).expect_status(400);
        assert!(refused.text().contains(sentence), "{}", refused.text());
    }
    discard(&anna, &found);
}

#[test]
fn the_paths_of_imported_flights_are_in_the_lists_the_reviews_and_the_outcome() {
    let pilot = Server::shared().pilot("wegweiser");
    let [falke, other] = ["Falke", "Milan"].map(|name| pilot.item(COPTER, name));
    let import = import(&pilot, &["zwei.gpx"]);
    let outcome = accept(&pilot, &import, &ticked(&import, &falke))
        .expect_status(200)
        .json();

    let rows = pilot.flights();
    let paths: Vec<_> = rows.iter().rev().map(|row| row["path"].clone()).collect();
    for path in &paths {
        let path = path.as_array().unwrap();
        assert!(
            (4..=96).contains(&path.len()) && path.len().is_multiple_of(2),
            "{path:?}"
        );
        assert_eq!(path[..2], [json!(0), json!(0)]);
    }
    let sum = |field: &str| rows.iter().filter_map(|row| row[field].as_f64()).sum::<f64>();
    let about = |value: &Value, sum: f64| (value.as_f64().unwrap() - sum).abs() < 0.01;
    assert!(about(&outcome["minutes"], sum("flightTime")), "{outcome}");
    assert!(about(&outcome["distance"], sum("distance")), "{outcome}");
    let count = |review: &Value| review["paths"].as_array().unwrap().len();
    let all = created(&outcome).len();
    assert_eq!((all > 1, count(&outcome)), (true, all));

    let review = |fields: &[(&str, &str)]| pilot.post("GetReview", fields).expect_status(200).json();
    let year = review(&[("year", "2026")]);
    assert_eq!((count(&year), count(&review(&[("year", "2025")]))), (all, 0));
    assert_eq!(
        (
            count(&review(&[("copter", &falke)])),
            count(&review(&[("copter", &other)]))
        ),
        (all, 0)
    );
    assert!(paths.contains(&year["longest"]["path"]), "{}", year["longest"]);
    pilot
        .post("DeleteFlight", &[("dpfId", &id_in(&rows[0]))])
        .expect_status(200);
    assert_eq!(count(&review(&[])), all - 1);
}
