//! The OpenAPI document (`/app/api/openapi.json`), and a check of answers against it. Implements the part of JSON
//! Schema that the document uses, and refuses the rest.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

use super::answer::Answer;

/// Path of the document on the server.
pub const PATH: &str = "/app/api/openapi.json";

/// The document of this build. `api/document.rs` tests that the server sends exactly this one.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(&text()).expect("JSON"));

/// The text of the document.
pub fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("embed/api/openapi.json");
    std::fs::read_to_string(path).expect("the document of the calls")
}

/// Schema of a call's form fields.
pub fn form(call: &str) -> &'static Value {
    let content = &DOCUMENT["paths"][format!("/app/api/{call}")]["post"]["requestBody"]["content"];
    let (_, media) = content
        .as_object()
        .and_then(|kinds| kinds.iter().next())
        .expect("a form");
    &media["schema"]
}

/// Fails if a call's answer has a status, a content type or a field that the document lacks.
#[track_caller]
pub fn check(method: &str, path: &str, answer: &Answer) {
    let path = path.split('?').next().unwrap_or_default();
    // Unknown paths, and other methods of known ones, aren't in the document.
    let Some(operation) = DOCUMENT["paths"][path].get(method.to_lowercase()) else {
        return;
    };
    let (asked, status) = (&answer.asked, answer.status);
    let response = operation["responses"].get(status.to_string());
    let response = resolved(response.unwrap_or_else(|| panic!("{asked}: {status} is not in the document")));
    // A repeated request has an empty answer if its object is gone.
    if answer.body.is_empty() {
        return;
    }
    let kind = answer.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    let Some(media) = response["content"].get(kind) else {
        panic!("{asked}: {status} with {kind} is not in the document");
    };
    if kind == "application/json" {
        let body = serde_json::from_slice(&answer.unpacked()).expect("JSON");
        let found = violations(&media["schema"], &body, "");
        assert!(found.is_empty(), "{asked}: not as the document says: {found:?}\n{body}");
    }
}

/// The places where a value violates a schema, as paths.
pub fn violations(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let schema = resolved(schema);
    if let Some(one_of) = schema.get("oneOf") {
        let found: Vec<_> = items(one_of).map(|schema| violations(schema, value, place)).collect();
        return match found.iter().filter(|found| found.is_empty()).count() {
            1 => Vec::new(),
            _ => found.concat(),
        };
    }
    let mut found = Vec::new();
    for part in parts(schema) {
        for (word, rule) in part.as_object().expect("a schema") {
            let holds = match word.as_str() {
                "type" => is_of_type(rule, value),
                "enum" => items(rule).any(|one| one == value),
                "minimum" => value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64()),
                "maximum" => value.as_f64().is_none_or(|number| Some(number) <= rule.as_f64()),
                "required" => items(rule).all(|name| value.get(name.as_str().expect("a name")).is_some()),
                "allOf" | "properties" | "items" | "description" | "format" => true,
                other => panic!("{place}: this test can't check {other}"),
            };
            if !holds {
                found.push(format!("{place}: {word} {rule}"));
            }
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(violations(&schema["items"], item, &format!("{place}/{index}")));
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let place = format!("{place}/{name}");
        match parts(schema).iter().find_map(|part| part["properties"].get(name)) {
            Some(schema) => found.extend(violations(schema, member, &place)),
            // Stricter than JSON Schema: undeclared fields are violations.
            None => found.push(format!("{place} is not in the document")),
        }
    }
    found
}

/// A schema and all schemas that it includes.
fn parts(schema: &Value) -> Vec<&Value> {
    let more = items(&schema["allOf"]).map(resolved).flat_map(parts);
    std::iter::once(schema).chain(more).collect()
}

fn is_of_type(types: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().expect("the name of a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type {other}"),
    };
    types.as_array().map_or_else(|| is(types), |types| types.iter().any(is))
}

/// The target of a reference.
fn resolved(value: &Value) -> &Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => {
            let path = reference.strip_prefix('#').expect("a reference into the document");
            DOCUMENT
                .pointer(path)
                .unwrap_or_else(|| panic!("{reference} leads nowhere"))
        }
        None => value,
    }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}
