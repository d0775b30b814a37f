//! The changes that the server has confirmed to one client, each recorded only after its answer.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, id_in};
use crate::harness::process::run;
use crate::harness::{Pilot, text};

/// One in this many documents is deleted again.
const DELETED_ONE_IN: usize = 5;

/// One client's records. Their names begin with the client's number, so that clients don't affect each other.
#[derive(Default)]
pub struct Ledger {
    /// Batteries by id, with the name that was confirmed last.
    batteries: BTreeMap<String, String>,
    /// Documents by id, with their content.
    documents: BTreeMap<String, Vec<u8>>,
    /// Documents with a confirmed deletion.
    deleted: Vec<String>,
    /// Ids whose state is unknown because an answer was lost.
    unknown: Vec<String>,
}

/// The content of a document is derived from its name, so that other clients' documents can be checked as well.
fn content(name: &str) -> Vec<u8> {
    format!("{name}\n").repeat(1 + name.len() * 40).into_bytes()
}

impl Ledger {
    /// The number of confirmed changes.
    pub fn entries(&self) -> usize {
        self.batteries.len() + self.documents.len() + self.deleted.len()
    }

    /// Makes changes until an answer is an error or lost. Calls `tell` after each success.
    pub fn work(&mut self, pilot: &Pilot, client: usize, round: usize, tell: impl Fn()) {
        for number in 0.. {
            let name = format!("{client}-{round}-{number}");
            let went_well = match number % 3 {
                0 => self.add(pilot, &name),
                1 => self.rename(pilot, &name),
                _ => self.upload(pilot, &name, number / 3),
            };
            if went_well.is_none() {
                return;
            }
            tell();
        }
    }

    /// Adds a battery; `None` if the server didn't confirm it.
    pub fn add(&mut self, pilot: &Pilot, name: &str) -> Option<()> {
        let equipment = json!({"type": BATTERY, "name": name}).to_string();
        let question = pilot
            .ask("POST", "/app/api/SaveNewEquipment")
            .form(&[("equipment", &equipment)]);
        let answer = question.try_to_send().filter(|answer| answer.status == 200)?;
        self.note(&answer.json());
        Some(())
    }

    /// Records a confirmed battery.
    pub fn note(&mut self, battery: &Value) {
        let name = battery["name"].as_str().expect("a name");
        self.batteries.insert(id_in(battery), name.to_owned());
    }

    fn rename(&mut self, pilot: &Pilot, name: &str) -> Option<()> {
        let (id, _) = self.batteries.last_key_value()?;
        let id = id.clone();
        let equipment = json!({"dpfId": id, "type": BATTERY, "name": name}).to_string();
        let question = pilot
            .ask("POST", "/app/api/SaveEditEquipment")
            .form(&[("equipment", &equipment)]);
        if question.try_to_send().is_none_or(|answer| answer.status != 200) {
            self.batteries.remove(&id);
            self.unknown.push(id);
            return None;
        }
        self.batteries.insert(id, name.to_owned());
        Some(())
    }

    fn upload(&mut self, pilot: &Pilot, name: &str, number: usize) -> Option<()> {
        let content = content(name);
        let question = pilot.upload_question("UploadUserDocument", &[], &[("file", name, &content)]);
        let answer = question.try_to_send().filter(|answer| answer.status == 201)?;
        let id = id_in(&answer.json());
        if !number.is_multiple_of(DELETED_ONE_IN) {
            self.documents.insert(id, content);
            return Some(());
        }
        let question = pilot.ask("POST", "/app/api/DeleteUserDocument").form(&[("dpfId", &id)]);
        if question.try_to_send().is_none_or(|answer| answer.status != 200) {
            self.unknown.push(id);
            return None;
        }
        self.deleted.push(id);
        Some(())
    }
}

/// Fails unless all confirmed changes of these clients are present, and all stored objects are complete.
#[track_caller]
pub fn compare(pilot: &Pilot, ledgers: &[Ledger]) {
    let batteries: BTreeMap<_, _> = pilot
        .equipments(BATTERY, false)
        .iter()
        .map(|battery| (id_in(battery), battery["name"].as_str().unwrap().to_owned()))
        .collect();
    let documents: BTreeMap<_, _> = pilot
        .documents()
        .iter()
        .map(|document| (id_in(document), document["name"].as_str().unwrap().to_owned()))
        .collect();
    for ledger in ledgers {
        for (id, name) in &ledger.batteries {
            assert_eq!(batteries.get(id), Some(name), "a battery that was confirmed");
        }
        for id in ledger.documents.keys() {
            assert!(documents.contains_key(id), "document {id} was confirmed and is gone");
        }
        for id in &ledger.deleted {
            assert!(!documents.contains_key(id), "document {id} was deleted and is there");
        }
    }
    for (id, name) in &documents {
        let answer = pilot.post("DownloadDocument", &[("dpfId", id)]).expect_status(200);
        assert!(answer.body == content(name), "document {name} isn't what was sent");
    }
}

/// Fails unless all records, indexes and files of a directory are consistent. Files without a record are allowed: a
/// fault may leave them, and a repair removes them.
#[track_caller]
pub fn expect_sound(directory: &Path) {
    run(["check", "--repair", "--data-dir", text(directory)]);
    let checked = run(["check", "--data-dir", text(directory)]);
    assert_eq!((checked.code, checked.stderr.as_str()), (0, ""), "{checked:?}");
}
