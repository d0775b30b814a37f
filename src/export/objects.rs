//! The pilot's data as JSON, in the shapes of the calls' answers, with the paths of the files in the archive.

use std::collections::HashMap;
use std::io::Write;

use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer as _};
use serde_json::{Value, json};

use super::everything::Everything;
use super::files::Paths;
use fluglog_base::error::{Error, Result};
use fluglog_base::time::Clock;
use fluglog_topics::documents::model::{Document, StoredDocument};
use fluglog_topics::documents::proofs::model::{Proof, replaced};
use fluglog_topics::equipment::model::Kind;
use fluglog_topics::equipment::prior::PriorFlights;
use fluglog_topics::flights::model::Flight;
use fluglog_topics::logs::model::{Log, StoredLog, Subject};
use fluglog_topics::maintenance::exchange::ExportedJob;
use fluglog_topics::packs::records::charging::model::Charging;
use fluglog_topics::packs::records::readings::model::BatteryReading;
use fluglog_topics::packs::records::sets::model::BatterySet;
use fluglog_topics::packs::wire::Equipment;

/// Writes one file.
type WriteFn = fn(&Everything<'_>, &Paths, &Clock, &mut dyn Write) -> Result<()>;

/// Every file, by its name.
pub const ALL: [(&str, WriteFn); 13] = [
    ("profile.json", profile),
    ("equipment.json", equipment),
    ("chargings.json", chargings),
    ("readings.json", readings),
    ("sets.json", sets),
    ("jobs.json", jobs),
    ("flights.json", flights),
    ("logs.json", logs),
    ("documents.json", documents),
    ("proofs.json", proofs),
    ("feedback.json", feedback),
    ("flight-sources.json", sources),
    ("equipment-aliases.json", aliases),
];

fn profile(everything: &Everything<'_>, paths: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let user = &everything.user;
    let mut profile = json!({
        "email": user.email,
        "nickname": user.nickname,
        "firstname": user.firstname,
        "lastname": user.lastname,
        "contact": user.contact,
        "created": clock.wall_time_at(user.created).to_string(),
        "photo": paths.photo,
    });
    if let (Some(fields), false) = (profile.as_object_mut(), everything.prior.is_empty()) {
        fields.insert("prior".to_owned(), json!(PriorFlights::from(everything.prior.clone())));
    }
    serde_json::to_writer_pretty(&mut *out, &profile).map_err(defect)?;
    end(out)
}

fn equipment(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let items = everything.packs.iter().map(|pack| {
        let item = &pack.item;
        let profile = (item.kind == Kind::Battery).then(|| item.profile.clone());
        with(
            &Equipment::new(pack.clone(), None, clock.now()),
            json!({"profile": profile}),
        )
    });
    list(out, items)
}

fn chargings(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let chargings = everything.chargings.iter().flat_map(|(battery, chargings)| {
        let chargings = chargings.iter();
        chargings.map(|charging| Ok(Charging::new(*battery, charging.clone())))
    });
    list(out, chargings)
}

fn readings(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let readings = everything.readings.iter().flat_map(|(battery, readings)| {
        let readings = readings.iter();
        readings.map(|reading| Ok(BatteryReading::new(*battery, reading.clone())))
    });
    list(out, readings)
}

fn sets(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let sets = everything.sets.iter().cloned();
    list(out, sets.map(|set| Ok(BatterySet::from(set))))
}

fn jobs(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let jobs = everything.jobs.iter();
    list(out, jobs.map(|(job, runs)| Ok(ExportedJob::new(job, runs, clock))))
}

fn flights(everything: &Everything<'_>, paths: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let flights = everything.flights()?;
    list(out, flights.map(|flight| flight_of(&flight?, paths)))
}

fn logs(everything: &Everything<'_>, paths: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let documents = everything.documents.iter();
    let documents: HashMap<_, _> = documents.map(|document| (document.id, document)).collect();
    let logs = everything.logs().map(|log| {
        let log = log?;
        let document = log.document.and_then(|id| documents.get(&id));
        log_of(log, document.map(|document| (*document).clone()), paths, clock)
    });
    list(out, logs)
}

fn documents(everything: &Everything<'_>, paths: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let documents = everything.documents.iter();
    list(out, documents.map(|document| document_of(document, paths, clock)))
}

fn proofs(everything: &Everything<'_>, paths: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let replaced = replaced(&everything.proofs);
    let proofs = everything.proofs.iter().map(|(proof, document)| {
        let shown = Proof::new(proof, document, replaced.get(&proof.document), clock.now().date());
        let pages: Vec<_> = proof.pages.iter().map(|page| paths.of_page(page.id)).collect();
        with(&shown, json!({"pageFiles": pages}))
    });
    list(out, proofs)
}

fn feedback(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let all = everything.feedback.iter().map(|listed| {
        json!({
            "time": clock.wall_time_at(listed.sent).to_string(),
            "rate": listed.feedback.rate,
            "version": listed.feedback.version,
            "message": listed.feedback.message,
        })
    });
    list(out, all.map(Ok))
}

fn sources(everything: &Everything<'_>, _: &Paths, clock: &Clock, out: &mut dyn Write) -> Result<()> {
    let sources = everything.sources.iter().map(|(flight, source)| {
        json!({
            "flight": flight.to_string(),
            "file": source.file,
            "format": source.format,
            "part": source.part,
            "added": clock.wall_time_at(source.added).to_string(),
        })
    });
    list(out, sources.map(Ok))
}

fn aliases(everything: &Everything<'_>, _: &Paths, _: &Clock, out: &mut dyn Write) -> Result<()> {
    let aliases = everything.aliases.iter();
    let aliases = aliases.map(|(text, item)| json!({"text": text, "equipment": item.to_string()}));
    list(out, aliases.map(Ok))
}

fn flight_of(flight: &Flight, paths: &Paths) -> Result<Value> {
    let files: Vec<_> = flight.images.iter().map(|id| paths.of_image(id)).collect();
    with(
        flight,
        json!({
            "imageFiles": files,
            "trackFile": paths.of_track(&flight.dpf_id),
            "profileFile": paths.of_profile(&flight.dpf_id),
        }),
    )
}

fn log_of(log: StoredLog, document: Option<StoredDocument>, paths: &Paths, clock: &Clock) -> Result<Value> {
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
    with(&Log::new(log, document, clock), more)
}

fn document_of(document: &StoredDocument, paths: &Paths, clock: &Clock) -> Result<Value> {
    let more = json!({
        "bytes": document.bytes,
        "ofLog": !document.listed,
        "file": paths.of_document(document.id),
    });
    with(&Document::new(document.clone(), clock), more)
}

/// Adds fields to an object.
fn with(object: &impl Serialize, more: Value) -> Result<Value> {
    let mut object = serde_json::to_value(object).map_err(defect)?;
    if let (Some(fields), Value::Object(more)) = (object.as_object_mut(), more) {
        fields.extend(more);
    }
    Ok(object)
}

/// Writes an array item by item.
fn list<T: Serialize>(out: &mut dyn Write, items: impl Iterator<Item = Result<T>>) -> Result<()> {
    let mut json = serde_json::Serializer::pretty(&mut *out);
    let mut list = json.serialize_seq(None).map_err(defect)?;
    for item in items {
        list.serialize_element(&item?).map_err(defect)?;
    }
    list.end().map_err(defect)?;
    end(out)
}

fn end(out: &mut dyn Write) -> Result<()> {
    out.write_all(b"\n").map_err(defect)
}

fn defect(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("an export can't be made: {error}"))
}
