//! The OpenAPI document and its correctness. Each answer in each test is checked against it (`harness/document.rs`);
//! these tests check that the document and that check are strict enough.

use std::io::Read as _;

use serde_json::{Value, json};

use super::matrix::{self, Call, Sent};
use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, TRANSMITTER};
use crate::harness::document::{self, PATH, violations};
use crate::harness::{PASSWORD, Server, pictures};

#[test]
fn anyone_may_read_what_the_calls_take_and_answer() {
    let server = Server::start();
    let stranger = server.stranger();
    let answer = stranger.get(PATH).expect_status(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.text(), document::text());
    assert_eq!(answer.json()["openapi"], "3.1.0");

    let tag = answer.header("etag").unwrap().to_owned();
    let known = stranger.ask("GET", PATH).header("If-None-Match", &tag).send();
    assert!(known.expect_status(304).body.is_empty());

    let packed = stranger.ask("GET", PATH).header("Accept-Encoding", "gzip").send();
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_ne!(packed.header("etag"), Some(tag.as_str()));
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(packed.body.as_slice())
        .read_to_string(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, document::text());
    stranger.ask("POST", PATH).send().expect_status(405);
}

fn answer(status: u16, kind: &str, body: &Value) -> Answer {
    Answer {
        asked: "a test".to_owned(),
        status,
        headers: vec![("content-type".to_owned(), kind.to_owned())],
        body: body.to_string().into_bytes(),
    }
}

/// Whether checking the answer would fail a test.
fn is_refused(call: &str, answer: Answer) -> bool {
    std::panic::catch_unwind(|| document::check("POST", &format!("/app/api/{call}"), &answer)).is_err()
}

#[test]
fn an_answer_that_the_document_does_not_speak_of_is_noticed() {
    let json = "application/json; charset=utf-8";
    let request = json!({
        "browser": "Firefox auf Android", "from": "aus diesem Netz", "time": "10.05.2026 18:05", "admin": false
    });
    assert!(!is_refused("GetLoginRequest", answer(200, json, &request)));
    for (status, kind, body) in [
        (201, json, request.clone()),
        (200, "text/plain; charset=utf-8", request.clone()),
        (200, json, json!({"browser": "Firefox auf Android"})),
        (
            200,
            json,
            json!({"browser": "Firefox auf Android", "from": "", "time": 5}),
        ),
        (200, json, json!({"browser": "a", "from": "", "time": "b", "more": ""})),
        (200, json, json!([request])),
    ] {
        assert!(
            is_refused("GetLoginRequest", answer(status, kind, &body)),
            "{status} {kind} {body}"
        );
    }
    assert!(is_refused("Logout", answer(200, json, &json!({}))));
}

#[test]
fn a_value_is_held_against_the_whole_of_its_schema() {
    let schema = json!({
        "allOf": [{
            "type": "object", "required": ["a"],
            "properties": {"a": {"type": ["integer", "null"], "minimum": 0}},
        }],
        "properties": {"b": {
            "type": "array", "items": {"oneOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]},
        }},
    });
    for right in [
        json!({"a": 1}),
        json!({"a": null, "b": []}),
        json!({"a": 0, "b": ["x", null]}),
    ] {
        assert_eq!(violations(&schema, &right, ""), Vec::<String>::new(), "{right}");
    }
    for wrong in [
        json!({}),
        json!({"a": -1}),
        json!({"a": 1.5}),
        json!({"a": 1, "b": ["y"]}),
        json!({"a": 1, "b": {}}),
        json!({"a": 1, "c": 1}),
        json!(null),
    ] {
        assert!(!violations(&schema, &wrong, "").is_empty(), "{wrong}");
    }
}

/// Fields that only matter with a valid cookie, token or link: a wrong value alone isn't refused.
const COUNT_LATER: [(&str, &str); 5] = [
    ("CheckLoginToken", "/number"),
    ("CheckSession", "/token"),
    ("ConfirmLogin", "/number"),
    ("Logout", "/token"),
    ("Verification", "/code"),
];

/// The fields of a call and the members of their objects, each with its path and its schema.
fn fields(call: &Call) -> Vec<(String, Value)> {
    fn collect(schema: &Value, place: &str, fields: &mut Vec<(String, Value)>) {
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            let place = format!("{place}/{name}");
            fields.push((place.clone(), schema.clone()));
            collect(schema, &place, fields);
            collect(&schema["items"], &format!("{place}/0"), fields);
        }
    }
    let mut fields = Vec::new();
    for media in call.operation["requestBody"]["content"]
        .as_object()
        .into_iter()
        .flatten()
    {
        collect(&media.1["schema"], "", &mut fields);
    }
    for parameter in call.operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        fields.push((format!("/{name}"), parameter["schema"].clone()));
    }
    fields
}

/// A value just outside of a field's schema; `None` if the field accepts anything.
fn wrong(schema: &Value) -> Option<Value> {
    let is = |name: &str| schema["type"].to_string().contains(name);
    let day = schema["examples"][0].as_str().map(str::len);
    if let Some(characters) = schema["maxLength"].as_u64() {
        return Some(json!("a".repeat(usize::try_from(characters).unwrap() + 1)));
    }
    if let Some(items) = schema["maxItems"].as_u64() {
        let item = if schema["items"]["type"] == "object" {
            json!({})
        } else {
            json!("x")
        };
        return Some(json!(vec![item; usize::try_from(items).unwrap() + 1]));
    }
    match (schema["maximum"].as_u64(), day) {
        (Some(most), _) => Some(json!((most + 1).to_string())),
        (None, Some(10)) => Some(json!("31.02.2026")),
        (None, Some(_)) => Some(json!("31.02.2026 09:05")),
        (None, None) if is("object") || is("boolean") || is("number") || schema["format"] == "uuid" => Some(json!("x")),
        (None, None) => None,
    }
}

/// The request with another value at the path, or without the field if `value` is `None`.
fn with(sent: &Sent, place: &str, value: Option<&Value>) -> Sent {
    let (field, member) = place[1..].split_once('/').unwrap_or((&place[1..], ""));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut changed = sent.clone();
    let old = sent.fields.iter().find(|(name, _)| name == field);
    changed.fields.retain(|(name, _)| name != field);
    if member.is_empty() {
        changed
            .fields
            .extend(value.map(|value| (field.to_owned(), text(value))));
        return changed;
    }
    let mut object: Value = serde_json::from_str(&old.unwrap().1).unwrap();
    let (around, name) = member
        .rsplit_once('/')
        .map_or(("", member), |(around, name)| (around, name));
    let around = if around.is_empty() {
        String::new()
    } else {
        format!("/{around}")
    };
    let around = object.pointer_mut(&around).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => around.insert(name.to_owned(), value.clone()),
        None => around.remove(name),
    };
    changed.fields.push((field.to_owned(), object.to_string()));
    changed
}

#[test]
fn every_field_is_read_and_has_the_limit_that_is_declared() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let hers = matrix::anna_s_things(&anna);
    let transmitter = anna.item(TRANSMITTER, "Sender");
    anna.plant_cookie("loginRequest", "0123456789abcdef");
    anna.post("ConfirmAdmin", &[("password", PASSWORD)]).expect_status(200);
    let before = anna.everything();
    for call in matrix::calls(&server) {
        for (place, schema) in fields(&call) {
            if COUNT_LATER.contains(&(call.name.as_str(), place.as_str())) {
                continue;
            }
            let name = place.rsplit('/').next().unwrap();
            let sent = matrix::sent(&call.name, &hers);
            // Each kind of equipment has its own fields.
            let (kind, item) = match name {
                "firmwareNumber" => (TRANSMITTER, &transmitter),
                "batteryType" | "capacity" => (BATTERY, &hers.battery),
                _ if place.starts_with("/equipment/profile") => (BATTERY, &hers.battery),
                _ => (COPTER, &hers.copter),
            };
            let sent = match call.name.as_str() {
                "SaveNewEquipment" => with(&sent, "/equipment/type", Some(&json!(kind))),
                "SaveEditEquipment" => with(&sent, "/equipment/dpfId", Some(&json!(item))),
                _ => sent,
            };
            let sent = match wrong(&schema) {
                _ if call.takes_file(name) => with_too_many_files(&sent, name, &schema),
                // Two different values would be refused for that reason.
                Some(password)
                    if place == "/password" && ["SavePassword", "ResetPassword"].contains(&call.name.as_str()) =>
                {
                    let repeated = with(&sent, "/repeatPassword", Some(&password));
                    with(&repeated, &place, Some(&password))
                }
                wrong => with(&sent, &place, wrong.as_ref()),
            };
            let answer = matrix::question(&anna, &call, &sent).send();
            let is_refused = match answer.status {
                400 => answer.header("x-field") == Some(name),
                status => status == 403 && schema["format"] == "uuid",
            };
            assert!(is_refused, "{} {place}: {} {}", call.name, answer.status, answer.text());
        }
    }
    assert_eq!(anna.everything(), before, "a refused request changed something");
}

fn with_too_many_files(sent: &Sent, field: &str, schema: &Value) -> Sent {
    let most = usize::try_from(schema["maxItems"].as_u64().unwrap_or(1)).unwrap();
    let file = (field.to_owned(), pictures::jpeg(20, 10));
    Sent {
        files: vec![file; most + 1],
        ..sent.clone()
    }
}
