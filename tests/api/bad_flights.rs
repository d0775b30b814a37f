//! Like `bad_input`, for the many fields of a flight and of the choice before it.

use serde_json::{Value, json};

use crate::api::refusal::{CONTROL, NO_NUMBERS, NO_TEXTS, NUMBERS, World, quoted, with_raw};
use crate::harness::Pilot;
use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::document;

const NO_TIMES: [&str; 14] = [
    "31.02.2024 10:00",
    "29.02.2023 10:00",
    "00.01.2024 10:00",
    "01.13.2024 10:00",
    "01.01.2024 24:00",
    "01.01.2024 10:60",
    "01.01.2024",
    "01.01.2024 10",
    "2024-01-01T10:00",
    "01.01.2024 -1:00",
    "10:00",
    "jetzt",
    "01.01.2024 10:00 Uhr",
    "01.01.2024 1e:00",
];

/// Names of a flight's fields that have this rule in the document, but not `maxDistance`, a synonym.
fn fields_with(rule: &str) -> impl Iterator<Item = &'static str> {
    let form = document::form("SaveFlight")["properties"]["flight"]["properties"].as_object();
    let found = form
        .expect("the form")
        .iter()
        .filter(move |(_, schema)| schema.get(rule).is_some());
    found
        .map(|(name, _)| name.as_str())
        .filter(|name| *name != "maxDistance")
}

/// A finished flight with a value in every field tested below; returns its id as the object to save.
fn flight(pilot: &Pilot) -> Value {
    let id = pilot.fly(&pilot.item(COPTER, "Falke"), &[], &crate::api::flights::filled());
    json!({"dpfId": id})
}

#[test]
fn measured_values_are_numbers() {
    let (world, base) = World::with(flight);
    assert!(fields_with("exclusiveMaximum").count() >= 8);
    for field in fields_with("exclusiveMaximum") {
        for raw in NO_NUMBERS {
            let answer = world.refuses("SaveFlight", &[("flight", &with_raw(&base, field, raw))], field);
            assert_eq!(answer.text(), "Ungültige Eingabe", "{field} {raw}");
        }
        for (raw, number) in NUMBERS {
            let edit = with_raw(&base, field, raw);
            let saved = world
                .pilot()
                .post("SaveFlight", &[("flight", &edit)])
                .expect_status(200)
                .json();
            assert_eq!(saved[field].as_f64(), number, "{field} {raw}");
        }
        let back = with_raw(&base, field, &world.before["flights"][0][field].to_string());
        world
            .pilot()
            .post("SaveFlight", &[("flight", &back)])
            .expect_status(200);
    }
    for raw in NO_NUMBERS {
        world.refuses_somehow("SaveFlight", &[("flight", &with_raw(&base, "maxDistance", raw))]);
    }
}

#[test]
fn a_position_is_on_the_globe() {
    let (world, base) = World::with(flight);
    for (most, fields) in [
        ("90", ["startLatitude", "endLatitude"]),
        ("180", ["startLongitude", "endLongitude"]),
    ] {
        for field in fields {
            let refuse = |raw: &str| {
                world.refuses("SaveFlight", &[("flight", &with_raw(&base, field, raw))], field);
            };
            for raw in [
                format!("{most}.0001"),
                format!("-{most}.0001"),
                format!("\"{most},5\""),
                format!("\"-{most}.5\""),
                "1000".to_owned(),
                "1e1".to_owned(),
                "true".to_owned(),
                "[]".to_owned(),
                "{}".to_owned(),
            ] {
                refuse(&raw);
            }
            for text in [
                "1.5.2",
                "--1",
                "-",
                "+1",
                "1e1",
                "NaN",
                "48° 8'",
                "N 48",
                "48.1, 11.5",
                "٣",
            ] {
                refuse(&quoted(text));
            }
        }
    }
    for (latitude, longitude) in [
        ("90", "180"),
        ("-90", "-180"),
        ("\"-48,137154\"", "\"11.576124\""),
        ("0", "-0.5"),
    ] {
        let edit = with_raw(&base, "startLatitude", latitude);
        let edit = with_raw(&serde_json::from_str(&edit).unwrap(), "startLongitude", longitude);
        let saved = world
            .pilot()
            .post("SaveFlight", &[("flight", &edit)])
            .expect_status(200)
            .json();
        let value = |raw: &str| raw.trim_matches('"').replace(',', ".").parse::<f64>().ok();
        assert_eq!(saved["startLatitude"].as_f64(), value(latitude));
        assert_eq!(saved["startLongitude"].as_f64(), value(longitude));
    }
}

#[test]
fn a_start_time_exists_and_stays() {
    let (world, base) = World::with(flight);
    for time in NO_TIMES {
        world.refuses(
            "SaveFlight",
            &[("flight", &with_raw(&base, "startTime", &quoted(time)))],
            "startTime",
        );
    }
    for raw in ["\"\"", "null", "\"  \"", "true", "0", "[]", "{}"] {
        world.refuses(
            "SaveFlight",
            &[("flight", &with_raw(&base, "startTime", raw))],
            "startTime",
        );
    }
}

#[test]
fn texts_of_a_flight_end_at_ten_thousand_characters() {
    let (world, base) = World::with(flight);
    assert!(fields_with("maxLength").count() >= 4);
    for field in fields_with("maxLength") {
        let refuse = |raw: &str| {
            world.refuses("SaveFlight", &[("flight", &with_raw(&base, field, raw))], field);
        };
        refuse(&quoted(&"ß".repeat(10_001)));
        for raw in NO_TEXTS {
            refuse(raw);
        }
        for control in CONTROL {
            refuse(&quoted(&format!("a{control}b")));
        }
    }
    for field in fields_with("maxLength") {
        let longest = "ß".repeat(10_000);
        let edit = with_raw(&base, field, &quoted(&longest));
        let saved = world
            .pilot()
            .post("SaveFlight", &[("flight", &edit)])
            .expect_status(200)
            .json();
        assert_eq!(saved[field], longest.as_str());
    }
}

#[test]
fn a_flight_mode_is_one_of_three() {
    let (world, base) = World::with(flight);
    for raw in [
        "3",
        "-1",
        "1.5",
        "true",
        "[]",
        "{}",
        "\"3\"",
        "\"-1\"",
        "\"Winkel\"",
        "\"0 1\"",
        "\" 1\"",
        "\"+1\"",
        "\"01\"",
        "99999999999",
    ] {
        world.refuses(
            "SaveFlight",
            &[("flight", &with_raw(&base, "flightMode", raw))],
            "flightMode",
        );
    }
}

#[test]
fn one_wrong_field_saves_none_and_ends_nothing() {
    let (world, id) = World::with(|pilot| pilot.take_off(&pilot.item(COPTER, "Falke")));
    let edit = json!({"dpfId": id, "location": "Aßling", "flightTime": "12", "speed": "schnell"}).to_string();
    world.refuses("SaveFlight", &[("flight", &edit), ("endFlight", "true")], "speed");
    assert_eq!(world.pilot().open_flight(), id.as_str());
}

#[test]
fn the_choice_for_a_flight_is_lists_of_ids() {
    let (world, (copter, battery)) = World::with(|pilot| (pilot.item(COPTER, "Falke"), pilot.item(BATTERY, "Akku")));
    let base = json!({"copter": copter, "equipments": [battery], "payloads": []});
    for raw in ["[]", "{}", "\"\"", "null"] {
        world.refuses("CreateFlight", &[("config", &with_raw(&base, "copter", raw))], "copter");
    }
    let lonely = json!({"equipments": [battery], "payloads": []}).to_string();
    world.refuses("CreateFlight", &[("config", &lonely)], "copter");
    for raw in ["1", "true", "\"x\"", "{}", "[1]", "[null]", "[[]]", "[{}]", "[true]"] {
        world.refuses(
            "CreateFlight",
            &[("config", &with_raw(&base, "equipments", raw))],
            "equipments",
        );
    }
    let twice = json!([battery, battery]).to_string();
    world.refuses(
        "CreateFlight",
        &[("config", &with_raw(&base, "equipments", &twice))],
        "equipments",
    );
    for unknown in ["[\"x\"]", "[\"\"]"] {
        let answer = world
            .pilot()
            .post("CreateFlight", &[("config", &with_raw(&base, "equipments", unknown))]);
        assert!([400, 403].contains(&answer.status), "{unknown}: {}", answer.status);
    }
    let many: Vec<_> = std::iter::repeat_n(&battery, 2_000).collect();
    world.refuses(
        "CreateFlight",
        &[("config", &with_raw(&base, "equipments", &json!(many).to_string()))],
        "equipments",
    );
}

#[test]
fn a_payload_has_a_name_and_a_weight() {
    let (world, copter) = World::with(|pilot| pilot.item(COPTER, "Falke"));
    let base = json!({"copter": copter, "equipments": []});
    let refuse = |raw: &str| {
        world.refuses_somehow("CreateFlight", &[("config", &with_raw(&base, "payloads", raw))]);
    };
    for raw in [
        "1",
        "\"x\"",
        "true",
        "{}",
        "[1]",
        "[null]",
        "[[]]",
        "[\"Lampe\"]",
        "[{}]",
        r#"[{"name": "Lampe"}]"#,
        r#"[{"weight": 5}]"#,
        r#"[{"name": "", "weight": 5}]"#,
        r#"[{"name": "  ", "weight": 5}]"#,
        r#"[{"name": "Lampe", "weight": ""}]"#,
        r#"[{"name": "Lampe", "weight": null}]"#,
        r#"[{"name": [], "weight": 5}]"#,
        r#"[{"name": "Lampe", "weight": 5}, {"name": "Seil"}]"#,
    ] {
        refuse(raw);
    }
    for raw in NO_NUMBERS {
        refuse(&format!("[{{\"name\": \"Lampe\", \"weight\": {raw}}}]"));
    }
    for name in ["x".repeat(201), r"a\u0007b".to_owned(), r"a\nb".to_owned()] {
        refuse(&format!("[{{\"name\": \"{name}\", \"weight\": 5}}]"));
    }
    let longest = "ß".repeat(200);
    let id = world
        .pilot()
        .take_off_with(&copter, &[], &json!([{"name": longest, "weight": "0"}]));
    assert_eq!(world.pilot().flight(&id)["payloads"][0]["name"], longest.as_str());
}

#[test]
fn a_flight_takes_at_most_fifty_items_and_fifty_payloads() {
    let (world, (copter, batteries)) = World::with(|pilot| {
        let batteries: Vec<_> = (0..51)
            .map(|number| pilot.item(BATTERY, &format!("Akku {number}")))
            .collect();
        (pilot.item(COPTER, "Falke"), batteries)
    });
    let payloads = |count| vec![json!({"name": "Lampe", "weight": 1}); count];
    for (items, loads) in [(51, 0), (0, 51)] {
        let config = json!({"copter": copter, "equipments": batteries[..items], "payloads": payloads(loads)});
        world.refuses_somehow("CreateFlight", &[("config", &config.to_string())]);
    }
    let items: Vec<_> = batteries[..50].iter().map(String::as_str).collect();
    let id = world.pilot().take_off_with(&copter, &items, &json!(payloads(50)));
    let flight = world.pilot().flight(&id);
    assert_eq!(flight["equipments"].as_array().map(Vec::len), Some(50));
    assert_eq!(flight["payloads"].as_array().map(Vec::len), Some(50));
    assert_eq!(flight["weight"].as_f64(), Some(50.0));
}
