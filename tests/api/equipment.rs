//! Equipment: the five kinds, their forms, retiring and reactivating. Figures from flights are in `derived.rs`.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER, GOGGLES, TRANSMITTER, VIDEO_CAMERA, id_in, keys, with_id};
use crate::harness::{Pilot, Server, clock};

const FIELDS: &[&str] = &[
    "batteryType",
    "capacity",
    "cells",
    "cellsGuessed",
    "chargeCount",
    "chemistry",
    "currentCharge",
    "cycles",
    "cyclesEstimated",
    "deactivateText",
    "deactivateTime",
    "doubtful",
    "dpfId",
    "endVoltage",
    "firmwareNumber",
    "fullDays",
    "lastChargeTime",
    "lastCharging",
    "lastFlight",
    "light",
    "manufacturer",
    "model",
    "name",
    "number",
    "purchaseDate",
    "seller",
    "set",
    "state",
    "stateSince",
    "stateVoltage",
    "sticker",
    "storageVoltage",
    "type",
    "usageTime",
    "weight",
];

/// A value for every field of the five forms.
fn filled(kind: u8) -> Value {
    json!({
        "type": kind, "name": "Falke", "model": "Mavic 4", "manufacturer": "DJI", "seller": "Käfer & Söhne",
        "purchaseDate": "29.02.2024", "weight": "249,5", "firmwareNumber": "v01.02", "batteryType": "LiPo 4S",
        "capacity": 3850,
    })
}

#[test]
fn each_kind_keeps_the_fields_of_its_form_and_ignores_the_others() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    for kind in COPTER..=VIDEO_CAMERA {
        let saved = pilot.save_new_equipment(&filled(kind)).expect_status(200).json();
        assert_eq!(keys(&saved), FIELDS);
        assert_eq!(saved["type"], kind);
        for (field, value) in [
            ("name", "Falke"),
            ("model", "Mavic 4"),
            ("manufacturer", "DJI"),
            ("seller", "Käfer & Söhne"),
            ("purchaseDate", "29.02.2024"),
        ] {
            assert_eq!(saved[field], value, "kind {kind}");
        }
        let weighed = [COPTER, BATTERY, VIDEO_CAMERA].contains(&kind);
        let has_firmware = [GOGGLES, TRANSMITTER].contains(&kind);
        assert_eq!(
            saved["weight"],
            if weighed { json!(249.5) } else { Value::Null },
            "kind {kind}"
        );
        assert_eq!(
            saved["firmwareNumber"],
            if has_firmware { "v01.02" } else { "" },
            "kind {kind}"
        );
        assert_eq!(
            saved["batteryType"],
            if kind == BATTERY { "LiPo 4S" } else { "" },
            "kind {kind}"
        );
        assert_eq!(
            saved["capacity"].as_f64(),
            (kind == BATTERY).then_some(3850.0),
            "kind {kind}"
        );
        assert_eq!(pilot.equipment(&id_in(&saved)), saved);
    }
}

#[test]
fn an_item_needs_no_more_than_a_name() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    for kind in COPTER..=VIDEO_CAMERA {
        let item = pilot.equipment(&pilot.item(kind, "Falke"));
        for empty in [
            "model",
            "manufacturer",
            "seller",
            "purchaseDate",
            "deactivateTime",
            "deactivateText",
            "firmwareNumber",
            "batteryType",
            "lastFlight",
            "lastChargeTime",
        ] {
            assert_eq!(item[empty], "", "{empty} of kind {kind}");
        }
        for empty in [
            "weight",
            "capacity",
            "currentCharge",
            "endVoltage",
            "lastCharging",
            "state",
            "cells",
        ] {
            assert!(item[empty].is_null(), "{empty} of kind {kind}: {item}");
        }
        assert_eq!(item["chargeCount"], 0);
        assert_eq!(item["usageTime"].as_f64(), Some(0.0));
    }
}

#[test]
fn a_field_that_the_form_lacks_may_hold_anything() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let goggles = json!({"type": GOGGLES, "name": "Brille", "weight": "schwer", "capacity": "-1"});
    let saved = pilot.save_new_equipment(&goggles).expect_status(200).json();
    assert!(saved["weight"].is_null() && saved["capacity"].is_null());
}

#[test]
fn an_edit_replaces_what_the_form_holds() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.item_with(&filled(BATTERY));
    let edited = json!({
        "dpfId": id, "type": BATTERY, "name": "Akku 1", "model": "", "manufacturer": "", "seller": "",
        "purchaseDate": "",
        "weight": "", "batteryType": "", "capacity": "",
    });
    let saved = pilot.save_edit_equipment(&edited).expect_status(200).json();
    assert_eq!(saved["dpfId"], id.as_str());
    assert_eq!(saved["name"], "Akku 1");
    for cleared in ["model", "manufacturer", "seller", "purchaseDate", "batteryType"] {
        assert_eq!(saved[cleared], "", "{cleared}");
    }
    assert!(saved["weight"].is_null() && saved["capacity"].is_null());
    assert_eq!(pilot.equipment(&id), saved);
}

#[test]
fn of_an_edited_item_stays_what_is_not_sent() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    for kind in COPTER..=VIDEO_CAMERA {
        let id = pilot.item_with(&filled(kind));
        let mut expected = pilot.equipment(&id);
        expected["name"] = json!("Neuer Name");
        let edited = json!({"dpfId": id, "name": "Neuer Name"});
        let saved = pilot.save_edit_equipment(&edited).expect_status(200).json();
        assert_eq!(saved, expected);
    }
}

#[test]
fn an_edit_changes_only_what_a_pilot_may_change() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.item_with(&filled(COPTER));
    let before = pilot.equipment(&id);
    let mut edited = with_id(&filled(COPTER), &id);
    for (field, value) in [
        ("type", json!(BATTERY)),
        ("deactivateTime", json!("01.01.2024 10:00")),
        ("deactivateText", json!("verloren")),
        ("currentCharge", json!(12.6)),
        ("chargeCount", json!(7)),
        ("usageTime", json!(99)),
        ("lastFlight", json!("01.01.2024 10:00")),
        ("owner", json!("ben@example.org")),
        ("user", json!(1)),
    ] {
        edited[field] = value;
    }
    pilot.save_edit_equipment(&edited).expect_status(200);
    assert_eq!(pilot.equipment(&id), before);
}

#[test]
fn lists_hold_one_kind_and_one_state() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let kept = pilot.item(BATTERY, "Akku 1");
    let retired = pilot.item(BATTERY, "Akku 2");
    pilot.item(COPTER, "Falke");
    pilot.deactivate(&retired, "gebläht").expect_status(200);

    let ids = |deactivated| {
        pilot
            .equipments(BATTERY, deactivated)
            .iter()
            .map(id_in)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(false), [kept.as_str()]);
    assert_eq!(ids(true), [retired.as_str()]);
    assert_eq!(pilot.equipments(BATTERY, false)[0], pilot.equipment(&kept));
    assert!(pilot.equipments(GOGGLES, false).is_empty(), "an empty list is a list");
}

#[test]
fn all_active_items_come_in_one_answer_by_kind() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let categories = ["copters", "batteries", "goggles", "sender", "videoCams"];
    let empty = pilot.all_equipments();
    let mut sorted = categories;
    sorted.sort_unstable();
    assert_eq!(keys(&empty), sorted);
    assert!(
        categories.iter().all(|category| empty[category] == json!([])),
        "{empty}"
    );

    let ids: Vec<_> = (COPTER..=VIDEO_CAMERA).map(|kind| pilot.item(kind, "Stück")).collect();
    let retired = pilot.item(COPTER, "Wrack");
    pilot.deactivate(&retired, "abgestürzt").expect_status(200);
    let all = pilot.all_equipments();
    for (category, id) in categories.iter().zip(&ids) {
        assert_eq!(all[category], json!([pilot.equipment(id)]), "{category}");
    }
}

#[test]
fn lists_are_sorted_by_name_as_a_german_expects() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let sorted = [
        "2-Zoll",
        "Ahorn",
        "äpfel",
        "Birne",
        "Öse",
        "Otto",
        "strasse 1",
        "Straße 2",
        "zebra",
        "Zoo",
    ];
    for name in [
        "Otto",
        "Zoo",
        "Straße 2",
        "äpfel",
        "zebra",
        "Birne",
        "2-Zoll",
        "Öse",
        "strasse 1",
        "Ahorn",
    ] {
        pilot.item(COPTER, name);
    }
    let names = |list: &[Value]| {
        list.iter()
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&pilot.equipments(COPTER, false)), sorted);
    assert_eq!(names(pilot.all_equipments()["copters"].as_array().unwrap()), sorted);
}

#[test]
fn two_items_may_have_the_same_name() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    assert_ne!(pilot.item(BATTERY, "Akku"), pilot.item(BATTERY, "Akku"));
    assert_eq!(pilot.equipments(BATTERY, false).len(), 2);
}

#[test]
fn retiring_notes_reason_and_time_and_taking_back_clears_them() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.item(COPTER, "Falke");
    let retired = pilot.deactivate(&id, "In den See gefallen").expect_status(200).json();
    assert_eq!(retired["deactivateText"], "In den See gefallen");
    clock::expect_now(retired["deactivateTime"].as_str().unwrap(), clock::in_berlin);
    assert_eq!(pilot.equipment(&id), retired);

    let back = pilot.activate(&id).expect_status(200).json();
    assert_eq!(
        (&back["deactivateTime"], &back["deactivateText"]),
        (&json!(""), &json!(""))
    );
    assert_eq!(pilot.equipment(&id), back);
    assert!(pilot.equipments(COPTER, true).is_empty());
}

#[test]
fn retiring_twice_or_taking_back_an_active_item_is_a_conflict() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.item(COPTER, "Falke");
    pilot.activate(&id).expect_status(409);
    pilot.deactivate(&id, "verloren").expect_status(200);
    pilot.deactivate(&id, "noch einmal verloren").expect_status(409);
    assert_eq!(pilot.equipment(&id)["deactivateText"], "verloren");
}

#[test]
fn an_item_in_the_air_can_t_be_retired() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let (copter, battery, spare) = (
        pilot.item(COPTER, "Falke"),
        pilot.item(BATTERY, "A"),
        pilot.item(BATTERY, "B"),
    );
    let flight = pilot.take_off_with(&copter, &[&battery], &json!([]));
    pilot.deactivate(&copter, "verloren").expect_status(409);
    pilot.deactivate(&battery, "verloren").expect_status(409);
    pilot.deactivate(&spare, "verloren").expect_status(200);
    pilot.finish_flight(&json!({"dpfId": flight})).expect_status(200);
    pilot.deactivate(&copter, "verloren").expect_status(200);
}

#[test]
fn nobody_reaches_the_equipment_of_another_pilot() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let id = anna.item_with(&filled(COPTER));
    let retired = anna.item(COPTER, "Wrack");
    anna.deactivate(&retired, "verloren").expect_status(200);
    let before = anna.everything();

    ben.post("GetEquipment", &[("dpfId", &id)]).expect_no_access();
    ben.save_edit_equipment(&with_id(&filled(COPTER), &id))
        .expect_no_access();
    ben.deactivate(&id, "gestohlen").expect_no_access();
    ben.activate(&retired).expect_no_access();
    assert!(ben.equipments(COPTER, false).is_empty() && ben.equipments(COPTER, true).is_empty());
    assert_eq!(ben.all_equipments()["copters"], json!([]));
    assert_eq!(anna.everything(), before);
}

#[test]
fn an_id_that_names_no_equipment_gives_the_same_answer_as_a_foreign_one() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let flight = pilot.take_off(&pilot.item(COPTER, "Falke"));
    let calls: [&dyn Fn(&str) -> crate::harness::answer::Answer; 4] = [
        &|id| pilot.post("GetEquipment", &[("dpfId", id)]),
        &|id| pilot.deactivate(id, "verloren"),
        &|id| pilot.activate(id),
        &|id| pilot.save_edit_equipment(&with_id(&filled(COPTER), id)),
    ];
    for id in odd_ids(&flight) {
        for call in calls {
            call(&id).expect_no_access();
        }
    }
}

/// Ids that aren't of an item of the wanted kind; `other` is an item of another kind.
pub fn odd_ids(other: &str) -> Vec<String> {
    let mut ids: Vec<_> = [
        "0",
        "-1",
        "x",
        "ä",
        "null",
        "1 OR 1=1",
        "../..",
        "00000000-0000-0000-0000-000000000000",
    ]
    .map(str::to_owned)
    .into();
    ids.extend([
        other.to_owned(),
        other.to_uppercase(),
        format!("{other}0"),
        "9".repeat(200),
    ]);
    ids
}

#[test]
fn changes_made_at_once_all_arrive() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let tab = pilot.another_tab();
            scope.spawn(move || add_some(&tab, number));
        }
    });
    assert_eq!(pilot.equipments(BATTERY, false).len(), 40);
}

fn add_some(pilot: &Pilot, tab: usize) {
    for number in 0..5 {
        pilot.item(BATTERY, &format!("Akku {tab}-{number}"));
    }
}
