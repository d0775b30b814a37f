//! Pilots who use nothing that is new get the answers that they got from 1.5.0: no field that its document lacks.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use super::matrix::{self, anna_s_things};
use crate::harness::Server;

/// What the document of 1.5.0 says of each call's JSON: its fields, without their rules.
static BEFORE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../fixtures/1.5.0/answers.json")).expect("JSON"));

/// Fields of the present version in answers to every pilot. They are about the pilot's own flights, packs and imports,
/// none about spaces, jobs or proofs.
const NEW_FOR_ALL: &[&str] = &[
    "BatteryPassport.dismissed",
    "BestFlight.firstImage",
    "BestFlight.maximumAltitude",
    "BestFlight.maximumDistance",
    "BestFlight.path",
    "Equipment.doubtful",
    "Equipment.stateVoltage",
    "Flight.endInstant",
    "Flight.startInstant",
    "FlightRow.path",
    "ImportColumn.decimal",
    "ImportFile.questions",
    "ImportFile.year",
    "Proposal.unknownPacks",
    "Review.paths",
];

/// The fields of a value that its schema lacks, each with the schema's name.
fn added(name: &str, schema: &Value, value: &Value) -> BTreeSet<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let path = reference.strip_prefix('#').expect("a reference into the document");
        let name = path.rsplit('/').next().unwrap_or_default();
        return added(name, BEFORE.pointer(path).expect("a schema"), value);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let of_each = choices.iter().map(|choice| added(name, choice, value));
        return of_each.min_by_key(BTreeSet::len).unwrap_or_default();
    }
    let mut found = BTreeSet::new();
    for item in value.as_array().into_iter().flatten() {
        found.extend(added(name, &schema["items"], item));
    }
    let parts = parts(schema);
    for (field, member) in value.as_object().into_iter().flatten() {
        match parts.iter().find_map(|part| part["properties"].get(field)) {
            Some(schema) => found.extend(added(&format!("{name}.{field}"), schema, member)),
            None => drop(found.insert(format!("{name}.{field}"))),
        }
    }
    found
}

/// A schema and all schemas that it includes.
fn parts(schema: &Value) -> Vec<&Value> {
    let included = schema["allOf"].as_array().into_iter().flatten();
    let included = included.map(|part| match part["$ref"].as_str() {
        Some(reference) => BEFORE.pointer(&reference[1..]).expect("a schema"),
        None => part,
    });
    std::iter::once(schema).chain(included.flat_map(parts)).collect()
}

#[test]
fn a_pilot_without_anything_new_gets_no_new_fields() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let hers = anna_s_things(&anna);
    for (call, fields) in [
        ("DissolveSpace", [("space", hers.space.as_str())]),
        ("DeleteProof", [("dpfId", &hers.proof)]),
    ] {
        anna.post(call, &fields).expect_status(200);
    }
    let mut found = BTreeSet::new();
    let mut asked = 0;
    for call in matrix::calls(&server) {
        let schema = &BEFORE["answers"][&call.name];
        let reads = call.name.starts_with("Get") || call.name == "CheckSession";
        if schema.is_null() || !reads || call.role() == "admin" {
            continue;
        }
        let answer = matrix::question(&anna, &call, &matrix::sent(&call.name, &hers)).send();
        if (200..300).contains(&answer.status) && !answer.body.is_empty() {
            found.extend(added(&call.name, schema, &answer.json()));
            asked += 1;
        }
    }
    let known = NEW_FOR_ALL.iter().map(|field| (*field).to_owned()).collect();
    assert_eq!(found, known);
    assert!(asked >= 25, "only {asked} calls");
}
