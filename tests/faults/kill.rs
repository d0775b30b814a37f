//! `kill -9` in the middle of mixed work, again and again on the same data.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use uuid::Uuid;

use crate::harness::calls::BATTERY;
use crate::harness::{Pilot, Server, temporary_directory, wait};
use crate::ledger::{Ledger, compare, expect_sound};

const ROUNDS: usize = 12;
const CLIENTS: usize = 4;

#[test]
fn whatever_was_confirmed_survives_being_killed_again_and_again() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let session = server.pilot("Anna").cookie("session").unwrap();
    server.stop();
    let mut ledgers: Vec<Ledger> = (0..CLIENTS).map(|_| Ledger::default()).collect();
    for round in 0..ROUNDS {
        let server = Server::start_in(place.path());
        let pilot = server.stranger();
        pilot.plant_cookie("session", &session);
        compare(&pilot, &ledgers);
        // Each round is cut after another number of answers.
        let answers_before_the_end = 3 + round * 11;
        let confirmed = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for (client, ledger) in ledgers.iter_mut().enumerate() {
                let (tab, confirmed) = (pilot.another_tab(), &confirmed);
                scope.spawn(move || {
                    ledger.work(&tab, client, round, || {
                        confirmed.fetch_add(1, Ordering::Relaxed);
                    });
                });
            }
            wait::until("enough answers", || {
                (confirmed.load(Ordering::Relaxed) >= answers_before_the_end).then_some(())
            });
            drop(server); // kill -9
        });
    }
    let server = Server::start_in(place.path());
    let pilot = server.stranger();
    pilot.plant_cookie("session", &session);
    compare(&pilot, &ledgers);
    assert!(ledgers.iter().map(Ledger::entries).sum::<usize>() > ROUNDS * CLIENTS);
    assert_eq!(server.stop().code(), Some(0));
    expect_sound(place.path());
    let parts = std::fs::read_dir(place.path().join("blobs")).unwrap();
    let left = parts.filter(|entry| entry.as_ref().unwrap().path().extension().is_some());
    assert_eq!(left.count(), 0, "half of an upload is left");
}

/// A client that sends what had no answer again, with the same `requestId`.
#[derive(Default)]
struct Sender {
    confirmed: Vec<String>,
    waiting: Option<(String, String)>,
}

impl Sender {
    /// One battery or document after the other until no answer comes.
    fn work(&mut self, pilot: &Pilot, client: usize, tell: impl Fn()) {
        loop {
            let new = || (format!("{client}-{}", self.confirmed.len()), Uuid::now_v7().to_string());
            let (name, request) = self.waiting.take().unwrap_or_else(new);
            let battery = json!({"type": BATTERY, "name": name}).to_string();
            let question = match self.confirmed.len() % 2 {
                0 => pilot
                    .ask("POST", "/app/api/SaveNewEquipment")
                    .form(&[("equipment", &battery), ("requestId", &request)]),
                _ => {
                    let file = [("file", name.as_str(), name.as_bytes())];
                    pilot.upload_question("UploadUserDocument", &[("requestId", &request)], &file)
                }
            };
            match question.try_to_send() {
                Some(answer) if answer.status < 300 => self.confirmed.push(name),
                _ => return self.waiting = Some((name, request)),
            }
            tell();
        }
    }
}

#[test]
fn what_had_no_answer_when_the_server_was_killed_is_there_once_after_it_was_sent_again() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let session = server.pilot("Anna").cookie("session").unwrap();
    server.stop();
    let mut senders: Vec<Sender> = (0..CLIENTS).map(|_| Sender::default()).collect();
    for round in 0..ROUNDS {
        let server = Server::start_in(place.path());
        let pilot = server.stranger();
        pilot.plant_cookie("session", &session);
        let answered = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for (client, sender) in senders.iter_mut().enumerate() {
                let (tab, answered) = (pilot.another_tab(), &answered);
                scope.spawn(move || {
                    sender.work(&tab, client, || {
                        answered.fetch_add(1, Ordering::Relaxed);
                    });
                });
            }
            wait::until("enough answers", || {
                (answered.load(Ordering::Relaxed) >= CLIENTS + round * 3).then_some(())
            });
            drop(server); // kill -9
        });
    }
    let server = Server::start_in(place.path());
    let pilot = server.stranger();
    pilot.plant_cookie("session", &session);
    let [batteries, documents] = [pilot.equipments(BATTERY, false), pilot.documents()];
    let mut there: Vec<_> = batteries
        .iter()
        .chain(&documents)
        .map(|item| item["name"].clone())
        .collect();
    // What is still without an answer is there or not, but at most once.
    let mut confirmed = Vec::new();
    for sender in senders {
        confirmed.extend(sender.confirmed.into_iter().map(|name| json!(name)));
        let waiting = sender.waiting.into_iter().map(|(name, _)| json!(name));
        confirmed.extend(waiting.filter(|name| there.contains(name)));
    }
    for names in [&mut there, &mut confirmed] {
        names.sort_by_key(ToString::to_string);
    }
    assert!(there.len() > ROUNDS * CLIENTS);
    assert_eq!(there, confirmed);
    assert_eq!(server.stop().code(), Some(0));
    expect_sound(place.path());
}
