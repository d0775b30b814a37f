//! Tables of wrong input from forms, scripts or pranksters. Each row is refused with a German sentence that names its
//! field, and changes nothing.

use serde_json::{Value, json};

use crate::api::refusal::{CONTROL, NO_NUMBERS, NO_TEXTS, NUMBERS, World, quoted, with_raw};
use crate::harness::calls::{BATTERY, COPTER, GOGGLES, TRANSMITTER, VIDEO_CAMERA, with_id};
use crate::harness::{Pilot, Server};

const NO_DATES: [&str; 15] = [
    "31.02.2024",
    "30.02.2024",
    "29.02.2023",
    "31.04.2024",
    "32.01.2024",
    "00.01.2024",
    "01.00.2024",
    "01.13.2024",
    "2024-01-01",
    "01/01/2024",
    "01.01.24",
    "01.01.2024 10:00",
    "01.01.",
    "heute",
    "01.01.2024.",
];
const NO_JSON_OBJECTS: [&str; 12] = [
    "",
    "x",
    "{",
    "[]",
    "null",
    "1",
    "\"{}\"",
    "{\"name\":}",
    "{\"name\": \"a\"} x",
    "{'name': 'a'}",
    "{\"name\": \"\\ud800\"}",
    "{\"name\": \"a\u{1}\"}",
];
const NO_TRUTHS: [&str; 6] = ["ja", "1", "0", "TRUE", "wahr", "true "];

/// The text fields of a kind's form.
fn text_fields(kind: u8) -> Vec<&'static str> {
    let common = ["name", "model", "manufacturer", "seller"];
    let own: &[&str] = match kind {
        GOGGLES | TRANSMITTER => &["firmwareNumber"],
        BATTERY => &["batteryType"],
        _ => &[],
    };
    [&common, own].concat()
}

/// The ways to save equipment of this kind: call and valid object.
fn saving(pilot: &Pilot, kind: u8) -> [(&'static str, Value); 2] {
    let new = json!({"type": kind, "name": "Falke"});
    let existing = with_id(&new, &pilot.item_with(&new));
    [("SaveNewEquipment", new), ("SaveEditEquipment", existing)]
}

#[test]
fn texts_of_equipment_have_a_limit_and_no_control_characters() {
    for kind in COPTER..=VIDEO_CAMERA {
        let (world, ways) = World::with(|pilot| saving(pilot, kind));
        for (call, base) in &ways {
            for field in text_fields(kind) {
                let refuse = |raw: &str| {
                    world.refuses(call, &[("equipment", &with_raw(base, field, raw))], field);
                };
                refuse(&quoted(&"ä".repeat(201)));
                for raw in NO_TEXTS {
                    refuse(raw);
                }
                for control in CONTROL {
                    refuse(&quoted(&format!("a{control}b")));
                }
                refuse(&quoted(r"zwei\nZeilen"));
            }
        }
        for field in text_fields(kind) {
            let longest = "🚁".repeat(200);
            let fields = with_raw(&json!({"type": kind, "name": "Falke"}), field, &quoted(&longest));
            let saved = world
                .pilot()
                .post("SaveNewEquipment", &[("equipment", &fields)])
                .expect_status(200)
                .json();
            assert_eq!(saved[field], longest.as_str(), "exactly 200 characters are taken");
        }
    }
}

#[test]
fn equipment_needs_a_name() {
    let (world, ways) = World::with(|pilot| saving(pilot, COPTER));
    for (call, base) in &ways {
        for raw in ["\"\"", "null", "\"   \""] {
            world.refuses(call, &[("equipment", &with_raw(base, "name", raw))], "name");
        }
        let mut nameless = base.clone();
        nameless.as_object_mut().unwrap().remove("name");
        world.refuses(call, &[("equipment", &nameless.to_string())], "name");
    }
}

#[test]
fn weight_and_capacity_are_numbers() {
    for (kind, fields) in [
        (COPTER, &["weight"][..]),
        (BATTERY, &["weight", "capacity"]),
        (VIDEO_CAMERA, &["weight"]),
    ] {
        let (world, ways) = World::with(|pilot| saving(pilot, kind));
        for field in fields {
            for (call, base) in &ways {
                for raw in NO_NUMBERS {
                    let answer = world.refuses(call, &[("equipment", &with_raw(base, field, raw))], field);
                    assert_eq!(answer.text(), "Ungültige Eingabe", "{raw}");
                }
            }
        }
        for field in fields {
            for (raw, number) in NUMBERS {
                let new = with_raw(&ways[0].1, field, raw);
                let saved = world
                    .pilot()
                    .post("SaveNewEquipment", &[("equipment", &new)])
                    .expect_status(200)
                    .json();
                assert_eq!(saved[field].as_f64(), number, "{raw}");
            }
        }
    }
}

#[test]
fn a_purchase_date_exists() {
    for kind in COPTER..=VIDEO_CAMERA {
        let (world, ways) = World::with(|pilot| saving(pilot, kind));
        for (call, base) in &ways {
            for date in NO_DATES {
                world.refuses(
                    call,
                    &[("equipment", &with_raw(base, "purchaseDate", &quoted(date)))],
                    "purchaseDate",
                );
            }
            for raw in ["true", "[]", "{}", "20240101"] {
                world.refuses(
                    call,
                    &[("equipment", &with_raw(base, "purchaseDate", raw))],
                    "purchaseDate",
                );
            }
        }
    }
}

#[test]
fn a_kind_is_one_of_five() {
    let (world, ()) = World::with(|_| ());
    let base = json!({"name": "Falke"});
    for raw in [
        "5",
        "-1",
        "1.5",
        "255",
        "256",
        "1e0",
        "\"x\"",
        "\"\"",
        "null",
        "true",
        "[]",
        "{}",
        "\"copter\"",
        "99999999999",
    ] {
        world.refuses(
            "SaveNewEquipment",
            &[("equipment", &with_raw(&base, "type", raw))],
            "type",
        );
    }
    world.refuses("SaveNewEquipment", &[("equipment", &base.to_string())], "type");
    for kind in [
        "5",
        "-1",
        "+1",
        "1.5",
        "256",
        "x",
        "",
        "copter",
        "0 1",
        "٣",
        "99999999999",
    ] {
        world.refuses("GetEquipments", &[("type", kind), ("deactivated", "false")], "type");
    }
    world.refuses("GetEquipments", &[("deactivated", "false")], "type");
    world
        .pilot()
        .save_new_equipment(&json!({"type": "1", "name": "Akku"}))
        .expect_status(200);
}

#[test]
fn a_json_field_holds_an_object() {
    let (world, ()) = World::with(|pilot| drop(pilot.fly(&pilot.item(COPTER, "Falke"), &[], &json!({}))));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_inside = format!("{{\"name\": {deep}}}");
    let deep_objects = "{\"a\":".repeat(50_000);
    for (call, field) in [
        ("SaveNewEquipment", "equipment"),
        ("SaveEditEquipment", "equipment"),
        ("CreateFlight", "config"),
        ("SaveFlight", "flight"),
    ] {
        for value in NO_JSON_OBJECTS
            .iter()
            .copied()
            .chain([deep.as_str(), &deep_inside, &deep_objects])
        {
            world.refuses_somehow(call, &[(field, value)]);
        }
        world.refuses_somehow(call, &[(field, r#"{"type": 0, "name": "Falke", "name": "Milan"}"#)]);
        world.refuses_somehow(call, &[]);
        world.refuses_somehow(call, &[("other", "{}")]);
    }
}

#[test]
fn every_id_must_be_sent() {
    let (world, copter) = World::with(|pilot| pilot.item(COPTER, "Falke"));
    for call in [
        "GetEquipment",
        "DeactivateEquipment",
        "ActivateEquipment",
        "GetFlight",
        "DeleteFlight",
    ] {
        for fields in [
            &[("info", "verloren")][..],
            &[("info", "verloren"), ("dpfId", "")],
            &[("dpfid", &copter), ("info", "x")],
        ] {
            world.refuses(call, fields, "dpfId");
        }
    }
    for raw in ["\"\"", "null", "[]", "{}"] {
        let equipment = with_raw(&json!({"type": COPTER, "name": "Falke"}), "dpfId", raw);
        world.refuses("SaveEditEquipment", &[("equipment", &equipment)], "dpfId");
        world.refuses(
            "SaveFlight",
            &[("flight", &with_raw(&json!({"notes": "x"}), "dpfId", raw))],
            "dpfId",
        );
    }
    world.refuses(
        "SaveEditEquipment",
        &[("equipment", r#"{"type": 0, "name": "Falke"}"#)],
        "dpfId",
    );
    world.refuses("SaveFlight", &[("flight", r#"{"notes": "x"}"#)], "dpfId");
}

#[test]
fn an_item_retires_only_for_a_reason() {
    let (world, copter) = World::with(|pilot| pilot.item(COPTER, "Falke"));
    let long = "ß".repeat(201);
    for reason in ["", "   ", "a\0b", "a\u{7}b", "\u{1b}[31m", &long] {
        world.refuses("DeactivateEquipment", &[("dpfId", &copter), ("info", reason)], "info");
    }
    world.refuses("DeactivateEquipment", &[("dpfId", &copter)], "info");
    let longest = "ß".repeat(200);
    let retired = world.pilot().deactivate(&copter, &longest).expect_status(200).json();
    assert_eq!(retired["deactivateText"], longest.as_str());
}

#[test]
fn true_and_false_are_written_out() {
    let (world, flight) = World::with(|pilot| pilot.take_off(&pilot.item(COPTER, "Falke")));
    let edit = json!({"dpfId": flight, "notes": "nie"}).to_string();
    for word in NO_TRUTHS {
        world.refuses("GetEquipments", &[("type", "0"), ("deactivated", word)], "deactivated");
        world.refuses("SaveFlight", &[("flight", &edit), ("endFlight", word)], "endFlight");
        let login = [
            ("email", "anna@example.org"),
            ("password", crate::harness::PASSWORD),
            ("rememberMe", word),
        ];
        world.refuses("Login", &login, "rememberMe");
    }
    let saved = world
        .pilot()
        .post("SaveFlight", &[("flight", &edit)])
        .expect_status(200)
        .json();
    assert_eq!(saved["open"], true, "without endFlight the flight goes on");
}

#[test]
fn a_login_with_nonsense_is_refused() {
    let (world, ()) = World::with(|_| ());
    let long = format!("{}@example.org", "a".repeat(201));
    for email in [
        "",
        long.as_str(),
        "anna@example.org\r\nBcc: x@example.org",
        "anna\0@example.org",
    ] {
        world.refuses("Login", &[("email", email), ("password", "Propeller-17")], "email");
    }
    world.refuses("Login", &[("password", "Propeller-17")], "email");
    let password = "x".repeat(201);
    world.refuses(
        "Login",
        &[("email", "anna@example.org"), ("password", &password)],
        "password",
    );
    for email in [
        "anna",
        "anna@",
        "@example.org",
        "anna @example.org",
        "a@example.org,b@example.org",
    ] {
        let answer = world.pilot().log_in(email, "Propeller-17");
        assert!([400, 401].contains(&answer.status), "{email}: {}", answer.status);
    }
    for call in ["CheckSession", "Logout"] {
        let answer = world
            .pilot()
            .another_tab()
            .post(call, &[("token", &"x".repeat(10_000))]);
        assert!(answer.status < 500, "{call}");
    }
}

#[test]
fn pages_of_the_list_have_between_1_and_500_flights() {
    let (world, ()) = World::with(|pilot| drop(pilot.fly(&pilot.item(COPTER, "Falke"), &[], &json!({}))));
    for limit in [
        "0",
        "501",
        "-1",
        "1.5",
        "1e2",
        "x",
        "ten",
        "99999999999999999999",
        " ",
        "٣",
    ] {
        world.refuses("GetFlights", &[("limit", limit)], "limit");
    }
    for limit in ["1", "500"] {
        assert_eq!(world.pilot().flights_page(&[("limit", limit)]).len(), 1);
    }
}

#[test]
fn a_time_that_summer_time_leaves_out_is_refused_everywhere() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    let battery = pilot.item(BATTERY, "Akku");
    let flight = pilot.fly(&copter, &[], &json!({"flightTime": 5}));
    let left_out = "29.03.2026 02:30";
    let sentence = "Diese Uhrzeit gibt es nicht: In dieser Nacht werden die Uhren auf Sommerzeit vorgestellt.";
    let flight = json!({"dpfId": flight, "startTime": left_out}).to_string();
    pilot
        .post("SaveFlight", &[("flight", flight.as_str()), ("endFlight", "false")])
        .expect_refusal(400, sentence);
    let charging = [("chargeStartTime", left_out), ("fromVoltage", "14,8")];
    pilot.save_charging(&battery, &charging).expect_refusal(400, sentence);
    let log = [("dpfId", copter.as_str()), ("info", "Propeller"), ("time", left_out)];
    pilot
        .upload("SaveEquipmentLog", &log, &[])
        .expect_refusal(400, sentence);
    let log = [
        ("dpfId", copter.as_str()),
        ("info", "Propeller"),
        ("time", "29.03.2026 03:30"),
    ];
    pilot.upload("SaveEquipmentLog", &log, &[]).expect_status(201);
}
