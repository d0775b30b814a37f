//! The pilot's data as JSON, in the shapes that the calls answer with, and with the paths of the files in the archive.

use serde::Serialize;
use serde_json::{Value, json};

use super::everything::Everything;
use super::files::Paths;
use crate::base::error::{Error, Result};
use crate::base::time::Clock;
use crate::documents::model::{Document, StoredDocument};
use crate::equipment::charging::model::Charging;
use crate::equipment::model::Equipment;
use crate::flights::model::Flight;
use crate::logs::model::{Log, StoredLog, Subject};

/// Every file: its name and its content.
pub fn all(everything: &Everything, paths: &Paths, clock: &Clock) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let items = everything.items.iter().cloned();
    let equipment: Vec<_> = items.map(Equipment::from).collect();
    let chargings: Vec<_> = everything
        .chargings
        .iter()
        .flat_map(|(battery, chargings)| {
            chargings
                .iter()
                .map(|charging| Charging::new(*battery, charging.clone()))
        })
        .collect();
    let flights = everything.flights.iter().map(|flight| flight_of(flight, paths));
    let logs = everything.logs.iter().map(|log| log_of(log, everything, paths, clock));
    let documents = everything
        .documents
        .iter()
        .map(|document| document_of(document, paths, clock));
    Ok(vec![
        ("profile.json", bytes(&profile(everything, paths, clock))?),
        ("equipment.json", bytes(&equipment)?),
        ("chargings.json", bytes(&chargings)?),
        ("flights.json", bytes(&flights.collect::<Result<Vec<_>>>()?)?),
        ("logs.json", bytes(&logs.collect::<Result<Vec<_>>>()?)?),
        ("documents.json", bytes(&documents.collect::<Result<Vec<_>>>()?)?),
        ("feedback.json", bytes(&feedback(everything, clock))?),
        ("flight-sources.json", bytes(&sources(everything, clock))?),
        ("equipment-aliases.json", bytes(&aliases(everything))?),
    ])
}

fn sources(everything: &Everything, clock: &Clock) -> Vec<Value> {
    let sources = everything.sources.iter().map(|(flight, source)| {
        json!({
            "flight": flight.to_string(),
            "file": source.file,
            "format": source.format,
            "part": source.part,
            "added": clock.wall_time_at(source.added).to_string(),
        })
    });
    sources.collect()
}

fn aliases(everything: &Everything) -> Vec<Value> {
    let aliases = everything.aliases.iter();
    aliases
        .map(|(text, item)| json!({"text": text, "equipment": item.to_string()}))
        .collect()
}

fn profile(everything: &Everything, paths: &Paths, clock: &Clock) -> Value {
    let user = &everything.user;
    json!({
        "email": user.email,
        "nickname": user.nickname,
        "firstname": user.firstname,
        "lastname": user.lastname,
        "created": clock.wall_time_at(user.created).to_string(),
        "photo": paths.photo,
    })
}

fn flight_of(flight: &Flight, paths: &Paths) -> Result<Value> {
    let files: Vec<_> = flight.images.iter().map(|id| paths.of_image(id)).collect();
    with(
        flight,
        json!({"imageFiles": files, "trackFile": paths.of_track(&flight.dpf_id)}),
    )
}

fn log_of(log: &StoredLog, everything: &Everything, paths: &Paths, clock: &Clock) -> Result<Value> {
    let document = log.document.and_then(|id| {
        let found = everything.documents.iter().find(|document| document.id == id);
        found.cloned()
    });
    let more = json!({
        "equipment": match log.subject {
            Subject::Equipment(id) => Some(id.to_string()),
            Subject::Flight(_) => None,
        },
        "flight": match log.subject {
            Subject::Equipment(_) => None,
            Subject::Flight(id) => Some(id.to_string()),
        },
        "documentFile": log.document.map(|id| paths.of_document(id)),
    });
    with(&Log::new(log.clone(), document, clock), more)
}

fn document_of(document: &StoredDocument, paths: &Paths, clock: &Clock) -> Result<Value> {
    let more = json!({
        "bytes": document.bytes,
        "ofLog": !document.listed,
        "file": paths.of_document(document.id),
    });
    with(&Document::new(document.clone(), clock), more)
}

fn feedback(everything: &Everything, clock: &Clock) -> Vec<Value> {
    let all = everything.feedback.iter();
    all.map(|listed| {
        json!({
            "time": clock.wall_time_at(listed.sent).to_string(),
            "rate": listed.feedback.rate,
            "version": listed.feedback.version,
            "message": listed.feedback.message,
        })
    })
    .collect()
}

/// An object with further fields.
fn with(object: &impl Serialize, more: Value) -> Result<Value> {
    let mut object = serde_json::to_value(object).map_err(defect)?;
    if let (Some(fields), Value::Object(more)) = (object.as_object_mut(), more) {
        fields.extend(more);
    }
    Ok(object)
}

fn bytes(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(defect)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn defect(error: serde_json::Error) -> Error {
    Error::Internal(format!("an export can't be made: {error}"))
}
