//! Battery packs: their properties, how long they have been in their state, and the one-tap changes.

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::{Pilot, Server, Shared};

struct Bench {
    _server: Shared,
    pilot: Pilot,
}

fn bench() -> Bench {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    Bench { _server: server, pilot }
}

impl Bench {
    fn pack(&self, name: &str, model: &str) -> String {
        self.pilot
            .item_with(&json!({"type": BATTERY, "name": name, "model": model}))
    }

    #[track_caller]
    fn charge(&self, battery: &str, [start, end]: [&str; 2], [from, to]: [&str; 2]) {
        let fields = [
            ("chargeStartTime", start),
            ("fromVoltage", from),
            ("chargeEndTime", end),
            ("toVoltage", to),
            ("charged", "900"),
        ];
        self.pilot.save_charging(battery, &fields).expect_status(200);
    }

    fn profile(&self, battery: &str, profile: &Value) -> Answer {
        let fields = [("battery", battery), ("profile", &profile.to_string())];
        self.pilot.post("SaveBatteryProfile", &fields)
    }

    fn quick(&self, call: &str, fields: &[(&str, &str)]) -> Answer {
        self.pilot.post(call, fields)
    }

    /// State, time of its beginning, cells, and whether these are guessed.
    fn state(&self, battery: &str) -> [Value; 4] {
        let item = self.pilot.equipment(battery);
        ["state", "stateSince", "cells", "cellsGuessed"].map(|name| item[name].clone())
    }
}

#[test]
fn a_pack_says_since_when_it_is_as_it_is() {
    let bench = bench();
    let (battery, copter) = (bench.pack("Akku 1", "6S 1300"), bench.pilot.item(COPTER, "Falke"));
    assert_eq!(bench.state(&battery), [json!(null), json!(""), json!(6), json!(true)]);
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "25,2"]);
    assert_eq!(bench.state(&battery)[..2], [json!("full"), json!("10.05.2026 09:00")]);
    // Topping up a full pack doesn't change its state.
    bench.charge(&battery, ["12.05.2026 08:00", "12.05.2026 08:10"], ["25,0", "25,2"]);
    assert_eq!(bench.state(&battery)[1], "10.05.2026 09:00");
    let fields = json!({"startTime": "13.05.2026 10:00", "flightTime": 5, "batteryStartVoltage": 25.2,
        "batteryEndVoltage": 21.9, "consumedCapacity": 905});
    let flight = bench.pilot.fly(&copter, &[&battery], &fields);
    assert_eq!(bench.state(&battery)[..2], [json!("empty"), json!("13.05.2026 10:05")]);
    bench.charge(&battery, ["13.05.2026 20:00", "13.05.2026 20:30"], ["21,9", "22,9"]);
    assert_eq!(
        bench.state(&battery)[..2],
        [json!("storage"), json!("13.05.2026 20:30")]
    );
    // Without the flight the pack was full; it has been stored since.
    bench.pilot.delete_flight(&flight).expect_status(200);
    assert_eq!(
        bench.state(&battery)[..2],
        [json!("storage"), json!("13.05.2026 20:30")]
    );
    let open = [("chargeStartTime", "14.05.2026 08:00"), ("fromVoltage", "22,9")];
    bench.pilot.save_charging(&battery, &open).expect_status(200);
    assert_eq!(
        bench.state(&battery)[..2],
        [json!("charging"), json!("14.05.2026 08:00")]
    );
}

#[test]
fn since_when_follows_a_charging_that_is_edited() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "6S 1300");
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "25,2"]);
    bench.charge(&battery, ["12.05.2026 08:00", "12.05.2026 08:10"], ["25,0", "25,2"]);
    let first = bench.pilot.chargings(&battery)[1]["dpfId"].as_str().unwrap().to_owned();
    let edit = [("dpfId", first.as_str()), ("toVoltage", "23")];
    bench.pilot.save_charging(&battery, &edit).expect_status(200);
    assert_eq!(bench.state(&battery)[..2], [json!("full"), json!("12.05.2026 08:10")]);
}

#[test]
fn what_a_pack_is_made_of_moves_its_state_and_empty_clears_it() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "R-Line");
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "25,2"]);
    assert_eq!(bench.state(&battery)[..1], [json!("full")]);
    for (profile, [state, cells, guessed]) in [
        (json!({"chemistry": 1}), [json!("partial"), json!(6), json!(true)]),
        (json!({"cells": 6}), [json!("partial"), json!(6), json!(false)]),
        (
            json!({"chemistry": "", "cells": "7"}),
            [json!("empty"), json!(7), json!(false)],
        ),
        (json!({"cells": null}), [json!("full"), json!(6), json!(true)]),
        (json!({"chemistry": 3}), [json!(null), json!(null), json!(false)]),
    ] {
        let shown = bench.profile(&battery, &profile).expect_status(200).json();
        assert_eq!(
            [&shown["state"], &shown["cells"], &shown["cellsGuessed"]],
            [&state, &cells, &guessed],
            "{profile}"
        );
    }
}

#[test]
fn a_profile_that_cannot_be_is_refused_with_its_sentence() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "6S");
    for (profile, sentence) in [
        (json!({"cells": 0}), "Bitte geben Sie 1 bis 14 Zellen ein."),
        (json!({"cells": 15}), "Bitte geben Sie 1 bis 14 Zellen ein."),
        (json!({"fullVoltage": "5,01"}), "Eine Zelle hat höchstens 5 V."),
        (json!({"chemistry": 5}), "Diese Chemie gibt es nicht."),
        (json!({"fullDays": "-1"}), "Bitte geben Sie 0 bis 99 Tage ein."),
    ] {
        bench.profile(&battery, &profile).expect_refusal(400, sentence);
    }
    let copter = bench.pilot.item(COPTER, "Falke");
    bench
        .profile(&copter, &json!({"cells": 4}))
        .expect_refusal(400, "Nur Batterien haben einen Akkupass.");
    let with_copter = json!({"dpfId": copter, "name": "Falke", "profile": {"cells": 99}});
    bench.pilot.save_edit_equipment(&with_copter).expect_status(200);
}

#[test]
fn the_form_of_an_item_takes_its_number_and_what_a_pack_is_made_of() {
    let bench = bench();
    let form = json!({"type": BATTERY, "name": "Akku 7", "number": 7, "profile": {"chemistry": 0, "cells": "6"}});
    let battery = bench.pilot.item_with(&form);
    let item = bench.pilot.equipment(&battery);
    assert_eq!([&item["number"], &item["chemistry"], &item["cells"]], [7, 0, 6]);
    // Fields that aren't sent keep their values.
    let edited = json!({"dpfId": battery, "name": "Akku 7", "profile": {"connector": "XT60"}});
    let item = bench.pilot.save_edit_equipment(&edited).expect_status(200).json();
    assert_eq!([&item["number"], &item["cells"]], [7, 6]);
    for (number, status) in [("0", 400), ("1000", 400), ("1,5", 400), ("999", 200)] {
        let edited = json!({"dpfId": battery, "name": "Akku 7", "number": number});
        bench.pilot.save_edit_equipment(&edited).expect_status(status);
    }
}

#[test]
fn a_number_belongs_to_one_item_of_a_pilot() {
    let bench = bench();
    let copter = bench
        .pilot
        .item_with(&json!({"type": COPTER, "name": "Falke", "number": 7}));
    let taken = "Diese Nummer hat schon ein anderes Equipment.";
    let second = json!({"type": BATTERY, "name": "Akku 7", "number": "7"});
    bench.pilot.save_new_equipment(&second).expect_refusal(409, taken);
    let battery = bench.pilot.item(BATTERY, "Akku 7");
    let edit = |id: &str, name: &str, number: Value| json!({"dpfId": id, "name": name, "number": number});
    bench
        .pilot
        .save_edit_equipment(&edit(&battery, "Akku 7", json!(7)))
        .expect_refusal(409, taken);
    // An item may keep its own number, also when retired.
    bench
        .pilot
        .save_edit_equipment(&edit(&copter, "Falke 2", json!(7)))
        .expect_status(200);
    bench.pilot.deactivate(&copter, "verkauft").expect_status(200);
    bench
        .pilot
        .save_edit_equipment(&edit(&battery, "Akku 7", json!(7)))
        .expect_refusal(409, taken);
    bench
        .pilot
        .save_edit_equipment(&edit(&copter, "Falke", json!("")))
        .expect_status(200);
    bench
        .pilot
        .save_edit_equipment(&edit(&battery, "Akku 7", json!(7)))
        .expect_status(200);
    let ben = bench._server.pilot("Ben");
    ben.save_new_equipment(&second).expect_status(200);
}

#[test]
fn geladen_records_a_whole_charging_with_what_the_flights_took() {
    let bench = bench();
    let (battery, copter) = (bench.pack("Akku 1", "6S 1300"), bench.pilot.item(COPTER, "Falke"));
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "25,2"]);
    for (start, consumed, end) in [("11.05.2026 10:00", 450.5, 23.4), ("11.05.2026 11:00", 400.0, 21.9)] {
        let fields =
            json!({"startTime": start, "flightTime": 5, "batteryEndVoltage": end, "consumedCapacity": consumed});
        bench.pilot.fly(&copter, &[&battery], &fields);
    }
    let fields = [("battery", battery.as_str()), ("time", "11.05.2026 20:00")];
    bench.quick("QuickCharge", &fields).expect_status(200);
    let charging = bench.pilot.chargings(&battery).remove(0);
    for (name, value) in [
        ("chargeStartTime", json!("11.05.2026 20:00")),
        ("chargeEndTime", json!("11.05.2026 20:00")),
        ("fromVoltage", json!(21.9)),
        ("toVoltage", json!(25.2)),
        ("charged", json!(850.5)),
    ] {
        assert_eq!(charging[name], value, "{name}");
    }
    assert_eq!(bench.pilot.equipment(&battery)["chargeCount"], 2);
    // Repeating the tap adds nothing.
    let count = bench.pilot.chargings(&battery).len();
    bench.quick("QuickCharge", &fields).expect_status(200);
    assert_eq!(bench.pilot.chargings(&battery).len(), count);
}

#[test]
fn what_nobody_knows_of_a_charging_stays_open_when_it_is_edited() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "6S 1300");
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "22,9"]);
    bench.quick("QuickCharge", &[("battery", &battery)]).expect_status(200);
    let charging = bench.pilot.chargings(&battery).remove(0);
    assert_eq!(charging["charged"], json!(null));
    let id = charging["dpfId"].as_str().unwrap();
    for edit in [&[("toVoltage", "25,1")][..], &[("toVoltage", "25"), ("charged", "")]] {
        let edited = bench.pilot.save_charging(&battery, &[&[("dpfId", id)], edit].concat());
        assert_eq!(edited.expect_status(200).json()["charged"], json!(null));
    }
    let told = [("dpfId", id), ("charged", "910")];
    bench.pilot.save_charging(&battery, &told).expect_status(200);
    // Once known, the value can't be removed.
    let forgotten = [("dpfId", id), ("charged", "")];
    bench.pilot.save_charging(&battery, &forgotten).expect_status(400);
}

#[test]
fn geladen_finishes_the_charging_that_is_open_also_of_a_retired_pack() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "6S 1300");
    let open = [("chargeStartTime", "10.05.2026 08:00"), ("fromVoltage", "21,6")];
    bench.pilot.save_charging(&battery, &open).expect_status(200);
    bench.pilot.deactivate(&battery, "alt").expect_status(200);
    let fields = [("battery", battery.as_str()), ("time", "10.05.2026 09:00")];
    bench.quick("QuickCharge", &fields).expect_status(200);
    let chargings = bench.pilot.chargings(&battery);
    assert_eq!(chargings.len(), 1);
    assert_eq!(
        [&chargings[0]["fromVoltage"], &chargings[0]["toVoltage"]],
        [&json!(21.6), &json!(25.2)]
    );
    bench
        .quick("QuickCharge", &fields)
        .expect_refusal(409, "Eine ausgemusterte Batterie kann nicht geladen werden.");
}

#[test]
fn eingelagert_brings_a_pack_to_the_voltage_of_its_chemistry() {
    let bench = bench();
    for (profile, volts) in [
        (json!({}), 22.92),
        (json!({"chemistry": 1}), 23.1),
        (json!({"chemistry": 2}), 21.6),
        (json!({"storageVoltage": "3,8"}), 22.8),
    ] {
        let battery = bench.pack("Akku", "6S 1300");
        bench.profile(&battery, &profile).expect_status(200);
        bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21", "25,2"]);
        bench.quick("QuickStore", &[("battery", &battery)]).expect_status(200);
        let item = bench.pilot.equipment(&battery);
        assert_eq!(
            (&item["state"], &item["currentCharge"]),
            (&json!("storage"), &json!(volts)),
            "{profile}"
        );
        // Discharging doesn't count as a charging.
        assert_eq!(item["chargeCount"], 1);
    }
}

#[test]
fn several_packs_are_charged_together_or_none_of_them() {
    let bench = bench();
    let [one, other, retired] = ["6S", "4S", "4S"].map(|model| bench.pack("Akku", model));
    for (battery, volts) in [(&one, ["21", "22,9"]), (&other, ["14", "15,2"])] {
        bench.charge(battery, ["10.05.2026 08:00", "10.05.2026 09:00"], volts);
    }
    bench.pilot.deactivate(&retired, "alt").expect_status(200);
    let all = format!("{one};{other};{retired}");
    bench
        .quick("QuickCharge", &[("battery", &all)])
        .expect_refusal(409, "Eine ausgemusterte Batterie kann nicht geladen werden.");
    assert_eq!(bench.state(&one)[0], "storage");
    bench
        .quick("QuickCharge", &[("battery", &format!("{one}; {other}"))])
        .expect_status(200);
    assert_eq!([&bench.state(&one)[0], &bench.state(&other)[0]], ["full", "full"]);
    let of_nobody = format!("{one};0198b6f0-1111-7000-8000-000000000000");
    for wrong in [&of_nobody, "x", ";"] {
        bench.quick("QuickCharge", &[("battery", wrong)]).expect_status(403);
    }
}

#[test]
fn the_start_of_a_charging_stays_open_after_a_flight_without_end_voltage() {
    let bench = bench();
    let (battery, copter) = (bench.pack("Akku 1", "6S 1300"), bench.pilot.item(COPTER, "Falke"));
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "25,2"]);
    let flight = json!({"startTime": "11.05.2026 09:00", "flightTime": 5, "consumedCapacity": 800});
    bench.pilot.fly(&copter, &[&battery], &flight);
    let flown = bench.pilot.equipment(&battery);
    assert_eq!([&flown["state"], &flown["stateVoltage"]], [&json!(null), &json!(null)]);
    let fields = [("battery", battery.as_str()), ("time", "11.05.2026 20:00")];
    bench.quick("QuickCharge", &fields).expect_status(200);
    let charging = bench.pilot.chargings(&battery).remove(0);
    for (name, value) in [
        ("fromVoltage", json!(null)),
        ("toVoltage", json!(25.2)),
        ("charged", json!(800.0)),
    ] {
        assert_eq!(charging[name], value, "{name}");
    }
    let item = bench.pilot.equipment(&battery);
    for (name, value) in [
        ("state", json!("full")),
        ("stateSince", json!("11.05.2026 20:00")),
        ("stateVoltage", json!(25.2)),
        ("chargeCount", json!(2)),
        ("lastChargeTime", json!("11.05.2026 20:00")),
    ] {
        assert_eq!(item[name], value, "{name}");
    }
    // A correction may leave the start open; once known, it stays.
    let id = charging["dpfId"].as_str().unwrap();
    for (from, status) in [("", 200), ("21,7", 200), ("", 400)] {
        let edit = [("dpfId", id), ("fromVoltage", from), ("toVoltage", "25,1")];
        bench.pilot.save_charging(&battery, &edit).expect_status(status);
    }
}

#[test]
fn a_pack_of_unknown_cells_is_full_and_stored_by_one_tap_and_taken_back() {
    let bench = bench();
    // A smart pack tells no voltage of a cell.
    let (unknown, smart) = (bench.pack("Akku", ""), bench.pack("Mavic", ""));
    bench.profile(&smart, &json!({"chemistry": 3})).expect_status(200);
    let copter = bench.pilot.item(COPTER, "Falke");
    for (battery, request) in [
        (&unknown, "0198b6f0-2222-7000-8000-000000000010"),
        (&smart, "0198b6f0-2222-7000-8000-000000000011"),
    ] {
        let charged = [("battery", battery.as_str()), ("time", "10.05.2026 09:00")];
        bench.quick("QuickCharge", &charged).expect_status(200);
        // Repeating the tap adds nothing.
        bench.quick("QuickCharge", &charged).expect_status(200);
        let chargings = bench.pilot.chargings(battery);
        assert_eq!(chargings.len(), 1);
        assert_eq!(
            [&chargings[0]["fromVoltage"], &chargings[0]["toVoltage"]],
            [&json!(null), &json!(null)]
        );
        assert_eq!(bench.state(battery)[..2], [json!("full"), json!("10.05.2026 09:00")]);
        let item = bench.pilot.equipment(battery);
        assert_eq!([&item["chargeCount"], &item["stateVoltage"]], [&json!(1), &json!(null)]);
        let edit = [("dpfId", chargings[0]["dpfId"].as_str().unwrap()), ("charged", "900")];
        bench.pilot.save_charging(battery, &edit).expect_status(200);

        let stored = [
            ("battery", battery.as_str()),
            ("time", "11.05.2026 09:00"),
            ("requestId", request),
        ];
        bench.quick("QuickStore", &stored).expect_status(200);
        assert_eq!(bench.state(battery)[..2], [json!("storage"), json!("11.05.2026 09:00")]);
        assert_eq!(bench.pilot.equipment(battery)["chargeCount"], 1);
        let passport = bench.pilot.post("GetBatteryPassport", &[("dpfId", battery)]).json();
        let deeds = passport["timeline"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["deed"].clone());
        assert_eq!(deeds.collect::<Vec<_>>(), ["storage", "charge"]);
        bench.pilot.post("Undo", &[("undo", request)]).expect_status(200);
        assert_eq!(bench.state(battery)[0], "full");
        let flight = json!({"startTime": "12.05.2026 09:00", "flightTime": 5});
        bench.pilot.fly(&copter, &[battery], &flight);
        assert_eq!(bench.state(battery)[0], json!(null));
    }
}

#[test]
fn an_open_charging_of_a_pack_of_unknown_cells_is_open_again_when_the_tap_is_taken_back() {
    let bench = bench();
    let battery = bench.pack("Akku", "");
    bench.profile(&battery, &json!({"chemistry": 3})).expect_status(200);
    let open = [("chargeStartTime", "10.05.2026 08:00"), ("fromVoltage", "14,8")];
    bench.pilot.save_charging(&battery, &open).expect_status(200);
    let before = (bench.pilot.equipment(&battery), bench.pilot.chargings(&battery));
    let request = "0198b6f0-2222-7000-8000-00000000000e";
    bench
        .quick("QuickCharge", &[("battery", &battery), ("requestId", request)])
        .expect_status(200);
    assert_eq!(bench.state(&battery)[0], "full");
    bench.pilot.post("Undo", &[("undo", request)]).expect_status(200);
    assert_eq!(
        before,
        (bench.pilot.equipment(&battery), bench.pilot.chargings(&battery))
    );
}

#[test]
fn a_voltage_that_the_pilot_enters_gives_the_number_of_cells() {
    let bench = bench();
    let battery = bench.pack("Akku", "");
    let said = [
        ("battery", battery.as_str()),
        ("voltage", "14,8"),
        ("time", "10.05.2026 09:00"),
    ];
    bench.quick("QuickCharge", &said).expect_status(200);
    assert_eq!(
        bench.state(&battery)[..3],
        [json!("full"), json!("10.05.2026 09:00"), json!(4)]
    );
}

#[test]
fn nothing_is_charged_in_the_future_and_no_copter_at_all() {
    let bench = bench();
    let (battery, copter) = (bench.pack("Akku", "6S"), bench.pilot.item(COPTER, "Falke"));
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21", "22,9"]);
    bench
        .quick("QuickCharge", &[("battery", &battery), ("time", "01.01.2099 10:00")])
        .expect_refusal(400, "Die Zeit liegt in der Zukunft.");
    bench
        .quick("QuickStore", &[("battery", &copter)])
        .expect_refusal(400, "Nur Batterien können geladen werden.");
    assert_eq!(bench.state(&battery)[0], "storage");
}

impl Bench {
    fn read(&self, battery: &str, fields: &[(&str, &str)]) -> Answer {
        let fields = [&[("battery", battery)], fields].concat();
        self.pilot.post("SaveBatteryReading", &fields)
    }

    #[track_caller]
    fn passport(&self, battery: &str) -> Value {
        let fields = [("dpfId", battery)];
        self.pilot.post("GetBatteryPassport", &fields).expect_status(200).json()
    }

    /// The texts of the hints in the passport.
    fn hints(&self, battery: &str) -> Vec<String> {
        let passport = self.passport(battery);
        let hints = passport["hints"].as_array().unwrap().iter();
        hints.map(|hint| hint["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn a_reading_is_the_last_voltage_of_its_pack_until_it_is_deleted() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "6S 1300");
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "25,2"]);
    let fields = [
        ("time", "12.05.2026 09:00"),
        ("kind", "3"),
        ("cellVoltages", "3,82;3.82; 3,79;3,82;3,81;3,82"),
        ("resistances", "4,7;4,8;7;4,5;5,1;4,8"),
        ("temperature", "-5,5"),
        ("charger", "ISDT"),
    ];
    let reading = bench.read(&battery, &fields).expect_status(201).json();
    assert_eq!(reading["cellVoltages"], json!([3.82, 3.82, 3.79, 3.82, 3.81, 3.82]));
    assert_eq!([&reading["temperature"], &reading["kind"]], [&json!(-5.5), &json!(3)]);
    let item = bench.pilot.equipment(&battery);
    assert_eq!(
        [&item["currentCharge"], &item["state"]],
        [&json!(22.88), &json!("storage")]
    );
    assert_eq!(item["stateSince"], "12.05.2026 09:00");

    let id = reading["dpfId"].as_str().unwrap();
    let edit = [
        ("battery", battery.as_str()),
        ("dpfId", id),
        ("voltage", "25"),
        ("temperature", ""),
    ];
    let edited = bench.pilot.post("EditBatteryReading", &edit).expect_status(200).json();
    assert_eq!(
        [&edited["temperature"], &edited["charger"]],
        [&json!(null), &json!("ISDT")]
    );
    assert_eq!(bench.state(&battery)[..2], [json!("full"), json!("10.05.2026 09:00")]);
    let delete = [("battery", battery.as_str()), ("dpfId", id)];
    bench.pilot.post("DeleteBatteryReading", &delete).expect_status(200);
    assert_eq!(bench.pilot.equipment(&battery)["currentCharge"], json!(25.2));
    bench.pilot.post("DeleteBatteryReading", &delete).expect_status(403);
    // A late repeat of the call that added it doesn't bring it back.
    let again = [("battery", battery.as_str()), ("reading", id), ("voltage", "25")];
    bench.pilot.post("SaveBatteryReading", &again).expect_status(403);
}

#[test]
fn a_reading_that_cannot_be_is_refused_with_its_sentence() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "4S 1550");
    let invalid = "Ungültige Eingabe";
    for (field, value, sentence) in [
        ("cellVoltages", "4,1;4,2;4,1", "Bitte 4 Werte angeben."),
        ("cellVoltages", "4,1;4,2;4,1;4,2;4,1", "Bitte 4 Werte angeben."),
        ("resistances", "5", "Bitte 4 Werte angeben."),
        ("cellVoltages", "4,1;4,2;;4,1", invalid),
        ("cellVoltages", "4,1;4,2;x;4,1", invalid),
        ("cellVoltages", "4,1;4,2;4,1;5,01", "Eine Zelle hat höchstens 5 V."),
        (
            "resistances",
            "5;5;5;0",
            "Bitte geben Sie Widerstände von 0,1 bis 500 mΩ ein.",
        ),
        (
            "resistances",
            "5;5;5;501",
            "Bitte geben Sie Widerstände von 0,1 bis 500 mΩ ein.",
        ),
        (
            "temperature",
            "-30,5",
            "Bitte geben Sie eine Temperatur von −30 bis 90 °C ein.",
        ),
        (
            "temperature",
            "255",
            "Bitte geben Sie eine Temperatur von −30 bis 90 °C ein.",
        ),
        ("kind", "4", invalid),
        ("time", "01.01.2099 10:00", "Die Zeit liegt in der Zukunft."),
        ("charger", "ISDT", "Bitte geben Sie mindestens einen Wert ein."),
    ] {
        bench.read(&battery, &[(field, value)]).expect_refusal(400, sentence);
    }
    let copter = bench.pilot.item(COPTER, "Falke");
    bench
        .read(&copter, &[("voltage", "15")])
        .expect_refusal(400, "Nur Batterien haben einen Akkupass.");
    assert_eq!(bench.passport(&battery)["readings"], json!([]));
}

#[test]
fn readings_stay_when_a_pack_turns_out_to_have_other_cells_and_two_of_a_minute_are_two() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "R-Line");
    bench.profile(&battery, &json!({"cells": 4})).expect_status(200);
    let fields = [("time", "10.05.2026 09:00"), ("cellVoltages", "3,8;3,8;3,8;3,8")];
    for _ in 0..2 {
        bench.read(&battery, &fields).expect_status(201);
    }
    bench.profile(&battery, &json!({"cells": 6})).expect_status(200);
    let passport = bench.passport(&battery);
    assert_eq!(passport["readings"].as_array().unwrap().len(), 2);
    assert_eq!(passport["readings"][0]["cellVoltages"].as_array().unwrap().len(), 4);
    bench
        .read(&battery, &fields)
        .expect_refusal(400, "Bitte 6 Werte angeben.");
    // Earlier measurements can still be edited.
    let id = passport["readings"][0]["dpfId"].as_str().unwrap();
    let note = [("battery", battery.as_str()), ("dpfId", id), ("info", "falsch gezählt")];
    bench.pilot.post("EditBatteryReading", &note).expect_status(200);
}

#[test]
fn the_passport_shows_the_history_of_a_pack_the_newest_first_and_page_by_page() {
    let bench = bench();
    let (battery, copter) = (bench.pack("Akku 1", "6S 1300"), bench.pilot.item(COPTER, "Falke"));
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21,6", "25,2"]);
    let fields = json!({"startTime": "11.05.2026 10:00", "flightTime": 5.5, "batteryStartVoltage": 25.1,
        "batteryEndVoltage": 21.9, "consumedCapacity": 905});
    let flight = bench.pilot.fly(&copter, &[&battery], &fields);
    bench
        .quick("QuickStore", &[("battery", &battery), ("time", "11.05.2026 20:00")])
        .expect_status(200);
    bench
        .read(&battery, &[("time", "20.05.2026 09:00"), ("voltage", "22,8")])
        .expect_status(201);
    let passport = bench.passport(&battery);
    let deeds = passport["timeline"].as_array().unwrap().iter();
    let deeds: Vec<_> = deeds.map(|entry| entry["deed"].as_str().unwrap()).collect();
    assert_eq!(deeds, ["reading", "storage", "flight", "charge"]);
    let flown = &passport["timeline"][2];
    assert_eq!((&flown["flight"], &flown["minutes"]), (&json!(flight), &json!(5.5)));
    assert_eq!(
        (&passport["flightCount"], &passport["flights"][0]["toVoltage"]),
        (&json!(1), &json!(21.9))
    );
    let before = passport["timeline"][1]["dpfId"].as_str().unwrap();
    let page = [("dpfId", battery.as_str()), ("limit", "1"), ("before", before)];
    let page = bench.pilot.post("GetBatteryPassport", &page).expect_status(200).json();
    assert_eq!(page["timeline"], json!([flown]));
    let unknown = [("dpfId", battery.as_str()), ("before", flight.as_str())];
    bench.pilot.post("GetBatteryPassport", &unknown).expect_status(403);
    bench
        .pilot
        .post("GetBatteryPassport", &[("dpfId", &copter)])
        .expect_refusal(400, "Nur Batterien haben einen Akkupass.");
}

#[test]
fn a_swollen_pack_says_so_until_its_reading_is_deleted_or_it_is_retired() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "6S 1300");
    let swollen = "Aufgebläht. Nicht mehr laden, nach Angaben des Herstellers entsorgen.";
    bench
        .read(&battery, &[("swollen", "true"), ("time", "10.05.2026 09:00")])
        .expect_status(201);
    assert_eq!(bench.hints(&battery), [swollen]);
    bench.pilot.deactivate(&battery, "gebläht").expect_status(200);
    assert!(bench.hints(&battery).is_empty());
}

#[test]
fn full_cycles_and_capacity_follow_from_chargings() {
    let bench = bench();
    let form = json!({"type": BATTERY, "name": "Akku 1", "model": "6S", "capacity": 1300});
    let battery = bench.pilot.item_with(&form);
    for day in ["10", "12", "14"] {
        let times = [format!("{day}.05.2026 08:00"), format!("{day}.05.2026 09:00")];
        let fields = [
            ("chargeStartTime", times[0].as_str()),
            ("fromVoltage", "22,14"),
            ("chargeEndTime", &times[1]),
            ("toVoltage", "25,2"),
            ("charged", "936"),
        ];
        bench.pilot.save_charging(&battery, &fields).expect_status(200);
    }
    let trend = &bench.passport(&battery)["trend"];
    assert_eq!((&trend["cycles"], &trend["percent"]), (&json!(2.2), &json!(80.0)));
    assert_eq!(trend["forecast"], "Für eine Prognose fehlen Messungen (3 von 8).");
    assert_eq!(
        bench.hints(&battery).last().unwrap(),
        "Noch etwa 80 % der Nennkapazität."
    );
}

/// The button "Rückgängig".
#[test]
fn one_tap_is_taken_back_and_the_packs_are_as_before() {
    let bench = bench();
    let [one, other] = ["Akku 1", "Akku 2"].map(|name| bench.pack(name, "6S 1300"));
    bench.charge(&one, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21", "22,9"]);
    let open = [("chargeStartTime", "10.05.2026 08:00"), ("fromVoltage", "21,6")];
    bench.pilot.save_charging(&other, &open).expect_status(200);
    let before = [&one, &other].map(|battery| (bench.pilot.equipment(battery), bench.pilot.chargings(battery)));
    let both = format!("{one};{other}");
    let request = "0198b6f0-2222-7000-8000-00000000000a";
    bench
        .quick("QuickCharge", &[("battery", &both), ("requestId", request)])
        .expect_status(200);
    assert_eq!([&bench.state(&one)[0], &bench.state(&other)[0]], ["full", "full"]);
    let undo = [("undo", request)];
    bench.pilot.post("Undo", &undo).expect_status(200);
    let after = [&one, &other].map(|battery| (bench.pilot.equipment(battery), bench.pilot.chargings(battery)));
    assert_eq!(before, after);
    // Undo works only once, and only for the owner.
    bench.pilot.post("Undo", &undo).expect_status(403);
}

#[test]
fn what_was_changed_since_or_what_nobody_knows_is_not_taken_back() {
    let bench = bench();
    let battery = bench.pack("Akku 1", "6S 1300");
    bench.charge(&battery, ["10.05.2026 08:00", "10.05.2026 09:00"], ["21", "25,2"]);
    let request = "0198b6f0-2222-7000-8000-00000000000b";
    bench
        .quick("QuickStore", &[("battery", &battery), ("requestId", request)])
        .expect_status(200);
    let stored = bench.pilot.chargings(&battery).remove(0);
    let edit = [("dpfId", stored["dpfId"].as_str().unwrap()), ("toVoltage", "22,8")];
    bench.pilot.save_charging(&battery, &edit).expect_status(200);
    let said = "Seitdem wurde die Ladung geändert. Bitte bearbeiten Sie sie im Ladeverlauf.";
    bench.pilot.post("Undo", &[("undo", request)]).expect_refusal(409, said);
    assert_eq!(bench.state(&battery)[0], "storage");
    let unknown = [("undo", "0198b6f0-2222-7000-8000-00000000000c")];
    bench.pilot.post("Undo", &unknown).expect_status(403);
    let ben = bench._server.pilot("Ben");
    ben.post("Undo", &[("undo", request)]).expect_status(403);
}

impl Bench {
    fn set(&self, fields: &[(&str, &str)]) -> Answer {
        self.pilot.post("SaveBatterySet", fields)
    }
}

#[test]
fn packs_that_fly_together_are_a_set_and_each_is_in_one_at_most() {
    let bench = bench();
    let packs = ["Akku 1", "Akku 2", "Akku 3"].map(|name| bench.pack(name, "6S 1300"));
    let [one, two, three] = &packs;
    let pair = format!("{one};{two}");
    let set = bench
        .set(&[("name", "Lang"), ("members", &pair)])
        .expect_status(200)
        .json();
    assert_eq!((&set["name"], &set["members"]), (&json!("Lang"), &json!([one, two])));
    assert_eq!(
        bench.pilot.equipment(one)["set"],
        json!({"dpfId": set["dpfId"], "name": "Lang"})
    );
    assert_eq!(bench.pilot.equipment(three)["set"], json!(null));

    let taken = "Eine dieser Batterien gehört schon zu einem anderen Satz.";
    let other = format!("{two};{three}");
    bench
        .set(&[("name", "Kurz"), ("members", &other)])
        .expect_refusal(409, taken);
    let few = "Ein Satz hat 2 bis 8 Batterien.";
    bench
        .set(&[("name", "Kurz"), ("members", three)])
        .expect_refusal(400, few);
    let nameless = "Bitte geben Sie dem Satz einen Namen.";
    bench.set(&[("members", &other)]).expect_refusal(400, nameless);
    let copter = bench.pilot.item(COPTER, "Falke");
    bench
        .set(&[("name", "Kurz"), ("members", &format!("{three};{copter}"))])
        .expect_refusal(400, "Nur Batterien haben einen Akkupass.");

    // Fields that aren't sent keep their values.
    let id = set["dpfId"].as_str().unwrap();
    let edited = bench.set(&[("set", id), ("members", &other)]).expect_status(200).json();
    assert_eq!(
        (&edited["name"], &edited["members"]),
        (&json!("Lang"), &json!([two, three]))
    );
    let ben = bench._server.pilot("Ben");
    ben.post("DeleteBatterySet", &[("set", id)]).expect_status(403);
    bench.pilot.post("DeleteBatterySet", &[("set", id)]).expect_status(200);
    assert_eq!(bench.pilot.equipment(two)["set"], json!(null));
    // A late repetition of the first request restores nothing.
    let late = [("dpfId", id), ("name", "Lang"), ("members", pair.as_str())];
    bench.set(&late).expect_status(403);
}

#[test]
fn a_retired_pack_comes_into_no_set_and_leaves_its_own_only_when_its_pilot_says_so() {
    let bench = bench();
    let [one, two, three] = ["Akku 1", "Akku 2", "Akku 3"].map(|name| bench.pack(name, "6S 1300"));
    bench.pilot.deactivate(&three, "alt").expect_status(200);
    bench
        .set(&[("name", "Lang"), ("members", &format!("{one};{three}"))])
        .expect_refusal(409, "Eine ausgemusterte Batterie kann nicht in einen Satz.");
    let set = bench.set(&[("name", "Lang"), ("members", &format!("{one};{two}"))]);
    let set = set.expect_status(200).json();
    bench.pilot.deactivate(&two, "alt").expect_status(200);
    assert_eq!(bench.pilot.equipment(&two)["set"]["dpfId"], set["dpfId"]);
    let renamed = [("set", set["dpfId"].as_str().unwrap()), ("name", "Kurz")];
    bench.set(&renamed).expect_status(200);
}

#[test]
fn a_set_that_is_charged_unevenly_says_so_once_and_in_each_passport() {
    let bench = bench();
    let packs = ["Akku 1", "Akku 2"].map(|name| bench.pack(name, "6S 1300"));
    for (battery, volts) in packs.iter().zip(["24,6", "23,7"]) {
        bench.read(battery, &[("voltage", volts)]).expect_status(201);
    }
    let members = packs.join(";");
    bench.set(&[("name", "Lang"), ("members", &members)]).expect_status(200);
    let said = "Satz „Lang“: 0,15 V je Zelle auseinander.";
    for battery in &packs {
        assert_eq!(bench.hints(battery), [said]);
        assert_eq!(bench.pilot.equipment(battery)["light"], "red");
    }
    let hints = bench.pilot.post("GetBatteryHints", &[]).expect_status(200).json();
    let texts: Vec<_> = hints.as_array().unwrap().iter().map(|hint| &hint["text"]).collect();
    assert_eq!(texts, [said]);
}

/// Figures measured by the charger.
#[test]
fn a_charger_s_measurement_outranks_the_estimate_and_is_kept_when_the_charging_is_edited() {
    let bench = bench();
    let form = json!({"type": BATTERY, "name": "Akku 1", "model": "6S", "capacity": 1000});
    let battery = bench.pilot.item_with(&form);
    for day in ["10", "12", "14"] {
        let times = [format!("{day}.05.2026 08:00"), format!("{day}.05.2026 09:00")];
        let fields = [
            ("chargeStartTime", times[0].as_str()),
            ("fromVoltage", "22,14"),
            ("chargeEndTime", &times[1]),
            ("toVoltage", "25,2"),
            ("charged", "900"),
            ("purpose", "0"),
            ("endCellVoltages", "4,2;4,2;4,19;4,2;4,2;4,2"),
            ("measuredCapacity", "850"),
            ("charger", "ISDT"),
        ];
        let saved = bench.pilot.save_charging(&battery, &fields).expect_status(200).json();
        assert_eq!(saved["details"]["measuredCapacity"], json!(850.0));
    }
    assert_eq!(bench.passport(&battery)["trend"]["percent"], json!(85.0));
    let last = bench.pilot.chargings(&battery).remove(0);
    let id = ("dpfId", last["dpfId"].as_str().unwrap());
    let edited = bench
        .pilot
        .save_charging(&battery, &[id, ("charged", "910")])
        .expect_status(200)
        .json();
    assert_eq!(edited["details"], last["details"]);
    for (field, value, sentence) in [
        ("endCellVoltages", "4,2;4,2", "Bitte 6 Werte angeben."),
        (
            "resistances",
            "0,01;1;1;1;1;1",
            "Bitte geben Sie Widerstände von 0,1 bis 500 mΩ ein.",
        ),
    ] {
        let refused = bench.pilot.save_charging(&battery, &[id, (field, value)]);
        refused.expect_refusal(400, sentence);
    }
    let cleared = [
        ("measuredCapacity", ""),
        ("charger", ""),
        ("endCellVoltages", ""),
        ("purpose", ""),
    ];
    let cleared = bench.pilot.save_charging(&battery, &[&[id][..], &cleared].concat());
    assert_eq!(cleared.expect_status(200).json()["details"], json!(null));
}

#[test]
fn a_flight_with_several_packs_gives_each_its_part_of_a_full_cycle() {
    let bench = bench();
    let pack = |name: &str| {
        let item = json!({"type": BATTERY, "name": name, "model": "6S 1000", "capacity": 1000});
        bench.pilot.item_with(&item)
    };
    let (one, two, copter) = (pack("Akku 1"), pack("Akku 2"), bench.pilot.item(COPTER, "Falke"));
    let cycles = |battery: &str| {
        let item = bench.pilot.equipment(battery);
        (item["cycles"].clone(), item["cyclesEstimated"].clone())
    };
    let fly = |batteries: &[&str], start: &str| {
        let fields =
            json!({"startTime": start, "flightTime": "6", "consumedCapacity": "1600", "batteryEndVoltage": "22"});
        bench.pilot.fly(&copter, batteries, &fields)
    };
    let flight = fly(&[&one, &two], "10.05.2026 10:00");
    assert_eq!(cycles(&one), (json!(0.8), json!(true)));
    assert_eq!(cycles(&two), (json!(0.8), json!(true)));
    fly(&[&two], "10.05.2026 11:00");
    assert_eq!(cycles(&two), (json!(2.4), json!(true)));
    // In a flight with several packs, the consumption of each is unknown.
    assert_eq!(bench.pilot.chargings(&one)[0]["charged"], json!(null));
    bench
        .pilot
        .post("DeleteFlight", &[("dpfId", &flight)])
        .expect_status(200);
    assert_eq!(
        (cycles(&one), cycles(&two)),
        ((json!(0.0), json!(false)), (json!(1.6), json!(false)))
    );
}
