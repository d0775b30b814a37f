//! `kill -9` in the middle of mixed work, again and again on the same data, and in the middle of an import.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::api::imports::ticked;
use crate::faults::damage::{Numbers, damages};
use crate::faults::ledger::{Ledger, compare, expect_sound};
use crate::harness::calls::{COPTER, id_in};
use crate::harness::{Pilot, Server, temporary_directory, wait};

const ROUNDS: usize = 12;
const CLIENTS: usize = 4;

#[test]
fn confirmed_changes_survive_repeated_kills() {
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
        // Each round is killed after a different number of answers.
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

/// Flights of a list.
const ROWS: usize = 60;

/// A list of flights in this year.
fn list_of(year: u32) -> String {
    let row = |number: usize| format!("{:02}.{:02}.{year};14:05;7,5;Falke\n", number % 28 + 1, number / 28 + 1);
    "Datum;Startzeit;Dauer;Copter\n".to_owned() + &(0..ROWS).map(row).collect::<String>()
}

/// An import that the server has confirmed.
struct Import {
    id: String,
    choices: String,
}

/// Uploads the list of this year, always by the same request; `None` if the server ends meanwhile.
fn upload(pilot: &Pilot, year: u32, copter: &str) -> Option<Import> {
    let (list, request) = (list_of(year), format!("0198b6f0-4444-7000-8000-00000000{year}"));
    let fields = [("requestId", request.as_str())];
    let files = [("files", "Heft.csv", list.as_bytes())];
    let question = pilot.upload_question("UploadImport", &fields, &files);
    let found = question.try_to_send()?.expect_status(201).json();
    Some(Import {
        id: id_in(&found),
        choices: ticked(&found, copter).to_string(),
    })
}

/// Creates the flights; `None` if the server ends meanwhile.
fn accept(pilot: &Pilot, Import { id, choices }: &Import) -> Option<()> {
    let question = pilot.ask("POST", "/app/api/AcceptImport");
    let question = question.form(&[("dpfId", id), ("choices", choices)]);
    question.try_to_send().map(|accepted| drop(accepted.expect_status(200)))
}

#[test]
fn of_a_list_that_a_kill_interrupts_all_flights_are_there_or_none_and_each_once() {
    let mut numbers = Numbers::of(7);
    let mut counts = [0; 3];
    for _ in 0..damages() {
        let place = temporary_directory();
        let server = Server::start_in(place.path());
        let pilot = server.pilot("Anna");
        let (session, copter) = (pilot.cookie("session").unwrap(), pilot.item(COPTER, "Falke"));
        let begun = Instant::now();
        let first = upload(&pilot, 2024, &copter).expect("an import");
        accept(&pilot, &first).expect("its flights");
        let whole = usize::try_from(begun.elapsed().as_micros()).unwrap();
        let moment = Duration::from_micros(numbers.below(whole) as u64);
        let (import, accepted) = std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let import = upload(&pilot, 2025, &copter);
                let accepted = import.as_ref().and_then(|import| accept(&pilot, import));
                (import, accepted)
            });
            std::thread::sleep(moment);
            drop(server); // kill -9
            worker.join().unwrap()
        });

        let server = Server::start_in(place.path());
        let pilot = server.stranger();
        pilot.plant_cookie("session", &session);
        let open = pilot.post_empty("GetImports").expect_status(200).json();
        let there = (pilot.flights().len() - ROWS, open.as_array().unwrap().len());
        let allowed: &[_] = match (&import, accepted) {
            (None, _) => &[(0, 0), (0, 1)],
            (Some(_), None) => &[(0, 1), (ROWS, 0)],
            (Some(_), Some(())) => &[(ROWS, 0)],
        };
        assert!(allowed.contains(&there), "{there:?} is not one of {allowed:?}");
        counts[usize::from(import.is_some()) + usize::from(accepted.is_some())] += 1;
        let import = import.or_else(|| upload(&pilot, 2025, &copter)).expect("an import");
        accept(&pilot, &import).expect("its flights");
        assert_eq!(pilot.flights().len(), 2 * ROWS);
        assert_eq!(server.stop().code(), Some(0));
        expect_sound(place.path());
    }
    let [before, between, after] = counts;
    eprintln!("{before} kills before the list was confirmed, {between} before its flights were, {after} after that");
}
