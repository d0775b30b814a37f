//! Battery packs: what they are made of, since when they are in their state, and what one tap says of them.

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

    /// State, since when, cells, and whether these are a guess.
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
    // A charger's second look at a full pack changes nothing.
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
    // Without the flight the pack was full, and is stored since the same time.
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
    // What isn't sent stays.
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
    // Its own it may keep, and a retired item keeps it as well.
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
    // The same tap again says nothing new.
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
    // Once it is known, it is needed.
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
        // Taking something out is no charge.
        assert_eq!(item["chargeCount"], 1);
    }
}

#[test]
fn several_packs_are_charged_together_or_none_of_them() {
    let bench = bench();
    let [one, other, unknown] = ["6S", "4S", ""].map(|model| bench.pack("Akku", model));
    for (battery, volts) in [(&one, ["21", "22,9"]), (&other, ["14", "15,2"])] {
        bench.charge(battery, ["10.05.2026 08:00", "10.05.2026 09:00"], volts);
    }
    let all = format!("{one};{other};{unknown}");
    bench
        .quick("QuickCharge", &[("battery", &all)])
        .expect_refusal(400, "Bitte die Spannung eingeben.");
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
fn a_voltage_that_nobody_knows_has_to_be_said() {
    let bench = bench();
    let (battery, copter) = (bench.pack("Akku", ""), bench.pilot.item(COPTER, "Falke"));
    let missing = "Bitte die Spannung eingeben.";
    bench
        .quick("QuickCharge", &[("battery", &battery)])
        .expect_refusal(400, missing);
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
    // Flown since then, and nobody has measured.
    bench.pilot.fly(
        &copter,
        &[&battery],
        &json!({"startTime": "11.05.2026 09:00", "flightTime": 5}),
    );
    bench
        .quick("QuickCharge", &[("battery", &battery)])
        .expect_refusal(400, missing);
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
