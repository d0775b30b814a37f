//! Maintenance hints of all packs in one list, and snoozing them.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::process::run;
use crate::harness::{Pilot, Server, text};

/// A battery of six cells, charged to `volts` long ago.
#[track_caller]
fn charged(pilot: &Pilot, name: &str, volts: &str) -> String {
    let battery = pilot.item_with(&json!({"type": BATTERY, "name": name, "model": "6S 1300", "capacity": 1300}));
    let fields = [
        ("chargeStartTime", "10.05.2026 08:00"),
        ("fromVoltage", "18"),
        ("chargeEndTime", "10.05.2026 09:00"),
        ("toVoltage", volts),
        ("charged", "900"),
    ];
    pilot.save_charging(&battery, &fields).expect_status(200);
    battery
}

/// Each hint in the form `Akku 1 full red`.
#[track_caller]
fn hints(pilot: &Pilot) -> Vec<String> {
    let hints = pilot.post("GetBatteryHints", &[]).expect_status(200).json();
    let said = |hint: &Value| {
        let part = |name: &str| hint[name].as_str().unwrap().to_owned();
        [part("name"), part("rule"), part("level")].join(" ")
    };
    hints.as_array().unwrap().iter().map(said).collect()
}

fn snooze(pilot: &Pilot, battery: &str, days: &str) -> crate::harness::answer::Answer {
    pilot.post("SnoozeBattery", &[("dpfId", battery), ("days", days)])
}

#[test]
fn the_gravest_hints_of_all_packs_come_first_and_then_by_name() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    assert!(hints(&anna).is_empty());
    for (name, volts) in [("Akku 3", "22,9"), ("Akku 2", "25,2"), ("Akku 10", "25,2")] {
        charged(&anna, name, volts);
    }
    charged(&anna, "Akku 1", "24");
    assert_eq!(
        hints(&anna),
        ["Akku 2 full red", "Akku 10 full red", "Akku 3 unchecked amber"]
    );
    assert!(hints(&server.pilot("Ben")).is_empty());
}

#[test]
fn a_postponed_pack_is_in_no_reminder_and_keeps_its_light() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let battery = charged(&anna, "Akku 1", "25,2");
    snooze(&anna, &battery, "3").expect_status(200);
    assert!(hints(&anna).is_empty());
    // How long it has been full doesn't advise against a flight.
    let item = anna.equipment(&battery);
    assert_eq!([&item["light"], &item["doubtful"]], [&json!("red"), &json!(false)]);
    let passport = anna.post("GetBatteryPassport", &[("dpfId", &battery)]).json();
    assert_eq!(passport["hints"][0]["rule"], "full");
    assert_ne!(passport["snoozedUntil"], "");
    snooze(&anna, &battery, "0").expect_status(200);
    assert_eq!(hints(&anna), ["Akku 1 full red"]);
}

#[test]
fn only_a_pack_can_be_put_off_by_its_owner_and_for_three_months_at_most() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let battery = charged(&anna, "Akku 1", "25,2");
    for days in ["91", "-1", "1,5", ""] {
        snooze(&anna, &battery, days).expect_refusal(400, "Bitte geben Sie 0 bis 90 Tage ein.");
    }
    let copter = anna.item(COPTER, "Falke");
    snooze(&anna, &copter, "3").expect_refusal(400, "Nur Batterien haben einen Akkupass.");
    snooze(&server.pilot("Ben"), &battery, "3").expect_status(403);
    assert_eq!(hints(&anna), ["Akku 1 full red"]);
}

#[test]
fn an_estimated_capacity_is_never_urgent_and_dismissed_for_good() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let battery = anna.item_with(&json!({"type": BATTERY, "name": "Akku 1", "model": "6S 1300", "capacity": 1300}));
    let charge = |day: u32, measured: &str| {
        let [start, end] = [8, 9].map(|hour| format!("{day:02}.05.2026 {hour:02}:00"));
        let fields = [
            ("chargeStartTime", start.as_str()),
            ("fromVoltage", "22,14"),
            ("chargeEndTime", &end),
            ("toVoltage", "25,2"),
            ("charged", "800"),
            ("measuredCapacity", measured),
        ];
        anna.save_charging(&battery, &fields).expect_status(200);
    };
    (1..4).for_each(|day| charge(day, ""));
    anna.post("QuickStore", &[("battery", &battery)]).expect_status(200);
    assert_eq!(hints(&anna), ["Akku 1 capacity amber"]);
    let passport = || anna.post("GetBatteryPassport", &[("dpfId", &battery)]).json();
    let dismiss = |days: &str, rule: &str| {
        let fields = [("dpfId", battery.as_str()), ("days", days), ("rule", rule)];
        anna.post("SnoozeBattery", &fields)
    };
    dismiss("1", "full").expect_refusal(400, "Ungültige Eingabe");
    dismiss("1", "capacity").expect_status(200);
    assert!(hints(&anna).is_empty());
    assert_eq!(anna.equipment(&battery)["light"], "green");
    assert_eq!(passport()["hints"], json!([]));
    assert_eq!(passport()["dismissed"][0]["rule"], "capacity");
    dismiss("0", "capacity").expect_status(200);
    assert_eq!(hints(&anna), ["Akku 1 capacity amber"]);
    // What a charger measures is urgent, also after an estimate was dismissed.
    dismiss("1", "capacity").expect_status(200);
    (4..9).for_each(|day| charge(day, "900"));
    assert_eq!(hints(&anna), ["Akku 1 capacity red"]);
    assert_eq!(anna.equipment(&battery)["doubtful"], true);
}

#[test]
fn a_retired_pack_waits_for_nothing_and_has_no_light() {
    let server = Server::shared();
    let anna = server.pilot("Anna");
    let battery = charged(&anna, "Akku 1", "25,2");
    assert_eq!(hints(&anna).len(), 1);
    anna.deactivate(&battery, "verkauft").expect_status(200);
    assert!(hints(&anna).is_empty());
    assert_eq!(anna.equipment(&battery)["light"], json!(null));
}

/// After any changes in any order, the stored figures equal those computed from the records.
#[test]
fn the_stored_state_of_a_pack_equals_that_of_its_records_after_any_changes() {
    let server = Server::start();
    let anna = server.pilot("Anna");
    let [battery, other] = ["Akku 1", "Akku 2"].map(|name| charged(&anna, name, "25,2"));
    let copter = anna.item(COPTER, "Falke");
    let fly = |day: u32, hour: u32, batteries: &[&str], consumed: Value| {
        let fields = json!({"startTime": format!("{day:02}.06.2026 {hour:02}:30"), "flightTime": 5,
            "batteryEndVoltage": 21.9, "consumedCapacity": consumed});
        anna.fly(&copter, batteries, &fields)
    };
    let charge = |day: u32, charged: &str| {
        let [start, end] = [8, 9].map(|hour| format!("{day:02}.06.2026 {hour:02}:00"));
        let voltages = [("fromVoltage", "22,14"), ("toVoltage", "25,2"), ("charged", charged)];
        let times = [("chargeStartTime", start.as_str()), ("chargeEndTime", end.as_str())];
        anna.save_charging(&battery, &[&times[..], &voltages].concat())
            .expect_status(200)
            .json()
    };
    let mut flights = Vec::new();
    for day in 1..13 {
        flights.push(fly(day, 7, &[&battery], json!(700 + day)));
        charge(day, "936");
    }
    // A charging of an unknown amount, to be derived from the flights.
    let unknown = [
        ("battery", battery.as_str()),
        ("time", "13.06.2026 12:00"),
        ("voltage", "22"),
    ];
    fly(13, 10, &[&battery, &other], json!(900));
    anna.post("QuickCharge", &unknown).expect_status(200);
    // Flights before all chargings, and between them.
    fly(2, 3, &[&battery], json!(11));
    fly(13, 9, &[&battery], json!(650));
    anna.delete_flight(&flights[4]).expect_status(200);
    let moved = json!({"dpfId": flights[5], "startTime": "03.06.2026 05:00", "consumedCapacity": "1"});
    anna.save_flight(&moved).expect_status(200);
    charge(4, "700");
    let first = anna.chargings(&battery).pop().unwrap();
    let edit = [("dpfId", first["dpfId"].as_str().unwrap()), ("charged", "1100")];
    anna.save_charging(&battery, &edit).expect_status(200);
    let reading = anna.reading(&battery, &[("voltage", "25"), ("time", "14.06.2026 08:00")]);
    let delete = [("battery", battery.as_str()), ("dpfId", reading.as_str())];
    anna.post("DeleteBatteryReading", &delete).expect_status(200);
    let cycles = anna.equipment(&battery)["cycles"].clone();
    let passport = anna.post("GetBatteryPassport", &[("dpfId", &battery)]).json();
    assert_eq!(passport["trend"]["cycles"], cycles);
    let checked = run(["check", "--data-dir", text(server.directory())]);
    assert_eq!(checked.code, 0, "{checked:?}");
}
